/// Motion on springs, which distinguishes a car on a rough road from a bicycle. A device on a bicycle moves with the
/// rider and shows the crank, or with the frame and shows the road above 8 Hz. The springs and seats of a vehicle
/// attenuate both. A phone in trousers may show neither, but a ``PedalLine``. Of the recorded seconds on bicycles,
/// 0.005 to 0.20 in any data set show none of the three, and 0.48 of those of a car on rough roads. `ActivityTrials.md`
/// has the trials that chose the shares. `Notebooks/activity_model.py` has the same three shares of the probability.
enum CarSuspension {
    /// The middle of the fast band, and the lowest rate of a sensor that measures most of it, in Hz: that of a phone or
    /// a watch at 20 Hz.
    private static let (fastMiddle, lowestRate): (Float, Float) = (9.2, 19)
    /// Linear interpolation attenuates a frequency f of a sensor of rate r by this times (f/r)², as log₁₀ of the power:
    /// the first term of sinc⁴, 4 · π²/6 / ln 10.
    private static let attenuation: Float = 2.86
    /// The shares of the probability of cycling that remain, that count for automotive, and for handled.
    private static let (cycling, automotive, handled): (Float, Float, Float) = (0.05, 0.65, 0.3)

    /// Whether a window shows neither a crank nor the road of a frame nor pedals. `rate` is the sample rate in Hz.
    static func excludesBicycle(_ features: WindowFeatures, rate: Float) -> Bool {
        guard rate >= lowestRate, !features.hasPedals else { return false }
        return features.isSprung(attenuated: attenuation * (fastMiddle / rate) * (fastMiddle / rate))
    }

    /// The logarithms of the probabilities, with most of the probability of cycling counted for a drive or for a hand.
    static func withoutBicycle(_ logProbabilities: ByClass) -> ByClass {
        let probabilities = ByClass(exponential(logProbabilities.vector))
        var logs = logProbabilities
        logs[.cycling] += logarithm(cycling)
        logs[.automotive] = logarithm(probabilities[.automotive] + automotive * probabilities[.cycling])
        logs[.handled] = logarithm(probabilities[.handled] + handled * probabilities[.cycling])
        return logs
    }
}

/// The sway of a body that sits or stands: slow motion along a line, without a road.
///
/// A person who stands and talks moves a sensor at the chest by 20 to 130 mg, as a car does, but mostly below 0.6 Hz.
/// Such a window counts as rest. A drive continues, since a halted car rests too. `RideTrials.md` has the trials that
/// chose the numbers. `Notebooks/activity_model.py` has the same ones.
enum BodySway {
    /// log₁₀ of 14: the least ratio of the energy at 0.2 to 0.6 Hz to that of a band from 2 to 6.2 Hz, as the geometric
    /// mean of three.
    private static let leastRatio: Float = 1.15
    /// log₁₀ of 0.76: the least linearity of the slow motion. The hand of a driver turns in all directions.
    private static let leastLinearity: Float = -0.12
    /// The root mean square of the axes together, in g, from which on a car may turn, accelerate and brake.
    private static let mostMotion: Float = 0.2
    /// The share of the probability of automotive that remains. The rest counts for stationary.
    private static let automotive: Float = 0.05

    /// Whether a window has much more slow motion along a line than motion of a road.
    static func contains(_ features: WindowFeatures) -> Bool {
        let values = features.values
        let road = (values[3] + values[4] + values[5]) / 3
        return values[0] - road > leastRatio && values[9] > leastLinearity && features.rms < mostMotion
    }

    /// The logarithms of the probabilities, with most of the probability of automotive counted for stationary.
    static func atRest(_ logProbabilities: ByClass) -> ByClass {
        let probabilities = ByClass(exponential(logProbabilities.vector))
        var logs = logProbabilities
        logs[.stationary] = logarithm(probabilities[.stationary] + (1 - automotive) * probabilities[.automotive])
        logs[.automotive] += logarithm(automotive)
        return logs
    }
}

/// The line of even pedalling in a spectrum. A phone in trousers turns with the leg, and cloth and flesh attenuate the
/// shaking of the road, as springs do. A leg turns evenly for many seconds, so its rhythm and its harmonics are narrow
/// lines. Springs that ring after each bump have a broad peak. Of the recorded seconds in which ``CarSuspension`` finds
/// springs, 0.75 to 0.91 of three riders with phones have a line, and 0.02 in cars (`RideTrials.md`).
struct PedalLine: Sendable {
    /// The number of values: 10.24 s at 25 Hz, which separate a line from what lies 0.3 Hz beside it.
    static let windowLength = 256
    /// The bins, of 0.098 Hz, in which a line is looked for: 0.7–3.4 Hz. Slow pedals turn 40 times a minute, and two
    /// legs of a fast rider 200 times.
    private static let lines = 7..<36
    /// The bins to each side that belong to a line of a Hann window, and those that the neighborhood reaches to.
    private static let (lineReach, reach) = (1, 6)
    /// The lowest bin with motion: a turn of the device lies below it.
    private static let lowest = 2
    /// The least power of a line relative to its neighborhood, both as means of their bins.
    private static let least: Float = 10

    private let taper = hannWindow(windowLength)
    private var values = [SIMD4<Float>](repeating: SIMD4(), count: windowLength)
    private var powers = [SIMD4<Float>](repeating: SIMD4(), count: lines.upperBound + reach)
    private var transform = FourChannelFFT(exponent: 8)

    /// Whether a window of ``windowLength`` values has a line.
    mutating func isPresent(in window: ArraySlice<SIMD4<Float>>) -> Bool {
        let mean = window.reduce(SIMD4(), +) / Float(Self.windowLength)
        for (index, value) in window.enumerated() { values[index] = (value - mean) * taper[index] }
        transform.transform(values)
        transform.writePowers(at: Self.lowest...powers.count - 1, to: &powers)
        let sums = powers.map { $0.x + $0.y + $0.z }
        return Self.lines.contains { middle in
            let line = sums[middle - Self.lineReach...middle + Self.lineReach]
            let below = sums[max(middle - Self.reach, Self.lowest)..<middle - 2 * Self.lineReach]
            let above = sums[middle + 2 * Self.lineReach + 1...middle + Self.reach]
            let beside = (below.reduce(0, +) + above.reduce(0, +)) / Float(below.count + above.count)
            return line.reduce(0, +) / Float(line.count) > Self.least * beside
        }
    }
}

/// A Hann window with a mean square of one, in all lanes. Spreading a scalar in a loop would make the compiler split
/// the vectors.
func hannWindow(_ length: Int) -> [SIMD4<Float>] {
    (0..<length).map { index in
        let phase = 2 * Double.pi * Double(index) / Double(length)
        return SIMD4(repeating: Float((0.5 - 0.5 * cosine(phase)) / (0.375).squareRoot()))
    }
}

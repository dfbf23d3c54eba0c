/// Classifies a window: a small neural network that computes the probability of each ``ActivityClass``. The
/// standardized features go through one layer of tanh units to a softmax. The weights are ``ActivityWeights``;
/// ActivityModel.md describes their training and their accuracy.
enum ActivityClassifier {
    /// The logarithm of the probability of each class in a quiet window; −∞ in the lanes without a class.
    static var quietLogProbabilities: ByClass { ByClass(network.quiet) }

    /// The logarithm of the probability of each class in a window that is not quiet. `rate` is the sample rate in Hz.
    /// Where the features leave doubt, the log-probabilities by the `wave` count too, those of ``ActivityWave``.
    static func logProbabilities(of features: WindowFeatures, rate: Float, wave: () -> SIMD8<Float>) -> ByClass {
        if isNoise(features, rate: rate) { return WhiteNoise.logProbabilities }
        var logs = ByClass(network.logProbabilities(of: features.values))
        if logs.vector.max() < leastSure { logs = ByClass(mean(logs.vector, wave())) }
        if CarSuspension.excludesBicycle(features, rate: rate) { logs = CarSuspension.withoutBicycle(logs) }
        return BodySway.contains(features) ? BodySway.atRest(logs) : logs
    }

    /// Whether a window comes from no body and no vehicle. `rate` is the sample rate in Hz.
    static func isNoise(_ features: WindowFeatures, rate: Float) -> Bool {
        features.isPureTone || features.isWeightless || WhiteNoise.contains(features, rate: rate)
    }

    /// The logarithm of 0.8: the probability of a class from which on the features leave no doubt.
    private static let leastSure: Float = -0.2231
    /// The share of the wave in the mean.
    private static let waveShare: Float = 0.5
    private static let network = Network()

    /// The weighted mean of log-probabilities, for probabilities whose sum is one. Lanes without a class have −∞.
    private static func mean(_ logs: SIMD8<Float>, _ wave: SIMD8<Float>) -> SIMD8<Float> {
        let mean = (1 - waveShare) * logs + waveShare * wave
        return mean - logarithm(exponential(mean).sum())
    }

    /// The weights, arranged for vectors of eight.
    private struct Network: Sendable {
        let mean = SIMD16(ActivityWeights.mean)
        let scale = SIMD16(ActivityWeights.scale)
        let hidden = blocks(ActivityWeights.hidden, of: 8)
        let hiddenBias = blocks(ActivityWeights.hiddenBias, of: 8)
        let output = blocks(ActivityWeights.output, of: ActivityClass.allCases.count)
        let outputBias = padded(ActivityWeights.outputBias)
        let quiet = padded(ActivityWeights.quiet)

        func logProbabilities(of features: SIMD16<Float>) -> SIMD8<Float> {
            // In memory, where access to a lane chosen at run time is cheap.
            let inputs = unsafeBitCast((features - mean) / scale, to: InlineArray<16, Float>.self)
            // The model has 72 units: nine blocks of eight.
            let (inputSpan, weights) = (inputs.span, hidden.span.extracting(0..<16 * 9))
            precondition(hiddenBias.count == 9)
            let blocks = InlineArray<9, SIMD8<Float>> { block in
                var sum = hiddenBias[block]
                // In bounds: sixteen rows of nine blocks.
                for index in 0..<16 { sum += weights[unchecked: index &* 9 &+ block] * inputSpan[index] }
                return hyperbolicTangent(sum)
            }
            let units = unsafeBitCast(blocks, to: InlineArray<72, Float>.self)
            let (unitSpan, output) = (units.span, output.span.extracting(0..<units.count))
            // Four independent sums run in parallel.
            var sums = InlineArray<4, SIMD8<Float>>(repeating: SIMD8())
            for first in stride(from: 0, to: units.count, by: 4) {
                for unit in 0..<4 { sums[unit] += output[first + unit] * unitSpan[first + unit] }
            }
            return logSoftmax(outputBias + ((sums[0] + sums[1]) + (sums[2] + sums[3])))
        }
    }
}

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

/// The logarithm of the probability of each ``ActivityClass`` by the course of the signal.
///
/// The features of a window do not tell how a pedal or a hand turns, nor what the last quarter of a minute was like. A
/// convolutional network, which `Notebooks/train-activity-model.ipynb` trains, sees both. Its first layer makes five
/// frames of a second, and ``DilatedLayers`` add what happens up to a second away. A layer joins the frames of a
/// second, and further ones with gaps add the 14 s before it. A second takes 13,000 products, so it is classified only
/// where the features leave doubt.
struct ActivityWave: Sendable {
    /// The numbers in a row of the signal, in a frame, and in a second.
    private static let (channels, fine, wide) = (8, 8, 24)
    /// The values that a frame reads, and the frames that a second does.
    private static let (values, frames) = (15, 5)
    private static let (frameGaps, secondGaps): ([Int64], [Int64]) = ([1, 3], [1, 2, 4])
    /// The half-rate values from one frame to the next, and those before it that it reads.
    private static let (frameLength, margin): (Int64, Int64) = (5, 5)
    /// The seconds before and after a classified one whose signal it reads, at most.
    private static let (before, after): (Int64, Int64) = (17, 1)

    private static let weights = NetworkWeights(
        PackageResources.activity_wave_weights, version: 1,
        sizes: [values * channels * fine, fine] + DilatedLayers<1>.sizes(gaps: frameGaps)
            + [frames * fine * wide, wide] + DilatedLayers<3>.sizes(gaps: secondGaps)
            + [wide * ActivityClass.allCases.count, ActivityClass.allCases.count])
    private static let frameLayer = RectifiedLayer<1>(weights[0], bias: weights[1])
    private static let frameGapLayers = DilatedLayers<1>(gaps: frameGaps, before: 1, weights, from: 2)
    private static let secondLayer = RectifiedLayer<3>(weights[6], bias: weights[7])
    private static let secondGapLayers = DilatedLayers<3>(gaps: secondGaps, before: 2, weights, from: 8)
    private static let output = blocks(weights[14], of: ActivityClass.allCases.count)
    private static let bias = padded(weights[15])

    /// Apart from the signal of the step detector, which leaves out what is still.
    private var signal: SplitSignal
    private var framed = frameGapLayers
    private var joined = secondGapLayers

    /// Starts with the first grid cell of a contiguous signal.
    init(firstCell: Int64) { signal = SplitSignal(firstCell: firstCell) }

    /// The log-probabilities of a second; −∞ in the lanes without a class. `rate` is the sample rate in Hz. The signal
    /// repeats its first and last values beyond its ends.
    mutating func logProbabilities(of second: Int64, in cells: SignalBuffer, rate: Float) -> SIMD8<Float> {
        let earliest = AnalysisGrid.halfRate.start(of: second - Self.before)
        signal.sampleRate = rate
        signal.extend(cells, from: earliest, to: AnalysisGrid.halfRate.start(of: second + Self.after + 1))
        signal.removeValues(before: earliest)
        let missing = joined.missing(for: second..<second + 1)
        addSeconds(missing[0])
        joined.compute(missing)
        let first = joined.last.position(of: second)
        var scores = Self.bias
        for (unit, weights) in Self.output.enumerated() {
            scores += weights * joined.last.values[first + unit / 8][unit % 8]
        }
        return logSoftmax(scores)
    }

    /// Computes the seconds of a range from the signal.
    private mutating func addSeconds(_ range: Range<Int64>) {
        let count = Int64(Self.frames)
        let missing = framed.missing(for: range.lowerBound * count..<range.upperBound * count)
        addFrames(missing[0])
        framed.compute(missing)
        for second in range {
            joined.append(
                Self.secondLayer.outputs(of: framed.last.values.span, from: [framed.last.position(of: second * count)]))
        }
    }

    /// Computes the frames of a range from the signal.
    private mutating func addFrames(_ range: Range<Int64>) {
        guard !range.isEmpty else { return }
        let (length, margin) = (Self.frameLength, Self.margin)
        let channels = signal.channels(of: range.lowerBound * length - margin..<range.upperBound * length + margin)
        for index in 0..<range.count {
            framed.append(Self.frameLayer.outputs(of: channels.span, from: [index * Int(length)]))
        }
    }
}

/// The logarithms of probabilities with these scores, in log-odds but for a constant.
private func logSoftmax(_ scores: SIMD8<Float>) -> SIMD8<Float> {
    let shifted = scores - scores.max()
    return shifted - logarithm(exponential(shifted).sum())
}

/// Rows of up to eight values; missing values are zero.
private func blocks(_ values: [Float], of width: Int) -> [SIMD8<Float>] {
    stride(from: 0, to: values.count, by: width).map { first in
        var block = SIMD8<Float>()
        for lane in 0..<width { block[lane] = values[first + lane] }
        return block
    }
}

/// The values of the classes, and −∞ in the other lanes.
private func padded(_ values: [Float]) -> SIMD8<Float> {
    var lanes = SIMD8<Float>(repeating: -.infinity)
    for (lane, value) in values.enumerated() { lanes[lane] = value }
    return lanes
}

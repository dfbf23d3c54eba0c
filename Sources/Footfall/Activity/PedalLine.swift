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

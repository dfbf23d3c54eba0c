/// The motion above the low-pass in a window: its level, its peakedness, and the share that beats with the steps.
///
/// Each initial contact shakes the body above 5 Hz. A pedal does not, and a road shakes all the time.
struct GaitRoughness: Sendable {
    /// The number of features.
    static let count = 5
    /// Limits logarithms and shares, in g: a good sensor has about this much noise.
    private static let floor: Float = 2e-3

    private let hann: [Float]
    /// The deviations of the amplitude from its mean, weighted by the window.
    private(set) var deviations: [Float]
    /// The mean square of the amplitude, in g².
    private(set) var meanSquare: Float = 0
    private var logLevel: Float = 0
    private var logPeakedness: Float = 0
    /// The sum of the weighted amplitudes, which makes shares of the beats.
    private var sum: Float = 0

    init(windowLength: Int) {
        hann = (0..<windowLength).map { 0.5 - 0.5 * cosine(2 * .pi * (Float($0) + 0.5) / Float(windowLength)) }
        deviations = Array(repeating: 0, count: windowLength)
    }

    /// Measures the window around a value. It may extend beyond the signal at either end.
    ///
    /// - Parameter signal: What the low-pass removes; the fourth lane is its amplitude.
    mutating func load(_ signal: SignalBuffer, around center: Int64) {
        let start = center - Int64(hann.count / 2)
        let present = (start..<start + Int64(hann.count)).clamped(to: signal.range)
        let first = Int(present.lowerBound - start)
        let (slice, weights) = (signal.slice(present), hann)
        let (samples, hann) = (slice.span, weights.span)
        // The weights, and the weighted amplitudes, squares and fourth powers.
        var sums = SIMD4<Float>(1e-9, 0, 0, 0)
        for index in samples.indices {
            let amplitude = samples[index][3]
            let square = amplitude * amplitude
            sums += hann[first + index] * SIMD4(1, amplitude, square, square * square)
        }
        let mean = sums / sums[0]
        meanSquare = mean[2]
        let level = meanSquare.squareRoot() + Self.floor
        logLevel = logarithm(level)
        let (square, least) = (level * level, Self.floor * Self.floor)
        logPeakedness = 0.5 * logarithm((mean[3] + least * least) / (square * square))
        sum = sums[0] * (mean[1] + Self.floor)
        var values = deviations.mutableSpan
        for index in values.indices { values[index] = 0 }
        for index in samples.indices { values[first + index] = hann[first + index] * (samples[index][3] - mean[1]) }
    }

    /// Writes the features to the inputs from `index` on.
    ///
    /// - Parameter lines: The lines of ``deviations`` at ½, 1 and 2 times a cadence.
    func write(_ lines: SpectralLines, to inputs: inout GaitFeatures.Inputs, from index: Int) {
        // The share of the amplitude that beats at each of them.
        let beats = lines.squares.squareRoot() / sum
        inputs[index] = logLevel
        inputs[index + 1] = logPeakedness
        for lane in 0..<3 { inputs[index + 2 + lane] = beats[lane] }
    }
}

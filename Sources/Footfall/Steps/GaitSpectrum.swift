#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// How the power of a window of signal lies over frequency and over lag, for the norm and for the three axes together.
///
/// The norm shows the step rate whatever way the device is turned; the axes together also show the stride, which the
/// arm or the leg that carries the device makes, and for which the norm is often blind.
struct GaitSpectrum: Sendable {
    /// One of the two signals.
    struct Shape: Sendable {
        /// The share of the band's power in each bin; they sum to one.
        var shares: [Float]
        /// The shares spread over three bins each: a Hann window makes a line three bins wide.
        var spread: [Float]
        /// The autocorrelation by lag in samples, one at lag 0, corrected for the window.
        var correlation: [Float]
        /// The power within the band, as the transform gives it; see ``GaitSpectrum/rms(of:)``.
        var power: Float = 0
        /// The power below the band.
        var powerBelow: Float = 0
    }

    /// The frequencies where gait is, in Hz. Below lie turns of the body and of the device, above only what the low-pass left.
    static let band: ClosedRange<Float> = 0.4...6.5
    /// Samples per second of the low-passed signal.
    static let rate: Float = 25

    private(set) var norm: Shape
    private(set) var axes: Shape
    /// The mean of x, y, z and the norm, weighted by the window.
    private(set) var mean = SIMD4<Float>()
    /// What of the window holds signal, 0…1, weighted by the window.
    private(set) var fill: Float = 0
    private var workspace: Workspace

    /// Prepares windows.
    ///
    /// - Parameters:
    ///   - windowLength: In samples.
    ///   - transformLength: The window is padded with zeros to this length.
    ///   - lags: How many lags of the autocorrelation are wanted.
    ///   - leastCorrelation: The window's own autocorrelation is not taken for less than this, where it fades out.
    init(windowLength: Int, transformLength: Int, lags: Int, leastCorrelation: Float) {
        workspace = Workspace(windowLength, transformLength, lags: lags, leastCorrelation: leastCorrelation)
        norm = workspace.emptyShape
        axes = norm
    }

    /// The number of samples in a window.
    var windowLength: Int { workspace.hann.count }
    /// The first and last bin of the band.
    var bins: ClosedRange<Int> { workspace.bins }
    /// The width of a bin in Hz.
    var binWidth: Float { workspace.binWidth }

    /// Measures a window.
    ///
    /// - Parameters:
    ///   - signal: The low-passed signal.
    ///   - start: The sample at which the window begins; it may reach out of the signal at either end.
    mutating func measure(_ signal: Grid, from start: Int64) {
        let present = (start..<start + Int64(windowLength)).clamped(to: signal.start..<signal.end)
        var sum = SIMD4<Float>()
        // The tiny addend keeps an empty window from dividing by zero.
        var weights: Float = 1e-9
        for sample in present {
            let weight = workspace.hann[Int(sample - start)]
            sum += signal[sample] * weight
            weights += weight
        }
        mean = sum / weights
        fill = weights / workspace.hannSum
        workspace.measure(signal, present, start, lanes: 3..<4, mean: mean, into: &norm)
        workspace.measure(signal, present, start, lanes: 0..<3, mean: mean, into: &axes)
    }

    /// The standard deviation within the band of a signal with this shape, in g.
    func rms(of shape: Shape) -> Float {
        (density(of: shape) * Float(windowLength) / workspace.hannEnergy).squareRoot()
    }

    /// A shape's power per weight of the window that is there; comparable between windows of different lengths.
    func density(of shape: Shape) -> Float {
        shape.power / (Float(workspace.transform.length) * fill * workspace.hannSum)
    }
}

/// What measuring a window needs besides the window, kept so that nothing is allocated a second time.
private struct Workspace: Sendable {
    let hann: [Float]
    let hannSum: Float
    let hannEnergy: Float
    /// The window's own autocorrelation, which every windowed signal's is multiplied by.
    let hannCorrelation: [Float]
    let bins: ClosedRange<Int>
    let binWidth: Float
    var transform: RealTransform
    private var power: [Float]

    init(_ windowLength: Int, _ transformLength: Int, lags: Int, leastCorrelation: Float) {
        let band = GaitSpectrum.band
        let width = GaitSpectrum.rate / Float(transformLength)
        let hann = (0..<windowLength).map { 0.5 - 0.5 * cos(2 * .pi * (Float($0) + 0.5) / Float(windowLength)) }
        var transform = RealTransform(length: transformLength)
        var power = [Float](repeating: 0, count: transform.binCount)
        transform.addPower(to: &power) { values in
            for index in hann.indices { values[index] = Double(hann[index]) }
        }
        var correlation = [Float](repeating: 0, count: lags)
        transform.correlate(power, into: &correlation)
        hannCorrelation = correlation.map { max($0 / correlation[0], leastCorrelation) }
        hannSum = hann.reduce(0, +)
        hannEnergy = hann.reduce(0) { $0 + $1 * $1 }
        bins = Int((band.lowerBound / width).rounded(.up))...Int(band.upperBound / width)
        binWidth = width
        self.hann = hann
        self.power = power
        self.transform = transform
    }

    var emptyShape: GaitSpectrum.Shape {
        let bins = [Float](repeating: 0, count: power.count)
        return GaitSpectrum.Shape(
            shares: bins, spread: bins, correlation: [Float](repeating: 0, count: hannCorrelation.count))
    }

    mutating func measure(
        _ signal: Grid, _ present: Range<Int64>, _ start: Int64, lanes: Range<Int>, mean: SIMD4<Float>,
        into shape: inout GaitSpectrum.Shape
    ) {
        for bin in power.indices { power[bin] = 0 }
        let samples = signal.slice(present)
        let first = Int(present.lowerBound - start)
        for lane in lanes {
            let level = mean[lane]
            transform.addPower(to: &power) { values in
                var index = first
                for sample in samples {
                    values[index] = Double((sample[lane] - level) * hann[index])
                    index += 1
                }
            }
        }
        shape.powerBelow = power[1..<bins.lowerBound].reduce(0, +)
        for bin in power.indices where !bins.contains(bin) { power[bin] = 0 }
        shape.power = power.reduce(1e-12, +)
        let scale = 1 / shape.power
        for bin in power.indices { shape.shares[bin] = power[bin] * scale }
        spread(&shape)
        correlate(&shape)
    }

    private func spread(_ shape: inout GaitSpectrum.Shape) {
        let last = shape.shares.count - 1
        for bin in 0...last {
            let before = bin > 0 ? shape.shares[bin - 1] : 0
            let after = bin < last ? shape.shares[bin + 1] : 0
            shape.spread[bin] = shape.shares[bin] + before + after
        }
    }

    private mutating func correlate(_ shape: inout GaitSpectrum.Shape) {
        transform.correlate(shape.shares, into: &shape.correlation)
        let whole = shape.correlation[0]
        guard whole > 0 else { return }
        for lag in hannCorrelation.indices {
            shape.correlation[lag] /= whole * hannCorrelation[lag]
        }
    }
}

extension [Float] {
    /// The value at a fractional index, on the straight line between its neighbours; beyond the ends, the end values.
    func interpolated(at position: Float) -> Float {
        let clipped = Swift.min(Swift.max(position, 0), Float(count) - 1.001)
        let index = Int(clipped)
        let fraction = clipped - Float(index)
        return self[index] * (1 - fraction) + self[index + 1] * fraction
    }
}

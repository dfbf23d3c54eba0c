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
    /// One number for each of the two: the norm's is x, that of the axes is y.
    typealias Pair = SIMD2<Float>

    /// The frequencies where gait is, in Hz. Below lie turns of the body and of the device, above only what the low-pass left.
    static let band: ClosedRange<Float> = 0.4...6.5
    /// Samples per second of the low-passed signal.
    static let rate: Float = 25

    /// The share of the band's power in each bin; they sum to one.
    private(set) var shares: [Pair]
    /// The shares spread over three bins each: a Hann window makes a line three bins wide.
    private(set) var spread: [Pair]
    /// The autocorrelation by lag in samples, one at lag 0, corrected for the window.
    private(set) var correlation: [Pair]
    /// The power within the band, as the transform gives it; see ``rms``.
    private(set) var power = Pair()
    /// See ``mostLevel``.
    private var mostPower: Float = 0
    /// The power below the band.
    private(set) var powerBelow = Pair()
    /// The mean of x, y, z and the norm, weighted by the window.
    private(set) var mean = SIMD4<Float>()
    /// What of the window holds signal, 0…1, weighted by the window.
    private(set) var fill: Float = 0
    /// The first and last bin of the band.
    let bins: ClosedRange<Int>
    /// The width of a bin in Hz.
    let binWidth: Float

    private let hann: [Float]
    private let hannSum: Float
    private let hannEnergy: Float
    /// Bin after bin of the band, its cosines at lags 0, 1, 2 …, divided by the window's own autocorrelation.
    private let cosines: [SIMD16<Float>]
    /// The window, padded with zeros.
    private var values: [SIMD4<Float>]
    private var transform: LaneTransform
    /// The power in each bin up to the band's last.
    private var powers: [SIMD4<Float>]

    /// Prepares windows.
    ///
    /// - Parameters:
    ///   - windowLength: In samples.
    ///   - exponent: The window is padded with zeros to 2 to this power.
    ///   - lags: How many lags of the autocorrelation are wanted.
    ///   - leastCorrelation: The window's own autocorrelation is not taken for less than this, where it fades out.
    init(windowLength: Int, exponent: Int, lags: Int, leastCorrelation: Float) {
        transform = LaneTransform(exponent: exponent)
        let width = Self.rate / Float(transform.length)
        let hann = (0..<windowLength).map { 0.5 - 0.5 * cos(2 * .pi * (Float($0) + 0.5) / Float(windowLength)) }
        hannSum = hann.reduce(0, +)
        hannEnergy = hann.reduce(0) { $0 + $1 * $1 }
        bins = Int((Self.band.lowerBound / width).rounded(.up))...Int(Self.band.upperBound / width)
        binWidth = width
        cosines = Self.cosines(
            bins, lags, Self.correlation(of: hann, transform.length, lags).map { max($0, leastCorrelation) },
            transform.length)
        self.hann = hann
        values = Array(repeating: SIMD4(), count: transform.length)
        powers = Array(repeating: SIMD4(), count: bins.upperBound + 1)
        shares = Array(repeating: Pair(), count: transform.length / 2 + 1)
        spread = shares
        correlation = Array(repeating: Pair(), count: lags)
    }

    /// The number of samples in a window.
    var windowLength: Int { hann.count }

    /// The standard deviation within the band, in g.
    var rms: Pair { (density * Float(windowLength) / hannEnergy).squareRoot() }

    /// The most that the norm's standard deviation within the band can be, known of a window before it is measured.
    var mostLevel: Float { (density(of: Pair(repeating: mostPower)) * Float(windowLength) / hannEnergy).squareRoot().x }

    /// The power per weight of the window that is there; comparable between windows of different lengths.
    var density: Pair { density(of: power) }

    private func density(of power: Pair) -> Pair { power / (Float(transform.length) * fill * hannSum) }

    /// Takes in a window, weighted and without its mean.
    ///
    /// - Parameters:
    ///   - signal: The low-passed signal.
    ///   - start: The sample at which the window begins; it may reach out of the signal at either end.
    mutating func takeIn(_ signal: Grid, from start: Int64) {
        let present = (start..<start + Int64(windowLength)).clamped(to: signal.start..<signal.end)
        let first = Int(present.lowerBound - start)
        let slice = signal.slice(present)
        let samples = slice.span
        let hann = hann
        let weights = hann.span.extracting(first..<first + samples.count)
        var sum = SIMD4<Float>()
        // The tiny addend keeps an empty window from dividing by zero.
        var weight: Float = 1e-9
        for index in samples.indices {
            // There are as many weights as samples.
            sum += samples[unchecked: index] * weights[unchecked: index]
            weight += weights[unchecked: index]
        }
        let mean = sum / weight
        self.mean = mean
        fill = weight / hannSum
        var values = values.mutableSpan
        if samples.count < hann.count {
            for index in hann.indices { values[index] = SIMD4() }
        }
        // In turns: sums that need not wait for each other.
        var (energy, other) = (SIMD4<Float>(), SIMD4<Float>())
        for index in samples.indices {
            let value = (samples[unchecked: index] - mean) * weights[unchecked: index]
            (energy, other) = (other, energy + value * value)
            values[first + index] = value
        }
        // All bins together have half of length × energy in power, and the band no more; a little on top for rounding.
        mostPower = (energy[3] + other[3]) * Float(transform.length) / 2 * 1.001
    }

    /// Measures the power in the window that was taken in last.
    mutating func measure() {
        transform.transform(values)
        transform.writePowers(at: 1...bins.upperBound, to: &powers)
        (power, powerBelow) = Self.shareOut(powers, bins, &shares, &spread)
    }

    /// Reads ``shares`` and ``spread`` off the powers; returns ``power`` and ``powerBelow``.
    private static func shareOut(
        _ powers: [SIMD4<Float>], _ bins: ClosedRange<Int>, _ shares: inout [Pair], _ spread: inout [Pair]
    ) -> (within: Pair, below: Pair) {
        var below = Pair()
        var within = Pair(repeating: 1e-12)
        let powers = powers.span
        var shares = shares.mutableSpan
        var spread = spread.mutableSpan
        for bin in 1...bins.upperBound {
            let squares = powers[bin]
            let power = Pair(squares[3], squares[0] + squares[1] + squares[2])
            if bin < bins.lowerBound {
                below += power
            } else {
                within += power
                shares[bin] = power
            }
        }
        let scale = 1 / within
        for bin in bins { shares[bin] *= scale }
        for bin in bins.lowerBound - 1...bins.upperBound + 1 {
            spread[bin] = shares[bin] + shares[bin - 1] + shares[bin + 1]
        }
        return (within, below)
    }

    /// Measures ``correlation`` in the window that was measured last, as far as ``Swift/Array/interpolated(at:)`` needs it for
    /// positions up to `latest`.
    ///
    /// It belongs to the power spectrum (Wiener and Khinchin). With so few bins in the band, and fewer lags, to add up the
    /// cosines costs less than another transform.
    mutating func correlate(upTo latest: Float) {
        let (shares, cosines, bins) = (shares, cosines, bins)
        let blocks = cosines.count / bins.count
        var correlation = correlation.mutableSpan
        for block in 0..<min(blocks, (Int(latest) + 1) / 16 + 1) {
            var norm = SIMD16<Float>()
            var axes = SIMD16<Float>()
            var index = block
            for bin in bins {
                norm += cosines[index] * shares[bin].x
                axes += cosines[index] * shares[bin].y
                index += blocks
            }
            // A lane that is chosen at run time goes through memory: here all of them, once.
            let norms = unsafeBitCast(norm, to: InlineArray<16, Float>.self)
            let sums = unsafeBitCast(axes, to: InlineArray<16, Float>.self)
            let (first, normSpan, sumSpan) = (block * 16, norms.span, sums.span)
            for lane in 0..<min(16, correlation.count - first) {
                correlation[first + lane] = Pair(normSpan[lane], sumSpan[lane])
            }
        }
    }

    // MARK: Preparing

    /// The autocorrelation of a window, one at lag 0, as the transform of a window padded to `length` gives it: the end
    /// of the window meets its beginning where the padding is too short.
    private static func correlation(of window: [Float], _ length: Int, _ lags: Int) -> [Float] {
        let sums = (0..<lags).map { lag in
            window.indices.reduce(0.0) { sum, index in
                let other = (index + lag) % length
                return sum + (other < window.count ? Double(window[index]) * Double(window[other]) : 0)
            }
        }
        return sums.map { Float($0 / sums[0]) }
    }

    private static func cosines(
        _ bins: ClosedRange<Int>, _ lags: Int, _ window: [Float], _ length: Int
    ) -> [SIMD16<Float>] {
        bins.flatMap { bin in
            stride(from: 0, to: lags, by: 16).map { first in
                var block = SIMD16<Float>()
                for lag in first..<min(first + 16, lags) {
                    let angle = 2 * Double.pi * Double(bin * lag % length) / Double(length)
                    block[lag - first] = Float(cos(angle)) / window[lag]
                }
                return block
            }
        }
    }
}

extension [GaitSpectrum.Pair] {
    /// The value at a fractional index, on the straight line between its neighbours; beyond the ends, the end values.
    @inline(__always)
    func interpolated(at position: Float) -> GaitSpectrum.Pair {
        let clipped = Swift.min(Swift.max(position, 0), Float(count) - 1.001)
        let index = Int(clipped)
        let fraction = clipped - Float(index)
        return self[index] * (1 - fraction) + self[index + 1] * fraction
    }
}

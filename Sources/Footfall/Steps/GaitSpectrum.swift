/// The power spectrum and the autocorrelation of a window of signal, for the magnitude and for the three axes together.
/// The magnitude shows the step rate in any orientation of the device. The axes together also show the stride of the
/// arm or leg that carries the device, which the magnitude often lacks.
struct GaitSpectrum: Sendable {
    /// One number for the magnitude (x) and one for the three axes together (y).
    typealias Pair = SIMD2<Float>

    /// The frequency band of gait, in Hz. Turns of the body and of the device lie below it; the low-pass removes the
    /// rest.
    static let band: ClosedRange<Float> = 0.4...6.5
    static var rate: Float { Float(AnalysisGrid.halfRate.hertz) }

    /// The share of each bin in the power of the band. The shares sum to one.
    private(set) var shares: [Pair]
    /// The sum of the shares of three neighboring bins. With a Hann window a spectral line is three bins wide.
    private(set) var spread: [Pair]
    /// The autocorrelation by lag in values, one at lag 0, corrected for the window.
    private(set) var correlation: [Pair]
    /// The power within the band in units of the transform; see ``rms``.
    private(set) var power = Pair()
    /// An upper bound of the magnitude's power within the band; see ``rmsBound``.
    private var powerBound: Float = 0
    private(set) var powerBelow = Pair()
    /// The mean of x, y, z and the magnitude, weighted by the window.
    private(set) var mean = SIMD4<Float>()
    /// The share of the window that holds signal, 0…1, weighted by the window.
    private(set) var fill: Float = 0
    let bins: ClosedRange<Int>
    let binWidth: Float  // Hz

    /// The weight of each value, in all lanes. Spreading a scalar in the loop takes longer.
    private let weights: [SIMD4<Float>]
    private let hannSum: Float
    private let hannEnergy: Float
    /// For each 16 lags, the cosines of each bin of the band, divided by the autocorrelation of the window function.
    private let cosines: [SIMD16<Float>]
    /// The window, weighted and without its mean, padded with zeros.
    private var values: [SIMD4<Float>]
    private var transform: FourChannelFFT
    /// The power in each bin up to the band's last.
    private var powers: [SIMD4<Float>]

    /// The weights of a Hann window at the middles of its samples, so that none is 0.
    static func hann(_ length: Int) -> [Float] {
        (0..<length).map { 0.5 - 0.5 * cosine(2 * .pi * (Float($0) + 0.5) / Float(length)) }
    }

    /// Prepares the analysis of windows, padded with zeros to 2 to the power `exponent`. The number of lags is a
    /// multiple of 16. `leastCorrelation` bounds the autocorrelation of the window function, which fades out at long
    /// lags.
    init(windowLength: Int, exponent: Int, lags: Int, leastCorrelation: Float) {
        transform = FourChannelFFT(exponent: exponent)
        let width = Self.rate / Float(transform.length)
        let hann = Self.hann(windowLength)
        hannSum = hann.reduce(0, +)
        hannEnergy = hann.reduce(0) { $0 + $1 * $1 }
        bins = Int(clamping: (Self.band.lowerBound / width).rounded(.up))...Int(clamping: Self.band.upperBound / width)
        binWidth = width
        cosines = Self.cosines(
            bins, lags, Self.correlation(of: hann, transform.length, lags).map { max($0, leastCorrelation) },
            transform.length)
        weights = hann.map { SIMD4(repeating: $0) }
        values = Array(repeating: SIMD4(), count: transform.length)
        powers = Array(repeating: SIMD4(), count: bins.upperBound + 1)
        shares = Array(repeating: Pair(), count: transform.length / 2 + 1)
        spread = shares
        correlation = Array(repeating: Pair(), count: lags)
    }

    var windowLength: Int { weights.count }

    /// The deviations of x, y, z and the magnitude from their means, weighted by the window.
    var deviations: ArraySlice<SIMD4<Float>> { values.prefix(windowLength) }

    /// The standard deviation within the band, in g.
    var rms: Pair { (density * Float(windowLength) / hannEnergy).squareRoot() }

    /// An upper bound of the magnitude's standard deviation within the band, known after ``load(_:from:)``.
    var rmsBound: Float { (density(of: Pair(repeating: powerBound)) * Float(windowLength) / hannEnergy).squareRoot().x }

    /// The power per weight of the filled part of the window, which makes windows of different lengths comparable.
    var density: Pair { density(of: power) }

    private func density(of power: Pair) -> Pair { power / (Float(transform.length) * fill * hannSum) }

    /// Loads a window, weighted and without its mean. It may extend beyond the signal at either end.
    mutating func load(_ signal: SignalBuffer, from start: Int64) {
        let window = Self.load(signal, from: start, weights, into: &values)
        mean = window.mean
        fill = window.weight / hannSum
        // All bins together have a power of length × energy / 2. The factor covers rounding.
        powerBound = window.energy * Float(transform.length) / 2 * 1.001
    }

    /// Writes a window; returns its mean, the sum of its weights and the energy of the magnitude.
    private static func load(
        _ signal: SignalBuffer, from start: Int64, _ weights: [SIMD4<Float>], into values: inout [SIMD4<Float>]
    ) -> (mean: SIMD4<Float>, weight: Float, energy: Float) {
        let length = weights.count
        let present = (start..<start + Int64(length)).clamped(to: signal.range)
        let first = Int(present.lowerBound - start)
        let slice = signal.slice(present)
        let samples = slice.span
        let weights = weights.span.extracting(first..<first + samples.count)
        var sum = SIMD4<Float>()
        // Not zero, so that an empty window does not divide by zero.
        var weight = SIMD4<Float>(repeating: 1e-9)
        for index in samples.indices {
            // In bounds, here and below: as many weights and windowed values as samples.
            sum += samples[unchecked: index] * weights[unchecked: index]
            weight += weights[unchecked: index]
        }
        let mean = sum / weight
        var values = values.mutableSpan
        if samples.count < length {
            for index in 0..<length { values[index] = SIMD4() }
        }
        precondition(first >= 0 && first + samples.count <= values.count)
        // Two independent sums run in parallel.
        var (energy, other) = (SIMD4<Float>(), SIMD4<Float>())
        for index in samples.indices {
            let value = (samples[unchecked: index] - mean) * weights[unchecked: index]
            (energy, other) = (other, energy + value * value)
            values[unchecked: first &+ index] = value
        }
        return (mean, weight[3], energy[3] + other[3])
    }

    mutating func measure() {
        transform.transform(values)
        transform.writePowers(at: 1...bins.upperBound, to: &powers)
        (power, powerBelow) = Self.computeShares(powers, bins, &shares, &spread)
    }

    private static func computeShares(
        _ powers: [SIMD4<Float>], _ bins: ClosedRange<Int>, _ shares: inout [Pair], _ spread: inout [Pair]
    ) -> (within: Pair, below: Pair) {
        func pair(_ squares: SIMD4<Float>) -> Pair { Pair(squares[3], squares[0] + squares[1] + squares[2]) }
        var below = Pair()
        var within = Pair(repeating: 1e-12)
        for bin in 1..<bins.lowerBound { below += pair(powers[bin]) }
        let powers = powers.span.extracting(bins)
        var shares = shares.mutableSpan
        var spread = spread.mutableSpan
        let first = bins.lowerBound
        precondition(first > 0 && bins.upperBound < shares.count && bins.upperBound + 1 < spread.count)
        for index in powers.indices {
            let power = pair(powers[index])
            within += power
            // In bounds, here and below: `bins` and their neighbors.
            shares[unchecked: first &+ index] = power
        }
        let scale = 1 / within
        // The shares of the two bins before. Outside of the band all shares are 0.
        var (before, at) = (Pair(), Pair())
        for index in powers.indices {
            let after = shares[unchecked: first &+ index] * scale
            shares[unchecked: first &+ index] = after
            spread[unchecked: first &+ index &- 1] = at + before + after
            (before, at) = (at, after)
        }
        spread[bins.upperBound] = at + before
        spread[bins.upperBound + 1] = at
        return (within, below)
    }

    /// Whether the window is a tone that no body makes. The power above the band is a mean square in g².
    func isPureTone(besides highPassPower: Float) -> Bool {
        let shares = shares.span
        // A line of a Hann window is four of its own bins wide.
        let leastReach = 2 * transform.length / windowLength + 1
        let level = rms.y
        return PureTone.isAll(
            of: bins.lowerBound..<bins.upperBound + 1, leastReach: leastReach, above: highPassPower / (level * level)
        ) { shares[$0].y }
    }

    /// Computes the autocorrelation for lags up to `latest`, from the power spectrum (Wiener and Khinchin). With few
    /// bins and few lags, a sum of cosines costs less than another transform.
    mutating func correlate(upTo latest: Float) { Self.correlate(shares, bins, cosines, upTo: latest, &correlation) }

    private static func correlate(
        _ shares: [Pair], _ bins: ClosedRange<Int>, _ cosines: [SIMD16<Float>], upTo latest: Float,
        _ correlation: inout [Pair]
    ) {
        let (shares, cosines) = (shares.span.extracting(bins), cosines.span)
        var correlation = correlation.mutableSpan
        var bytes = correlation.mutableBytes
        let size = MemoryLayout<SIMD32<Float>>.size
        for block in 0..<min(bytes.byteCount / size, (Int(clamping: latest) + 1) / 16 + 1) {
            let cosines = cosines.extracting(block * shares.count..<(block + 1) * shares.count)
            var magnitude = SIMD16<Float>()
            var axes = SIMD16<Float>()
            for index in shares.indices {
                // In bounds: as many cosines as shares.
                magnitude += cosines[unchecked: index] * shares[unchecked: index].x
                axes += cosines[unchecked: index] * shares[unchecked: index].y
            }
            var pairs = SIMD32<Float>()
            (pairs.evenHalf, pairs.oddHalf) = (magnitude, axes)
            bytes.storeBytes(of: pairs, toByteOffset: block * size, as: SIMD32<Float>.self)
        }
    }

    /// The circular autocorrelation of a window function padded to `length`, one at lag 0.
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
        stride(from: 0, to: lags, by: 16).flatMap { first in
            bins.map { bin in
                var block = SIMD16<Float>()
                for lag in first..<first + 16 {
                    let angle = 2 * Double.pi * Double(bin * lag % length) / Double(length)
                    block[lag - first] = Float(cosine(angle)) / window[lag]
                }
                return block
            }
        }
    }
}

extension [GaitSpectrum.Pair] {
    /// The value at a fractional index by linear interpolation; beyond the ends, the end values.
    @inline(__always)
    func interpolated(at position: Float) -> GaitSpectrum.Pair {
        let clipped = Swift.min(Swift.max(position, 0), Float(count) - 1.001)
        let index = Int(clamping: clipped)
        let fraction = clipped - Float(index)
        return self[index] * (1 - fraction) + self[index + 1] * fraction
    }
}

internal import CGSL

/// The discrete Fourier transform of real values, by the mixed-radix transform of the GNU Scientific Library.
///
/// This is the only file that knows GSL.
struct RealTransform: Sendable {
    /// The number of values.
    let length: Int
    private let wavetable: Wavetable
    private var buffer: [Double]
    private var scratch: [Double]

    /// Prepares transforms of `length` values, at least two.
    init(length: Int) {
        self.length = length
        wavetable = Wavetable(length: length)
        buffer = [Double](repeating: 0, count: length)
        scratch = [Double](repeating: 0, count: length)
    }

    /// The number of frequencies from zero to half the sample rate.
    var binCount: Int { length / 2 + 1 }

    /// Adds the squared magnitude of a transform to `power`.
    ///
    /// - Parameters:
    ///   - power: At least ``binCount`` values.
    ///   - fill: Sets the values to be transformed; they are zero before.
    mutating func addPower(to power: inout [Float], of fill: (inout MutableSpan<Double>) -> Void) {
        do {
            var values = buffer.mutableSpan
            for index in values.indices { values[index] = 0 }
            fill(&values)
        }
        transform()
        // Half-complex order: r0, r1, i1, r2, i2, … and, for an even length, the real value at half the rate last.
        let spectrum = buffer.span
        var sums = power.mutableSpan
        sums[0] += Float(spectrum[0] * spectrum[0])
        for bin in 1..<((length + 1) / 2) {
            let (real, imaginary) = (spectrum[2 * bin - 1], spectrum[2 * bin])
            sums[bin] += Float(real * real + imaginary * imaginary)
        }
        if length % 2 == 0 {
            sums[length / 2] += Float(spectrum[length - 1] * spectrum[length - 1])
        }
    }

    /// The autocorrelation that belongs to a power spectrum (Wiener and Khinchin), up to a constant factor.
    ///
    /// - Parameters:
    ///   - power: ``binCount`` values.
    ///   - correlation: Filled with lags 0, 1, 2 … as far as it is long, at most ``binCount`` of them.
    mutating func correlate(_ power: [Float], into correlation: inout [Float]) {
        // The transform of a real, even sequence is real, and is its own inverse but for the factor.
        do {
            let last = length
            var values = buffer.mutableSpan
            values[0] = Double(power[0])
            for bin in 1...(last / 2) {
                values[bin] = Double(power[bin])
                values[last - bin] = Double(power[bin])
            }
        }
        transform()
        let spectrum = buffer.span
        var lags = correlation.mutableSpan
        for lag in lags.indices {
            lags[lag] = Float(spectrum[max(2 * lag - 1, 0)])
        }
    }

    private mutating func transform() {
        scratch.withUnsafeMutableBufferPointer { scratch in
            var workspace = gsl_fft_real_workspace(n: length, scratch: scratch.baseAddress)
            _ = buffer.withUnsafeMutableBufferPointer { buffer in
                gsl_fft_real_transform(buffer.baseAddress, 1, length, wavetable.pointer, &workspace)
            }
        }
    }

    /// Owns GSL's table of sines. It is only read after it was made, so it may be shared freely.
    private final class Wavetable: @unchecked Sendable {
        let pointer: UnsafeMutablePointer<gsl_fft_real_wavetable>?

        init(length: Int) {
            pointer = gsl_fft_real_wavetable_alloc(length)
        }

        deinit {
            gsl_fft_real_wavetable_free(pointer)
        }
    }
}

internal import CGSL

/// The discrete Fourier transform of real values, by the mixed-radix transform of the GNU Scientific Library.
///
/// Only here and in ``PowerSpectrum`` is GSL known.
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

    /// Adds the squared magnitude of the transform of `values`, padded with zeros, to `power`.
    ///
    /// - Parameters:
    ///   - values: At most ``length`` values.
    ///   - power: At least ``binCount`` values.
    mutating func addPower(of values: [Float], to power: inout [Float]) {
        for index in 0..<length {
            buffer[index] = index < values.count ? Double(values[index]) : 0
        }
        transform()
        // Half-complex order: r0, r1, i1, r2, i2, … and, for an even length, the real value at half the rate last.
        power[0] += Float(buffer[0] * buffer[0])
        for bin in 1..<((length + 1) / 2) {
            let (real, imaginary) = (buffer[2 * bin - 1], buffer[2 * bin])
            power[bin] += Float(real * real + imaginary * imaginary)
        }
        if length % 2 == 0 {
            power[length / 2] += Float(buffer[length - 1] * buffer[length - 1])
        }
    }

    /// The autocorrelation that belongs to a power spectrum (Wiener and Khinchin), up to a constant factor.
    ///
    /// - Parameters:
    ///   - power: ``binCount`` values.
    ///   - correlation: Filled with lags 0, 1, 2 … as far as it is long, at most ``binCount`` of them.
    mutating func correlate(_ power: [Float], into correlation: inout [Float]) {
        // The transform of a real, even sequence is real, and is its own inverse but for the factor.
        for bin in 0..<binCount {
            buffer[bin] = Double(power[bin])
            if bin > 0 { buffer[length - bin] = Double(power[bin]) }
        }
        transform()
        for lag in correlation.indices {
            correlation[lag] = Float(lag == 0 ? buffer[0] : buffer[2 * lag - 1])
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

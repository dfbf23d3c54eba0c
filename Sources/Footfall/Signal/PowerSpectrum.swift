internal import CGSL

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// Power spectra of short windows, by the mixed-radix real transform of the GNU Scientific Library.
///
/// The mean is taken out and a Hann window applied before the transform. GSL's transform takes any length, so
/// a window of 5 s at 50 Hz needs no padding. This is the only file that knows GSL.
struct PowerSpectrum: Sendable {
    /// The length of the transform: the window, zero-padded.
    let length: Int
    private let window: [Double]
    private let wavetable: Wavetable
    private var buffer: [Double]
    private var scratch: [Double]

    /// Prepares spectra of windows of `windowLength` values, zero-padded to `length`.
    init(windowLength: Int, length: Int) {
        self.length = length
        window = Self.hann(windowLength)
        wavetable = Wavetable(length: length)
        buffer = [Double](repeating: 0, count: length)
        scratch = [Double](repeating: 0, count: length)
    }

    private static func hann(_ length: Int) -> [Double] {
        (0..<length).map { 0.5 - 0.5 * cos(2 * .pi * (Double($0) + 0.5) / Double(length)) }
    }

    /// The number of values in a spectrum: frequencies 0, 1/length, 2/length … of the sample rate up to one half.
    var binCount: Int { length / 2 + 1 }

    /// Adds the power spectrum of one lane of `values` to `spectrum`.
    ///
    /// At the ends of a stretch there are fewer values than the window is long; the window is then as long as they are.
    /// - Parameters:
    ///   - values: At most as many values as the window is long.
    ///   - lane: 0, 1, 2 for x, y, z; 3 for the magnitude.
    ///   - spectrum: ``binCount`` values, to which the power is added.
    mutating func add(_ values: ArraySlice<SIMD4<Float>>, lane: Int, to spectrum: inout [Float]) {
        guard !values.isEmpty, values.count <= window.count else { return }
        let window = values.count == window.count ? window : Self.hann(values.count)
        var mean: Float = 0
        for value in values { mean += value[lane] }
        mean /= Float(values.count)
        var index = 0
        for value in values {
            buffer[index] = Double(value[lane] - mean) * window[index]
            index += 1
        }
        while index < length {
            buffer[index] = 0
            index += 1
        }
        transform()
        // Half-complex order: r0, r1, i1, r2, i2, … and, for an even length, the real value at half the rate last.
        spectrum[0] += Float(buffer[0] * buffer[0])
        for bin in 1..<((length + 1) / 2) {
            let real = buffer[2 * bin - 1]
            let imaginary = buffer[2 * bin]
            spectrum[bin] += Float(real * real + imaginary * imaginary)
        }
        if length % 2 == 0 {
            spectrum[length / 2] += Float(buffer[length - 1] * buffer[length - 1])
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

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// The Fourier sums of values at four frequencies.
struct SpectralLines {
    private(set) var real = SIMD4<Float>()
    private(set) var imaginary = SIMD4<Float>()

    /// The squares of the sums.
    var squares: SIMD4<Float> { real * real + imaginary * imaginary }

    /// Computes the sums.
    ///
    /// - Parameters:
    ///   - frequencies: The frequencies per value.
    ///   - values: An even number of values.
    init(_ frequencies: SIMD4<Float>, of values: [Float]) {
        let values = values.span
        let half = values.count / 2
        let angles = frequencies * (2 * .pi)
        // Lanes 0 to 3 sum the first half of the values, lanes 4 to 7 the second half.
        var (turn, phase) = (Phasor(), Phasor())
        for lane in 0..<4 {
            turn.set(lane, angle: angles[lane])
            phase.set(lane, angle: 0)
            phase.set(lane + 4, angle: angles[lane] * Float(half))
        }
        (turn.real.highHalf, turn.imaginary.highHalf) = (turn.real.lowHalf, turn.imaginary.lowHalf)
        var sums = Phasor()
        for index in 0..<half {
            let value = SIMD8(
                lowHalf: SIMD4(repeating: values[index]), highHalf: SIMD4(repeating: values[half + index]))
            sums.real += phase.real * value
            sums.imaginary += phase.imaginary * value
            phase = phase * turn
        }
        real = sums.real.lowHalf + sums.real.highHalf
        imaginary = sums.imaginary.lowHalf + sums.imaginary.highHalf
    }

    /// Eight complex numbers.
    private struct Phasor {
        var real = SIMD8<Float>()
        var imaginary = SIMD8<Float>()

        mutating func set(_ lane: Int, angle: Float) {
            real[lane] = cos(angle)
            imaginary[lane] = sin(angle)
        }

        static func * (left: Phasor, right: Phasor) -> Phasor {
            Phasor(
                real: left.real * right.real - left.imaginary * right.imaginary,
                imaginary: left.real * right.imaginary + left.imaginary * right.real)
        }
    }
}

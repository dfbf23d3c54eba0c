#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// The Fourier sums of values at three frequencies.
struct SpectralLines {
    let real: SIMD4<Float>
    let imaginary: SIMD4<Float>

    /// The squares of the sums.
    var squares: SIMD4<Float> { real * real + imaginary * imaginary }

    /// Computes the sums of two series of values at ½, 1 and 2 times a frequency.
    ///
    /// The phases of both series are the same and take most of the time.
    ///
    /// - Parameters:
    ///   - frequency: The frequency per value.
    ///   - one: An even number of values.
    ///   - other: As many values.
    static func sums(at frequency: Float, of one: [Float], and other: [Float]) -> (SpectralLines, SpectralLines) {
        let (one, other) = (one.span, other.span)
        precondition(one.count == other.count)
        let half = one.count / 2
        let angles = SIMD4(0.5, 1, 2, 0) * frequency * (2 * .pi)
        let turn = Phasor.unit(at: angles)
        // The phases of the first and of the second half of the values.
        var (near, far) = (Phasor(real: SIMD4(repeating: 1)), Phasor.unit(at: angles * Float(half)))
        var (oneNear, oneFar, otherNear, otherFar) = (Phasor(), Phasor(), Phasor(), Phasor())
        for index in 0..<half {
            // In bounds: `half` is half of either count.
            oneNear.add(near, times: one[unchecked: index])
            oneFar.add(far, times: one[unchecked: half &+ index])
            otherNear.add(near, times: other[unchecked: index])
            otherFar.add(far, times: other[unchecked: half &+ index])
            (near, far) = (near * turn, far * turn)
        }
        return (SpectralLines(oneNear, oneFar), SpectralLines(otherNear, otherFar))
    }

    private init(_ near: Phasor, _ far: Phasor) {
        real = near.real + far.real
        imaginary = near.imaginary + far.imaginary
    }

    /// Four complex numbers.
    private struct Phasor {
        var real = SIMD4<Float>()
        var imaginary = SIMD4<Float>()

        /// Numbers of size 1; the last lane stays 0. Never inlined, so that the compiler keeps whole vectors.
        @inline(never)
        static func unit(at angles: SIMD4<Float>) -> Phasor {
            var phasor = Phasor()
            for lane in 0..<3 {
                phasor.real[lane] = cos(angles[lane])
                phasor.imaginary[lane] = sin(angles[lane])
            }
            return phasor
        }

        @inline(__always)
        mutating func add(_ phasor: Phasor, times factor: Float) {
            real += phasor.real * factor
            imaginary += phasor.imaginary * factor
        }

        @inline(__always)
        static func * (left: Phasor, right: Phasor) -> Phasor {
            Phasor(
                real: left.real * right.real - left.imaginary * right.imaginary,
                imaginary: left.real * right.imaginary + left.imaginary * right.real)
        }
    }
}

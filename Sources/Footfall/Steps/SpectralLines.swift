/// The Fourier sums of five series at ½, 1 and 2 times a frequency.
struct SpectralLines {
    /// A complex number for each of four series.
    struct Line {
        fileprivate(set) var real = SIMD4<Float>()
        fileprivate(set) var imaginary = SIMD4<Float>()

        /// The number of one of the series.
        subscript(series: Int) -> Complex { Complex(real: real[series], imaginary: imaginary[series]) }

        @inline(__always)
        fileprivate mutating func add(_ value: SIMD4<Float>, _ cosine: Float, _ sine: Float) {
            real += value * cosine
            imaginary += value * sine
        }
    }

    /// The sums of the four series: x, y, z and the magnitude.
    private(set) var half = Line()
    private(set) var whole = Line()
    private(set) var double = Line()
    /// The squares of the sums of the fifth series, in this order.
    private(set) var squares = SIMD4<Float>()

    /// Computes the sums.
    ///
    /// - Parameters:
    ///   - frequency: The frequency per value.
    ///   - four: The values of four series.
    ///   - fifth: As many values.
    init(at frequency: Float, of four: ArraySlice<SIMD4<Float>>, and fifth: [Float]) {
        let (four, fifth) = (four.span, fifth.span)
        precondition(four.count == fifth.count)
        let turn = Self.unit(at: SIMD4(0.5, 1, 2, 0) * frequency * (2 * .pi))
        // The phase of each of the three frequencies, and the sums of the fifth series at them.
        var (real, imaginary) = (SIMD4<Float>(repeating: 1), SIMD4<Float>())
        var (fifthReal, fifthImaginary) = (SIMD4<Float>(), SIMD4<Float>())
        for index in four.indices {
            // In bounds: both have the same count.
            let value = four[unchecked: index]
            half.add(value, real[0], imaginary[0])
            whole.add(value, real[1], imaginary[1])
            double.add(value, real[2], imaginary[2])
            fifthReal += fifth[unchecked: index] * real
            fifthImaginary += fifth[unchecked: index] * imaginary
            (real, imaginary) = (
                real * turn.real - imaginary * turn.imaginary, real * turn.imaginary + imaginary * turn.real
            )
        }
        squares = fifthReal * fifthReal + fifthImaginary * fifthImaginary
    }

    /// Numbers of size 1 at negative angles; the last lane stays 0. Never inlined, so that the compiler keeps whole
    /// vectors.
    @inline(never)
    private static func unit(at angles: SIMD4<Float>) -> (real: SIMD4<Float>, imaginary: SIMD4<Float>) {
        var (real, imaginary) = (SIMD4<Float>(), SIMD4<Float>())
        for lane in 0..<3 {
            real[lane] = cosine(angles[lane])
            imaginary[lane] = -sine(angles[lane])
        }
        return (real, imaginary)
    }
}

/// A complex number.
struct Complex {
    var real: Float
    var imaginary: Float

    /// The square of the absolute value.
    var squaredSize: Float { real * real + imaginary * imaginary }

    var squared: Complex { self * self }

    var conjugate: Complex { Complex(real: real, imaginary: -imaginary) }

    func scaled(by factor: Float) -> Complex { Complex(real: real * factor, imaginary: imaginary * factor) }

    static func * (left: Complex, right: Complex) -> Complex {
        Complex(
            real: left.real * right.real - left.imaginary * right.imaginary,
            imaginary: left.real * right.imaginary + left.imaginary * right.real)
    }

    static func - (left: Complex, right: Complex) -> Complex {
        Complex(real: left.real - right.real, imaginary: left.imaginary - right.imaginary)
    }
}

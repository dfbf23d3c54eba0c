#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// The Fourier transform of four real signals at once, one in each lane.
///
/// Radix-2, with pairs of values packed as the parts of complex ones (Press et al., *Numerical Recipes*, §12.3). Features
/// need x, y, z and |a| of one short window with their phases, bin by bin; side by side in one vector they cost less than
/// a single transform of a library's, which is made for any length and one signal of `Double`.
struct LaneTransform: Sendable {
    /// The number of values, a power of two.
    let length: Int
    /// cos and sin of −2πk/length, each in all lanes: a turn that has to be spread first takes the vectors around it apart.
    private let turns: [Part]
    /// Which pair goes where: its number with the bits reversed.
    private let order: [Int]
    private var real: [SIMD4<Float>]
    private var imaginary: [SIMD4<Float>]

    /// Prepares transforms of 2 to the power of `exponent` values; of eight at least.
    init(exponent: Int) {
        let length = 1 << exponent
        let half = length / 2
        self.length = length
        turns = (0..<half).map { index in
            let angle = -2 * Double.pi * Double(index) / Double(length)
            return Part(
                real: SIMD4(repeating: Float(cos(angle))), imaginary: SIMD4(repeating: Float(sin(angle))))
        }
        order = (0..<half).map { index in
            (0..<(exponent - 1)).reduce(0) { $0 << 1 | (index >> $1) & 1 }
        }
        real = Array(repeating: SIMD4(), count: half)
        imaginary = real
    }

    /// Transforms `values`, of which there must be ``length``; the result is read with ``bin(_:)``.
    mutating func transform(_ values: [SIMD4<Float>]) {
        Self.transform(values, &real, &imaginary, turns, order)
    }

    private static func transform(
        _ values: [SIMD4<Float>], _ realParts: inout [SIMD4<Float>], _ imaginaryParts: inout [SIMD4<Float>],
        _ turns: [Part], _ order: [Int]
    ) {
        // Spans, so that the arrays are checked for being shared once and not at every write.
        var real = realParts.mutableSpan
        var imaginary = imaginaryParts.mutableSpan
        let half = order.count
        precondition(values.count == 2 * half)
        let (values, order) = (values.span, order.span)
        // The first two rounds at once: they turn by nothing but quarters.
        for first in stride(from: 0, to: half, by: 4) {
            func pair(_ index: Int) -> (SIMD4<Float>, SIMD4<Float>) {
                // There are half as many pairs, and half is a multiple of four.
                let source = 2 &* order[unchecked: first &+ index]
                return (values[unchecked: source], values[unchecked: source &+ 1])
            }
            let (zero, one, two, three) = (pair(0), pair(1), pair(2), pair(3))
            let (evenSumReal, evenSumImaginary) = (zero.0 + one.0, zero.1 + one.1)
            let (evenGapReal, evenGapImaginary) = (zero.0 - one.0, zero.1 - one.1)
            let (oddSumReal, oddSumImaginary) = (two.0 + three.0, two.1 + three.1)
            let (oddGapReal, oddGapImaginary) = (two.0 - three.0, two.1 - three.1)
            // As many parts as well.
            real[unchecked: first] = evenSumReal + oddSumReal
            imaginary[unchecked: first] = evenSumImaginary + oddSumImaginary
            real[unchecked: first &+ 1] = evenGapReal + oddGapImaginary
            imaginary[unchecked: first &+ 1] = evenGapImaginary - oddGapReal
            real[unchecked: first &+ 2] = evenSumReal - oddSumReal
            imaginary[unchecked: first &+ 2] = evenSumImaginary - oddSumImaginary
            real[unchecked: first &+ 3] = evenGapReal - oddGapImaginary
            imaginary[unchecked: first &+ 3] = evenGapImaginary + oddGapReal
        }
        var size = 8
        // Two rounds at once, while there are two: what lies in registers need not go through memory.
        while 2 * size <= half {
            let (step, quarter) = (half / size, size / 2)
            for offset in 0..<quarter {
                let turn = turns[2 * offset * step]
                let (near, far) = (turns[offset * step], turns[(offset + quarter) * step])
                var zero = offset
                while zero < half {
                    let (one, two, three) = (zero &+ quarter, zero &+ size, zero &+ size &+ quarter)
                    // All four are below half, and there are as many parts.
                    var (zeroPart, onePart) = Part.butterfly(
                        Part(real: real[unchecked: zero], imaginary: imaginary[unchecked: zero]),
                        Part(real: real[unchecked: one], imaginary: imaginary[unchecked: one]), turn)
                    var (twoPart, threePart) = Part.butterfly(
                        Part(real: real[unchecked: two], imaginary: imaginary[unchecked: two]),
                        Part(real: real[unchecked: three], imaginary: imaginary[unchecked: three]), turn)
                    (zeroPart, twoPart) = Part.butterfly(zeroPart, twoPart, near)
                    (real[unchecked: zero], imaginary[unchecked: zero]) = (zeroPart.real, zeroPart.imaginary)
                    (real[unchecked: two], imaginary[unchecked: two]) = (twoPart.real, twoPart.imaginary)
                    (onePart, threePart) = Part.butterfly(onePart, threePart, far)
                    (real[unchecked: one], imaginary[unchecked: one]) = (onePart.real, onePart.imaginary)
                    (real[unchecked: three], imaginary[unchecked: three]) = (threePart.real, threePart.imaginary)
                    zero += 2 * size
                }
            }
            size *= 4
        }
        guard size <= half else { return }
        for zero in 0..<size / 2 {
            let one = zero &+ size / 2
            let (zeroPart, onePart) = Part.butterfly(
                Part(real: real[unchecked: zero], imaginary: imaginary[unchecked: zero]),
                Part(real: real[unchecked: one], imaginary: imaginary[unchecked: one]), turns[2 * zero])
            (real[unchecked: zero], imaginary[unchecked: zero]) = (zeroPart.real, zeroPart.imaginary)
            (real[unchecked: one], imaginary[unchecked: one]) = (onePart.real, onePart.imaginary)
        }
    }

    /// A complex number in each lane.
    private struct Part {
        var real: SIMD4<Float>
        var imaginary: SIMD4<Float>

        /// The sum and the difference of a number and another one that is turned.
        @inline(__always)
        static func butterfly(_ one: Part, _ other: Part, _ turn: Part) -> (Part, Part) {
            let turnedReal = other.real * turn.real - other.imaginary * turn.imaginary
            let turnedImaginary = other.real * turn.imaginary + other.imaginary * turn.real
            return (
                Part(real: one.real + turnedReal, imaginary: one.imaginary + turnedImaginary),
                Part(real: one.real - turnedReal, imaginary: one.imaginary - turnedImaginary)
            )
        }
    }

    /// The real and imaginary parts at frequency `index` / ``length`` of the sample rate, for 0 < `index` < `length` / 2.
    @inline(__always)
    func bin(_ index: Int) -> (real: SIMD4<Float>, imaginary: SIMD4<Float>) {
        let mirror = order.count - index
        let evenReal = (real[index] + real[mirror]) * 0.5
        let evenImaginary = (imaginary[index] - imaginary[mirror]) * 0.5
        let oddReal = (imaginary[index] + imaginary[mirror]) * 0.5
        let oddImaginary = (real[mirror] - real[index]) * 0.5
        let turn = turns[index]
        return (
            evenReal + oddReal * turn.real - oddImaginary * turn.imaginary,
            evenImaginary + oddReal * turn.imaginary + oddImaginary * turn.real
        )
    }

    /// Writes the powers at frequencies, as ``bin(_:)`` counts them. Never inlined, so that the lanes stay together.
    @inline(never)
    func writePowers(at bins: ClosedRange<Int>, to powers: inout [SIMD4<Float>]) {
        var powers = powers.mutableSpan
        for index in bins {
            let (real, imaginary) = bin(index)
            powers[index] = real * real + imaginary * imaginary
        }
    }
}

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
    /// cos and sin of −2πk/length.
    private let turns: [SIMD2<Float>]
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
            return SIMD2(Float(cos(angle)), Float(sin(angle)))
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
        _ turns: [SIMD2<Float>], _ order: [Int]
    ) {
        // Spans, so that the arrays are checked for being shared once and not at every write.
        var real = realParts.mutableSpan
        var imaginary = imaginaryParts.mutableSpan
        let half = order.count
        // The first two rounds at once: they turn by nothing but quarters.
        for first in stride(from: 0, to: half, by: 4) {
            func pair(_ index: Int) -> (SIMD4<Float>, SIMD4<Float>) {
                let source = 2 * order[first + index]
                return (values[source], values[source + 1])
            }
            let (zero, one, two, three) = (pair(0), pair(1), pair(2), pair(3))
            let (evenSumReal, evenSumImaginary) = (zero.0 + one.0, zero.1 + one.1)
            let (evenGapReal, evenGapImaginary) = (zero.0 - one.0, zero.1 - one.1)
            let (oddSumReal, oddSumImaginary) = (two.0 + three.0, two.1 + three.1)
            let (oddGapReal, oddGapImaginary) = (two.0 - three.0, two.1 - three.1)
            // There are half as many parts, and half is a multiple of four.
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
        while size <= half {
            let step = 2 * half / size
            for offset in 0..<(size / 2) {
                let turn = turns[offset * step]
                var one = offset
                while one < half {
                    let other = one + size / 2
                    // Both are below half, and there are as many parts.
                    let (oneReal, oneImaginary) = (real[unchecked: one], imaginary[unchecked: one])
                    let (otherReal, otherImaginary) = (real[unchecked: other], imaginary[unchecked: other])
                    let turnedReal = otherReal * turn.x - otherImaginary * turn.y
                    let turnedImaginary = otherReal * turn.y + otherImaginary * turn.x
                    real[unchecked: other] = oneReal - turnedReal
                    imaginary[unchecked: other] = oneImaginary - turnedImaginary
                    real[unchecked: one] = oneReal + turnedReal
                    imaginary[unchecked: one] = oneImaginary + turnedImaginary
                    one += size
                }
            }
            size *= 2
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
            evenReal + oddReal * turn.x - oddImaginary * turn.y,
            evenImaginary + oddReal * turn.y + oddImaginary * turn.x
        )
    }

    /// The power at a frequency, as ``bin(_:)`` counts them. Never inlined, so that the lanes stay together.
    @inline(never)
    func power(at index: Int) -> SIMD4<Float> {
        let (real, imaginary) = bin(index)
        return real * real + imaginary * imaginary
    }
}

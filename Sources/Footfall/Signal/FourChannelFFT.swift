/// The fast Fourier transform of four real signals at once, one in each lane. Radix-2, with pairs of real values packed
/// into complex values (Press et al., *Numerical Recipes*, §12.3). The features need x, y, z and the magnitude of one
/// short window. Side by side in one vector, four transforms cost less than one transform of a general library.
struct FourChannelFFT: Sendable {
    /// The number of values, a power of two.
    let length: Int
    /// The twiddle factors: cos and sin of −2πk/length, each repeated in all lanes. If the loop repeated a scalar, the
    /// compiler would split the vectors.
    private let twiddles: [FourComplex]
    /// The twiddle factors of the rounds that run in pairs, in the order of use.
    private let pairedTwiddles: [PairTwiddles]
    /// The bit-reversed order of the pairs.
    private let order: [Int]
    private var real: [SIMD4<Float>]
    private var imaginary: [SIMD4<Float>]

    /// Prepares transforms of 2 to the power of `exponent` values, at least eight.
    init(exponent: Int) {
        precondition(exponent >= 3)
        let length = 1 << exponent
        let half = length / 2
        self.length = length
        let twiddles = (0..<half).map { index in
            let angle = -2 * Double.pi * Double(index) / Double(length)
            return FourComplex(
                real: SIMD4(repeating: Float(cosine(angle))), imaginary: SIMD4(repeating: Float(sine(angle))))
        }
        self.twiddles = twiddles
        pairedTwiddles = Self.pairedSizes(half).flatMap { size in
            (0..<size / 2).map { offset in
                let index = offset * half / size
                return PairTwiddles(
                    first: twiddles[2 * index], near: twiddles[index], far: twiddles[index + half / 2])
            }
        }
        order = (0..<half).map { index in
            (0..<(exponent - 1)).reduce(0) { $0 << 1 | (index >> $1) & 1 }
        }
        real = Array(repeating: SIMD4(), count: half)
        imaginary = real
    }

    /// Transforms ``length`` values. ``bin(_:)`` returns the result.
    mutating func transform(_ values: [SIMD4<Float>]) {
        Self.transform(values, &real, &imaginary, twiddles, pairedTwiddles, order)
    }

    /// The block size of the first round of each pair: 8, 32, 128 and so on. A size is a number of complex values. The
    /// rounds of sizes 2 and 4 come before the pairs. One round may be left after them.
    private static func pairedSizes(_ half: Int) -> [Int] { sequence(first: 8) { 4 * $0 }.prefix { 2 * $0 <= half } }

    private static func transform(
        _ values: [SIMD4<Float>], _ realParts: inout [SIMD4<Float>], _ imaginaryParts: inout [SIMD4<Float>],
        _ twiddles: [FourComplex], _ pairedTwiddles: [PairTwiddles], _ order: [Int]
    ) {
        let half = order.count
        precondition(values.count == 2 * half && realParts.count == half && imaginaryParts.count == half)
        // With spans, unique ownership of the arrays is checked once and not at each write.
        var real = realParts.mutableSpan
        var imaginary = imaginaryParts.mutableSpan
        firstRounds(values.span, order.span, &real, &imaginary)
        let size = pairedRounds(&real, &imaginary, pairedTwiddles.span)
        // One round is left if the number of rounds is odd.
        if size <= half { lastRound(&real, &imaginary, twiddles.span) }
    }

    /// The first two rounds run together, because their twiddle factors are only 1 and −i.
    @inline(__always)
    private static func firstRounds(
        _ values: Span<SIMD4<Float>>, _ order: Span<Int>, _ real: inout MutableSpan<SIMD4<Float>>,
        _ imaginary: inout MutableSpan<SIMD4<Float>>
    ) {
        for first in stride(from: 0, to: order.count, by: 4) {
            func pair(_ index: Int) -> (SIMD4<Float>, SIMD4<Float>) {
                // In bounds: `half` pairs, and `half` is a multiple of four.
                let source = 2 &* order[unchecked: first &+ index]
                return (values[unchecked: source], values[unchecked: source &+ 1])
            }
            let (zero, one, two, three) = (pair(0), pair(1), pair(2), pair(3))
            let (evenSumReal, evenSumImaginary) = (zero.0 + one.0, zero.1 + one.1)
            let (evenDifferenceReal, evenDifferenceImaginary) = (zero.0 - one.0, zero.1 - one.1)
            let (oddSumReal, oddSumImaginary) = (two.0 + three.0, two.1 + three.1)
            let (oddDifferenceReal, oddDifferenceImaginary) = (two.0 - three.0, two.1 - three.1)
            // In bounds: there are `half` results, too.
            real[unchecked: first] = evenSumReal + oddSumReal
            imaginary[unchecked: first] = evenSumImaginary + oddSumImaginary
            real[unchecked: first &+ 1] = evenDifferenceReal + oddDifferenceImaginary
            imaginary[unchecked: first &+ 1] = evenDifferenceImaginary - oddDifferenceReal
            real[unchecked: first &+ 2] = evenSumReal - oddSumReal
            imaginary[unchecked: first &+ 2] = evenSumImaginary - oddSumImaginary
            real[unchecked: first &+ 3] = evenDifferenceReal - oddDifferenceImaginary
            imaginary[unchecked: first &+ 3] = evenDifferenceImaginary + oddDifferenceReal
        }
    }

    /// Two rounds run together, so that the values stay in registers between them. Returns the block size of the next
    /// round.
    @inline(__always)
    private static func pairedRounds(
        _ real: inout MutableSpan<SIMD4<Float>>, _ imaginary: inout MutableSpan<SIMD4<Float>>,
        _ pairedTwiddles: Span<PairTwiddles>
    ) -> Int {
        let half = real.count
        var size = 8
        var round = 0
        while 2 * size <= half {
            let quarter = size / 2
            let twiddles = pairedTwiddles.extracting(round..<round + quarter)
            for block in stride(from: 0, to: half, by: 2 * size) {
                for offset in twiddles.indices {
                    let zero = block &+ offset
                    let (one, two, three) = (zero &+ quarter, zero &+ size, zero &+ size &+ quarter)
                    // In bounds: all four positions are below `half`.
                    let twiddle = twiddles[unchecked: offset]
                    var (zeroPart, onePart) = FourComplex.butterfly(
                        FourComplex(real: real[unchecked: zero], imaginary: imaginary[unchecked: zero]),
                        FourComplex(real: real[unchecked: one], imaginary: imaginary[unchecked: one]), twiddle.first)
                    var (twoPart, threePart) = FourComplex.butterfly(
                        FourComplex(real: real[unchecked: two], imaginary: imaginary[unchecked: two]),
                        FourComplex(real: real[unchecked: three], imaginary: imaginary[unchecked: three]), twiddle.first
                    )
                    (zeroPart, twoPart) = FourComplex.butterfly(zeroPart, twoPart, twiddle.near)
                    (real[unchecked: zero], imaginary[unchecked: zero]) = (zeroPart.real, zeroPart.imaginary)
                    (real[unchecked: two], imaginary[unchecked: two]) = (twoPart.real, twoPart.imaginary)
                    (onePart, threePart) = FourComplex.butterfly(onePart, threePart, twiddle.far)
                    (real[unchecked: one], imaginary[unchecked: one]) = (onePart.real, onePart.imaginary)
                    (real[unchecked: three], imaginary[unchecked: three]) = (threePart.real, threePart.imaginary)
                }
            }
            round += quarter
            size *= 4
        }
        return size
    }

    @inline(__always)
    private static func lastRound(
        _ real: inout MutableSpan<SIMD4<Float>>, _ imaginary: inout MutableSpan<SIMD4<Float>>,
        _ twiddles: Span<FourComplex>
    ) {
        let quarter = real.count / 2
        for zero in 0..<quarter {
            let one = zero &+ quarter
            let (zeroPart, onePart) = FourComplex.butterfly(
                FourComplex(real: real[unchecked: zero], imaginary: imaginary[unchecked: zero]),
                FourComplex(real: real[unchecked: one], imaginary: imaginary[unchecked: one]), twiddles[2 * zero])
            (real[unchecked: zero], imaginary[unchecked: zero]) = (zeroPart.real, zeroPart.imaginary)
            (real[unchecked: one], imaginary[unchecked: one]) = (onePart.real, onePart.imaginary)
        }
    }

    /// The twiddle factors with which two rounds combine four values: `first` in the first round, `near` and `far` in
    /// the second.
    private struct PairTwiddles {
        let first: FourComplex
        let near: FourComplex
        let far: FourComplex
    }

    /// A complex number in each lane.
    private struct FourComplex {
        var real: SIMD4<Float>
        var imaginary: SIMD4<Float>

        /// Returns `one` + `other` · `twiddle` and `one` − `other` · `twiddle`.
        @inline(__always)
        static func butterfly(_ one: FourComplex, _ other: FourComplex, _ twiddle: FourComplex) -> (
            FourComplex, FourComplex
        ) {
            let real = other.real * twiddle.real - other.imaginary * twiddle.imaginary
            let imaginary = other.real * twiddle.imaginary + other.imaginary * twiddle.real
            return (
                FourComplex(real: one.real + real, imaginary: one.imaginary + imaginary),
                FourComplex(real: one.real - real, imaginary: one.imaginary - imaginary)
            )
        }
    }

    /// The transform at frequency `index` / ``length`` of the sample rate, for 0 < `index` < ``length`` / 2.
    @inline(__always)
    func bin(_ index: Int) -> (real: SIMD4<Float>, imaginary: SIMD4<Float>) {
        let half = twiddles.count
        let (real, imaginary, twiddles) = (real.span, imaginary.span, twiddles.span)
        precondition(index > 0 && index < half && real.count == half && imaginary.count == half)
        // In bounds: the index and its mirror index are both from 1 to half − 1.
        let mirror = half &- index
        let evenReal = real[unchecked: index] + real[unchecked: mirror]
        let evenImaginary = imaginary[unchecked: index] - imaginary[unchecked: mirror]
        let oddReal = imaginary[unchecked: index] + imaginary[unchecked: mirror]
        let oddImaginary = real[unchecked: mirror] - real[unchecked: index]
        let twiddle = twiddles[unchecked: index]
        // The transforms of the even and the odd values are halves of these sums, so the result has a factor of 0.5.
        return (
            (evenReal + oddReal * twiddle.real - oddImaginary * twiddle.imaginary) * 0.5,
            (evenImaginary + oddReal * twiddle.imaginary + oddImaginary * twiddle.real) * 0.5
        )
    }

    /// Writes the powers of bins. Never inlined, so that the compiler keeps whole vectors.
    @inline(never)
    func writePowers(at bins: ClosedRange<Int>, to powers: inout [SIMD4<Float>]) {
        var powers = powers.mutableSpan
        for index in bins {
            let (real, imaginary) = bin(index)
            powers[index] = real * real + imaginary * imaginary
        }
    }
}

/// A rhythm that no body makes: one spectral line and nothing beside it. Shakers, fans, motors and narrow-band noise
/// make it. Each step shakes a body with harmonics of its cadence and with an impact far above it. The axes show that,
/// because they are linear in the motion. The magnitude is not linear: there a strong tone has harmonics.
enum PureTone {
    /// The least share of the power beside the line in the motion of a body. Of 47,200 recorded windows with a cadence,
    /// from walks and runs at 12.5 to 500 Hz, none has less than 0.0397. Sampled at 12.5 Hz, none has less than 0.0326.
    /// Behind a filter at 5 Hz, 0.0003 of them have less than 0.03. Noise of 0.3 g in a band of at most 0.3 Hz has less
    /// than 0.03 in 0.99 of its windows, a sine in all.
    private static let leastBeside: Float = 0.03
    /// The reach of the line to each side, as a share of its frequency. It is wide, so that narrow-band noise counts as
    /// a line.
    private static let reach: Float = 0.5

    /// Whether the three axes together have nearly all of their power near one of the bins that count. Half the width
    /// of a spectral line is `leastReach` bins. The power above the bins has the unit of the power in a bin.
    @inline(__always)
    static func isAll(of bins: Range<Int>, leastReach: Int, above: Float = 0, _ power: (Int) -> Float) -> Bool {
        var (strongest, most, sum) = (bins.lowerBound, -Float.infinity, above)
        for bin in bins {
            let power = power(bin)
            sum += power
            if power > most { (strongest, most) = (bin, power) }
        }
        let reach = max(leastReach, Int(clamping: Self.reach * Float(strongest)))
        var near: Float = 0
        for bin in (strongest - reach..<strongest + reach + 1).clamped(to: bins) { near += power(bin) }
        return sum - near < leastBeside * sum
    }
}

/// A Hann window with a mean square of one, in all lanes. Spreading a scalar in a loop would make the compiler split
/// the vectors.
func hannWindow(_ length: Int) -> [SIMD4<Float>] {
    (0..<length).map { index in
        let phase = 2 * Double.pi * Double(index) / Double(length)
        return SIMD4(repeating: Float((0.5 - 0.5 * cosine(phase)) / (0.375).squareRoot()))
    }
}

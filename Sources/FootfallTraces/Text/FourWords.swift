internal import FootfallWire

/// What is expected of four words of eight bytes, each in a lane of its own, and what the digits among the bytes are worth.
///
/// Four numbers of known shape are so read at once, without a loop: their bytes are compared with what is expected, and
/// what a digit differs by from `0` is its value.
struct FourWords: Sendable {
    private var mask = SIMD4<UInt64>()
    /// What each byte is compared with: itself, or `0` where any digit may stand.
    private var expected = SIMD4<UInt64>()
    /// What must not carry into the highest bit of a byte when it is added to its difference.
    private var slack = SIMD4<UInt64>()
    /// What the bytes in even and in odd places count, within their half of the word.
    private var evenWeights = SIMD16<UInt16>()
    private var oddWeights = SIMD16<UInt16>()
    /// What the first half of each word counts.
    private var factors = SIMD4<UInt64>(repeating: 1)
    /// How many digits there are in each word.
    private var digits = SIMD4<Int>()

    /// What a word counts that stands before each of these.
    var worthBefore: SIMD4<UInt64> {
        var worth = SIMD4<UInt64>()
        for lane in worth.indices { worth[lane] = UInt64(PlainNumber.tens[digits[lane]]) }
        return worth
    }

    mutating func expect(_ byte: UInt8, at place: Int, in lane: Int) {
        let shift = UInt64(place * 8)
        mask[lane] |= 0xFF << shift
        expected[lane] |= UInt64(byte) << shift
        slack[lane] |= 0x7F << shift
    }

    /// Expects any digit. Digits are told from the last to the first.
    mutating func expectDigit(at place: Int, in lane: Int) {
        let shift = UInt64(place * 8)
        mask[lane] |= 0xFF << shift
        expected[lane] |= UInt64(ASCII.zero) << shift
        slack[lane] |= 0x76 << shift
        let isFirstHalf = place < 4
        let later = isFirstHalf ? UInt64(factors[lane]) : 1
        let weight = UInt16(UInt64(PlainNumber.tens[digits[lane]]) / later)
        if place.isMultiple(of: 2) {
            evenWeights[lane * 4 + place / 2] = weight
        } else {
            oddWeights[lane * 4 + place / 2] = weight
        }
        digits[lane] += 1
        if !isFirstHalf { factors[lane] *= 10 }
    }

    /// The number that the digits of each word make.
    ///
    /// - Parameter misfit: Gets the highest bit of a byte set that is not as expected; the numbers mean nothing then.
    @inline(__always)
    func values(_ words: SIMD4<UInt64>, _ misfit: inout SIMD4<UInt64>) -> SIMD4<UInt64> {
        let difference = (words ^ expected) & mask
        misfit |= (difference &+ slack) | difference
        let pairs = unsafeBitCast(difference, to: SIMD16<UInt16>.self)
        let worth = (pairs & 0xFF) &* evenWeights &+ (pairs &>> 8) &* oddWeights
        let twos = unsafeBitCast(worth, to: SIMD8<UInt32>.self)
        let fours = unsafeBitCast((twos &+ (twos &>> 16)) & 0xFFFF, to: SIMD4<UInt64>.self)
        // Said of both, that neither needs more, so that the product of two words of half the size will do.
        return (fours & 0xFFFF) &* (factors & 0xFFFF) &+ (fours &>> 32)
    }
}

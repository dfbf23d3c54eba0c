/// The digits and the constant characters expected in eight characters of four fields, one field in each lane.
///
/// All lanes are compared and turned into integers at once, without a loop and without a branch.
struct CharacterLanes: Sendable {
    /// The bytes that are compared. The first character is the lowest byte.
    private var mask = SIMD4<UInt64>()
    /// The bytes that they are compared with: `0` for a digit, else the constant character.
    private var expected = SIMD4<UInt64>()
    /// The addends to the differences. A byte that differs too much carries into its highest bit: a digit may differ by
    /// 9, a constant character by 0.
    private var slack = SIMD4<UInt64>()
    /// The powers of ten of the digits in even and in odd places, within their half of the lane.
    private var evenWeights = SIMD16<UInt16>()
    private var oddWeights = SIMD16<UInt16>()
    /// The power of ten of the first half of each lane.
    private var halfWeights = SIMD4<UInt64>(repeating: 1)
    private var digitCounts = SIMD4<Int>()

    /// The power of ten of a character before each lane.
    var weights: SIMD4<UInt64> {
        var weights = SIMD4<UInt64>()
        for lane in weights.indices { weights[lane] = PlainNumber.tens[digitCounts[lane]] }
        return weights
    }

    /// Expects any digit in the place of a digit, and any other character as it is. The last character of a lane comes
    /// first.
    mutating func expect(_ character: UInt8, at place: Int, in lane: Int) {
        let shift = UInt64(place * 8)
        mask[lane] |= 0xFF << shift
        guard character.isDigit else {
            expected[lane] |= UInt64(character) << shift
            slack[lane] |= 0x7F << shift
            return
        }
        expected[lane] |= UInt64(ASCII.zero) << shift
        slack[lane] |= 0x76 << shift
        let isInFirstHalf = place < 4
        let weight = UInt16(PlainNumber.tens[digitCounts[lane]] / (isInFirstHalf ? halfWeights[lane] : 1))
        if place.isMultiple(of: 2) {
            evenWeights[lane * 4 + place / 2] = weight
        } else {
            oddWeights[lane * 4 + place / 2] = weight
        }
        digitCounts[lane] += 1
        if !isInFirstHalf { halfWeights[lane] *= 10 }
    }

    /// Returns the integers of the digits in `words`. Sets the highest bit of some byte of `misfits` where a character
    /// is not as expected; the integers have no meaning then.
    @inline(__always)
    func integers(_ words: SIMD4<UInt64>, _ misfits: inout SIMD4<UInt64>) -> SIMD4<UInt64> {
        let differences = (words ^ expected) & mask
        misfits |= (differences &+ slack) | differences
        let pairs = unsafeBitCast(differences, to: SIMD16<UInt16>.self)
        let sums = (pairs & 0xFF) &* evenWeights &+ (pairs &>> 8) &* oddWeights
        let twos = unsafeBitCast(sums, to: SIMD8<UInt32>.self)
        let halves = unsafeBitCast((twos &+ (twos &>> 16)) & 0xFFFF, to: SIMD4<UInt64>.self)
        // The masks show the compiler that a product of 32-bit halves is enough.
        return (halves & 0xFFFF) &* (halfWeights & 0xFFFF) &+ (halves &>> 32)
    }
}

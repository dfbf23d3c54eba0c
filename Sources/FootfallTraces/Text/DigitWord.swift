/// Eight bytes of text, looked at as one number: byte by byte, reading numbers would take twice as long.
struct DigitWord {
    /// The bytes, digits as their values, the first in the lowest place.
    private let values: UInt64
    /// The highest bit of each byte that is no digit; behind the first such byte only of those in use between digits.
    private let others: UInt64

    /// Looks at the bytes from `position` on.
    @inline(__always)
    init(_ text: Span<UInt8>, at position: Int) {
        // Only what it is called is unsafe: the bounds are checked, and any eight bytes make a number.
        let word = UInt64(littleEndian: text.bytes.unsafeLoadUnaligned(fromByteOffset: position, as: UInt64.self))
        values = word ^ 0x3030_3030_3030_3030
        // A carry spoils the bytes behind one whose value is 138 or more, which neither point nor comma has.
        others = ((values &+ 0x7676_7676_7676_7676) | values) & 0x8080_8080_8080_8080
    }

    /// How many digits come first.
    @inline(__always)
    var count: Int { others.trailingZeroBitCount / 8 }

    /// The number that the first digits make.
    @inline(__always)
    var number: UInt64 { DigitWord.number(values, count) }

    /// The number with a decimal point that ends within the bytes; nil when there is none.
    @inline(__always)
    func decimal(_ separator: UInt8) -> (mantissa: UInt64, decimals: Int, length: Int)? {
        let point = count
        let length = (others & (others &- 1)).trailingZeroBitCount / 8
        guard length < 8, UInt8(truncatingIfNeeded: values >> (8 * point)) == separator ^ ASCII.zero else { return nil }
        // The digits behind the point move into its place.
        let before: UInt64 = (1 &<< (8 * point)) &- 1
        let digits = (values & before) | ((values &>> 8) & ~before)
        return (DigitWord.number(digits, length - 1), length - 1 - point, length)
    }

    /// The number that the first `count` of eight values of digits make.
    @inline(__always)
    private static func number(_ values: UInt64, _ count: Int) -> UInt64 {
        // With zeros before them they are eight digits, which are added up in pairs, fours and eights.
        let eight = values << (64 - 8 * count)
        let pairs = (eight &* 10 &+ eight &>> 8) & 0x00FF_00FF_00FF_00FF
        let fours = (pairs &* 100 &+ pairs &>> 16) & 0x0000_FFFF_0000_FFFF
        return (fours &* 10_000 &+ fours &>> 32) & 0xFFFF_FFFF
    }
}

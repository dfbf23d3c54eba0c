/// How a number is written: how many characters it has, and which of them separates the decimals. The numbers of a column
/// mostly look alike, so that nobody needs to search for their ends.
///
/// A number of known shape is read eight characters at a time, without a loop. ``PlainNumber`` reads the same values,
/// whatever the shape.
struct NumberShape: Sendable {
    /// How many bytes are looked at, up to and with the one behind the number.
    static let reach = 32
    /// How many characters at the end are read. Those before them are compared: only times are so long, and what stands
    /// first in a time stays the same.
    private static let mostRead = 15

    /// How many characters there are, without a sign.
    let length: Int
    /// How many of them are decimals.
    let decimals: Int
    /// What the digits, taken for an integer, stay under.
    let limit: Int64
    /// The number that it was learned from.
    let learned: Int64
    /// What those digits contribute that are compared.
    private let constant: Int64

    /// The eight bytes of which the last is the one behind the number, and eight by eight those before them.
    private let last: EightBytes
    private let third: EightBytes
    private let second: EightBytes
    private let first: EightBytes

    /// Learns the shape of the number that stands at `start`; nil when none is there that serves.
    ///
    /// - Parameters:
    ///   - start: Where the number begins, or other characters before it that stay the same.
    ///   - position: Where the number itself begins; moves behind it.
    init?(_ text: Span<UInt8>, from start: Int, _ position: inout Int, separator: UInt8) {
        let numberStart = position
        guard numberStart < text.count, text[numberStart] != ASCII.minus,
            let number = PlainNumber(text, &position, separator: separator, isLarge: false)
        else { return nil }
        length = position - start
        decimals = number.decimals
        learned = number.mantissa
        guard length < NumberShape.reach else { return nil }
        let beforeDecimals = position - 1 - decimals
        let isSeparated = beforeDecimals >= numberStart && text[beforeDecimals] == separator
        var words = [EightBytes](repeating: EightBytes(), count: NumberShape.reach / 8)
        var bound: Int64 = 1
        for place in start...position {
            let distance = position - place
            let index = 7 - distance % 8
            if place >= numberStart, text[place].isDigit, (1...NumberShape.mostRead).contains(distance) {
                words[distance / 8].expectDigit(at: index, isBeforeSeparator: isSeparated && distance > decimals)
                bound *= 10
            } else {
                words[distance / 8].expect(text[place], at: index)
            }
        }
        (last, third, second, first) = (words[0], words[1], words[2], words[3])
        constant = number.mantissa / bound * bound
        limit = constant + bound
    }

    /// The digits, taken for an integer, of the number behind which one byte stands before `end`.
    ///
    /// - Parameters:
    ///   - text: ``reach`` bytes must stand before `end`.
    ///   - misfit: Gets the highest bit of a byte set when the number has another shape; what is returned means nothing then.
    @inline(__always)
    func read(_ text: Span<UInt8>, endingAt end: Int, _ misfit: inout UInt64) -> Int64 {
        let values = last.values(text, at: end &- 8, &misfit)
        var digits = last.joined(values)
        guard length > 7 else { return digits.asEightDigits }
        let earlier = third.values(text, at: end &- 16, &misfit)
        digits |= third.carried(earlier)
        let value = third.joined(earlier).asEightDigits &* 100_000_000 &+ digits.asEightDigits
        guard length > NumberShape.mostRead else { return value }
        _ = second.values(text, at: end &- 24, &misfit)
        _ = first.values(text, at: end &- 32, &misfit)
        return value &+ constant
    }
}

/// What is expected of eight bytes.
struct EightBytes: Sendable {
    private var mask: UInt64 = 0
    /// What each of them is compared with: itself, or `0` where any digit may stand.
    private var expected: UInt64 = 0
    /// What must not carry into the highest bit of a byte when it is added to its difference.
    private var slack: UInt64 = 0
    /// The digits before the separator, and the others.
    private var whole: UInt64 = 0
    private var others: UInt64 = 0

    mutating func expect(_ byte: UInt8, at place: Int) {
        let shift = UInt64(place * 8)
        mask |= 0xFF << shift
        expected |= UInt64(byte) << shift
        slack |= 0x7F << shift
    }

    mutating func expectDigit(at place: Int, isBeforeSeparator: Bool) {
        let shift = UInt64(place * 8)
        mask |= 0xFF << shift
        expected |= UInt64(ASCII.zero) << shift
        slack |= 0x76 << shift
        if isBeforeSeparator { whole |= 0xFF << shift } else { others |= 0xFF << shift }
    }

    /// The values of the digits that stand at `place`, each in the place of its own.
    @inline(__always)
    func values(_ text: Span<UInt8>, at place: Int, _ misfit: inout UInt64) -> UInt64 {
        let bytes = text.bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: place, as: UInt64.self)
        let difference = (UInt64(littleEndian: bytes) ^ expected) & mask
        misfit |= (difference &+ slack) | difference
        return difference
    }

    /// The digits without the separator and the byte behind the number: up to the highest place.
    @inline(__always)
    func joined(_ values: UInt64) -> UInt64 { (values & whole) << 16 | (values & others) << 8 }

    /// Those that this moves into the eight bytes that follow.
    @inline(__always)
    func carried(_ values: UInt64) -> UInt64 { (values & whole) >> 48 | (values & others) >> 56 }
}

extension UInt64 {
    /// The number whose digits are the values of the eight bytes, the first of them the lowest.
    @inline(__always)
    fileprivate var asEightDigits: Int64 {
        let pairs = (self &* (10 << 8 + 1)) &>> 8 & 0x00FF_00FF_00FF_00FF
        let fours = (pairs &* (100 << 16 + 1)) &>> 16 & 0x0000_FFFF_0000_FFFF
        return Int64(truncatingIfNeeded: (fours &* (10_000 << 32 + 1)) &>> 32)
    }
}

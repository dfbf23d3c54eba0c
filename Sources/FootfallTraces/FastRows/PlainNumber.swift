internal import FootfallWire

/// A number of ASCII digits with an optional minus and an optional decimal separator: at most 18 digits, or 19 that fit an `Int64`
/// and are not all decimals. `DecimalNumber` reads every other spelling, and the same values for these.
struct PlainNumber {
    /// The digits as an integer, with the sign.
    let mantissa: Int64
    /// How many of the digits are decimals.
    let decimals: Int
    /// 10^`decimals`.
    let divisor: Double
    /// Where the byte behind the number is.
    let end: Int

    /// The number times 10^`power`; nil when it has more decimals or overflows.
    @inline(__always)
    func times(tenToThe power: Int) -> Int64? {
        guard decimals <= power else { return nil }
        let (product, overflow) = mantissa.multipliedReportingOverflow(by: Int64(PlainNumber.tens[power &- decimals]))
        return overflow ? nil : product
    }

    /// The nearest `Double` for a mantissa up to 2^53.
    @inline(__always)
    var double: Double { Double(mantissa) / divisor }

    fileprivate static let tens: InlineArray<19, UInt64> = [
        1, 10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000, 10_000_000_000,
        100_000_000_000, 1_000_000_000_000, 10_000_000_000_000, 100_000_000_000_000, 1_000_000_000_000_000,
        10_000_000_000_000_000, 100_000_000_000_000_000, 1_000_000_000_000_000_000,
    ]
    fileprivate static let powers: InlineArray<19, Double> = [
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
    ]
}

/// Reads the numbers of one column.
///
/// Eight or sixteen bytes become digits at once (Lemire, "Quickly parsing eight digits", 2018). The numbers of a column mostly have
/// their separator and their end in the same places. The reader compares the places with those of the number above: the processor
/// then predicts where the next field starts, and need not wait for this one. Bytes are literals here, because a constant of another
/// module costs a call per number.
struct PlainNumberReader: Sendable {
    private let separator: UInt8
    private var narrow = Spelling<UInt64>()
    private var wide = Spelling<UInt128>()
    /// Whether the number above needed more than eight bytes, with the byte behind it.
    private var isWide = false

    /// The bytes that ``read(_:at:)`` may load: a sign, 24 digits, a separator, 24 digits, and sixteen bytes from there.
    private static let reach = 72

    init(separator: UInt8) {
        self.separator = separator
    }

    /// Reads the number at `position`. Returns nil for another spelling, and near the end of `text`.
    @inline(__always)
    mutating func read(_ text: Span<UInt8>, at position: Int) -> PlainNumber? {
        guard text.count &- position >= PlainNumberReader.reach else { return nil }
        // 1 for a minus. The signs of acceleration are random, and a mispredicted branch costs more than this arithmetic.
        let sign = Int(truncatingIfNeeded: (UInt16(text[position] ^ UInt8(ascii: "-")) &- 1) &>> 15)
        let start = position &+ sign
        guard !isWide else { return readWide(text, at: start, sign) }
        let digits = Digits<UInt64>(text, start)
        guard narrow.fits(digits) || narrow.learn(digits, separator) else {
            return readWide(text, at: start, sign)
        }
        return PlainNumber(narrow.value(digits), sign, narrow.decimals, narrow.divisor, end: start &+ narrow.length)
    }

    @inline(__always)
    private mutating func readWide(_ text: Span<UInt8>, at start: Int, _ sign: Int) -> PlainNumber? {
        let digits = Digits<UInt128>(text, start)
        guard wide.fits(digits) else {
            isWide = wide.learn(digits, separator) && wide.length >= 8
            return readLong(text, at: start, sign)
        }
        return PlainNumber(wide.value(digits), sign, wide.decimals, wide.divisor, end: start &+ wide.length)
    }

    /// Reads a number of any length.
    @inline(never)
    private func readLong(_ text: Span<UInt8>, at start: Int, _ sign: Int) -> PlainNumber? {
        var position = start
        var value: UInt64 = 0
        var digits = PlainNumberReader.readDigits(text, &position, &value)
        var decimals = 0
        if text[position] == separator {
            position += 1
            decimals = PlainNumberReader.readDigits(text, &position, &value)
            digits += decimals
        }
        guard digits > 0, digits <= 18 || digits == 19 && decimals < 19 && value <= Int64.max else { return nil }
        return PlainNumber(value, sign, decimals, PlainNumber.powers[decimals], end: position)
    }

    /// Appends the digits at `position` to `value`, at most 24, and returns how many.
    private static func readDigits(_ text: Span<UInt8>, _ position: inout Int, _ value: inout UInt64) -> Int {
        let start = position
        while position - start < 24, text[position].isDigit {
            value = value &* 10 &+ UInt64(text[position].digit)
            position += 1
        }
        return position - start
    }
}

extension PlainNumber {
    @inline(__always)
    fileprivate init(_ value: UInt64, _ sign: Int, _ decimals: Int, _ divisor: Double, end: Int) {
        mantissa = (Int64(truncatingIfNeeded: value) ^ Int64(0 &- sign)) &+ Int64(sign)
        (self.decimals, self.divisor, self.end) = (decimals, divisor, end)
    }
}

/// A type of eight bytes, or of sixteen.
private typealias Word = FixedWidthInteger & UnsignedInteger & BitwiseCopyable & Sendable

/// Bytes of text, the first one lowest, each exclusive-or `0`: a digit becomes its value.
private struct Digits<Bytes: Word> {
    let bytes: Bytes

    /// Loads the bytes at `position` without a check: the caller has made sure that they are inside `text`.
    @inline(__always)
    init(_ text: Span<UInt8>, _ position: Int) {
        let loaded = text.bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: position, as: Bytes.self)
        bytes = Bytes(littleEndian: loaded) ^ Digits.repeating(UInt8(ascii: "0"))
    }

    /// The highest bit of a byte is set where it is not a digit. The other bits have no meaning.
    @inline(__always)
    var others: Bytes { (bytes & Digits.repeating(0x7F)) &+ Digits.repeating(0x76) | bytes }

    /// The byte of text at `index`.
    func byte(_ index: Int) -> UInt8 {
        UInt8(truncatingIfNeeded: bytes &>> Bytes(truncatingIfNeeded: index &* 8)) ^ UInt8(ascii: "0")
    }

    @inline(__always)
    static func repeating(_ byte: UInt8) -> Bytes { Bytes.max / 255 &* Bytes(byte) }
}

/// Where the separator and the end of a number are.
private struct Spelling<Bytes: Word>: Sendable {
    /// The highest bits of the bytes up to the end, and those of them that are set. No number fits before the first is learned.
    private var mask = Bytes.max
    private var others = Bytes.max
    /// The byte of the separator in its place; without one, the byte behind the number.
    private var gapMask: Bytes = 0
    private var gap: Bytes = 0
    /// The bits below that byte.
    private var before: Bytes = 0
    /// The shift that moves the last digit into the highest byte.
    private var shift: Bytes = 0
    /// How many characters the number has, without its sign.
    private(set) var length = 0
    private(set) var decimals = 0
    /// 10^`decimals`.
    private(set) var divisor = 1.0

    private static var size: Int { Bytes.bitWidth / 8 }

    @inline(__always)
    func fits(_ digits: Digits<Bytes>) -> Bool {
        (digits.others ^ others) & mask | (digits.bytes ^ gap) & gapMask == 0
    }

    /// Takes over the places of a number; false when it is none, or does not end within the bytes.
    @inline(never)
    mutating func learn(_ digits: Digits<Bytes>, _ separator: UInt8) -> Bool {
        let ends = digits.others & Digits<Bytes>.repeating(0x80)
        let first = ends.trailingZeroBitCount / 8
        guard first < Spelling.size else { return false }
        let hasSeparator = digits.byte(first) == separator
        let last = (hasSeparator ? ends & (ends - 1) : ends).trailingZeroBitCount / 8
        let count = hasSeparator ? last - 1 : last
        guard last < Spelling.size, count > 0 else { return false }
        (length, decimals) = (last, count - first)
        divisor = PlainNumber.powers[decimals]
        before = (1 << (8 * first)) - 1
        shift = Bytes(Bytes.bitWidth - 8 * count)
        gapMask = 0xFF << (8 * first)
        gap = digits.bytes & gapMask
        mask = Digits<Bytes>.repeating(0x80) & (.max >> (Bytes.bitWidth - 8 * (last + 1)))
        others = ends & mask
        return true
    }

    /// The number that the digits make, without the separator.
    @inline(__always)
    func value(_ digits: Digits<Bytes>) -> UInt64 {
        let aligned = (digits.bytes & before | digits.bytes &>> 8 & ~before) &<< shift
        let first = Spelling.value(UInt64(truncatingIfNeeded: aligned))
        guard Bytes.bitWidth > 64 else { return first }
        return first &* 100_000_000 &+ Spelling.value(UInt64(truncatingIfNeeded: aligned >> 64))
    }

    /// The value of eight digits: pairs, fours, then all.
    @inline(__always)
    private static func value(_ digits: UInt64) -> UInt64 {
        let pairs = digits &* 10 &+ digits &>> 8
        let even = (pairs & 0x0000_00FF_0000_00FF) &* 0x000F_4240_0000_0064
        let odd = (pairs &>> 16 & 0x0000_00FF_0000_00FF) &* 0x0000_2710_0000_0001
        return (even &+ odd) &>> 32
    }
}

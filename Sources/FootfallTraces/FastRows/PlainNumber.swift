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
/// The numbers of a column mostly have the same number of characters, with the separator in the same place, and the same first digits.
/// So the reader keeps the ``Spelling`` of a number and reads the next one as its last eight characters, which become digits at once
/// (Lemire, "Quickly parsing eight digits", 2018). The processor then predicts where the next field starts. Bytes are literals here,
/// because a constant of another module costs a call per number.
struct PlainNumberReader: Sendable {
    private let separator: UInt8
    private var spelling = Spelling()
    /// The length of the last number that did not fit the spelling.
    private var misfitLength = 0

    /// The bytes before a number, and from its start on, that ``read(_:at:)`` may load: three words, and a sign, 24 digits, a separator,
    /// 24 digits and the byte behind them.
    private static let (margin, reach) = (24, 72)

    init(separator: UInt8) {
        self.separator = separator
    }

    /// Reads the number at `position`. Returns nil for another spelling, and near the ends of `text`.
    @inline(__always)
    mutating func read(_ text: Span<UInt8>, at position: Int) -> PlainNumber? {
        guard position >= PlainNumberReader.margin, position <= text.count &- PlainNumberReader.reach
        else { return nil }
        // 1 for a minus. The signs of acceleration are random, and a mispredicted branch costs more than this arithmetic.
        let sign = Int(truncatingIfNeeded: (UInt16(text[unchecked: position] ^ UInt8(ascii: "-")) &- 1) &>> 15)
        let start = position &+ sign
        let end = start &+ spelling.length
        guard let value = spelling.value(text, end) else { return readAnySpelling(text, at: start, sign) }
        return PlainNumber(value, sign, spelling.decimals, spelling.divisor, end: end)
    }

    /// Reads a number of any length, and keeps its spelling if the last misfit had the same length.
    @inline(never)
    private mutating func readAnySpelling(_ text: Span<UInt8>, at start: Int, _ sign: Int) -> PlainNumber? {
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
        if position - start == misfitLength, digits <= 18 {
            spelling = Spelling(text, start..<position, value, decimals: decimals, separator)
        }
        misfitLength = position - start
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

/// How a number without its sign is spelled: its length, the place of its separator, and all but its last eight characters.
///
/// Words hold the characters that end at the same byte as the number, the last one in the highest byte, each exclusive-or `0`: a digit
/// becomes its value.
private struct Spelling: Sendable {
    private(set) var length = 0
    private(set) var decimals = 0
    /// 10^`decimals`.
    private(set) var divisor = 1.0
    /// The highest bits of the digits in the last word. No number fits before a spelling is known.
    private var digitBits: UInt64 = 0
    /// The separator in its place in the last word; 0 where it is not in that word.
    private var gap: UInt64 = 0
    private var gapMask: UInt64 = .max
    /// The bytes of digits behind the separator, and those before it, moved up over it.
    private var upper: UInt64 = 0
    private var lower: UInt64 = 0
    /// The characters before the last eight, in two words, and the value that they add.
    private var earlier = SIMD2<UInt64>()
    private var earlierMask = SIMD2<UInt64>()
    private var earlierValue: UInt64 = 0
    private var isLong = false

    private static let zeros: UInt64 = 0x3030_3030_3030_3030

    init() {}

    /// The spelling of the number in `range` of `text`, which has at most 18 digits.
    init(_ text: Span<UInt8>, _ range: Range<Int>, _ value: UInt64, decimals: Int, _ separator: UInt8) {
        (length, self.decimals, divisor) = (range.count, decimals, PlainNumber.powers[decimals])
        gapMask = 0
        var lastDigits = 0
        for place in 0..<8 where range.contains(range.upperBound - 8 + place) {
            let byte = text[range.upperBound - 8 + place]
            let bits = UInt64(0xFF) << UInt64(8 * place)
            if byte == separator {
                (gap, gapMask) = (UInt64(byte ^ 0x30) << UInt64(8 * place), bits)
                (lower, upper) = (upper << 8, 0)
            } else {
                digitBits |= bits & 0x8080_8080_8080_8080
                upper |= bits
                lastDigits += 1
            }
        }
        let lastPower = PlainNumber.tens[lastDigits]
        earlierValue = value / lastPower * lastPower
        isLong = length > 8
        for word in 0..<2 {
            for place in 0..<8 where range.contains(range.upperBound - 16 - 8 * word + place) {
                earlierMask[word] |= 0xFF << UInt64(8 * place)
            }
            earlier[word] = Spelling.word(text, range.upperBound - 16 - 8 * word) & earlierMask[word]
        }
    }

    /// The number that ends before `end`; nil where it is spelled otherwise.
    @inline(__always)
    func value(_ text: Span<UInt8>, _ end: Int) -> UInt64? {
        let last = Spelling.word(text, end &- 8)
        // The highest bit of a byte is set where it is no digit.
        let others = (last & 0x7F7F_7F7F_7F7F_7F7F) &+ 0x7676_7676_7676_7676 | last
        var misfit = others & digitBits | (last ^ gap) & gapMask
        if isLong {
            misfit |= (Spelling.word(text, end &- 16) ^ earlier.x) & earlierMask.x
            misfit |= (Spelling.word(text, end &- 24) ^ earlier.y) & earlierMask.y
        }
        guard misfit == 0 else { return nil }
        return earlierValue &+ Spelling.value(last & upper | last &<< 8 & lower)
    }

    /// The eight characters from `position` on, without a check: a number starts 24 bytes behind the start of `text` or later.
    @inline(__always)
    private static func word(_ text: Span<UInt8>, _ position: Int) -> UInt64 {
        UInt64(littleEndian: text.bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: position, as: UInt64.self)) ^ zeros
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

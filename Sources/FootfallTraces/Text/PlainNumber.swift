internal import FootfallWire

/// A number as most are written: digits with or without a decimal separator, and a minus or none. There are at most 18 digits, or
/// 19, as in nanoseconds since 1970, where they fit and not all are decimals.
///
/// ``DecimalNumber`` reads all others, and the same values for these.
struct PlainNumber {
    private(set) var mantissa: Int64
    /// How many of the digits are decimals.
    private(set) var decimals: Int

    /// Reads the number that begins at `position`, which moves behind it; nil when there is none that is plain.
    ///
    /// - Parameters:
    ///   - text: A line must end in it at `position` or behind, and ``LineSource/margin`` bytes must follow. No number goes
    ///     on behind the end of a line, so nothing has to look out for the end of the text, which would cost a tenth.
    ///   - isLarge: Whether many digits are to be expected before the separator; both ways read the same.
    @inline(__always)
    init?(_ text: Span<UInt8>, _ position: inout Int, separator: UInt8, isLarge: Bool) {
        // Signs are as good as random, so the way over them must not be a branch.
        let sign: Int = text[unchecked: position] == ASCII.minus ? 1 : 0
        position &+= sign
        var value: UInt64 = 0
        let start = position
        if isLarge { PlainNumber.readFours(text, &position, &value) }
        PlainNumber.readDigits(text, &position, &value)
        var digits = position &- start
        decimals = 0
        if text[unchecked: position] == separator {
            position &+= 1
            let start = position
            PlainNumber.readFours(text, &position, &value)
            PlainNumber.readDigits(text, &position, &value)
            decimals = position &- start
            digits &+= decimals
        }
        guard digits > 0, digits <= 18 || digits == 19 && decimals < 19 && value <= Int64.max else { return nil }
        mantissa = (Int64(truncatingIfNeeded: value) ^ Int64(0 &- sign)) &+ Int64(sign)
    }

    /// Reads digits behind those that `value` has.
    @inline(__always)
    private static func readDigits(_ text: Span<UInt8>, _ position: inout Int, _ value: inout UInt64) {
        while text[unchecked: position].isDigit {
            value = value &* 10 &+ UInt64(text[unchecked: position].digit)
            position &+= 1
        }
    }

    /// Reads digits behind those that `value` has, as long as there are four of them.
    @inline(__always)
    private static func readFours(_ text: Span<UInt8>, _ position: inout Int, _ value: inout UInt64) {
        while let four = fourDigits(text, at: position) {
            value = value &* 10_000 &+ four
            position &+= 4
        }
    }

    /// The number that four bytes make, looked at as one; nil when they are not all digits.
    @inline(__always)
    private static func fourDigits(_ text: Span<UInt8>, at position: Int) -> UInt64? {
        let values = text.bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: position, as: UInt32.self) ^ 0x3030_3030
        guard ((values &+ 0x7676_7676) | values) & 0x8080_8080 == 0 else { return nil }
        // The sums of neighbours, in the places of the second of them.
        let pairs = (values &* (10 << 8 + 1)) &>> 8 & 0x00FF_00FF
        return UInt64((pairs &* (100 << 16 + 1)) &>> 16)
    }

    /// The number times 10^`power`; nil when it has more decimals, or does not fit.
    @inline(__always)
    func times(tenToThe power: Int) -> Int64? {
        guard decimals <= power else { return nil }
        let (product, overflow) = mantissa.multipliedReportingOverflow(by: PlainNumber.tens[power &- decimals])
        return overflow ? nil : product
    }

    /// The nearest value. Numbers that are exact, as all up to 2^53 are, give the nearest quotient.
    @inline(__always)
    var double: Double { Double(mantissa) / PlainNumber.powers[decimals] }

    static let tens: InlineArray<19, Int64> = [
        1, 10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000, 10_000_000_000,
        100_000_000_000, 1_000_000_000_000, 10_000_000_000_000, 100_000_000_000_000, 1_000_000_000_000_000,
        10_000_000_000_000_000, 100_000_000_000_000_000, 1_000_000_000_000_000_000,
    ]
    static let powers: InlineArray<19, Double> = [
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
    ]
}

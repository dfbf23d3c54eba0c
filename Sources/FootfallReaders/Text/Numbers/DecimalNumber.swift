internal import Footfall

/// A decimal number, exact as written: mantissa × 10^exponent.
///
/// - ``double`` is the nearest `Double`, ``nanoseconds(power:)`` the nearest nanosecond.
/// - The sign may be U+2212. NaN and infinity are numbers that are not finite.
/// - Deviation: digits after the nineteenth set the magnitude only.
package struct DecimalNumber: Sendable {
    package private(set) var isNegative = false
    package private(set) var mantissa: UInt64 = 0
    package private(set) var exponent = 0
    /// False for NaN and infinity.
    package private(set) var isFinite = true

    init(_ value: Int64) { (isNegative, mantissa) = (value < 0, value.magnitude) }

    /// Reads all of the text in `range`: an optional sign, digits with a decimal separator, an optional exponent.
    /// Returns nil when the text is not a number.
    package init?(_ text: Span<UInt8>, _ range: Range<Int>, separator: UInt8 = ASCII.point) {
        let end = range.upperBound
        let sign = DecimalNumber.sign(text, range.lowerBound, end)
        isNegative = sign.isNegative
        let start = range.lowerBound + sign.length
        guard var position = readDigits(text, start, end, separator: separator) else {
            guard DecimalNumber.isNotFinite(text, start..<end) else { return nil }
            isFinite = false
            return
        }
        if position < end, text[position].lowercasedLetter == UInt8(ascii: "e") {
            guard let next = readExponent(text, position + 1, end) else { return nil }
            position = next
        }
        guard position == end else { return nil }
    }

    /// Reads the two parts of a number of Zephyr, of which the second counts millionths and has a sign of its own:
    /// `0.-548800` and `-1.-127000`, as `printf("%d.%06d")` prints −0.5488 and −1.127.
    init?(partsIn text: Span<UInt8>, _ range: Range<Int>) {
        let digits = 6
        guard let point = range.first(where: { text[$0] == ASCII.point }), point + 2 < range.upperBound,
            text[point + 1] == ASCII.minus, (point + 2..<range.upperBound).allSatisfy({ text[$0].isDigit }),
            range.upperBound - point - 2 <= digits, let whole = DecimalNumber(text, range.lowerBound..<point),
            let part = DecimalNumber(text, point + 2..<range.upperBound), whole.isFinite, whole.mantissa < 1_000_000
        else { return nil }
        (isNegative, mantissa, exponent) = (true, whole.mantissa * 1_000_000 + part.mantissa, -digits)
    }

    /// The sign at `position` and its length in bytes.
    private static func sign(_ text: Span<UInt8>, _ position: Int, _ end: Int) -> (isNegative: Bool, length: Int) {
        guard position < end else { return (false, 0) }
        switch text[position] {
        case ASCII.minus: return (true, 1)
        case ASCII.plus: return (false, 1)
        case 0xE2 where position + 2 < end && text[position + 1] == 0x88 && text[position + 2] == 0x92: return (true, 3)
        default: return (false, 0)
        }
    }

    private mutating func readDigits(_ text: Span<UInt8>, _ start: Int, _ end: Int, separator: UInt8) -> Int? {
        var position = start
        var hasDigits = false
        var hasSeparator = false
        while position < end {
            let byte = text[position]
            if byte.isDigit {
                hasDigits = true
                if mantissa < 1_000_000_000_000_000_000 {
                    mantissa = mantissa * 10 + UInt64(byte.digit)
                    if hasSeparator { exponent -= 1 }
                } else if !hasSeparator {
                    exponent += 1
                }
            } else if byte == separator, !hasSeparator {
                hasSeparator = true
            } else {
                break
            }
            position += 1
        }
        return hasDigits ? position : nil
    }

    private mutating func readExponent(_ text: Span<UInt8>, _ start: Int, _ end: Int) -> Int? {
        let sign = DecimalNumber.sign(text, start, end)
        let firstDigit = start + sign.length
        var position = firstDigit
        var value = 0
        while position < end, text[position].isDigit {
            value = min(99999, value * 10 + Int(text[position].digit))
            position += 1
        }
        guard position > firstDigit else { return nil }
        exponent += sign.isNegative ? -value : value
        return position
    }

    /// The spellings of NaN and infinity by `printf`, Arduino's `Serial.print`, R and spreadsheets, without a sign.
    private static func isNotFinite(_ text: Span<UInt8>, _ range: Range<Int>) -> Bool {
        let words: [StaticString] =
            switch range.count {
            case 2: ["na"]
            case 3: ["nan", "inf", "ovf"]
            case 8: ["infinity"]
            default: []
            }
        if words.contains(where: { text.hasLetters($0, at: range.lowerBound) }) { return true }
        return range.count == 3 && text.extracting(range).string(0..<3) == "∞"
    }

    /// Whether the number is an integer as written.
    package var isWhole: Bool { isFinite && exponent >= 0 }
}

extension DecimalNumber {
    /// The nearest `Double`; NaN when the number is not finite. Most numbers take Clinger's fast path ("How to read
    /// floating point numbers accurately", PLDI 1990): an exact mantissa and an exact power of ten need one rounding.
    package var double: Double {
        guard isFinite else { return .nan }
        var value = Double(mantissa)
        if exponent != 0, mantissa != 0 {
            switch exponent {
            case 1...22 where mantissa <= DecimalNumber.largestExact: value *= PowersOfTen.doubles[exponent]
            case -22 ... -1 where mantissa <= DecimalNumber.largestExact: value /= PowersOfTen.doubles[-exponent]
            case -18 ... -1: value = DecimalNumber.quotient(mantissa, by: PowersOfTen.integers[-exponent])
            default: value = Double("\(mantissa)e\(exponent)") ?? 0
            }
        }
        return isNegative ? -value : value
    }

    /// Every integer up to 2^53 is exact as a `Double`.
    private static let largestExact: UInt64 = 1 << 53

    /// The `Double` nearest to a quotient of more than 2^53 by at most 10^18, so the quotient has 57 significant bits
    /// or more.
    private static func quotient(_ dividend: UInt64, by divisor: UInt64) -> Double {
        let (quotient, remainder) = (UInt128(dividend) << 64).quotientAndRemainder(dividingBy: UInt128(divisor))
        let shift = max(0, 64 - quotient.leadingZeroBitCount)
        var leading = UInt64(truncatingIfNeeded: quotient >> UInt128(shift))
        // A set last bit stands for all bits after it, so that the conversion below is the only rounding.
        if remainder != 0 || UInt128(leading) << UInt128(shift) != quotient { leading |= 1 }
        return Double(sign: .plus, exponent: shift - 64, significand: Double(leading))
    }

    /// The number in nanoseconds, where its unit is 10^`power` nanoseconds; nil when the result does not fit. Rounds to
    /// the nearest nanosecond, halves away from zero.
    package func nanoseconds(power: Int) -> Int64? {
        guard isFinite else { return nil }
        guard mantissa != 0 else { return 0 }
        let shift = exponent + power
        var magnitude = mantissa
        if shift > 0 {
            guard shift < 20 else { return nil }
            let (product, overflow) = mantissa.multipliedReportingOverflow(by: PowersOfTen.integers[shift])
            guard !overflow else { return nil }
            magnitude = product
        } else if shift < 0 {
            guard shift > -20 else { return 0 }
            let divisor = PowersOfTen.integers[-shift]
            let (quotient, remainder) = mantissa.quotientAndRemainder(dividingBy: divisor)
            magnitude = quotient + (remainder >= divisor - remainder ? 1 : 0)
        }
        return Int64(exactly: magnitude).map { isNegative ? -$0 : $0 }
    }
}

/// The powers of ten that the types hold exactly.
enum PowersOfTen {
    static let integers: InlineArray<20, UInt64> = [
        1, 10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000, 10_000_000_000,
        100_000_000_000, 1_000_000_000_000, 10_000_000_000_000, 100_000_000_000_000, 1_000_000_000_000_000,
        10_000_000_000_000_000, 100_000_000_000_000_000, 1_000_000_000_000_000_000, 10_000_000_000_000_000_000,
    ]
    static let doubles: InlineArray<23, Double> = [
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
        1e20, 1e21, 1e22,
    ]
}

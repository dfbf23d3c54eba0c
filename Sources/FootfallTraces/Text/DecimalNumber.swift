/// A number as it is written: mantissa × 10^exponent. Integers and times stay exact; nothing is rounded on the way in.
///
/// The way to a `Double` is Clinger's fast path ("How to read floating point numbers accurately", PLDI 1990): a mantissa
/// and a power of ten that are both exact need one rounding. Deviation: mantissas of 54…64 bits are rounded once more,
/// which can move a `Double` by one unit in its last place, far below what a `Float` of acceleration holds.
struct DecimalNumber {
    var isNegative = false
    var mantissa: UInt64 = 0
    var exponent = 0

    /// What a piece of text turned out to be.
    enum Reading {
        case number(DecimalNumber)
        case notFinite
        case notANumber
    }

    var double: Double {
        var value = Double(mantissa)
        if exponent != 0, mantissa != 0 {
            switch exponent {
            case 1...22: value *= DecimalNumber.powers[exponent]
            case -22 ... -1: value /= DecimalNumber.powers[-exponent]
            default: value = Double("\(mantissa)e\(exponent)") ?? 0
            }
        }
        return isNegative ? -value : value
    }

    /// The number in nanoseconds when one of its unit is 10^`power` of them; nil when it does not fit.
    @inline(__always)
    func nanoseconds(power: Int) -> Int64? {
        guard mantissa != 0 else { return 0 }
        let shift = exponent + power
        var magnitude = mantissa
        if shift > 0 {
            guard shift < 20 else { return nil }
            let (product, overflow) = mantissa.multipliedReportingOverflow(by: DecimalNumber.integerPowers[shift])
            guard !overflow else { return nil }
            magnitude = product
        } else if shift < 0 {
            guard shift > -20 else { return 0 }
            let divisor = DecimalNumber.integerPowers[-shift]
            let (quotient, remainder) = mantissa.quotientAndRemainder(dividingBy: divisor)
            magnitude = quotient + (remainder >= divisor - remainder ? 1 : 0)
        }
        guard magnitude <= UInt64(Int64.max) else { return nil }
        return isNegative ? -Int64(magnitude) : Int64(magnitude)
    }

    private static let powers: [Double] = [
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
        1e20, 1e21, 1e22,
    ]
    private static let integerPowers: [UInt64] = (0..<20).map { power in
        (0..<power).reduce(1) { product, _ in product * 10 }
    }
}

extension DecimalNumber {
    /// Reads the text in `range`, all of it: an optional sign, digits with a decimal separator, an optional exponent.
    static func read(_ text: Span<UInt8>, _ range: Range<Int>, separator: UInt8) -> Reading {
        var number = DecimalNumber()
        var position = range.lowerBound
        let end = range.upperBound
        position += number.readSign(text, position, end)
        guard let next = number.readDigits(text, position, end, separator: separator) else {
            return isNotFinite(text, position..<end) ? .notFinite : .notANumber
        }
        position = next
        if position < end, text[position].lowercasedLetter == UInt8(ascii: "e") {
            guard let next = number.readExponent(text, position + 1, end) else { return .notANumber }
            position = next
        }
        return position == end ? .number(number) : .notANumber
    }

    /// Reads a sign, also U+2212, and returns how many bytes it takes.
    private mutating func readSign(_ text: Span<UInt8>, _ position: Int, _ end: Int) -> Int {
        guard position < end else { return 0 }
        switch text[position] {
        case ASCII.minus:
            isNegative = true
            return 1
        case ASCII.plus:
            return 1
        case 0xE2 where position + 2 < end && text[position + 1] == 0x88 && text[position + 2] == 0x92:
            isNegative = true
            return 3
        default:
            return 0
        }
    }

    /// Reads digits and returns where they end; nil when there is none. Digits past the nineteenth only set the size.
    private mutating func readDigits(_ text: Span<UInt8>, _ start: Int, _ end: Int, separator: UInt8) -> Int? {
        var position = start
        var digits = 0
        var separatorPosition: Int?
        while position < end {
            let byte = text[position]
            if byte.isDigit {
                digits += 1
                if mantissa < 1_000_000_000_000_000_000 {
                    mantissa = mantissa * 10 + UInt64(byte.digit)
                    if separatorPosition != nil { exponent -= 1 }
                } else if separatorPosition == nil {
                    exponent += 1
                }
            } else if byte == separator, separatorPosition == nil {
                separatorPosition = position
            } else {
                break
            }
            position += 1
        }
        return digits > 0 ? position : nil
    }

    private mutating func readExponent(_ text: Span<UInt8>, _ start: Int, _ end: Int) -> Int? {
        var position = start
        var power = DecimalNumber()
        position += power.readSign(text, position, end)
        let firstDigit = position
        var value = 0
        while position < end, text[position].isDigit {
            value = min(99999, value * 10 + Int(text[position].digit))
            position += 1
        }
        guard position > firstDigit else { return nil }
        exponent += power.isNegative ? -value : value
        return position
    }

    /// NaN and infinity in the spellings that loggers use, sign already read.
    private static func isNotFinite(_ text: Span<UInt8>, _ range: Range<Int>) -> Bool {
        let text = text.extracting(range)
        switch text.count {
        case 2: return text.hasLetters("na", at: 0)
        case 3: return text.hasLetters("nan", at: 0) || text.hasLetters("inf", at: 0) || isInfinitySign(text)
        case 8: return text.hasLetters("infinity", at: 0)
        default: return false
        }
    }

    private static func isInfinitySign(_ text: Span<UInt8>) -> Bool {
        text[0] == 0xE2 && text[1] == 0x88 && text[2] == 0x9E
    }
}

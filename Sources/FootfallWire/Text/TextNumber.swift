/// A number as it stands in a line of text: digits × 10^exponent, so that a long time keeps all its digits.
struct TextNumber: Sendable {
    private var isNegative = false
    private var digits: UInt64 = 0
    private var exponent = 0
    /// Whether it is written as NaN or an infinity.
    private(set) var isFinite = true

    /// Reads all of a field; nil when it is no number.
    init?(_ text: Span<UInt8>, _ field: Range<Int>, decimalSeparator: UInt8 = UInt8(ascii: ".")) {
        var position = field.lowerBound
        position += readSign(text, position, field.upperBound)
        let firstDigit = position
        var hasDigit = false
        var hasSeparator = false
        while position < field.upperBound {
            let byte = text[position]
            if byte.isDigit {
                hasDigit = true
                add(byte &- UInt8(ascii: "0"), isFraction: hasSeparator)
            } else if byte == decimalSeparator, !hasSeparator {
                hasSeparator = true
            } else {
                break
            }
            position += 1
        }
        guard hasDigit else {
            guard TextNumber.isNotFinite(text, firstDigit..<field.upperBound) else { return nil }
            isFinite = false
            return
        }
        if position < field.upperBound, text[position] | 0x20 == UInt8(ascii: "e") {
            guard let next = readExponent(text, position + 1, field.upperBound) else { return nil }
            position = next
        }
        guard position == field.upperBound else { return nil }
    }

    /// Digits past the nineteenth only set the size.
    private mutating func add(_ digit: UInt8, isFraction: Bool) {
        if digits < 1_000_000_000_000_000_000 {
            digits = digits * 10 + UInt64(digit)
            if isFraction { exponent -= 1 }
        } else if !isFraction {
            exponent += 1
        }
    }

    /// Reads a sign, also U+2212, and returns how many bytes it takes.
    private mutating func readSign(_ text: Span<UInt8>, _ position: Int, _ end: Int) -> Int {
        guard position < end else { return 0 }
        switch text[position] {
        case UInt8(ascii: "-"):
            isNegative = true
            return 1
        case UInt8(ascii: "+"):
            return 1
        case 0xE2 where position + 2 < end && text[position + 1] == 0x88 && text[position + 2] == 0x92:
            isNegative = true
            return 3
        default:
            return 0
        }
    }

    private mutating func readExponent(_ text: Span<UInt8>, _ start: Int, _ end: Int) -> Int? {
        guard start < end else { return nil }
        let isDown = text[start] == UInt8(ascii: "-")
        var position = isDown || text[start] == UInt8(ascii: "+") ? start + 1 : start
        guard position < end else { return nil }
        var power = 0
        while position < end, text[position].isDigit {
            power = min(9999, power * 10 + Int(text[position] &- UInt8(ascii: "0")))
            position += 1
        }
        guard position == end else { return nil }
        exponent += isDown ? -power : power
        return position
    }

    /// NaN and infinity as `printf` and Arduino's `Serial.print` write them, sign already read.
    private static func isNotFinite(_ text: Span<UInt8>, _ range: Range<Int>) -> Bool {
        ["nan", "inf", "infinity", "ovf"].contains { text.spells($0, range) }
    }

    /// The value; not a number when it is none.
    var value: Double {
        guard isFinite else { return .nan }
        var value = Double(digits)
        // Powers of ten up to 22 are exact, so one rounding is all there is; beyond, size matters more than digits.
        var power = exponent
        while power > 0, value != 0, value < .infinity {
            let step = min(power, 22)
            value *= TextNumber.powers[step]
            power -= step
        }
        while power < 0, value != 0 {
            let step = min(-power, 22)
            value /= TextNumber.powers[step]
            power += step
        }
        return isNegative ? -value : value
    }

    private static let powers: [Double] = (0...22).map { power in (0..<power).reduce(1) { value, _ in value * 10 } }

    /// The number in nanoseconds when one of it is 10^`power` of them; nil when it does not fit.
    func nanoseconds(power: Int) -> Int64? {
        guard isFinite else { return nil }
        var magnitude = digits
        var shift = exponent + power
        while shift > 0, magnitude != 0 {
            let (product, overflow) = magnitude.multipliedReportingOverflow(by: 10)
            guard !overflow else { return nil }
            magnitude = product
            shift -= 1
        }
        while shift < 0, magnitude != 0 {
            magnitude /= 10
            shift += 1
        }
        return Int64(exactly: magnitude).map { isNegative ? -$0 : $0 }
    }

    /// Whether it is written as a whole number.
    var isWhole: Bool { isFinite && exponent >= 0 }
}

extension UInt8 {
    /// Whether this is a decimal digit in ASCII.
    var isDigit: Bool { self &- UInt8(ascii: "0") < 10 }
    /// Whether this is a letter in ASCII.
    var isLetter: Bool { (self | 0x20) &- UInt8(ascii: "a") < 26 }
}

extension Span<UInt8> {
    /// Whether `word`, in lower case, stands in `range`, in either case, and nothing else.
    func spells(_ word: StaticString, _ range: Range<Int>) -> Bool {
        guard range.count == word.utf8CodeUnitCount else { return false }
        return word.withUTF8Buffer { letters in
            letters.indices.allSatisfy { self[range.lowerBound + $0] | 0x20 == letters[$0] }
        }
    }

    /// The text in `range`; what is not UTF-8 becomes U+FFFD.
    func string(_ range: Range<Int>) -> String {
        var bytes: [UInt8] = []
        for index in range { bytes.append(self[index]) }
        return String(decoding: bytes, as: UTF8.self)
    }
}

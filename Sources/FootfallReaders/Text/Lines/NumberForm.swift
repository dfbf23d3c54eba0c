/// The form of the numbers in lines that have no plain decimal numbers.
package enum NumberForm: Sendable {
    /// Decimal numbers with commas, between blanks or behind labels, as programs of many languages print them.
    case decimalCommas
    /// Words of four hexadecimal digits, or of up to four after `0x`: two's complement of 16 bits.
    case words16
    /// Words of up to eight hexadecimal digits: two's complement of 32 bits, as Arduino's `Serial.print(value, HEX)`
    /// writes a negative number. With `isNamed`, a line begins with a name such as `ACC`, which is no number.
    case words32(isNamed: Bool)

    /// The fewest lines that show that commas are those of decimals.
    private static let fewestWithCommas = 16
    /// One line in this many has a negative number in eight digits.
    private static let fewestNegative = 16

    /// The form of most of the lines; nil if their numbers are plain decimals. Of words in hexadecimal digits, some
    /// have a letter among them, or `0x` before them.
    init?(_ lines: [[UInt8]]) {
        if Self.haveDecimalCommas(lines) {
            self = .decimalCommas
            return
        }
        let words = lines.map { HexWord.words($0.span) }
        let fours = words.filter { $0.count { $0.isOfFourDigits } >= 3 }
        if fours.count * 2 > lines.count,
            fours.joined().contains(where: { $0.isOfFourDigits && ($0.hasLetter || $0.hasPrefix) })
        {
            self = .words16
            return
        }
        let longer = words.filter { $0.count >= 3 }
        let negative = longer.count { $0.contains(where: \.isNegative) }
        guard longer.count * 2 > lines.count, negative * Self.fewestNegative >= lines.count, negative > 0
        else { return nil }
        self = .words32(isNamed: longer.count { $0[0].isName && $0[0].start == 0 } * 2 > longer.count)
    }

    /// Whether commas are those of decimals: one in a word, between digits, and mostly three such words in a line.
    /// Pairs of whole numbers would have a minus behind a comma where some have one before it, and neither 0 before a
    /// comma and more digits behind it nor digits that begin with 0. A few lines may be messages.
    private static func haveDecimalCommas(_ lines: [[UInt8]]) -> Bool {
        guard lines.count >= fewestWithCommas else { return false }
        var (likely, threes, isShown) = (0, 0, false)
        for line in lines {
            // A time before the text may have a point.
            let text = line[LinePrefix(line.span).end...]
            guard !text.contains(ASCII.point) else { continue }
            let words = text.split { $0.isBlank || $0 == ASCII.semicolon }.filter { $0.contains(ASCII.comma) }
            let numbers = words.map { word in word.drop { !$0.isDigit && $0 != ASCII.minus } }
            guard numbers.allSatisfy(isWithComma) else { continue }
            likely += 1
            threes += numbers.count >= 3 ? 1 : 0
            isShown = isShown || numbers.contains(where: isFraction)
        }
        return (lines.count - likely) * fewestWithCommas <= lines.count && threes * 2 > lines.count && isShown
    }

    /// Whether a number has a comma between digits.
    private static func isWithComma(_ number: ArraySlice<UInt8>) -> Bool {
        number.contains(ASCII.comma) && number.last?.isDigit == true
            && DecimalNumber(number.span, number.span.indices, separator: ASCII.comma) != nil
    }

    /// Whether a number with a comma is no pair of whole numbers.
    private static func isFraction(_ number: ArraySlice<UInt8>) -> Bool {
        let zero = UInt8(ascii: "0")
        let (whole, digits) = (number.prefix { $0 != ASCII.comma }, number.drop { $0 != ASCII.comma }.dropFirst())
        return number.first == ASCII.minus || digits.count > 1 && (digits.first == zero || whole.elementsEqual([zero]))
    }

    var isHexadecimal: Bool { if case .decimalCommas = self { false } else { true } }

    /// Whether a line has three words that may be hexadecimal numbers, and decimal numbers may not.
    package static func isPossible(in line: [UInt8]) -> Bool {
        let words = HexWord.words(line.span)
        return words.count { $0.isOfFourDigits } >= 3
            || words.count >= 3 && words.contains(where: \.hasLetter) && words.contains(where: \.hasDigit)
    }

    /// The number in a word of hexadecimal digits; nil for another word, such as a time in decimal digits.
    func number(_ text: Span<UInt8>, _ token: Range<Int>) -> DecimalNumber? {
        guard let word = HexWord(text, token) else { return nil }
        switch self {
        case .decimalCommas: return nil
        case .words16: return word.isOfFourDigits ? DecimalNumber(Int64(Int16(truncatingIfNeeded: word.value))) : nil
        case .words32(let isNamed):
            return isNamed && word.isName && word.start == 0
                ? nil : DecimalNumber(Int64(Int32(truncatingIfNeeded: word.value)))
        }
    }
}

/// A word of hexadecimal digits.
struct HexWord {
    private(set) var value: UInt64 = 0
    /// The position in the line.
    let start: Int
    private(set) var digits = 0
    private(set) var hasPrefix = false
    /// Whether one of the digits is a letter.
    private(set) var hasLetter = false
    private(set) var hasDigit = false
    /// Whether it may as well be a name, such as `ACC`.
    private(set) var isName = false

    /// Reads one to eight digits, with or without `0x`; nil for another word.
    init?(_ text: Span<UInt8>, _ token: Range<Int>) {
        self.start = token.lowerBound
        var start = token.lowerBound
        hasPrefix =
            token.count > 2 && text[start] == ASCII.zero && text[start + 1].lowercasedLetter == UInt8(ascii: "x")
        if hasPrefix { start += 2 }
        digits = token.upperBound - start
        guard (1...8).contains(digits) else { return nil }
        var letters = 0
        for index in start..<token.upperBound {
            let digit = text[index].hexadecimal
            guard digit < 16 else { return nil }
            if digit > 9 { letters += 1 }
            value = value << 4 | UInt64(digit)
        }
        (hasLetter, hasDigit) = (letters > 0, letters < digits)
        isName = letters == digits && digits < 4 && !hasPrefix
    }

    /// Whether this is a negative number of 16 bits in 32.
    var isNegative: Bool { digits == 8 && value >> 16 == 0xFFFF }

    var isOfFourDigits: Bool { digits == 4 || hasPrefix && digits < 4 }

    /// The words in hexadecimal digits of a line.
    static func words(_ text: Span<UInt8>) -> [HexWord] {
        var (words, position) = ([HexWord](), 0)
        while position < text.count {
            let start = position
            while position < text.count, !" \t,;|:=[]()".utf8.contains(text[position]) { position += 1 }
            if let word = HexWord(text, start..<position) { words.append(word) }
            position += 1
        }
        return words
    }
}

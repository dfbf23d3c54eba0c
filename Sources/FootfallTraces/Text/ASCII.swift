/// The bytes that mean something in a table of numbers.
enum ASCII {
    static let newline = UInt8(ascii: "\n")
    static let carriageReturn = UInt8(ascii: "\r")
    static let tab = UInt8(ascii: "\t")
    static let space = UInt8(ascii: " ")
    static let quote = UInt8(ascii: "\"")
    static let comma = UInt8(ascii: ",")
    static let semicolon = UInt8(ascii: ";")
    static let point = UInt8(ascii: ".")
    static let plus = UInt8(ascii: "+")
    static let minus = UInt8(ascii: "-")
    static let colon = UInt8(ascii: ":")
    static let slash = UInt8(ascii: "/")
    static let zero = UInt8(ascii: "0")
}

extension String {
    /// The text without what moves a terminal's cursor or ends a line: each such character becomes U+FFFD.
    var printable: String {
        String(
            String.UnicodeScalarView(unicodeScalars.map { $0.properties.generalCategory == .control ? "\u{FFFD}" : $0 })
        )
    }
}

extension UInt8 {
    /// The value of a decimal digit; 10 or more for any other byte.
    @inline(__always)
    var digit: UInt8 { self &- ASCII.zero }

    @inline(__always)
    var isDigit: Bool { digit < 10 }

    /// The letter in lower case; any other byte is meaningless.
    @inline(__always)
    var lowercasedLetter: UInt8 { self | 0x20 }

    /// A space of any kind, except the one that separates columns where tabs or spaces do.
    @inline(__always)
    var isBlank: Bool { self == ASCII.space || self == ASCII.tab || self == ASCII.carriageReturn }
}

extension Span<UInt8> {
    /// The text without blanks at both ends.
    @inline(__always)
    func trimmed(_ range: Range<Int>) -> Range<Int> {
        var lower = range.lowerBound
        var upper = range.upperBound
        while lower < upper, self[lower].isBlank { lower += 1 }
        while upper > lower, self[upper - 1].isBlank { upper -= 1 }
        return lower..<upper
    }

    /// The text as a string; what is not UTF-8 becomes U+FFFD.
    func string(_ range: Range<Int>) -> String {
        var bytes: [UInt8] = []
        for index in range { bytes.append(self[index]) }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Whether `word`, in lower case, stands at `position`, in either case.
    func hasLetters(_ word: StaticString, at position: Int) -> Bool {
        guard position + word.utf8CodeUnitCount <= count else { return false }
        return word.withUTF8Buffer { letters in
            letters.indices.allSatisfy { self[position + $0].lowercasedLetter == letters[$0] }
        }
    }
}

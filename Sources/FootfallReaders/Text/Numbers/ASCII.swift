/// The bytes with a meaning in a table of numbers. They are inlinable, since the readers of rows compare each byte.
package enum ASCII {
    @inlinable package static var newline: UInt8 { UInt8(ascii: "\n") }
    @inlinable package static var carriageReturn: UInt8 { UInt8(ascii: "\r") }
    @inlinable package static var tab: UInt8 { UInt8(ascii: "\t") }
    @inlinable package static var space: UInt8 { UInt8(ascii: " ") }
    @inlinable package static var quote: UInt8 { UInt8(ascii: "\"") }
    @inlinable package static var comma: UInt8 { UInt8(ascii: ",") }
    @inlinable package static var semicolon: UInt8 { UInt8(ascii: ";") }
    @inlinable package static var bar: UInt8 { UInt8(ascii: "|") }
    @inlinable package static var point: UInt8 { UInt8(ascii: ".") }
    @inlinable package static var plus: UInt8 { UInt8(ascii: "+") }
    @inlinable package static var minus: UInt8 { UInt8(ascii: "-") }
    @inlinable package static var colon: UInt8 { UInt8(ascii: ":") }
    @inlinable package static var slash: UInt8 { UInt8(ascii: "/") }
    @inlinable package static var zero: UInt8 { UInt8(ascii: "0") }
}

extension String {
    /// The text with U+FFFD in place of each control character, such as a line end or a terminal's escape.
    package var printable: String {
        String(
            String.UnicodeScalarView(unicodeScalars.map { $0.properties.generalCategory == .control ? "\u{FFFD}" : $0 })
        )
    }
}

extension Substring {
    /// The text without blanks at both ends.
    var trimmed: String { String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed()) }
}

extension UInt8 {
    /// The value of a decimal digit; 10 or more for any other byte.
    @inlinable @inline(__always)
    package var digit: UInt8 { self &- 0x30 }

    /// Whether this is a decimal digit.
    @inlinable @inline(__always)
    package var isDigit: Bool { digit < 10 }

    /// Whether this is a letter, in either case.
    @inlinable @inline(__always)
    package var isLetter: Bool { lowercasedLetter &- 0x61 < 26 }

    /// The letter in lower case; any other byte has no meaning.
    @inlinable @inline(__always)
    package var lowercasedLetter: UInt8 { self | 0x20 }

    /// The value of a hexadecimal digit; 16 or more for any other byte.
    @inline(__always)
    var hexadecimal: UInt8 {
        let letter = lowercasedLetter &- UInt8(ascii: "a")
        return isDigit ? digit : letter < 6 ? letter + 10 : 0xFF
    }

    /// Whether this is a control character that no text has. Zero is one.
    var isControl: Bool { self < 9 || (14...31).contains(self) }

    /// Whether this is a space, a tab or a carriage return.
    @inlinable @inline(__always)
    package var isBlank: Bool { self == 0x20 || self == 0x09 || self == 0x0D }
}

extension Span<UInt8> {
    /// The range without blanks at both ends.
    @inlinable @inline(__always)
    package func trimmed(_ range: Range<Int>) -> Range<Int> {
        var lower = range.lowerBound
        var upper = range.upperBound
        while lower < upper, self[lower].isBlank { lower += 1 }
        while upper > lower, self[upper - 1].isBlank { upper -= 1 }
        return lower..<upper
    }

    /// The text as a string; bytes that are not UTF-8 become U+FFFD.
    package func string(_ range: Range<Int>) -> String {
        var bytes: [UInt8] = []
        for index in range { bytes.append(self[index]) }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Whether the text at `position` begins with `word`, given in lower case, in either case.
    package func hasLetters(_ word: StaticString, at position: Int) -> Bool {
        guard position + word.utf8CodeUnitCount <= count else { return false }
        return word.withUTF8Buffer { letters in
            letters.indices.allSatisfy { self[position + $0].lowercasedLetter == letters[$0] }
        }
    }

    /// The first position of `byte` in `range`.
    @inlinable @inline(__always)
    package func firstIndex(of byte: UInt8, in range: Range<Int>) -> Int? {
        var position = range.lowerBound
        while position < range.upperBound {
            if self[position] == byte { return position }
            position += 1
        }
        return nil
    }

    /// The lines of a range that `end` ends; at most so many.
    func lines(in range: Range<Int>, endedBy end: UInt8 = ASCII.newline, most: Int = .max) -> [Range<Int>] {
        var (lines, start) = ([Range<Int>](), range.lowerBound)
        while lines.count < most, let stop = firstIndex(of: end, in: start..<range.upperBound) {
            lines.append(start..<stop)
            start = stop + 1
        }
        return lines
    }

    /// The last position of `byte` in `range`.
    func lastIndex(of byte: UInt8, in range: Range<Int>) -> Int? {
        var position = range.upperBound
        while position > range.lowerBound {
            position -= 1
            if self[position] == byte { return position }
        }
        return nil
    }
}

/// Removes lines of a file, or characters of its lines, before any other code reads them.
protocol LineFilter: Sendable {
    /// Rewrites the whole lines in `range`: moves what remains of them to `end`, from the start of the range on, and
    /// `end` behind that. Returns where the rest begins: a line that is not complete yet, which is passed again.
    mutating func rewrite(_ bytes: inout [UInt8], _ range: Range<Int>, to end: inout Int, isAtEnd: Bool) -> Int
}

extension [UInt8] {
    /// Moves the bytes in `range` to `end`, which is not behind them, and `end` behind the moved ones.
    mutating func move(_ range: Range<Int>, to end: inout Int) {
        for position in range {
            self[end] = self[position]
            end += 1
        }
    }
}

/// Removes what Python prints around a text: `b'0.1,0.2,0.9\r\n'` for bytes, `['0.1', '0.2', '0.9']` for a list of
/// texts.
struct PythonText: LineFilter {
    private static let (apostrophe, backslash) = (UInt8(ascii: "'"), UInt8(ascii: "\\"))
    /// The lines of the opening that are examined.
    private static let mostLines = 64

    /// Examines the opening of a text; nil unless most of its lines are so.
    init?(_ text: Span<UInt8>, _ range: Range<Int>) {
        let lines = text.lines(in: range, most: Self.mostLines).map { text.trimmed($0) }.filter { !$0.isEmpty }
        let printed = lines.count { line in
            let isList = text.has([UInt8(ascii: "["), Self.apostrophe], at: line.lowerBound)
            return isList && text[line.upperBound - 1] == UInt8(ascii: "]")
                || line.contains { Self.beginsBytes(text, $0, in: line) }
        }
        if printed * 2 <= lines.count { return nil }
    }

    /// Whether the `b` of `b'…'` is at this position.
    private static func beginsBytes(_ text: Span<UInt8>, _ position: Int, in line: Range<Int>) -> Bool {
        guard text[position] == UInt8(ascii: "b"), position + 1 < line.upperBound, text[position + 1] == apostrophe
        else { return false }
        return position == line.lowerBound || !text[position - 1].isLetter && !text[position - 1].isDigit
    }

    mutating func rewrite(_ bytes: inout [UInt8], _ range: Range<Int>, to end: inout Int, isAtEnd: Bool) -> Int {
        let whole = isAtEnd ? range.upperBound : bytes.span.lastIndex(of: ASCII.newline, in: range).map { $0 + 1 }
        let stop = whole ?? range.lowerBound
        var position = range.lowerBound
        while position < stop {
            let byte = bytes[position]
            if byte == Self.backslash, position + 1 < stop, "rnt".utf8.contains(bytes[position + 1]) {
                // An escaped tab separates fields.
                bytes[end] = ASCII.tab
                end += bytes[position + 1] == UInt8(ascii: "t") ? 1 : 0
                position += 2
                continue
            }
            position += 1
            if byte == Self.apostrophe || Self.beginsBytes(bytes.span, position - 1, in: range.lowerBound..<stop) {
                continue
            }
            bytes[end] = byte
            end += 1
        }
        return stop
    }
}

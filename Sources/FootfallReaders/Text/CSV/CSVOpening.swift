/// The first lines of a file, from which the layout of the table follows.
struct CSVOpening {
    struct Line {
        /// Counted from 1.
        var number: Int
        /// The bytes of the line, without its end.
        var range: Range<Int>
    }

    /// The lines that are not blank.
    private(set) var lines: [Line] = []
    /// The byte at the end of a line.
    private(set) var lineEnd = ASCII.newline

    /// Finds the lines of the opening in `bytes`. Unless the file ends with these, the last line is incomplete and
    /// omitted. Throws ``Refusal`` when the bytes are not lines of text.
    init(_ bytes: Span<UInt8>, _ range: Range<Int>, isWhole: Bool) throws(Refusal) {
        guard !range.isEmpty else { throw Refusal("the file is empty") }
        try CSVOpening.checkText(bytes, range)
        var start = range.lowerBound + (bytes.extracting(range).has([0xEF, 0xBB, 0xBF], at: 0) ? 3 : 0)
        if !range.contains(where: { bytes[$0] == ASCII.newline }) { lineEnd = ASCII.carriageReturn }
        var number = 1
        for position in start..<range.upperBound where bytes[position] == lineEnd {
            append(bytes, start..<position, number)
            start = position + 1
            number += 1
        }
        if isWhole { append(bytes, start..<range.upperBound, number) }
        guard lines.isEmpty else { return }
        // A long line is often a whole file of JSON.
        let head = Line(number: 1, range: bytes.trimmed(range.prefix(200)))
        let isLong = range.count > RowReader.longestLine
        let problem: ParameterText = isLong ? "its first line is longer than 64 KiB" : "no line of text in it"
        throw ForeignText.named(Refusal(problem, remedy: Refusal.expectation), bytes, [head])
    }

    private mutating func append(_ bytes: Span<UInt8>, _ range: Range<Int>, _ number: Int) {
        let content = bytes.trimmed(range)
        guard !content.isEmpty, range.count <= RowReader.longestLine, !CSVOpening.isRule(bytes, content) else { return }
        lines.append(Line(number: number, range: content))
    }

    /// Whether a line only separates others, as in tables for people: `|---|:--:|` and `+-----+`.
    private static func isRule(_ bytes: Span<UInt8>, _ line: Range<Int>) -> Bool {
        line.count >= 3 && line.allSatisfy { "|-+:= ".utf8.contains(bytes[$0]) }
    }

    private static func checkText(_ bytes: Span<UInt8>, _ range: Range<Int>) throws(Refusal) {
        let head = bytes.extracting(range.prefix(4096))
        let zeros = head.indices.count { head[$0] == 0 }
        if head.has([0xFF, 0xFE], at: 0) || head.has([0xFE, 0xFF], at: 0)
            || (zeros * 5 > head.count * 2 && zeros * 5 < head.count * 3)
        {
            throw Refusal("the text is UTF-16", remedy: "save it as UTF-8")
        }
        if head.has([0x50, 0x4B, 0x03, 0x04], at: 0) {
            throw Refusal("a ZIP archive, not a table", remedy: "unpack it and name the table inside")
        }
        if head.indices.count(where: { head[$0].isControl }) * 50 > head.count {
            throw Refusal("binary data in a format that Footfall does not read", remedy: Refusal.expectation)
        }
    }
}

/// The separators of a table of numbers.
struct CSVDialect: Sendable {
    var delimiter: UInt8
    var decimalSeparator: UInt8
    var lineEnd = ASCII.newline
    /// The end of a row within a line; some loggers write several rows on one line.
    var rowEnd: UInt8?

    /// The dialects in use, the most common first.
    static let known = [
        CSVDialect(delimiter: ASCII.comma, decimalSeparator: ASCII.point),
        CSVDialect(delimiter: ASCII.semicolon, decimalSeparator: ASCII.point),
        CSVDialect(delimiter: ASCII.semicolon, decimalSeparator: ASCII.comma),
        CSVDialect(delimiter: ASCII.tab, decimalSeparator: ASCII.point),
        CSVDialect(delimiter: ASCII.tab, decimalSeparator: ASCII.comma),
        CSVDialect(delimiter: ASCII.comma, decimalSeparator: ASCII.point, rowEnd: ASCII.semicolon),
        CSVDialect(delimiter: ASCII.space, decimalSeparator: ASCII.point),
        CSVDialect(delimiter: ASCII.space, decimalSeparator: ASCII.comma),
        CSVDialect(delimiter: ASCII.bar, decimalSeparator: ASCII.point),
        CSVDialect(delimiter: ASCII.bar, decimalSeparator: ASCII.comma),
        CSVDialect(delimiter: ASCII.comma, decimalSeparator: ASCII.comma),  // every number in quotes
    ]

    /// The next field of the row that ends at `end`, without blanks and quotes around it; nil after the last field.
    /// Moves `position` from the start of the field to the start of the next one.
    @inline(__always)
    func nextField(_ text: Span<UInt8>, _ position: inout Int, _ end: Int) -> Range<Int>? {
        while position < end, text[position] == ASCII.space || (delimiter == ASCII.space && text[position].isBlank) {
            position += 1
        }
        guard position < end || (position == end && delimiter != ASCII.space) else { return nil }
        if position < end, text[position] == ASCII.quote { return quotedField(text, &position, end) }
        let start = position
        skipToDelimiter(text, &position, end)
        let field = text.trimmed(start..<position)
        position += 1
        return field
    }

    private func quotedField(_ text: Span<UInt8>, _ position: inout Int, _ end: Int) -> Range<Int> {
        let start = position + 1
        position = start
        while position < end {
            if text[position] == ASCII.quote {
                guard position + 1 < end, text[position + 1] == ASCII.quote else { break }
                position += 1
            }
            position += 1
        }
        let field = text.trimmed(start..<min(position, end))
        skipToDelimiter(text, &position, end)
        position += 1
        return field
    }

    @inline(__always)
    private func skipToDelimiter(_ text: Span<UInt8>, _ position: inout Int, _ end: Int) {
        while position < end, text[position] != delimiter,
            !(delimiter == ASCII.space && text[position] == ASCII.tab)
        {
            position += 1
        }
    }

    /// All fields of the row in `range`.
    func fields(_ text: Span<UInt8>, _ range: Range<Int>) -> [Range<Int>] {
        var fields: [Range<Int>] = []
        var position = range.lowerBound
        while let field = nextField(text, &position, range.upperBound) { fields.append(field) }
        return fields
    }

    /// The rows on the line in `range`.
    func rows(_ text: Span<UInt8>, _ range: Range<Int>) -> [Range<Int>] {
        guard let rowEnd else { return [text.trimmed(range)] }
        var rows: [Range<Int>] = []
        var start = range.lowerBound
        for position in range where text[position] == rowEnd {
            rows.append(text.trimmed(start..<position))
            start = position + 1
        }
        rows.append(text.trimmed(start..<range.upperBound))
        return rows.filter { !$0.isEmpty }
    }
}

/// Kinds of text that are recognized but not read, so that the error names them.
enum ForeignText {
    /// The refusal of a text, with the kind of text that it is: JSON, a web page, XML or source code.
    static func named(
        _ refusal: Refusal, _ text: Span<UInt8>, _ lines: [CSVOpening.Line]
    ) -> Refusal {
        let first = lines.prefix(64).map { text.string($0.range.prefix(200)) }
        guard let (name, remedy) = kind(of: first) else { return refusal }
        return Refusal("\(name), not a sensor log: \(refusal.problem)", remedy: remedy, line: refusal.line)
    }

    /// Whether a row of numbers is a part of a longer list in an object of JSON, with which the text begins. A row that
    /// is a list of its own, such as `[0, 0, 0, 1],`, is not.
    static func isInList(_ position: Int, _ text: Span<UInt8>, _ opening: CSVOpening) -> Bool {
        guard let first = opening.lines.first?.range, text[first.lowerBound] == UInt8(ascii: "{"),
            isJSON(text.string(first.prefix(200)))
        else { return false }
        let braces = (first.lowerBound..<position).map { text[$0] }.openBraces
        // ``CellRewriter`` makes the brackets of such a list blanks.
        let end = text.firstIndex(of: ASCII.newline, in: position..<text.count) ?? text.count
        let last = (position..<end).last { text[$0].isDigit || text[$0] == ASCII.point } ?? position
        let isList = last + 1 < end && (text[last + 1] == ASCII.space || text[last + 1] == UInt8(ascii: "]"))
        return braces > 0 && !isList
    }

    private static func kind(of lines: [String]) -> (name: String, remedy: ParameterText)? {
        guard let first = lines.first?.lowercased() else { return nil }
        if isJSON(first) { return ("JSON", "convert it to a table of time,x,y,z") }
        if first.hasPrefix("<!doctype html") || first.hasPrefix("<html") {
            return ("a web page", "download the file itself")
        }
        if first.hasPrefix("<?xml") { return ("XML", "convert it to a table of time,x,y,z") }
        let isCode = first.hasPrefix("#!/") || first.hasPrefix("<?php") || lines.contains(where: isSourceCode)
        return isCode ? ("source code", Refusal.expectation) : nil
    }

    private static func isJSON(_ line: String) -> Bool {
        let rest = line.dropFirst().drop { $0 == " " }
        switch line.first {
        case "{": return rest.isEmpty || rest.first == "\""
        case "[": return rest.isEmpty || rest.first == "{" || rest.first == "["
        default: return false
        }
    }

    /// Whether a line declares or imports something in a common programming language.
    private static func isSourceCode(_ line: String) -> Bool {
        if line.hasPrefix("#include ") { return true }
        let words = line.split(separator: " ")
        if words.first == "import" { return words.count <= 4 }
        if words.first == "from" { return words.count >= 4 && words[2] == "import" }
        let keywords = [
            "def", "class", "function", "func", "public", "private", "package", "using", "namespace", "struct",
        ]
        return words.first.map { keywords.contains(String($0)) } == true && line.last.map("{;:)".contains) == true
    }
}

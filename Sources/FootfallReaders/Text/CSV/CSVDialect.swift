/// The separators of a table of numbers.
struct CSVDialect: Equatable, Sendable {
    var delimiter: UInt8
    var decimalSeparator: UInt8
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
    ///
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

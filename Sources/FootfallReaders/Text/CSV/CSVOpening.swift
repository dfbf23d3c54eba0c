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

    /// Finds the lines of the opening in `bytes`.
    ///
    /// - Parameter isWhole: Whether the file ends with these bytes. If not, the last line is incomplete and omitted.
    /// - Throws: ``Refusal`` when the bytes are not lines of text.
    init(_ bytes: Span<UInt8>, _ range: Range<Int>, isWhole: Bool) throws(Refusal) {
        guard !range.isEmpty else { throw Refusal("the file is empty") }
        try CSVOpening.checkText(bytes, range)
        var start = range.lowerBound + CSVOpening.byteOrderMarkLength(bytes, range)
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
        guard !content.isEmpty, range.count <= RowReader.longestLine else { return }
        lines.append(Line(number: number, range: content))
    }

    private static func byteOrderMarkLength(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int {
        let start = range.lowerBound
        guard range.count >= 3, bytes[start] == 0xEF, bytes[start + 1] == 0xBB, bytes[start + 2] == 0xBF
        else { return 0 }
        return 3
    }

    private static func checkText(_ bytes: Span<UInt8>, _ range: Range<Int>) throws(Refusal) {
        let head = bytes.extracting(range.prefix(4096))
        var zeros = 0
        var controls = 0
        for index in head.indices {
            let byte = head[index]
            if byte == 0 { zeros += 1 }
            if byte < 9 || (14...31).contains(byte) { controls += 1 }
        }
        func starts(_ magic: UInt8...) -> Bool {
            magic.count <= head.count && magic.indices.allSatisfy { head[$0] == magic[$0] }
        }
        if starts(0xFF, 0xFE) || starts(0xFE, 0xFF) || (zeros * 5 > head.count * 2 && zeros * 5 < head.count * 3) {
            throw Refusal("the text is UTF-16", remedy: "save it as UTF-8")
        }
        if starts(0x50, 0x4B, 0x03, 0x04) {
            throw Refusal("a ZIP archive, not a table", remedy: "unpack it and name the table inside")
        }
        if controls * 50 > head.count {
            throw Refusal("binary data in a format that Footfall does not read", remedy: Refusal.expectation)
        }
    }
}

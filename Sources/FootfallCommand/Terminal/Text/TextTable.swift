/// A table of text with aligned columns.
struct TextTable {
    private let headers: [String]
    private let isRightAligned: [Bool]
    private var rows: [[String]] = []

    /// Creates a table. A header with the prefix `>` makes its column right-aligned.
    init(_ headers: String...) { self.init(headers) }

    /// Creates a table. A header with the prefix `>` makes its column right-aligned.
    init(_ headers: [String]) {
        isRightAligned = headers.map { $0.hasPrefix(">") }
        self.headers = headers.map { $0.hasPrefix(">") ? String($0.dropFirst()) : $0 }
    }

    /// Adds a row with one text per column, which may have colors.
    mutating func add(_ cells: String...) { rows.append(cells) }

    /// Adds a row with one text per column.
    mutating func add(_ cells: [String]) { rows.append(cells) }

    /// Writes rows line by line below the headers.
    ///
    /// - Parameters:
    ///   - eachRow: Passes on all rows, twice: for the widths and for the text. So they are never in memory together. A
    ///     row of one cell is a heading across all columns.
    ///   - out: Receives the lines.
    func write(_ eachRow: (_ add: ([String]) -> Void) -> Void, to out: @escaping (String) -> Void) {
        var widths = headers.map(Self.width)
        eachRow { row in
            guard row.count == headers.count else { return }
            for column in row.indices { widths[column] = max(widths[column], Self.width(of: row[column])) }
        }
        out(line(headers, widths: widths, paint: { Color.dim($0) }) + "\n")
        eachRow { row in
            out((row.count == headers.count ? line(row, widths: widths, paint: { $0 }) : row[0]) + "\n")
        }
    }

    /// The text of the table.
    var text: String { page().text }

    /// The table as a page. Headers padded with spaces keep the same widths on all pages.
    func page(foot: String = "") -> Page {
        let widths = headers.indices.map { column in
            ([headers] + rows).map { Self.width(of: $0[column]) }.max() ?? 0
        }
        return Page(
            head: line(headers, widths: widths, paint: { Color.dim($0) }) + "\n",
            body: rows.map { line($0, widths: widths, paint: { $0 }) + "\n" }.joined(), foot: foot)
    }

    private func line(_ cells: [String], widths: [Int], paint: (String) -> String) -> String {
        let padded = cells.indices.map { column -> String in
            let space = String(repeating: " ", count: max(0, widths[column] - Self.width(of: cells[column])))
            let cell = paint(cells[column])
            if isRightAligned[column] { return space + cell }
            return column == cells.count - 1 ? cell : cell + space
        }
        var line = padded.joined(separator: "  ")
        while line.last == " " { line.removeLast() }
        return line
    }

    /// The width of a text on the screen, without color codes.
    static func width(of text: String) -> Int {
        var width = 0
        var isInCode = false
        for character in text {
            if character == "\u{1B}" { isInCode = true }
            if !isInCode { width += 1 }
            if isInCode, character == "m" { isInCode = false }
        }
        return width
    }
}

/// Printed text: a heading, rows, and a remark at the end. Each part ends with a newline.
struct Page {
    var head = ""
    var body: String
    var foot = ""

    var text: String { head + body + foot }
}

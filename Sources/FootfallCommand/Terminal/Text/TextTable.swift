/// A table of text with aligned columns, which fits the terminal.
///
/// Where a table is too wide, columns of least use go first. Then the widest columns of text become narrower, and their
/// cells have several lines.
struct TextTable {
    /// The columns that are shown, and the width of each.
    private typealias Layout = [(column: Int, width: Int)]

    /// The least width of a column whose cells are broken into lines.
    private static let leastWidth = 12
    /// The width that a column of text gets before a column of least use.
    private static let readableWidth = 24

    private let headers: [String]
    private let isRightAligned: [Bool]
    /// The columns of least use. The first goes first.
    private let leastUsed: [Int]
    private var rows: [[String]] = []

    /// Creates a table. A header with the prefix `>` makes its column right-aligned.
    ///
    /// - Parameter leastUsed: The headers of the columns that a narrow terminal does without; the first goes first.
    init(_ headers: String..., leastUsed: [String] = []) { self.init(headers, leastUsed: leastUsed) }

    /// Creates a table. A header with the prefix `>` makes its column right-aligned.
    ///
    /// - Parameter leastUsed: The headers of the columns that a narrow terminal does without; the first goes first.
    init(_ headers: [String], leastUsed: [String] = []) {
        isRightAligned = headers.map { $0.hasPrefix(">") }
        self.headers = headers.map { $0.hasPrefix(">") ? String($0.dropFirst()) : $0 }
        self.leastUsed = leastUsed.compactMap { headers.firstIndex(of: $0) }
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
        let layout = layout(widths)
        out(lines(headers.map { Color.dim($0) }, layout))
        eachRow { row in
            out(row.count == headers.count ? lines(row, layout) : WrappedText.onTerminal(row[0]) + "\n")
        }
    }

    /// The text of the table.
    var text: String { page().text }

    /// The table as a page. Headers padded with spaces keep the same widths on all pages.
    func page(foot: String = "") -> Page {
        let widths = headers.indices.map { column in
            ([headers] + rows).map { Self.width(of: $0[column]) }.max() ?? 0
        }
        let layout = layout(widths)
        return Page(
            head: lines(headers.map { Color.dim($0) }, layout), body: rows.map { lines($0, layout) }.joined(),
            foot: foot)
    }

    // MARK: Layout

    /// The columns that fit a line, for the greatest width of each column.
    private func layout(_ widths: [Int]) -> Layout {
        let isText = headers.indices.map { !isRightAligned[$0] && !leastUsed.contains($0) }
        var shown: Layout = widths.enumerated().filter { $0.element > 0 }.map { ($0.offset, $0.element) }
        func excess(_ width: (Layout.Element) -> Int) -> Int {
            shown.reduce(2 * (shown.count - 1)) { $0 + width($1) } - Terminal.lineWidth
        }
        for column in leastUsed {
            let leastExcess = excess { isText[$0.column] ? min($0.width, Self.readableWidth) : $0.width }
            if leastExcess > 0 { shown.removeAll { $0.column == column } }
        }
        for _ in 0..<max(0, excess(\.width)) {
            let text = shown.indices.filter { isText[shown[$0].column] && shown[$0].width > Self.leastWidth }
            guard let widest = text.max(by: { shown[$0].width < shown[$1].width }) else { break }
            shown[widest].width -= 1
        }
        return shown
    }

    /// The lines of a row.
    private func lines(_ cells: [String], _ layout: Layout) -> String {
        let parts = layout.map { WrappedText.lines(cells[$0.column], width: $0.width) }
        return (0..<(parts.map(\.count).max() ?? 0)).map { row in
            let line = zip(layout, parts).map { place, part in
                let text = row < part.count ? part[row] : ""
                let space = String(repeating: " ", count: max(0, place.width - Self.width(of: text)))
                return isRightAligned[place.column] ? space + text : text + space
            }.joined(separator: "  ")
            return line.prefix(upTo: line.lastIndex { $0 != " " }.map(line.index(after:)) ?? line.startIndex) + "\n"
        }.joined()
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

import Footfall
import FootfallHistory
import FootfallTables

/// A table of text with aligned columns, which fits the terminal. Where a table is too wide, columns of least use go
/// first. Then the widest columns of text become narrower, and their cells have several lines.
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

    /// Creates a table. A header with the prefix `>` makes its column right-aligned. A narrow terminal does without the
    /// columns of `leastUsed` headers; the first goes first.
    init(_ headers: String..., leastUsed: [String] = []) { self.init(headers, leastUsed: leastUsed) }

    /// Creates a table from an array of headers.
    init(_ headers: [String], leastUsed: [String] = []) {
        isRightAligned = headers.map { $0.hasPrefix(">") }
        self.headers = headers.map { $0.hasPrefix(">") ? String($0.dropFirst()) : $0 }
        self.leastUsed = leastUsed.compactMap { headers.firstIndex(of: $0) }
    }

    /// Adds a row with one text per column, which may have colors.
    mutating func add(_ cells: String...) { rows.append(cells) }

    /// Adds a row with one text per column.
    mutating func add(_ cells: [String]) { rows.append(cells) }

    /// Writes rows line by line below the headers. `eachRow` passes on all rows, twice: for the widths and for the
    /// text. So they are never in memory together. A row of one cell is a heading across all columns.
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

    var text: String { page().text }

    /// The table as a page. Headers padded with spaces keep the same widths on all pages.
    func page(foot: String = "") -> Page {
        var parts: [String] = []
        write({ rows.forEach($0) }, to: { parts.append($0) })
        return Page(head: parts[0], body: parts.dropFirst().joined(), foot: foot)
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

/// A column of a text table: a column of a `Table` as people read it.
struct TextColumn<Row> {
    /// The name of the column; empty for a text of its own.
    let name: String
    let header: String
    /// The place among the columns of least use; nil for a column that stays.
    let goes: Int?
    /// The width that the header has at least, so that it is the same on all pages.
    let width: Int
    /// The text of a row; nil for that of the column's value.
    let text: ((Row) -> String?)?

    /// A column with the header; nil for the name of the column.
    init(
        _ name: String = "", as header: String? = nil, goes: Int? = nil, width: Int = 0,
        text: ((Row) -> String?)? = nil
    ) {
        (self.name, self.header, self.goes, self.width, self.text) = (name, header ?? name, goes, width, text)
    }
}

extension TextTable {
    /// The width of a local time.
    private static let timeWidth = 19

    /// Rows in columns of their table. Numbers are right-aligned. Times are local, and seconds are durations.
    init<Row>(_ rows: [Row], of table: Table<Row>, _ clock: WallClock, _ columns: [TextColumn<Row>]) {
        let kinds = Dictionary(table.description.all.map { ($0.name, $0) }) { first, _ in first }
        let headers = columns.map { column in
            let kind = kinds[column.name]?.kind
            let width = kind == .time ? Self.timeWidth : column.width
            let space = String(repeating: " ", count: max(0, width - column.header.count))
            return kind == .count || kind == .number ? ">\(space)\(column.header)" : column.header + space
        }
        let leastUsed = zip(columns, headers).filter { $0.0.goes != nil }.sorted { ($0.0.goes ?? 0) < ($1.0.goes ?? 0) }
        self.init(headers, leastUsed: leastUsed.map(\.1))
        let values = rows.map { row in
            let record = table.record(of: row)
            return columns.map { column in record.first { $0.key == column.name }?.value ?? .null }
        }
        let times = values.joined().compactMap { if case .time(let time) = $0 { time } else { nil } }
        let hasOffsets = clock.changesOffset(at: times)
        for (row, values) in zip(rows, values) {
            add(
                zip(columns, values).map { column, value in
                    if let text = column.text?(row) { return text }
                    if case .time(let time?) = value { return clock.local(time).full(hasOffset: hasOffsets) }
                    return Self.text(of: value, kinds[column.name]?.unit)
                })
        }
    }

    private static func text(of value: JSONValue, _ unit: String?) -> String {
        switch value {
        case .number(let number?, _) where unit == "s": Words.duration(number)
        case .number(let number?, _): String(Int(clamping: number.rounded()))
        case .integer(let number): String(number)
        case .string(let text): text.escaped
        default: ""
        }
    }
}

/// Printed text: a heading, rows, and a remark at the end. Each part ends with a newline.
struct Page {
    var head = ""
    var body: String
    var foot = ""

    var text: String { head + body + foot }
}

/// Text in lines of a width, broken at words. Colors continue on the next line.
enum WrappedText {
    /// A character and the codes of its color; no codes without a color.
    private typealias Cell = (character: Character, style: String)

    /// The text with its lines broken where the terminal ends; the same text without a terminal.
    static func onTerminal(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { lines(String($0), width: Terminal.lineWidth).joined(separator: "\n") }.joined(separator: "\n")
    }

    /// The lines of one line of text. Each is indented as the text is, those after the first further by `hanging`
    /// spaces. Only a word that is too long for a line is cut.
    static func lines(_ text: String, width: Int, hanging: Int = 0) -> [String] {
        guard TextTable.width(of: text) > width else { return [text] }
        let cells = cells(of: text)
        let indent = cells.prefix { $0.character == " " }
        // A narrow terminal has at least half of a line for words.
        var margin = Array(indent.count > width / 2 ? [] : indent)
        var rest = cells[indent.endIndex...]
        var lines: [String] = []
        while !rest.isEmpty {
            if lines.count == 1 { margin += Array(repeating: (" ", ""), count: hanging) }
            let room = max(1, width - margin.count)
            let isLast = rest.count <= room
            let space = rest.prefix(room + 1).lastIndex { $0.character == " " }
            let end = isLast ? rest.endIndex : space ?? rest.startIndex + room
            lines.append(self.text(of: margin + rest[..<end]))
            rest = rest[end...].drop { $0.character == " " }
        }
        return lines
    }

    private static func cells(of text: String) -> [Cell] {
        var cells: [Cell] = []
        var (style, code) = ("", "")
        for character in text {
            if character == "\u{1B}" || !code.isEmpty {
                code.append(character)
                guard character == "m" else { continue }
                style = code == Color.end ? "" : style + code
                code = ""
            } else {
                cells.append((character, style))
            }
        }
        return cells
    }

    private static func text(of cells: some Sequence<Cell>) -> String {
        var (text, style) = ("", "")
        for cell in cells {
            if cell.style != style {
                text += (style.isEmpty ? "" : Color.end) + cell.style
                style = cell.style
            }
            text.append(cell.character)
        }
        return text + (style.isEmpty ? "" : Color.end)
    }
}

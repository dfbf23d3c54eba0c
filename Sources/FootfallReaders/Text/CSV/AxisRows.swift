/// Joins rows of one axis each into rows of x, y and z, where those of one moment follow one another, as in a long
/// table: `time,axis,value`.
struct AxisRows: LineFilter {
    private let separator: UInt8
    /// The columns of the names and of the values.
    private var (axis, value) = (0, 0)
    /// The names of x, y and z, and of everything else in their column.
    private var names: [String] = []
    private var others: Set<String> = []
    private var isFirstLine = true

    /// The lines of the opening that are examined, the most columns, and the most names in the column of the axes.
    private static let (mostLines, mostColumns, mostNames) = (256, 16, 16)
    /// The most lines of one moment.
    private static let longestMoment = 64

    /// Examines the opening of a text; nil for another table.
    init?(_ text: Span<UInt8>, _ range: Range<Int>) {
        let lines = text.lines(in: range, most: Self.mostLines).map { text.trimmed($0) }
        let separators = [ASCII.comma, ASCII.semicolon, ASCII.tab]
        guard lines.count >= 8,
            let separator = separators.first(where: { mark in lines[1].contains { text[$0] == mark } })
        else { return nil }
        self.separator = separator
        let rows = lines.dropFirst().map { cells(text, $0) }
        let width = rows[0].count
        guard (3...Self.mostColumns).contains(width), rows.allSatisfy({ $0.count == width }) else { return nil }
        for column in 0..<width {
            let found = Set(rows.map { $0[column] })
            guard (3...Self.mostNames).contains(found.count) else { continue }
            let titles = found.sorted()
            guard let axes = ColumnName.accelerationAxes(titles.map { ColumnName($0) }) else { continue }
            // The value is the only cell that differs between the rows of a moment, in which no name occurs twice.
            let moments = Self.moments(rows.map { $0[column] })
            let values = (0..<width).filter { other in
                other != column && moments.contains { moment in Set(moment.map { rows[$0][other] }).count > 1 }
            }
            guard moments.count * found.count * 2 > rows.count, values.count == 1 else { continue }
            (axis, value, names) = (column, values[0], axes.map { titles[$0] })
            others = found.subtracting(names)
            return
        }
        return nil
    }

    /// The runs of rows in which no name occurs twice, without the first and the last one.
    private static func moments(_ names: [String]) -> [Range<Int>] {
        var (moments, start, seen) = ([Range<Int>](), 0, Set<String>())
        for (row, name) in names.enumerated() where !seen.insert(name).inserted {
            moments.append(start..<row)
            (start, seen) = (row, [name])
        }
        return moments.dropFirst().filter { $0.count >= 3 }
    }

    /// The cells of a line, without quotes.
    private func cells(_ text: Span<UInt8>, _ line: Range<Int>) -> [String] {
        var (cells, start) = ([String](), line.lowerBound)
        for position in line.lowerBound...line.upperBound
        where position == line.upperBound || text[position] == separator {
            cells.append(text.string(text.trimmed(start..<position)).filter { $0 != "\"" })
            start = position + 1
        }
        return cells
    }

    /// The rows of one moment.
    private struct Moment {
        /// The cells that its rows share.
        var shared: [String]
        var values: [String?] = [nil, nil, nil]
        var lines = 0

        var isFull: Bool { !values.contains(nil) || lines >= AxisRows.longestMoment }
    }

    /// A row is shorter than those from which it is made.
    mutating func rewrite(_ bytes: inout [UInt8], _ range: Range<Int>, to end: inout Int, isAtEnd: Bool) -> Int {
        var (start, kept) = (range.lowerBound, range.lowerBound)
        var moment: Moment?
        func write(_ cells: [String], isEnded: Bool = true) {
            let text = Array(cells.joined(separator: String(UnicodeScalar(separator))).utf8)
            for byte in text + (isEnded ? [ASCII.newline] : []) {
                bytes[end] = byte
                end += 1
            }
        }
        func flush() {
            // A moment without one of the axes becomes a row with too few fields.
            if let moment { write(moment.shared + moment.values.compactMap(\.self)) }
            moment = nil
        }
        while start < range.upperBound {
            let found = bytes.span.firstIndex(of: ASCII.newline, in: start..<range.upperBound)
            guard found != nil || isAtEnd else { break }
            let line = start..<(found ?? range.upperBound)
            let cells = cells(bytes.span, bytes.span.trimmed(line))
            if moment?.isFull ?? false { flush() }
            if moment == nil { kept = start }
            start = min(line.upperBound + 1, range.upperBound)
            let shared = cells.indices.filter { $0 != axis && $0 != value }.map { cells[$0] }
            let name = cells.indices.contains(axis) ? cells[axis] : ""
            let place = cells.count > max(axis, value) ? names.firstIndex(of: name) : nil
            if isFirstLine, place == nil {
                let titles = [names, ["x", "y", "z"]].map { shared + $0 }
                if let title = titles.first(where: { $0.joined(separator: ",").utf8.count <= line.count }) {
                    write(title)
                }
                kept = start
            } else if let place {
                if let old = moment, old.shared != shared || old.values[place] != nil {
                    flush()
                    kept = line.lowerBound
                }
                if moment == nil { moment = Moment(shared: shared) }
                moment?.values[place] = cells[value]
                moment?.lines += 1
            } else if others.contains(name) {
                moment?.lines += 1
                if moment == nil { kept = start }
            } else {
                // Another line is a bad row.
                flush()
                write(cells, isEnded: found != nil)
                kept = start
            }
            isFirstLine = false
        }
        guard isAtEnd else { return moment == nil ? start : kept }
        flush()
        return range.upperBound
    }
}

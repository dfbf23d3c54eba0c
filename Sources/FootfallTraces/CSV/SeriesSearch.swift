internal import Footfall
package import FootfallText

/// Searches a table in which time runs backwards for the columns that tell its series apart.
package enum SeriesSearch {
    /// The most values of such a column, and the most rows to read.
    private static let (mostValues, mostRows) = (64, 200_000)

    /// The remedy: the columns, their values with the number of rows, and the options that choose the largest series. Nil if no column
    /// tells series apart.
    package static func remedy(path: String, _ options: TraceOptions) -> ParameterText? {
        guard let table = try? SeriesTable(path: path, options, mostRows: mostRows) else { return nil }
        let labels = table.labels(mostValues: mostValues)
        let groups =
            labels.map { [$0] }
            + labels.indices.flatMap { first in labels[(first + 1)...].map { [labels[first], $0] } }
        guard let columns = groups.first(where: { table.runsForward(within: $0) }) else { return nil }
        let choice = table.largest(of: columns)
        let list = columns.map { $0.description(table.names) }.joined(separator: " and ")
        let conditions = zip(columns, choice).map { $0.option(choosing: $1, table.names) }
        return "\(list) tell series apart; choose one, such as \(conditions)"
    }
}

/// The times of a table's rows and the fields that may be labels.
private struct SeriesTable {
    private(set) var names: [String] = []
    private var times: [Timestamp] = []
    /// The fields of each row.
    private var rows: [[String]] = []
    private var used: Set<Int> = []

    init(path: String, _ options: TraceOptions, mostRows: Int) throws {
        var source = LineSource(try ByteSource(path: path), chunkSize: LineSource.chunkSize)
        try source.readOpening()
        if !options.rows.isEmpty {
            let selection = try RowSelection(source, options.rows)
            try source.remove(from: selection.start, by: selection)
        }
        let sniffer = try CSVSniffer(source, options)
        names = sniffer.titles
        used = Set(
            [sniffer.layout.timeColumn, sniffer.layout.dateColumn].compactMap { $0?.index }
                + sniffer.layout.axisColumns.map(\.index))
        guard let time = sniffer.layout.timeColumn?.index else { return }
        var clock = sniffer.clock
        source.advance(to: sniffer.firstRowOffset)
        repeat {
            let end = read(source, sniffer, &clock, time: time, most: mostRows)
            source.advance(to: end)
        } while try rows.count < mostRows && source.readMore()
    }

    /// Reads the whole lines in the buffer, and returns where they end.
    private mutating func read(
        _ source: borrowing LineSource, _ sniffer: CSVSniffer, _ clock: inout RowClock, time: Int, most: Int
    ) -> Int {
        let text = source.bytes.span
        let range = source.unread
        let end = text.lastIndex(of: sniffer.lineEnd, in: range).map { $0 + 1 } ?? range.upperBound
        var start = range.lowerBound
        while start < end, rows.count < most {
            let stop = text.firstIndex(of: sniffer.lineEnd, in: start..<end) ?? end
            for row in sniffer.dialect.rows(text, start..<stop) {
                let fields = sniffer.dialect.fields(text, row)
                let date = sniffer.layout.dateColumn?.index
                guard fields.count > max(time, date ?? 0) else { continue }
                clock.beginRows()
                if let date { clock.readDate(text, fields[date]) }
                guard case .time(let moment) = clock.time(text, fields[time]) else { continue }
                times.append(moment)
                rows.append(fields.indices.map { used.contains($0) ? "" : text.string(fields[$0].prefix(40)) })
            }
            start = stop + 1
        }
        return end
    }

    /// The columns with a few values.
    func labels(mostValues: Int) -> [SeriesColumn] {
        let width = rows.map(\.count).max() ?? 0
        return (0..<width).filter { !used.contains($0) }.prefix(64).compactMap { column in
            var counts: [String: Int] = [:]
            for row in rows where row.count > column && !row[column].isEmpty {
                counts[row[column], default: 0] += 1
                if counts.count > mostValues { return nil }
            }
            guard counts.count > 1 else { return nil }
            return SeriesColumn(
                column: column,
                values: counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { ($0.key, $0.value) })
        }
    }

    private func key(_ row: [String], _ columns: [SeriesColumn]) -> [String] {
        columns.map { $0.column < row.count ? row[$0.column] : "" }
    }

    /// Whether time runs forward inside each series.
    func runsForward(within columns: [SeriesColumn]) -> Bool {
        var last: [[String]: Timestamp] = [:]
        for (row, time) in zip(rows, times) {
            let key = key(row, columns)
            if let before = last[key], time < before { return false }
            last[key] = time
        }
        return true
    }

    /// The values of the series with the most rows.
    func largest(of columns: [SeriesColumn]) -> [String] {
        var counts: [[String]: Int] = [:]
        for row in rows { counts[key(row, columns), default: 0] += 1 }
        return counts.max { ($0.value, $1.key.joined()) < ($1.value, $0.key.joined()) }?.key ?? []
    }
}

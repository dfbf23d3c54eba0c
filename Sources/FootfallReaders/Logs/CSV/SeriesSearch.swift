internal import Footfall

/// Searches a table in which time runs backwards for the columns that tell its series apart.
package enum SeriesSearch {
    /// The remedy: the columns, their values with the number of rows, and the options that choose the largest series.
    /// Nil if no column tells series apart.
    package static func remedy(path: String, _ options: TraceOptions) -> ParameterText? {
        (try? table(path: path, options, .mixed))?.remedy
    }

    /// The refusal of a table with series that follow one another, each with a clock of its own; nil if no column tells
    /// series apart. If time is forward, the clock of each series is later than that of the one before. Then only a
    /// column that names persons tells them apart.
    package static func refusal(path: String, _ options: TraceOptions, isForward: Bool = false) -> TraceError? {
        let order = isForward ? SeriesTable.Order.forward : .backward
        return (try? table(path: path, options, order))?.refusalOfSuccession?.error(in: path)
    }

    private static let mostSeries = 10_000
    /// The least mean number of rows of more series than ``SeriesTable/mostValues``: 10 s at 12.5 Hz, the least rate.
    private static let leastRows = 125

    /// The values of a column, in the order of their first row. Throws ``TraceError`` for a log that is no table,
    /// and for a column that is missing or tells no series apart: that of the time or of an axis, or one with too many
    /// values.
    package static func values(
        of column: SensorColumns.Column, path: String, _ options: TraceOptions
    ) throws(TraceError) -> [String] {
        func refusal(_ problem: ParameterText) -> TraceError {
            Refusal("column '\(column)' \(problem)", remedy: "name the column of a person or a sensor").error(in: path)
        }
        var source = try LineSource(ByteSource(path: path))
        var search: ColumnValues
        do throws(Refusal) {
            search = try ColumnValues(source.bytes.span, source.unread, isWhole: source.isAtEnd, column)
        } catch {
            throw error.error(in: path)
        }
        if let layout = try? CSVSniffer(source, options).layout, layout.used.contains(search.column) {
            throw refusal("is the time or an axis, so it tells no series apart")
        }
        source.advance(to: search.start)
        repeat {
            source.advance(to: search.read(source.bytes.span, source.unread, isAtEnd: source.isAtEnd))
            guard search.values.count <= mostSeries else {
                throw refusal("has more than \(mostSeries) values, so it tells no series apart")
            }
        } while try source.readMore()
        let count = search.values.count
        guard count > 0 else { throw refusal("is empty") }
        guard count <= SeriesTable.mostValues || search.rows / count >= leastRows else {
            throw refusal("has \(count) values in \(search.rows) rows, so it tells no series apart")
        }
        return search.values
    }

    private static func table(
        path: String, _ options: TraceOptions, _ order: SeriesTable.Order
    ) throws -> SeriesTable {
        var source = try LineSource(ByteSource(path: path))
        if !options.rows.isEmpty {
            let selection = try RowSelection(source.bytes.span, source.unread, isWhole: source.isAtEnd, options.rows)
            try source.remove(from: selection.start, by: selection)
        }
        let sniffer = try CSVSniffer(source, options)
        source.advance(to: sniffer.firstRowOffset)
        var table = SeriesTable(sniffer, order)
        repeat {
            source.advance(to: table.read(source.bytes.span, source.unread))
        } while try !table.isFull && source.readMore()
        return table
    }
}

extension TableLayout {
    /// The columns of the time and of the axes.
    fileprivate var used: Set<Int> {
        Set([timeColumn, dateColumn].compactMap { $0?.index } + axisColumns.map(\.index))
    }
}

/// The rows of a table in which time runs backwards, to find the columns that tell its series apart.
package struct SeriesTable {
    /// The most values of such a column, and the most rows to read.
    fileprivate static let (mostValues, mostRows) = (64, 200_000)

    private let sniffer: CSVSniffer
    private var clock: RowClock
    private let used: Set<Int>
    private var times: [Timestamp] = []
    private var rows: [[String]] = []
    private let order: Order
    private var isSuccession: Bool { order != .mixed }
    private var last: Timestamp?
    /// The values of each column that follow one another, each in one run of rows, and change wherever time runs
    /// backwards.
    private var runs: [Int: [(value: String, rows: Int)]] = [:]

    /// The order of the series to look for. The table of those that follow one another may have any number of rows.
    package enum Order: Sendable {
        /// In any order.
        case mixed
        /// One after the other, and time may run backwards between them.
        case backward
        /// One after the other, with a pause of ``SeriesTable/pause`` or more.
        case forward
    }

    /// The shortest pause between two persons, in seconds.
    package static let pause = 60.0

    package init(_ sniffer: CSVSniffer, _ order: Order = .mixed) {
        self.order = order
        self.sniffer = sniffer
        clock = sniffer.clock
        used = sniffer.layout.used
    }

    /// Whether no more rows are needed.
    package var isFull: Bool {
        sniffer.layout.timeColumn == nil || rows.count >= Self.mostRows || isSuccession && last != nil && runs.isEmpty
    }

    /// Reads the whole lines in `range`, and returns where they end.
    package mutating func read(_ text: Span<UInt8>, _ range: Range<Int>) -> Int {
        let end = text.lastIndex(of: sniffer.dialect.lineEnd, in: range).map { $0 + 1 } ?? range.upperBound
        guard let time = sniffer.layout.timeColumn?.index else { return end }
        let date = sniffer.layout.dateColumn?.index
        var start = range.lowerBound
        while start < end, rows.count < Self.mostRows {
            let stop = text.firstIndex(of: sniffer.dialect.lineEnd, in: start..<end) ?? end
            for row in sniffer.dialect.rows(text, start..<stop) {
                let fields = sniffer.dialect.fields(text, row)
                guard fields.count > max(time, date ?? 0) else { continue }
                clock.beginRows()
                if let date { clock.readDate(text, fields[date]) }
                guard case .time(let moment) = clock.time(text, fields[time]) else { continue }
                let cells = fields.indices.map { column in
                    let isNeeded = !used.contains(column) && (!isSuccession || last == nil || runs[column] != nil)
                    return isNeeded ? text.string(fields[column].prefix(40)) : ""
                }
                if isSuccession {
                    follow(cells, moment)
                } else {
                    times.append(moment)
                    rows.append(cells)
                }
            }
            start = stop + 1
        }
        return end
    }

    // MARK: One after the other

    /// The first column whose values follow one another, and change wherever time runs backwards.
    private var successionColumn: SeriesColumn? {
        runs.filter { $0.value.count > 1 }.min { $0.key < $1.key }
            .map { SeriesColumn(column: $0.key, values: $0.value) }
    }

    /// Adds a row to the runs of each column that may tell series apart.
    private mutating func follow(_ cells: [String], _ moment: Timestamp) {
        let isBack = last?.isSetBack(to: moment) ?? false
        let isApart = isBack || last.map { moment.seconds(since: $0) >= Self.pause } ?? true
        if last == nil {
            let columns = cells.indices.prefix(64).filter { order == .backward || mayNamePersons($0, cells[$0]) }
            runs = Dictionary(uniqueKeysWithValues: columns.map { ($0, []) })
        }
        last = moment
        for column in runs.keys {
            guard column < cells.count, !cells[column].isEmpty, var run = runs[column] else {
                runs[column] = nil
                continue
            }
            let isNew = run.last?.value != cells[column]
            let isKnown = run.contains { $0.value == cells[column] }
            guard !isNew || !isKnown && run.count < Self.mostValues, isNew || !isBack,
                !isNew || order == .backward || isApart
            else {
                runs[column] = nil
                continue
            }
            if isNew { run.append((cells[column], 0)) }
            run[run.count - 1].rows += 1
            runs[column] = run
        }
    }

    /// Whether a column may name persons: by its title, or without titles by a value that is a number or a code, such
    /// as `33` or `S01`. A word may be an activity, and a number with decimals a measure.
    private func mayNamePersons(_ column: Int, _ value: String) -> Bool {
        guard sniffer.titles.isEmpty else {
            return sniffer.titles.indices.contains(column) && ColumnName(sniffer.titles[column]).namesPerson
        }
        return value.contains(where: \.isNumber) && value.allSatisfy { $0.isNumber || $0.isLetter || "-_".contains($0) }
    }

    /// The refusal of a table with series that follow one another; nil without a column that tells them apart.
    package var refusalOfSuccession: Refusal? {
        guard let column = successionColumn else { return nil }
        let options = column.values.prefix(6).map { column.option(choosing: $0.value, sniffer.titles) }
        let each = SensorColumns.Column(at: column.column, in: sniffer.titles)
        let choices = options.dropFirst().reduce("\(options[0])" as ParameterText) { $0 + " or \($1)" }
        return Refusal(
            "several series in one table, one after the other, told apart by \(column.description(sniffer.titles))",
            remedy: "choose one with \(choices), or analyze all of them with \(.each("\(each)"))"
                + (order == .forward ? "; if they are one person's, name the time and the axes with \(.columns())" : "")
        )
    }

    /// The remedy: the columns, their values with the number of rows, and the options that choose the largest series.
    /// Nil if no column tells series apart.
    package var remedy: ParameterText? {
        let labels = labels
        let groups =
            labels.map { [$0] }
            + labels.indices.flatMap { first in labels[(first + 1)...].map { [labels[first], $0] } }
        guard let columns = groups.first(where: { runsForward(within: $0) }) else { return nil }
        let choice = largest(of: columns)
        let list = columns.map { $0.description(sniffer.titles) }.joined(separator: " and ")
        let conditions = zip(columns, choice).map { $0.option(choosing: $1, sniffer.titles) }
        return "\(list) \(columns.count == 1 ? "tells" : "tell") series apart; choose one, such as \(conditions)"
    }

    /// The columns with a few values.
    private var labels: [SeriesColumn] {
        let width = rows.map(\.count).max() ?? 0
        return (0..<width).filter { !used.contains($0) }.prefix(64).compactMap { column in
            var counts: [String: Int] = [:]
            for row in rows where row.count > column && !row[column].isEmpty {
                counts[row[column], default: 0] += 1
                if counts.count > Self.mostValues { return nil }
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

    private func runsForward(within columns: [SeriesColumn]) -> Bool {
        var last: [[String]: Timestamp] = [:]
        for (row, time) in zip(rows, times) {
            let key = key(row, columns)
            if let before = last[key], time < before { return false }
            last[key] = time
        }
        return true
    }

    /// The values of the series with the most rows.
    private func largest(of columns: [SeriesColumn]) -> [String] {
        var counts: [[String]: Int] = [:]
        for row in rows { counts[key(row, columns), default: 0] += 1 }
        return counts.max { ($0.value, $1.key.joined()) < ($1.value, $0.key.joined()) }?.key ?? []
    }
}

internal import Footfall
package import Foundation

/// How a log is read and why, or why it is refused: its separators, its columns, its rate, and the size of gravity.
package struct TraceExplanation: Sendable {
    /// The layout, with the evidence for each choice; nil for a refused log.
    package private(set) var layout: TraceLayout?
    /// Why the log is refused; nil for one that is read.
    package private(set) var refusal: TraceError?
    package private(set) var notes: [ParameterText] = []
    /// What the table is taken for; nil for a log that is no table.
    package private(set) var table: TableExplanation?
    /// The median rate of the first samples, in Hz.
    package private(set) var sampleRate: Double?
    /// The median vector magnitude of the first samples, in g. At rest it is 1.
    package private(set) var magnitude: Double?
    /// The options that fix the reading, such as the columns `time,x,y,z`; empty for a log that states all of it.
    package private(set) var options: [ParameterText.Parameter] = []

    /// Reads a log to its end, where a unit may change and rows may be dropped.
    package init(contentsOf url: URL, options: TraceOptions = TraceOptions()) {
        do throws(TraceError) {
            var trace = try Trace(contentsOf: url, options: options)
            layout = trace.layout
            if let batch = try trace.nextBatch() { measure(batch) }
            while try trace.nextBatch() != nil {}
            notes = trace.notes + trace.warnings.lines.map { ParameterText($0) }
        } catch {
            (layout, refusal) = (nil, error)
        }
        if layout == nil || layout?.table != nil, let source = try? TraceOpener.table(path: url.relativePath) {
            table = TableExplanation(
                source.bytes.span, source.unread, isWhole: source.isAtEnd, layout?.table, options.columns)
        }
        let titles = table?.columns.map { $0.name ?? "" } ?? []
        self.options = layout?.table.map { Self.options(of: $0, titles, options) } ?? layout?.recording?.options ?? []
        // The opening has one person; the next one may follow after days.
        if layout?.table != nil, options.columns == nil, options.rows.isEmpty,
            let series = SeriesSearch.refusal(path: url.relativePath, options, isForward: true)
        {
            (layout, refusal) = (nil, series)
        }
    }

    private mutating func measure(_ batch: SampleBatch) {
        let steps = zip(batch.times.dropFirst(), batch.times).map { $0.seconds(since: $1) }.filter { $0 > 0 }
        sampleRate = steps.upperMedian().map { 1 / $0 }
        magnitude = batch.map { Double(($0.x * $0.x + $0.y * $0.y + $0.z * $0.z).squareRoot()) }.upperMedian()
    }

    // MARK: Options

    /// The options that fix how the table is read, so that its other rows do not change it. No option names separate
    /// columns of dates or gravity.
    private static func options(
        of table: TableLayout, _ titles: [String], _ given: TraceOptions
    ) -> [ParameterText.Parameter] {
        var options: [ParameterText.Parameter] = []
        if table.dateColumn == nil, table.gravityColumns.isEmpty {
            let axes = table.axisColumns.map(\.index)
            options.append(.columns(SensorColumns(time: table.timeColumn?.index, axes: axes, in: titles)))
        }
        options.append(.unit(table.unit))
        if table.coding.zero != .zero { options.append(.zero(table.coding)) }
        switch table.time {
        case .sinceEpoch(let unit, _), .sinceStart(let unit, _), .sincePrevious(let unit, _):
            options.append(.timeUnit(unit))
        case .sampleRate(let hertz, _): options.append(.sampleRate(hertz))
        case .dateTime(.some(let zone)), .serialDate(let zone): options.append(.timeZone(zone))
        case .dateTime(.none), .timeOfDay: break
        }
        return options + given.rows.map { .rows("\($0)") }
    }
}

extension TraceOpener {
    /// The opening of the table at a path, or of the one that an archive or a folder holds.
    fileprivate static func table(path: String) throws(TraceError) -> LineSource {
        if let folder = LogFolder(at: path), let member = PhoneExport.acceleration(of: folder) {
            return try table(path: folder.path + "/" + member.name)
        }
        let source = try LineSource(ByteSource(path: path))
        guard source.starts(with: ZipArchive.magic), let file = source.plainFile else { return source }
        let archive = try ZipArchive(file)
        guard let member = try? PhoneExport.member(of: archive) else { return source }
        return try LineSource(member.open())
    }
}

/// What the columns of a table are taken for, and why.
package struct TableExplanation: Sendable {
    /// A column of a table.
    package struct Column: Sendable {
        /// Counted from 1.
        package let number: Int
        /// The title; nil without a header.
        package let name: String?
        /// The first values as written.
        package let values: [String]
        /// What the column is taken for: `time`, `date`, `x`, `y`, `z`, `gravity x` …; nil if it is not read.
        package let role: String?
        /// Why it is taken for that, or why it is not read.
        package let reason: ParameterText
    }

    /// The separators of columns and of decimals.
    package let delimiter: String
    package let decimalSeparator: String
    /// The line of the header; nil without one.
    package let headerLine: Int?
    package private(set) var columns: [Column] = []

    private static let mostValues = 3
    /// The most characters of a value or a title.
    private static let longest = 40

    /// Explains the table in the opening of a file, which may be whole; nil if there is none. The layout is that in
    /// which the table is read; nil for a refused one. The caller may choose the columns; nil to detect them.
    package init?(
        _ text: Span<UInt8>, _ range: Range<Int>, isWhole: Bool, _ layout: TableLayout?, _ chosen: SensorColumns?
    ) {
        guard let opening = try? CSVOpening(text, range, isWhole: isWhole),
            let table = try? TableOpening(text, opening)
        else { return nil }
        let separator = table.dialect.delimiter
        delimiter = separator == ASCII.tab ? "tab" : String(Character(Unicode.Scalar(separator)))
        decimalSeparator = String(Character(Unicode.Scalar(table.dialect.decimalSeparator)))
        headerLine = table.header?.line
        let names = table.names(text)
        let roles = Self.roles(text, table, layout, chosen)
        let width = max(names.count, table.rows.map(\.fields.count).upperMedian() ?? 0)
        for column in 0..<width {
            let fields = table.rows.compactMap { $0[column] }
            let name = names.title(column).flatMap { $0.isEmpty ? nil : String($0.prefix(Self.longest)) }
            let values = fields.prefix(Self.mostValues).map { String(text.string($0).prefix(Self.longest)) }
            let content = Content(text, fields, table.dialect.decimalSeparator)
            let role = roles[column]
            let reason =
                role.map { Self.reason($0, name, content, isChosen: chosen != nil) }
                ?? Self.objection(name, content, isRead: layout != nil)
            columns.append(Column(number: column + 1, name: name, values: values, role: role, reason: reason))
        }
    }

    /// What each read column is taken for. For a refused log, the columns that would be read.
    private static func roles(
        _ text: Span<UInt8>, _ table: TableOpening, _ layout: TableLayout?, _ chosen: SensorColumns?
    ) -> [Int: String] {
        let axes = ["x", "y", "z"]
        var roles: [Int: String] = [:]
        if let layout {
            if let time = layout.timeColumn { roles[time.index] = "time" }
            if let date = layout.dateColumn { roles[date.index] = "date" }
            for (axis, column) in zip(axes, layout.axisColumns) { roles[column.index] = axis }
            for (axis, column) in zip(axes, layout.gravityColumns) { roles[column.index] = "gravity \(axis)" }
        } else if let found = try? CSVColumns(text, table, chosen) {
            if let time = found.times.first ?? found.interval { roles[time] = "time" }
            for (axis, column) in zip(axes, found.axes) { roles[column] = axis }
            for (axis, column) in zip(axes, found.gravity) { roles[column] = "gravity \(axis)" }
        }
        return roles
    }

    /// The kind of the values of a column.
    private enum Content {
        case text, dates, one, rowNumbers, rising, numbers

        init(_ text: Span<UInt8>, _ fields: [Range<Int>], _ separator: UInt8) {
            let numbers = fields.compactMap { Field.number(text, $0, separator) }
            let steps = numbers.differences
            if let first = fields.first, Field.isDateOrTime(text, first) {
                self = .dates
            } else if numbers.count * 2 <= fields.count {
                self = .text
            } else if Set(numbers).count == 1 {
                self = .one
            } else if steps.allSatisfy({ $0 == 1 }) {
                self = .rowNumbers
            } else {
                self = steps.allSatisfy { $0 >= 0 } ? .rising : .numbers
            }
        }
    }

    private static func reason(_ role: String, _ name: String?, _ content: Content, isChosen: Bool) -> ParameterText {
        if isChosen { return "named by \(.columns())" }
        if let title = name.map(ColumnName.init) {
            if role == "time", title.timeRank != nil || title.isInterval { return "the title names a time" }
            if let unit = title.accelerationUnit { return "the title names \(role) and the unit \(unit.rawValue)" }
            if role != "time", role != "date" { return "the title names \(role)" }
        }
        switch (role, content) {
        case ("time", .dates), ("date", _): return "the values are dates or times of day"
        case ("time", _): return "the values rise from row to row"
        default: return "one of the three columns of numbers that fit best"
        }
    }

    private static func objection(_ name: String?, _ content: Content, isRead: Bool) -> ParameterText {
        if let name, let sensor = SensorKind(title: name) {
            return sensor == .accelerometer
                ? "the title names acceleration, but other columns do so first" : "the title states \(sensor.rawValue)"
        }
        if let name, ColumnName(name).timeRank != nil { return "a time, but another column states it better" }
        switch content {
        case .text: return "the values are no numbers"
        case .dates: return "dates or times of day, but another column states the time better"
        case .one: return "all values are equal"
        case .rowNumbers: return "the values count the rows"
        case .rising: return "the values rise from row to row"
        case .numbers: return isRead ? "not needed" : "nothing says what it is"
        }
    }
}

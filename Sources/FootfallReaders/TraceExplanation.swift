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

    /// Reads the opening of a log.
    package init(contentsOf url: URL, options: TraceOptions = TraceOptions()) {
        do throws(TraceError) {
            var trace = try Trace(contentsOf: url, options: options)
            layout = trace.layout
            if let batch = try trace.nextBatch() { measure(batch) }
            notes = trace.notes
        } catch {
            refusal = error
        }
        do throws(TraceError) {
            let source = try TraceOpener.table(path: url.relativePath)
            if layout == nil || layout?.table != nil {
                table = TableExplanation(
                    source.bytes.span, source.unread, isWhole: source.isAtEnd, layout?.table, options.columns)
            }
        } catch {}
        self.options = layout?.table.map { Self.options(of: $0, options) } ?? layout?.recording?.options ?? []
    }

    private mutating func measure(_ batch: SampleBatch) {
        let steps = zip(batch.times.dropFirst(), batch.times).map { $0.seconds(since: $1) }.filter { $0 > 0 }
        sampleRate = steps.upperMedian().map { 1 / $0 }
        magnitude = batch.map { Double(($0.x * $0.x + $0.y * $0.y + $0.z * $0.z).squareRoot()) }.upperMedian()
    }

    // MARK: Options

    /// The options that fix how the table is read, so that its other rows do not change it. No option names separate
    /// columns of dates or gravity.
    private static func options(of table: TableLayout, _ given: TraceOptions) -> [ParameterText.Parameter] {
        var options: [ParameterText.Parameter] = []
        if table.dateColumn == nil, table.gravityColumns.isEmpty {
            options.append(.columns(columns(of: table)))
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

    /// The columns by their titles, or by their numbers where a title does not tell them apart.
    private static func columns(of table: TableLayout) -> SensorColumns {
        let columns = [table.timeColumn].compactMap(\.self) + table.axisColumns
        let names = columns.compactMap(\.name).filter { !$0.contains(",") && Int($0) == nil }
        let areNames = names.count == columns.count && Set(names).count == names.count
        func choice(_ column: TableLayout.Column) -> SensorColumns.Column {
            areNames ? .named(column.name ?? "") : .number(column.number)
        }
        let axes = table.axisColumns
        return SensorColumns(
            time: table.timeColumn.map(choice), x: choice(axes[0]), y: choice(axes[1]), z: choice(axes[2]))
    }
}

extension TraceOpener {
    /// The opening of the table at a path, or of the one that an archive or a folder holds.
    fileprivate static func table(path: String) throws(TraceError) -> LineSource {
        if let folder = LogFolder(at: path), let member = PhoneExport.acceleration(of: folder) {
            return try table(path: folder.path + "/" + member.name)
        }
        var source = LineSource(try ByteSource(path: path), chunkSize: LineSource.chunkSize)
        try source.readOpening()
        guard source.starts(with: ZipArchive.magic), source.isPlainFile else { return source }
        let archive = try ZipArchive(InputFile(path: path))
        guard let member = try? PhoneExport.member(of: archive) else { return source }
        source = LineSource(archive.open(member), chunkSize: LineSource.chunkSize)
        try source.readOpening()
        return source
    }
}

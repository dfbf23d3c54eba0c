internal import Footfall

/// Detects the layout of a table from the opening of a file.
package struct CSVSniffer {
    package private(set) var layout: TableLayout
    private(set) var dialect: CSVDialect
    private(set) var clock: RowClock
    /// The position and the line number of the first row.
    package private(set) var firstRowOffset: Int
    private(set) var firstRowLine: Int
    /// The first line of the recording. Rows before it are from an earlier one.
    private(set) var firstCurrentLine = 0
    /// The titles of the table; empty when there are none.
    private(set) var titles: [String]
    /// The mean of the first vectors, in the unit of the table.
    package private(set) var mean = SIMD3<Float>.zero
    /// Assumptions about the file that the user should know.
    package var notes: [ParameterText] { decision.notes + ownNotes }
    private var ownNotes: [ParameterText] = []
    /// Whether the columns are acceleration with gravity. A refusal by the opening alone is not final.
    package private(set) var decision: SensorDecision
    private var facts: SensorDecision.Facts

    /// Detects the layout from the opening of a file, which may be whole. A final one decides alone, and no
    /// ``decide(by:)`` follows. Throws ``Refusal`` when the text is not a sensor log, or has no acceleration with
    /// gravity.
    package init(
        _ text: Span<UInt8>, _ range: Range<Int>, isWhole: Bool, isFinal: Bool, _ options: TraceOptions
    ) throws(Refusal) {
        let opening = try CSVOpening(text, range, isWhole: isWhole)
        do throws(Refusal) {
            try self.init(text, opening, options)
            if isFinal, let refusal = decision.refusal { throw insisting(refusal) }
        } catch {
            guard options.columns == nil, error.newestRow == nil else { throw error }
            throw ForeignText.named(CSVSniffer.insisting(error, text, opening, options), text, opening.lines)
        }
    }

    private init(_ text: Span<UInt8>, _ opening: CSVOpening, _ options: TraceOptions) throws(Refusal) {
        try CSVSniffer.check(options)
        let table = try TableOpening(text, opening)
        if options.columns == nil, ForeignText.isInList(table.firstRowOffset, text, opening) {
            throw Refusal("its rows of numbers are a list in an object")
        }
        let preamble = CSVPreamble(table.preamble.map { text.string($0.range) })
        if preamble.isEpochSummary, options.columns == nil { throw EpochSummary.actiGraphRefusal }
        let names = table.names(text)
        if table.isNewestFirst(text, names) {
            var refusal = Refusal("the newest row is the first", remedy: "sort the rows by their time")
            refusal.newestRow = table.firstRowOffset
            throw refusal
        }
        var columns = try CSVColumns(text, table, options.columns, hasRate: options.sampleRate != nil)
        titles = names
        if options.columns == nil, let line = table.header?.line, table.hasDividedDecimals(text, under: names.count) {
            throw Refusal(
                "its rows have more cells than titles, since the comma is that of decimals, too",
                remedy: "export it with semicolons or tabs between the columns", line: line)
        }
        if options.columns == nil, let sensor = preamble.otherSensor, !CSVSniffer.haveAcceleration(names, columns.axes)
        {
            throw Refusal(sensor, "the text above the table", columns: columns)
        }
        var base = try CSVSniffer.timeBase(text, table, columns, names, preamble, options)
        dialect = table.dialect
        firstRowOffset = table.firstRowOffset
        firstRowLine = table.firstRowLine

        let current = CSVSniffer.currentRows(text, table, base)
        if let first = current.first, current.count < table.rows.count { firstCurrentLine = first.line }
        // Times count from the first row, unless the moment of their zero is known.
        let origin = options.start == nil ? options.origin : nil
        if origin == nil { base.setOrigin(text, current, separator: dialect.decimalSeparator) }
        let start = base.time.isAbsolute ? Timestamp.epoch : options.start ?? origin ?? base.start ?? .epoch
        if case .timeOfDay = base.time { base.firstDate = options.startDate }
        clock = RowClock(base, separator: dialect.decimalSeparator, start: start, zone: options.zone)
        columns.addGravity(text, current, table.dialect)
        let vectors = current.map { CSVSniffer.vector(text, $0, columns, table.dialect) }
        let whole = vectors.compactMap(\.self)
        mean = whole.reduce(.zero, +) / Float(max(1, whole.count))
        let times = clock.times(text, current, base)
        let series = SeriesCheck(times: times, vectors: vectors)
        if let refusal = series.refusal(text, current, besides: columns.used + base.columns, names) { throw refusal }
        if let refusal = RowRate(times: times).refusal(base, options) { throw refusal }
        guard !whole.isEmpty else { throw Refusal("none of the first rows has numbers for x, y and z") }
        let rows = FirstRows(times: times, names: names, isEmpatica: table.empatica != nil, options: options)
        let known = rows.facts(vectors, columns)
        if options.isGravityApart, let unit = options.unit {
            (facts, decision) = (known.plain, SensorDecision(unit: unit))
        } else {
            (facts, decision) = SensorDecision.weighing(known.plain, or: known.counts)
        }
        if columns.doubt != nil || !decision.isCertain, !columns.otherAxes.isEmpty {
            let other = CSVSniffer.otherAxes(text, current, columns, table.dialect, rows)
            if let other, !decision.isCertain || other.isMoving && !CSVSniffer.allChange(vectors) {
                (columns.axes, (facts, decision)) = (other.axes, other.result)
            } else if let doubt = columns.doubt {
                throw Refusal(doubtful: doubt, of: columns, line: table.firstRowLine)
            }
        }
        let mayOverrule = decision.refusal == nil && facts.blocks.count >= SensorClaim.fewestSecondsAgainstTitles
        if columns.areNamedLinear, !columns.isROS, !mayOverrule {
            throw Refusal(.noGravity("by the header"), line: table.header?.line, columns: columns)
        }
        func column(_ index: Int) -> TableLayout.Column {
            TableLayout.Column(number: index + 1, name: names.title(index).flatMap { $0.isEmpty ? nil : $0 })
        }
        layout = TableLayout(
            delimiter: Character(Unicode.Scalar(dialect.delimiter)),
            decimalSeparator: Character(Unicode.Scalar(dialect.decimalSeparator)),
            headerLine: table.header?.line, timeColumn: base.column.map(column),
            dateColumn: base.dateColumn.map(column),
            axisColumns: columns.axes.map(column), gravityColumns: columns.gravity.map(column),
            time: base.time, statedOffset: base.statedOffset, unit: decision.unit, unitEvidence: decision.evidence,
            coding: facts.counts?.coding ?? CountCoding())
        addNotes(base, names)
        if options.columns == nil {
            ownNotes += columns.noteOfOthers(text, current, table.dialect, names, time: base.column).map { [$0] } ?? []
        }
        addNotes(options, hasPreamble: table.header == nil && !table.preamble.isEmpty)
    }

    private static func check(_ options: TraceOptions) throws(Refusal) {
        if let rate = options.sampleRate, !(rate.isFinite && rate > 0.001 && rate < 1e6) {
            throw Refusal("a sample rate of \(rate) Hz", remedy: "give \(.sampleRate()) in hertz, such as 100")
        }
    }

    /// Whether the titles of the axes state the accelerometer, or a unit of acceleration.
    private static func haveAcceleration(_ names: [String], _ axes: [Int]) -> Bool {
        axes.compactMap(names.title).contains { title in
            SensorKind(title: title) == .accelerometer || ColumnName(title).accelerationUnit != nil
        }
    }

    // MARK: Time

    /// The steps of times that agree with a stated rate, as parts of its period.
    private static let stepsAtRate = 0.8...1.25

    private static func timeBase(
        _ text: Span<UInt8>, _ table: TableOpening, _ columns: CSVColumns, _ names: [String], _ preamble: CSVPreamble,
        _ options: TraceOptions
    ) throws(Refusal) -> CSVTimeBase {
        var (found, counters): ([CSVTimeBase], [Int]) = ([], [])
        for column in columns.times {
            let name = names.title(column).map(ColumnName.init)
            if let base = CSVTimeBase(text, table, column: column, name: name, preamble: preamble, options) {
                if base.numericUnit != nil, options.timeUnit == nil, let unit = name?.longTimeUnit {
                    throw Refusal(
                        "times in \(unit) in \(place(column, names))", remedy: "write them in seconds",
                        line: table.header?.line)
                }
                if base.countsRows { counters.append(column) } else { found.append(base) }
            }
        }
        if let base = CSVTimeBase.split(text, table, found, names.map(ColumnName.init)) { return base }
        if var base = found.first(where: \.time.isAbsolute) ?? found.first {
            if base.numericUnit == nil, let column = base.column, haveHalves(text, table, column + 1) {
                throw Refusal(
                    "AM and PM are in a column of their own, behind the times", remedy: "join the two columns",
                    line: table.header?.line)
            }
            // Ticks of a device, whose unit only the values would tell.
            if case .sinceStart(let unit, .values) = base.time, let rate = preamble.sampleRate, rate > 0,
                let step = base.column.flatMap({ table.numbers(text, $0).differences.upperMedian() }),
                !stepsAtRate.contains(step * unit.inSeconds * rate)
            {
                return CSVTimeBase(sampleRate: rate, .header, start: nil)
            }
            base.findDate(text, table, zone: options.zone.name)
            if options.columns == nil {
                base.refine(text, table, found, columns.times + columns.otherTimes, options.zone)
            }
            return base
        }
        let counter = counters.first
        if counter == nil, let column = columns.times.first, let row = table.rows.first, let field = row[column] {
            throw unreadableTime(text.string(field), row.line, columns)
        }
        if let column = columns.interval {
            let name = names.title(column).map(ColumnName.init)
            return CSVTimeBase(intervalsIn: column, text, table, name: name, options)
        }
        if let (start, rate) = table.empatica {
            return CSVTimeBase(sampleRate: rate, .header, start: Timestamp(secondsSince1970: start))
        }
        if let rate = options.sampleRate { return CSVTimeBase(sampleRate: rate, .option, start: nil) }
        guard let rate = preamble.sampleRate, rate > 0 else {
            if let counter {
                throw Refusal(
                    "\(place(counter, names)) counts the rows, so it holds no times",
                    remedy:
                        "give the rate with \(.sampleRate()); or, if these are times, their unit with \(.timeUnit()), such as ms",
                    line: table.header?.line)
            }
            throw Refusal(
                "no column of times",
                remedy: "give the rate with \(.sampleRate()), or name the column of times with \(.columns())")
        }
        var clock = LocalClock(zone: options.zone)
        return CSVTimeBase(sampleRate: rate, .header, start: preamble.start.flatMap { clock.timestamp(of: $0) })
    }

    /// Whether each row has AM or PM in a column.
    private static func haveHalves(_ text: Span<UInt8>, _ table: TableOpening, _ column: Int) -> Bool {
        table.rows.allSatisfy { row in row[column].map { ["am", "pm"].contains(text.string($0).lowercased()) } ?? false
        }
    }

    private static func unreadableTime(_ value: String, _ line: Int, _ columns: CSVColumns) -> Refusal {
        let isSlashed = value.count { $0 == "/" } == 2
        return Refusal(
            "a time that cannot be read: '\(value.prefix(40))'",
            remedy: isSlashed
                ? "the order of day and month is unknown; write dates as 2026-11-20 08:00:00"
                : "write times as numbers or as 2026-11-20 08:00:00",
            line: line, columns: columns)
    }

    /// The rows without those at the top that are from an earlier recording: at most 16, an hour or more away from the
    /// others.
    private static func currentRows(
        _ text: Span<UInt8>, _ table: TableOpening, _ base: CSVTimeBase
    ) -> ArraySlice<TableOpening.Row> {
        guard let column = base.column, let unit = base.numericUnit else { return table.rows[...] }
        let seconds = table.rows.prefix(64).map { row in
            row.number(text, column, table.dialect).map { $0 * unit.inSeconds }
        }
        for index in stride(from: min(16, seconds.count - 3), to: 0, by: -1) {
            if let left = seconds[index - 1], let first = seconds[index], abs(first - left) >= 3600 {
                return table.rows[index...]
            }
        }
        return table.rows[...]
    }

    // MARK: Sensor

    /// Decides by the values of the whole log, in the unit of the table, where its opening alone is not enough. Returns
    /// the refusal of a log that is no acceleration with gravity.
    package mutating func decide(by blocks: MotionBlocks) -> Refusal? {
        facts.blocks = blocks.blocks
        decision = SensorDecision(facts)
        (layout.unit, layout.unitEvidence) = (decision.unit, decision.evidence)
        return decision.refusal.map(insisting)
    }

    /// A refusal of the columns of the layout, with the options that have them read all the same.
    private func insisting(_ refusal: Refusal) -> Refusal {
        var refusal = refusal
        refusal.columns = CSVColumns(
            times: layout.timeColumn.map { [$0.index] } ?? [], axes: layout.axisColumns.map(\.index))
        let isTimed = layout.timeColumn != nil || facts.hasRate
        return refusal.insisting(titles, decision.unit, decision.coding, needsRate: !isTimed)
    }

    /// A refusal by the titles, with the options that have the columns read all the same.
    private static func insisting(
        _ refusal: Refusal, _ text: Span<UInt8>, _ opening: CSVOpening, _ options: TraceOptions
    ) -> Refusal {
        guard var columns = refusal.columns, let table = try? TableOpening(text, opening) else { return refusal }
        let names = table.names(text)
        columns.times = columns.times.filter { column in
            let name = names.title(column).map(ColumnName.init)
            return CSVTimeBase(text, table, column: column, name: name, preamble: CSVPreamble([]), options) != nil
        }
        let check = GravityCheck(table.rows.compactMap { CSVSniffer.vector(text, $0, columns, table.dialect) })
        var refusal = refusal
        refusal.columns = columns
        return refusal.insisting(
            names, options.unit ?? check.nearestScale, needsRate: columns.times.isEmpty && options.sampleRate == nil)
    }

    /// The acceleration in a row with its gravity, in the unit of the table; nil if a number is missing.
    private static func vector(
        _ text: Span<UInt8>, _ row: TableOpening.Row, _ columns: CSVColumns, _ dialect: CSVDialect
    ) -> SIMD3<Float>? {
        row.vector(text, columns.axes, dialect).map { $0 + (row.vector(text, columns.gravity, dialect) ?? .zero) }
    }

    /// Other axes with what was found about them.
    private typealias OtherAxes = (axes: [Int], isMoving: Bool, result: (SensorDecision.Facts, SensorDecision))

    /// The only other axes that are acceleration with gravity for certain; nil if there are none or several.
    private static func otherAxes(
        _ text: Span<UInt8>, _ current: ArraySlice<TableOpening.Row>, _ columns: CSVColumns, _ dialect: CSVDialect,
        _ rows: FirstRows
    ) -> OtherAxes? {
        let certain = columns.otherAxes.compactMap { axes -> OtherAxes? in
            var other = columns
            other.axes = axes
            let vectors = current.map { vector(text, $0, other, dialect) }
            let known = rows.facts(vectors, other)
            return [known.plain, known.counts].lazy.compactMap(\.self).map { ($0, SensorDecision($0)) }
                .first { $0.1.isCertain && $0.1.refusal == nil }
                .map { (axes: axes, isMoving: allChange(vectors), result: $0) }
        }
        // A column with one value is a setting where three others hold gravity.
        var found = certain.count == 1 ? certain : certain.filter(\.isMoving)
        // Between two sensors, the vertical axis of acceleration and two axes of the other hold gravity, too.
        if found.count > 1 { found.removeAll { !($0.axes[0] - columns.axes[0]).isMultiple(of: 3) } }
        return found.count == 1 ? found[0] : nil
    }

    /// Whether no axis has one value in all rows.
    private static func allChange(_ vectors: [SIMD3<Float>?]) -> Bool {
        let known = vectors.compactMap(\.self)
        return (0..<3).allSatisfy { axis in known.contains { $0[axis] != known[0][axis] } }
    }

    private static func place(_ column: Int, _ names: [String]) -> String {
        names.title(column).map { "'\($0)'" } ?? "column \(column + 1)"
    }

    // MARK: Notes

    private mutating func addNotes(_ base: CSVTimeBase, _ names: [String]) {
        if let coarser = base.coarser {
            let place = CSVSniffer.place(coarser, names)
            ownNotes.append("the times are finer than those of \(place), and agree with them")
        }
        if case .timeOfDay = base.time, base.firstDate == nil, !base.hasAmbiguousDates {
            ownNotes.append("the times of day have no date; give it with \(.start)")
        }
        if base.hasAmbiguousDates {
            ownNotes.append("the dates were not used; the order of day and month is unknown")
        }
    }

    private mutating func addNotes(_ options: TraceOptions, hasPreamble: Bool) {
        switch layout.time {
        case .dateTime(.some(let zone)), .serialDate(let zone):
            ownNotes.append("date-times state no zone; they were read as \(zone)")
        default: break
        }
        if layout.timeColumn != nil, options.sampleRate != nil {
            ownNotes.append("\(.sampleRate()) was not used; the trace has times")
        }
        if options.start != nil, layout.time.isAbsolute {
            ownNotes.append("\(.start) was not used; the trace has absolute times")
        }
        if hasPreamble { ownNotes.append("the lines above line \(firstRowLine) are not part of the table") }
    }
}

extension [String] {
    /// The title of a column; nil for a column without one.
    func title(_ column: Int) -> String? { indices.contains(column) ? self[column] : nil }
}

extension CSVTimeBase {
    /// The unit of a column of numbers.
    var numericUnit: TimeUnit? {
        switch time {
        case .sinceEpoch(let unit, _), .sinceStart(let unit, _): unit
        case .sincePrevious, .dateTime, .serialDate, .timeOfDay, .sampleRate: nil
        }
    }

    /// Counts times since a start from the first row.
    mutating func setOrigin(_ text: Span<UInt8>, _ rows: ArraySlice<TableOpening.Row>, separator: UInt8) {
        guard let column, case .sinceStart(let unit, _) = time else { return }
        for row in rows {
            guard let number = row[column].flatMap({ Field.decimal(text, $0, separator) }),
                let nanoseconds = number.nanoseconds(power: unit.powerOfTen)
            else { continue }
            origin = nanoseconds
            return
        }
    }
}

/// Tests whether the times of rows can be those of samples.
package struct RowRate {
    let times: [Timestamp?]

    /// The highest rate in Hz. The fastest motion sensors take about 7000 samples a second.
    package static let highest = 10_000.0
    private static let fewest = 16

    /// The refusal of numbers that are no times; nil where they may be.
    func refusal(_ base: CSVTimeBase, _ options: TraceOptions) -> Refusal? {
        guard base.column != nil, options.timeUnit == nil, options.columns == nil else { return nil }
        let known = times.compactMap(\.self)
        guard known.count >= Self.fewest, let first = known.min(), let last = known.max() else { return nil }
        let rate = Double(known.count - 1) / last.seconds(since: first)
        guard rate > Self.highest, rate.isFinite else { return nil }
        let unit = base.numericUnit.map { TimeUnit.likeliest(step: 1 / (rate * $0.inSeconds)) }
        return Refusal(
            "no sensor takes \(Int(clamping: rate.rounded())) samples a second, so the column of times is none",
            remedy: "name the columns with \(.columns()), or give the unit of the times with \(.timeUnit(unit))")
    }
}

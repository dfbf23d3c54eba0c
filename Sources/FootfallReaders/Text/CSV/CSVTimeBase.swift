internal import Footfall

/// The form and the origin of the times in a table.
struct CSVTimeBase {
    /// The form of the times.
    var time: TableLayout.Time
    /// The column; nil when there is none.
    var column: Int?
    /// How far the clock of the first date-time is ahead of UTC, in seconds; nil if it states none, or UTC itself.
    var statedOffset: Int?
    /// The column of dates, in a table with times of day in another column.
    var dateColumn: Int?
    /// Whether dates are ignored because the order of day and month is unknown.
    var hasAmbiguousDates = false
    /// The time of the first row, if the lines above the table give it.
    var start: Timestamp?
    /// The origin of numeric times, in nanoseconds.
    var origin: Int64 = 0
    /// The order of day and month in dates; nil when it is unknown.
    var order: CivilDate.Order?
    /// The date of the first time of day, where the option `--start` gives it.
    var firstDate: CivilDate?
    /// The coarser column of times that a finer one replaced.
    var coarser: Int?
    /// Whether the numbers count the rows, and nothing states that they are times.
    var countsRows = false
    /// The serial date of 1970-01-01.
    var dayZero = 0.0

    /// Whether the times may be those of a counter of 32 bits: whole milliseconds or microseconds of a device.
    private(set) var isCounter = false

    /// The columns of times and dates.
    var columns: [Int] { [column, dateColumn, coarser].compactMap(\.self) }

    /// The range of absolute times, in seconds since 1970: 2000-01-01 to 2100-01-01.
    static let epochSeconds = 946_684_800.0..<4_102_444_800.0

    /// Detects the times in one column; nil when the column does not hold times.
    init?(
        _ text: Span<UInt8>, _ table: TableOpening, column: Int, name: ColumnName?, preamble: CSVPreamble,
        _ options: TraceOptions
    ) {
        let zone = options.zone.name
        let fields = table.rows.compactMap { $0[column] }
        self.column = column
        order = preamble.dateOrder ?? CSVTimeBase.order(text, fields.prefix(100))
        let parser = CivilTimeParser(order: order)
        let civil = fields.prefix(100).compactMap { parser.read(text.extracting($0)) }
        if civil.count * 2 > min(100, fields.count), let first = civil.first {
            time = .timeOfDay
            if first.date != nil { setDateTime(first.offsetSeconds, zone) }
            return
        }
        let numbers = fields.compactMap { Field.decimal(text, $0, table.dialect.decimalSeparator) }
        guard numbers.count * 2 > fields.count else { return nil }
        let values = numbers.map(\.double)
        if options.timeUnit == nil, name?.timeUnit == nil, let dayZero = CSVTimeBase.dayZero(values) {
            (time, self.dayZero) = (.serialDate(zone: zone), dayZero)
            return
        }
        let (unit, evidence) = CSVTimeBase.unit(values, name?.timeUnit, options.timeUnit)
        let middle = values.upperMedian() ?? 0
        if CSVTimeBase.epochSeconds.contains(middle * unit.inSeconds) {
            time = .sinceEpoch(unit, evidence)
        } else {
            time = .sinceStart(unit, evidence)
            isCounter =
                [.milliseconds, .microseconds].contains(unit)
                && values.allSatisfy { $0 >= 0 && $0 < 0x1p32 && $0 == $0.rounded() }
            countsRows = evidence == .values && CSVTimeBase.areCounts(values)
        }
    }

    /// The serial dates of 2000 to 2099, and that of 1970-01-01, in spreadsheets and in MATLAB.
    private static let serialDates: [(range: Range<Double>, zero: Double)] = [
        (36_526..<73_051, 25_569), (730_486..<767_011, 719_529),
    ]
    /// The longest step between two samples with serial dates, in seconds.
    private static let longestStep = 60.0

    /// The serial date of 1970-01-01 if the numbers are days, steps of seconds or less apart; else nil.
    private static func dayZero(_ values: [Double]) -> Double? {
        guard let (_, zero) = serialDates.first(where: { values.allSatisfy($0.range.contains) }) else { return nil }
        let steps = values.differences.filter { $0 > 0 }
        guard let step = steps.upperMedian(), step * 86_400 <= longestStep else { return nil }
        return zero
    }

    /// The fewest numbers that are taken for a count.
    private static let fewestCounts = 16

    private static func areCounts(_ values: [Double]) -> Bool {
        // A few numbers may be lost.
        let steps = values.differences
        return values.count >= fewestCounts && values.allSatisfy { $0 == $0.rounded() }
            && steps.count { $0 == 1 } * 10 >= steps.count * 9
    }

    /// The order in which most fields are dates; nil when both orders or neither fit.
    private static func order(_ text: Span<UInt8>, _ fields: ArraySlice<Range<Int>>) -> CivilDate.Order? {
        let orders = [CivilDate.Order.monthFirst, .dayFirst].filter { order in
            let parser = CivilTimeParser(order: order)
            let count = fields.count { parser.read(text.extracting($0))?.date?.isPossible ?? false }
            return count * 2 > fields.count
        }
        // Where points separate day and month, the day is first.
        let hasPoint = fields.first.map { field in field.prefix(3).contains { text[$0] == ASCII.point } } ?? false
        return orders.count == 1 ? orders[0] : orders.count == 2 && hasPoint ? .dayFirst : nil
    }

    /// Detects the unit of a column of times since the row above.
    init(
        intervalsIn column: Int, _ text: Span<UInt8>, _ table: TableOpening, name: ColumnName?, _ options: TraceOptions
    ) {
        self.column = column
        let values = table.numbers(text, column).filter { $0 > 0 }
        let (unit, evidence) =
            CSVTimeBase.stated(name?.timeUnit, options.timeUnit)
            ?? (values.upperMedian().map(TimeUnit.likeliest) ?? .milliseconds, .values)
        time = .sincePrevious(unit, evidence)
    }

    /// The unit that the options give or the title states; nil without one.
    private static func stated(
        _ titled: TimeUnit?, _ chosen: TimeUnit?
    ) -> (TimeUnit, TableLayout.Evidence)? {
        if let chosen { return (chosen, .option) }
        return titled.map { ($0, .header) }
    }

    /// Creates times from a sample rate.
    init(sampleRate: Double, _ evidence: TableLayout.Evidence, start: Timestamp?) {
        time = .sampleRate(sampleRate, evidence)
        self.start = start
    }

    /// Times are date-times, with an offset from UTC, or in a zone.
    mutating func setDateTime(_ offset: Int?, _ zone: String) {
        time = .dateTime(zone: offset == nil ? zone : nil)
        statedOffset = offset == 0 ? nil : offset
    }

    /// The unit of a column of numbers. The options and then the title decide. Without them, it is the unit in which
    /// the numbers are moments of this century, or else the unit in which rows are about 20 ms apart.
    private static func unit(
        _ values: [Double], _ titled: TimeUnit?, _ chosen: TimeUnit?
    ) -> (TimeUnit, TableLayout.Evidence) {
        if let stated = stated(titled, chosen) { return stated }
        let steps = values.differences.filter { $0 >= 0 }
        let ticks = steps.filter { $0 > 0 }
        let middle = values.upperMedian() ?? 0
        // Rows share the ticks of a clock that is coarser than they are, such as one of whole seconds.
        let step = ticks.upperMedian().map { $0 * Double(ticks.count) / Double(steps.count) }
        for unit in TimeUnit.allCases where epochSeconds.contains(middle * unit.inSeconds) {
            if step.map({ $0 * unit.inSeconds <= 2 }) ?? true { return (unit, .values) }
        }
        return (step.map(TimeUnit.likeliest) ?? .seconds, .values)
    }
}

extension TableLayout.Time {
    /// Whether times are absolute.
    var isAbsolute: Bool {
        switch self {
        case .sinceEpoch, .dateTime, .serialDate: true
        case .sinceStart, .sincePrevious, .timeOfDay, .sampleRate: false
        }
    }
}

/// The lines above a table in files of ActiGraph's software: the order of day and month, the rate, the start, the
/// epoch.
struct CSVPreamble {
    private(set) var dateOrder: CivilDate.Order?
    private(set) var sampleRate: Double?
    private(set) var start: CivilTime?
    private(set) var isEpochSummary = false
    /// The only sensor that the lines name, where it is not the accelerometer.
    private(set) var otherSensor: SensorKind?

    init(_ lines: [String]) {
        let lines = lines.map { $0.lowercased() }
        for line in lines {
            if let format = CSVPreamble.text(after: "date format ", in: line) {
                dateOrder = format.hasPrefix("m") ? .monthFirst : format.hasPrefix("d") ? .dayFirst : nil
            }
            if let rate = CSVPreamble.text(after: " at ", in: line), line.contains(" hz") { sampleRate = Double(rate) }
            for key in ["update rate: ", "sample rate: "] {
                // Xsens writes 100.0Hz.
                let rate = CSVPreamble.text(after: key, in: line)?.prefix { $0.isNumber || $0 == "." }
                sampleRate = sampleRate ?? rate.flatMap { Double($0) }
            }
            if line.hasPrefix("epoch period"), let period = line.split(whereSeparator: { ", ;\t".contains($0) }).last {
                isEpochSummary = period.contains { ("1"..."9").contains($0) }
            }
        }
        start = CSVPreamble.start(lines, dateOrder)
        let text = lines.prefix(64).map { String($0.prefix(200)) }.joined(separator: " ")
        // The other kinds may describe the recording.
        if let sensor = SensorKind(onlyIn: text), sensor == .gyroscope || sensor == .magnetometer {
            otherSensor = sensor
        }
    }

    private static func start(_ lines: [String], _ order: CivilDate.Order?) -> CivilTime? {
        func value(_ key: String, hasBlanks: Bool = false) -> String? {
            lines.lazy.compactMap { text(after: key, in: $0, hasBlanks: hasBlanks) }.first
        }
        // In a 12-hour clock, AM or PM follows a blank.
        guard let date = value("start date "), let clock = value("start time ", hasBlanks: true) else { return nil }
        return CivilTimeParser(order: order).read(Array("\(date) \(clock)".utf8).span)
    }

    /// The word after `key`, or all words up to the end of the field.
    private static func text(after key: String, in line: String, hasBlanks: Bool = false) -> String? {
        guard let range = line.firstRange(of: key) else { return nil }
        let ends = hasBlanks ? ",;\t\"" : ", ;\t\""
        return line[range.upperBound...].split(whereSeparator: { ends.contains($0) }).first
            .map(\.trimmed)
    }
}

extension TableOpening {
    /// The fewest rows that show the direction of time, and the share of steps between them that go back.
    private static let (fewestRows, backward) = (16, 0.98)

    /// Whether the newest row is the first, as in exports of databases. A time runs backwards then: a column of
    /// date-times, one with the title of a time, or in a table without titles one whose numbers fall from row to row.
    func isNewestFirst(_ text: Span<UInt8>, _ names: [String]) -> Bool {
        guard rows.count >= Self.fewestRows, let first = rows.first, let last = rows.last else { return false }
        let columnNames = names.map(ColumnName.init)
        let titled = ColumnName.times(columnNames).filter { column in
            let (name, values) = (columnNames[column], numbers(text, column))
            return !name.isTemperature(values) || !name.isTemperature(values.reversed())
        }
        for column in 0..<min(64, first.fields.count, last.fields.count) {
            let isDate = Field.isDateOrTime(text, first.fields[column])
            guard isDate || names.isEmpty || titled.contains(column),
                let start = moment(text, first.fields[column]), let end = moment(text, last.fields[column])
            else { continue }
            if end > start, isDate || titled.contains(column) { return false }
            guard end < start else { continue }
            let moments = rows.compactMap { $0[column].flatMap { moment(text, $0) } }
            let steps = moments.differences
            let falling = steps.count { isDate || titled.contains(column) ? $0 <= 0 : $0 < 0 }
            if Double(falling) >= Self.backward * Double(rows.count - 1), Set(moments).count >= 3 { return true }
        }
        return false
    }

    /// The number or the date-time in a field, on a scale of its own.
    private func moment(_ text: Span<UInt8>, _ field: Range<Int>) -> Double? {
        for order in [CivilDate.Order.dayFirst, .monthFirst] {
            guard let time = CivilTimeParser(order: order).read(text.extracting(field)) else { continue }
            guard time.date != nil else { return Double(time.nanosecondOfDay) }
            if let nanoseconds = time.nanoseconds { return Double(nanoseconds) }
        }
        return Field.number(text, field, dialect.decimalSeparator)
    }
}

extension CSVTimeBase {
    /// Takes the times from a finer column that agrees with this one, such as milliseconds since the start beside dates
    /// in whole seconds. The finer times then count from the moment that the coarser ones give. `found` are the time
    /// bases of columns with titles, `columns` all that may hold times.
    mutating func refine(
        _ text: Span<UInt8>, _ table: TableOpening, _ found: [CSVTimeBase], _ columns: [Int], _ zone: LocalZone
    ) {
        let rows = table.rows[...]
        let clock = RowClock(self, separator: table.dialect.decimalSeparator, start: .epoch, zone: zone)
        let coarse = clock.times(text, rows, self)
        let distinct = Set(coarse.compactMap(\.self)).count
        guard let own = column, distinct >= 2, distinct * 2 <= rows.count else { return }
        for column in columns where column != own && column != dateColumn {
            let numbers = rows.map { $0.number(text, column, table.dialect) }
            guard Set(numbers.compactMap(\.self)).count >= distinct * 2 else { continue }
            let starts = TimeUnit.allCases.map { (unit: $0, first: CSVTimeBase.start(coarse, numbers, $0)) }
                .filter { $0.first != nil }
            let known = numbers.compactMap(\.self)
            let likeliest = TimeUnit.likeliest(step: ((known.last ?? 0) - known[0]) / Double(known.count))
            guard let (unit, first) = starts.count == 1 ? starts[0] : starts.first(where: { $0.unit == likeliest })
            else { continue }
            if let absolute = found.first(where: { $0.column == column && $0.time.isAbsolute }) {
                self = absolute
            } else {
                start = time.isAbsolute ? first : nil
                self.column = column
                dateColumn = nil
                time = .sinceStart(unit, .values)
            }
            coarser = own
            return
        }
    }

    /// The moment of the first row, if numbers in a unit agree with the coarse times; nil otherwise. Coarse times are
    /// cut to the last second or minute, so they lag behind by less than that.
    private static func start(_ coarse: [Timestamp?], _ numbers: [Double?], _ unit: TimeUnit) -> Timestamp? {
        let both = zip(coarse, numbers).compactMap { time, number in
            time.flatMap { time in number.map { (time: time, number: $0) } }
        }
        guard let first = both.first, both.count * 10 >= coarse.count * 9 else { return nil }
        let steps = zip(both.dropFirst(), both).map { $0.time.seconds(since: $1.time) }.filter { $0 > 0 }
        let leads = both.map { $0.time.seconds(since: first.time) - ($0.number - first.number) * unit.inSeconds }
        guard let least = leads.min(), let most = leads.max(), let step = steps.min(), step <= 60,
            most - least <= step * 1.02
        else { return nil }
        return first.time.advanced(bySeconds: most)
    }
}

extension CSVTimeBase {
    /// Finds the column of dates before a column of times of day.
    mutating func findDate(_ text: Span<UInt8>, _ table: TableOpening, zone: String) {
        guard case .timeOfDay = time, let column else { return }
        let rows = table.rows.prefix(500).filter { $0.fields.count > column }
        let width = rows.map(\.fields.count).max() ?? 0
        for candidate in (0..<column).reversed() + Array(min(column + 1, width)..<width) {
            // A date that does not begin with the year is ambiguous, unless one of its numbers is beyond 12.
            var orders = [order]
            if !CSVTimeBase.areDates(text, rows, candidate, order) {
                orders = [.monthFirst, .dayFirst].filter { CSVTimeBase.areDates(text, rows, candidate, $0) }
            }
            if orders.count > 1 { hasAmbiguousDates = true }
            guard orders.count == 1 else { continue }
            (dateColumn, hasAmbiguousDates) = (candidate, false)
            order = orders[0]
            let clock = rows.compactMap { CivilTimeParser().read(text.extracting($0.fields[column])) }.first
            setDateTime(clock?.offsetSeconds, zone)
            return
        }
    }

    /// Whether most rows have a date in this column.
    private static func areDates(
        _ text: Span<UInt8>, _ rows: [TableOpening.Row], _ column: Int, _ order: CivilDate.Order?
    ) -> Bool {
        let parser = CivilTimeParser(order: order)
        let count = rows.count { row in
            row[column].flatMap { parser.readDate(text.extracting($0)) }?.isPossible ?? false
        }
        return count * 2 > rows.count
    }
}

extension CSVTimeBase {
    /// Times in two columns: seconds since 1970, and the rest behind them in a smaller unit, such as `stamp.secs` and
    /// `stamp.nsecs`. Nil if no titles name such columns.
    static func split(
        _ text: Span<UInt8>, _ table: TableOpening, _ found: [CSVTimeBase], _ names: [ColumnName]
    ) -> CSVTimeBase? {
        for base in found {
            guard case .sinceEpoch(.seconds, _) = base.time, let column = base.column, column < names.count else {
                continue
            }
            for rest in names.indices where rest > column {
                guard let unit = names[rest].unit(ofRestOf: names[column], table.numbers(text, rest)) else { continue }
                var split = base
                (split.dateColumn, split.column, split.time) = (column, rest, .sinceEpoch(unit, .header))
                return split
            }
        }
        return nil
    }
}

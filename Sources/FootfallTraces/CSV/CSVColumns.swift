internal import FootfallWire

/// The columns of time and acceleration in a table.
struct CSVColumns {
    /// The columns that may hold the time, the likeliest first.
    var times: [Int]
    /// More columns that may hold the time, in a table without titles.
    var otherTimes: [Int] = []
    /// The column of the time since the row above, in a table without another column of times.
    var interval: Int?
    /// The columns of x, y and z.
    var axes: [Int]
    /// The columns of gravity along x, y and z, in a table that separates gravity from acceleration.
    var gravity: [Int] = []

    /// Finds the columns of a table.
    ///
    /// - Throws: ``Refusal`` when x, y or z is missing, or when the table has only acceleration without gravity.
    init(_ text: Span<UInt8>, _ table: TableOpening, _ chosen: SensorColumns?) throws(Refusal) {
        let names = table.names(text)
        if let chosen {
            self = try CSVColumns.chosen(chosen, names, table)
        } else if names.isEmpty {
            self = try CSVColumns.untitled(text, table)
        } else {
            self = try CSVColumns.titled(names, line: table.header?.line)
            if let column = interval, NumericColumns.rises(text, table, column) { (times, interval) = ([column], nil) }
            if times.isEmpty, interval == nil {
                times = NumericColumns(text, table).clocks.prefix(1).filter { !axes.contains($0) }
            }
        }
    }

    /// The columns of axes and gravity.
    var used: [Int] { axes + gravity }

    private init(times: [Int], axes: [Int], gravity: [Int] = []) {
        self.times = times
        self.axes = axes
        self.gravity = gravity
    }

    // MARK: By the options

    private static func chosen(
        _ chosen: SensorColumns, _ names: [String], _ table: TableOpening
    ) throws(Refusal) -> CSVColumns {
        let width = table.rows.map(\.fields.count).max() ?? 0
        func index(_ column: SensorColumns.Column) throws(Refusal) -> Int {
            if let index = column.index(in: names, width: width) { return index }
            switch column {
            case .at(let index):
                throw Refusal("no column at position \(index), the rows have \(width)", remedy: remedy)
            case .named(let name) where names.isEmpty:
                throw Refusal(
                    "no header to find a column '\(name)' in",
                    remedy: "give --columns as positions, such as 0,1,2,3")
            case .named(let name):
                throw missing("'\(name)'", names, line: table.header?.line)
            }
        }
        var times: [Int] = []
        if let time = chosen.time { times.append(try index(time)) }
        return CSVColumns(times: times, axes: [try index(chosen.x), try index(chosen.y), try index(chosen.z)])
    }

    // MARK: By titles

    private static func titled(_ titles: [String], line: Int?) throws(Refusal) -> CSVColumns {
        let names = titles.map(ColumnName.init)
        let times = ColumnName.times(names)
        if let acceleration = ColumnName.accelerationAxes(names) {
            var found = CSVColumns(times: times, axes: acceleration)
            if times.isEmpty { found.interval = names.firstIndex(where: \.isInterval) }
            return found
        }
        if let linear = ColumnName.triple(names, of: .withoutGravity) {
            guard let gravity = ColumnName.triple(names, of: .gravity) else {
                throw Refusal(.noGravity("by the header"), line: line)
            }
            return CSVColumns(times: times, axes: linear, gravity: gravity)
        }
        if let (sensor, index) = ColumnName.otherSensor(names) {
            throw Refusal(sensor, "the title '\(titles[index].prefix(40))'", line: line)
        }
        if EpochSummary.isNamed(in: titles.joined(separator: ",").lowercased()) { throw EpochSummary.refusal }
        let missing = ColumnName.Axis.allCases.filter { axis in
            !names.contains { $0.axis.map { $0.axis == axis && ColumnName.quantity($0.rest) != nil } ?? false }
        }
        throw CSVColumns.missing(
            missing.isEmpty ? "x, y and z" : missing.map { "\($0)" }.joined(separator: " or "), titles, line: line)
    }

    /// Whether the titles name acceleration, with or without gravity, or another motion sensor.
    static func hasAxes(_ titles: [String]) -> Bool {
        let names = titles.map(ColumnName.init)
        return ColumnName.accelerationAxes(names) != nil || ColumnName.triple(names, of: .withoutGravity) != nil
            || ColumnName.otherSensor(names) != nil
    }

    private static func missing(_ what: String, _ titles: [String], line: Int?) -> Refusal {
        var found = titles.prefix(12).map { $0.count > 40 ? "\($0.prefix(40))…" : $0 }.joined(separator: ", ")
        if titles.count > 12 { found += ", … (\(titles.count) columns)" }
        return Refusal("no column for \(what) among: \(found)", remedy: remedy, line: line)
    }

    private static let remedy = "name the columns with --columns, such as time,x,y,z"

    // MARK: By values

    /// Finds the columns of a table without titles.
    ///
    /// The time is the first increasing column. The three columns of numbers after it are x, y and z, or the first three if it
    /// is the last column.
    private static func untitled(_ text: Span<UInt8>, _ table: TableOpening) throws(Refusal) -> CSVColumns {
        let columns = NumericColumns(text, table)
        let time = columns.clocks.first
        var candidates = columns.numbers.filter { $0 != time }
        if let time, candidates.contains(where: { $0 > time }) {
            candidates = candidates.filter { $0 > time }
        }
        candidates = try columns.axes(candidates, line: table.firstRowLine)
        guard candidates.count >= 3 else {
            throw Refusal(
                "no header, and only \(candidates.count) of its columns may hold acceleration", remedy: remedy,
                line: table.firstRowLine)
        }
        var found = CSVColumns(times: time.map { [$0] } ?? [], axes: Array(candidates.prefix(3)))
        found.otherTimes = columns.clocks.filter { !found.axes.contains($0) }
        if time == nil, let interval = columns.interval, candidates.starts(with: [0, 1, 2]) {
            found.interval = interval
        }
        return found
    }
}

/// The kinds of columns, from their values.
struct NumericColumns {
    /// Columns of numbers.
    private(set) var numbers: [Int] = []
    /// Columns of dates or of increasing numbers, the likeliest time first.
    private(set) var clocks: [Int] = []
    /// Columns of whole numbers.
    private var whole: Set<Int> = []
    /// Columns with one constant integer.
    private var constants: Set<Int> = []
    /// Columns of flags or small numbers: whole, from 0 or 1, at most four values.
    private var flags: Set<Int> = []
    /// The fourth of four columns, if it can only be milliseconds since the row above: integers beside fractions.
    private(set) var interval: Int?

    init(_ text: Span<UInt8>, _ table: TableOpening) {
        let rows = table.rows.prefix(500)
        let width = rows.map(\.fields.count).sorted()[rows.count / 2]
        var increasing: [Int] = []
        for column in 0..<min(width, 4096) {
            let fields = rows.lazy.filter { $0.fields.count > column }.map { $0.fields[column] }
            if fields.first.map({ Field.isDateOrTime(text, $0) }) ?? false {
                clocks.append(column)
                continue
            }
            let values: [Double] = fields.compactMap { Field.number(text, $0, table.dialect.decimalSeparator) }
            guard values.count * 2 > rows.count, let first = values.first else { continue }
            numbers.append(column)
            let isWhole = values.allSatisfy { $0 == $0.rounded() }
            if column == 3, width == 4, isWhole, whole.count < numbers.count - 1,
                values.allSatisfy({ (0...60_000).contains($0) }),
                values.count(where: { (2...1000).contains($0) }) * 2 > values.count
            {
                interval = column
            }
            if isWhole { whole.insert(column) }
            if NumericColumns.isIncreasing(values), width > 3 { increasing.append(column) }
            if isWhole, values.allSatisfy({ $0 == first }) { constants.insert(column) }
            let distinct = Set(values.lazy.prefix(500))
            if isWhole, (2...4).contains(distinct.count), distinct.allSatisfy({ (0...4).contains($0) }) {
                flags.insert(column)
            }
        }
        // The likeliest time is the first column, then the last, then any other.
        clocks += increasing.sorted { rank($0, width) < rank($1, width) }
    }

    /// The columns among `candidates` that may be axes.
    ///
    /// Whole numbers beside three columns of fractions are a number, a flag or a status, and so is a constant integer beside three
    /// other columns.
    ///
    /// - Throws: ``Refusal`` for counts beside a flag: at rest, an axis of counts may have as few values.
    func axes(_ candidates: [Int], line: Int) throws(Refusal) -> [Int] {
        let fractions = candidates.filter { !whole.contains($0) }
        if fractions.count >= 3 { return fractions }
        let varying = candidates.filter { !constants.contains($0) }
        let axes = varying.count >= 3 ? varying : candidates
        if let flag = axes.prefix(3).first(where: flags.contains), axes.count > 3 {
            throw Refusal(
                "no header, and column \(flag + 1) has only a few small numbers: an axis or a flag",
                remedy: "name the columns with --columns, such as 0,2,3,4", line: line)
        }
        return axes
    }

    /// Whether the numbers of a column rise from row to row like times, and are no intervals.
    static func rises(_ text: Span<UInt8>, _ table: TableOpening, _ column: Int) -> Bool {
        let values = table.rows.compactMap { row in
            row.fields.count > column ? Field.number(text, row.fields[column], table.dialect.decimalSeparator) : nil
        }
        return values.count >= 8 && isIncreasing(values) && Set(values).count >= 3
    }

    private func rank(_ column: Int, _ width: Int) -> Int {
        column == 0 ? 0 : column == width - 1 ? 1 : 2
    }

    /// Whether values increase, with at most one step back in fifty, and are not row numbers.
    private static func isIncreasing(_ values: [Double]) -> Bool {
        let steps = zip(values.dropFirst(), values).map { $0 - $1 }
        let backward = steps.count { $0 < 0 }
        let forward = steps.count { $0 > 0 }
        let isRowNumber = values.count > 2 && steps.allSatisfy { $0 == 1 } && values.allSatisfy { $0 < 1e8 }
        return backward * 50 <= steps.count && (forward > 0 || values.count == 1) && !isRowNumber
    }
}

internal import Footfall

/// The columns of time and acceleration in a table.
struct CSVColumns {
    /// The columns that may hold the time, the likeliest first.
    var times: [Int]
    /// More columns that may hold the time, in a table without titles.
    var otherTimes: [Int] = []
    /// Whether columns of numbers follow the axes that may be those of another sensor, in a table without titles.
    var hasMoreAxes = false
    /// Other columns of three numbers beside each other that may be the axes, in a table without titles.
    var otherAxes: [[Int]] = []
    /// Which of the columns may be no axis, and why; nil without doubt.
    var doubt: (column: Int, reason: String)?
    /// The column of the time since the row above, in a table without another column of times.
    var interval: Int?
    /// The columns of x, y and z.
    var axes: [Int]
    /// The columns of gravity along x, y and z, in a table that separates gravity from acceleration.
    var gravity: [Int] = []
    /// Whether the titles are those of acceleration without gravity, which values that are sure overrule.
    var areNamedLinear = false
    /// Whether the titles are those of an IMU in ROS, whose `linear_acceleration` includes gravity by convention
    /// (REP 145).
    var isROS = false
    /// Columns titled as gravity, beside columns titled as acceleration that may contain it.
    var gravityBeside: [Int] = []
}

extension CSVColumns {
    /// Finds the columns of a table. If the rate is given, numbers are times only below a title that says so; dates are
    /// times all the same. Throws ``Refusal`` when x, y or z is missing, or when the table has only acceleration
    /// without gravity.
    init(
        _ text: Span<UInt8>, _ table: TableOpening, _ chosen: SensorColumns?, hasRate: Bool = false
    ) throws(Refusal) {
        let names = table.names(text)
        if let chosen {
            self = try CSVColumns.chosen(chosen, names, table)
        } else if names.isEmpty {
            self = try CSVColumns.untitled(text, table, hasRate: hasRate)
        } else {
            self = try CSVColumns.titled(names, text, table)
            if let column = interval, NumericColumns.rises(text, table, column) { (times, interval) = ([column], nil) }
            if times.isEmpty, interval == nil, !hasRate {
                let columns = names.map { ColumnName($0) }
                // A zone in brackets is no unit of times of day.
                let clocks = columns.indices.filter { column in
                    table.rows.first?[column].map { Field.isDateOrTime(text, $0) } ?? false
                }
                let others =
                    columns.indices.filter {
                        columns[$0].namesCount || columns[$0].hasOtherUnit && !clocks.contains($0)
                    }
                    + ColumnName.timeParts(columns)
                times = NumericColumns(text, table).changingClocks.filter {
                    !axes.contains($0) && !others.contains($0)
                }
                times = Array(times.prefix(1))
            }
            times += NumericColumns.dates(text, table).filter { !used.contains($0) && !times.contains($0) }
        }
    }

    /// The columns of axes and gravity.
    var used: [Int] { axes + gravity }

    // MARK: Gravity apart

    /// The largest deviation of the magnitude of gravity that a phone computes, as a share of it.
    private static let gravityDeviation: Float = 0.05
    /// Acceleration with gravity has its mean along gravity; without gravity, less than this share of it.
    private static let leastGravity: Float = 0.5

    /// Reads the columns of gravity too, where the acceleration beside them lacks it.
    mutating func addGravity(_ text: Span<UInt8>, _ rows: ArraySlice<TableOpening.Row>, _ dialect: CSVDialect) {
        guard gravityBeside.count == 3 else { return }
        var (acceleration, gravity, magnitudes) = (SIMD3<Float>.zero, SIMD3<Float>.zero, [Float]())
        for row in rows {
            guard let own = row.vector(text, axes, dialect), let down = row.vector(text, gravityBeside, dialect)
            else { continue }
            acceleration += own
            gravity += down
            magnitudes.append(down.length)
        }
        let mean = magnitudes.reduce(0, +) / Float(max(1, magnitudes.count))
        let isGravity = mean > 0 && magnitudes.allSatisfy { abs($0 - mean) <= Self.gravityDeviation * mean }
        let isApart = (acceleration * gravity).sum() < Self.leastGravity * gravity.lengthSquared
        if isGravity, isApart { self.gravity = gravityBeside }
    }

    // MARK: By the options

    private static func chosen(
        _ chosen: SensorColumns, _ names: [String], _ table: TableOpening
    ) throws(Refusal) -> CSVColumns {
        let width = table.width
        func index(_ column: SensorColumns.Column) throws(Refusal) -> Int {
            if let index = column.index(in: names, width: width) { return index }
            switch column {
            case .number(let number):
                throw Refusal("no column \(number), the rows have \(width)", remedy: remedy)
            case .named(let name) where names.isEmpty:
                throw Refusal(
                    "no header to find a column '\(name)' in",
                    remedy: "give \(.columns()) as numbers, such as 1,2,3,4")
            case .named(let name):
                throw missing("'\(name)'", names, line: table.header?.line)
            }
        }
        var times: [Int] = []
        if let time = chosen.time { times.append(try index(time)) }
        let axes = [try index(chosen.x), try index(chosen.y), try index(chosen.z)]
        guard Set(times + axes).count == times.count + axes.count else {
            throw Refusal("one column is named twice in '\(chosen)'", remedy: remedy)
        }
        return CSVColumns(times: times, axes: axes)
    }

    // MARK: By titles

    private static func titled(
        _ titles: [String], _ text: Span<UInt8>, _ table: TableOpening
    ) throws(Refusal) -> CSVColumns {
        let names = titles.map(ColumnName.init)
        let times = ColumnName.times(names).filter { !names[$0].isTemperature(table.numbers(text, $0)) }
        let line = table.header?.line
        if ColumnName.areStatistics(names) { throw EpochSummary.featureRefusal }
        let gravity = ColumnName.triple(names, of: .gravity)
        if let acceleration = ColumnName.accelerationAxes(names) {
            var found = CSVColumns(times: times, axes: acceleration)
            if times.isEmpty { found.interval = names.firstIndex(where: \.isInterval) }
            found.gravityBeside = gravity ?? []
            return found
        }
        if let linear = ColumnName.triple(names, of: .withoutGravity) {
            var found = CSVColumns(times: times, axes: linear, gravity: gravity ?? [])
            found.areNamedLinear = gravity == nil
            found.isROS = names.contains { $0.plain.contains("angularvelocity") }
            return found
        }
        if let (sensor, index) = ColumnName.otherSensor(names) {
            let axes = ColumnName.axes(of: sensor, names)
            throw Refusal(
                sensor, "the title '\(titles[index].prefix(40))'", line: line,
                columns: axes.map { CSVColumns(times: times, axes: $0) })
        }
        if EpochSummary.isNamed(in: titles.joined(separator: ",").lowercased()) { throw EpochSummary.refusal }
        let missing = ColumnName.Axis.allCases.filter { axis in
            !names.contains { $0.axis?.axis == axis && $0.axisQuantity != nil }
        }
        var refusal = CSVColumns.missing(
            missing.isEmpty ? "x, y and z" : missing.map { "\($0)" }.joined(separator: " or "), titles, line: line)
        refusal.columns = CSVColumns.likeliest(times, text, table)
        let all = ColumnName.allAxes(names).map { SensorColumns(time: times.first, axes: $0, in: titles) }
        if let first = all.first {
            refusal.remedy = all.dropFirst().reduce("give \(.columns(first))") { $0 + " or \(.columns($1))" }
        }
        throw refusal
    }

    /// The columns of a table with unknown titles that may be axes by their values.
    private static func likeliest(_ times: [Int], _ text: Span<UInt8>, _ table: TableOpening) -> CSVColumns? {
        let columns = NumericColumns(text, table)
        let time = times.first ?? columns.clocks.first
        let axes = [columns.fractions, columns.axes(columns.numbers)].map { kind in
            kind.filter { $0 != time && !columns.clocks.contains($0) }
        }.first { $0.count == 3 }
        return axes.map { CSVColumns(times: time.map { [$0] } ?? [], axes: $0) }
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

    private static let remedy: ParameterText = "name the columns with \(.columns()), such as time,x,y,z"

    // MARK: By values

    /// Finds the columns of a table without titles. The time is the first increasing column. The three columns of
    /// numbers after it are x, y and z, or the first three if it is the last column.
    private static func untitled(
        _ text: Span<UInt8>, _ table: TableOpening, hasRate: Bool
    ) throws(Refusal) -> CSVColumns {
        let columns = NumericColumns(text, table)
        let time = (hasRate ? columns.fastClocks : columns.clocks).first
        var candidates = columns.numbers.filter { !columns.clocks.contains($0) }
        if candidates.count < 3 { candidates = columns.numbers.filter { $0 != time } }
        if let time, candidates.contains(where: { $0 > time }) {
            candidates = candidates.filter { $0 > time }
        }
        candidates = candidates.filter { !NumericColumns.isMagnitude($0, of: candidates, text, table) }
        let others = columns.moving(candidates.indices.dropLast(2).map { Array(candidates[$0..<$0 + 3]) })
        candidates = columns.axes(candidates)
        guard candidates.count >= 3 else {
            throw Refusal(
                "no header, and only \(candidates.count) of its columns may hold acceleration", remedy: remedy,
                line: table.firstRowLine)
        }
        var found = CSVColumns(times: time.map { [$0] } ?? [], axes: Array(candidates.prefix(3)))
        found.hasMoreAxes = candidates.count >= 6
        (found.otherAxes, found.doubt) = (others.filter { $0 != found.axes }, columns.doubt(about: candidates))
        found.otherTimes = columns.clocks.filter { !found.axes.contains($0) }
        if time == nil, !hasRate, let interval = columns.interval, candidates.starts(with: [0, 1, 2]) {
            found.interval = interval
        }
        return found
    }
}

extension Refusal {
    /// Refuses columns of which one may be no axis.
    init(doubtful doubt: (column: Int, reason: String), of columns: CSVColumns, line: Int) {
        var others = columns
        let all = Set(columns.axes + columns.otherAxes.joined()).subtracting([doubt.column]).sorted()
        if all.count >= 3 { others.axes = Array(all.prefix(3)) }
        self.init(
            "no header, and column \(doubt.column + 1) \(doubt.reason)", remedy: "name the columns with \(.columns())",
            line: line, columns: others)
    }
}

/// The kinds of columns, from their values.
struct NumericColumns {
    /// Columns of numbers.
    private(set) var numbers: [Int] = []
    /// Columns of dates or of increasing numbers, the likeliest time first.
    private(set) var clocks: [Int] = []
    /// Columns written without decimals.
    private var whole: Set<Int> = []
    /// The number of different values in each column of numbers.
    private var distinct: [Int: Int] = [:]
    /// Columns of flags or small numbers: two to four whole numbers from 0 to 4.
    private var flags: Set<Int> = []
    /// Columns whose values step up in the minority of rows, such as a temperature or the number of a person.
    private var slow: Set<Int> = []
    /// Columns of whole numbers that count the rows.
    private var rowNumbers: Set<Int> = []
    /// The fourth of four columns, if it can only be milliseconds since the row above: integers beside fractions.
    private(set) var interval: Int?

    init(_ text: Span<UInt8>, _ table: TableOpening) {
        let rows = table.rows.prefix(500)
        let width = rows.map(\.fields.count).upperMedian() ?? 0
        var increasing: [Int] = []
        for column in 0..<min(width, 4096) {
            let fields = rows.lazy.compactMap { $0[column] }
            if fields.first.map({ Field.isDateOrTime(text, $0) }) ?? false {
                clocks.append(column)
                continue
            }
            let values: [Double] = fields.compactMap { Field.number(text, $0, table.dialect.decimalSeparator) }
            guard values.count * 2 > rows.count, !values.isEmpty else { continue }
            numbers.append(column)
            let isWhole = values.allSatisfy { $0 == $0.rounded() }
            if column == 3, width == 4, isWhole, whole.count < numbers.count - 1,
                values.allSatisfy({ (0...60_000).contains($0) }),
                values.count(where: { (2...1000).contains($0) }) * 2 > values.count
            {
                interval = column
            }
            let hasDecimals = fields.contains {
                text.extracting($0).firstIndex(of: table.dialect.decimalSeparator, in: 0..<$0.count) != nil
            }
            if !hasDecimals { whole.insert(column) }
            if NumericColumns.isIncreasing(values), width > 3 { increasing.append(column) }
            let forward = zip(values.dropFirst(), values).count { $0 > $1 }
            let isEpoch = values.allSatisfy(CSVTimeBase.epochSeconds.contains)
            if forward * 2 < values.count - 1, !isEpoch { slow.insert(column) }
            if NumericColumns.areRowNumbers(values) { rowNumbers.insert(column) }
            let distinct = Set(values)
            self.distinct[column] = distinct.count
            if isWhole, (2...4).contains(distinct.count), distinct.allSatisfy({ (0...4).contains($0) }) {
                flags.insert(column)
            }
        }
        // The likeliest time steps up in most rows, and is the first column, then the last, then any other.
        clocks += increasing.sorted { rank($0, width) < rank($1, width) }
        clocks = fastClocks + clocks.filter(slow.contains)
    }

    /// Whether a column has at most `count` different values: 1 in a constant, 3 if it hardly changes, 16 in a status.
    private func hasAtMost(_ count: Int, _ column: Int) -> Bool { distinct[column].map { $0 <= count } ?? false }

    /// The columns among `candidates` that may be axes, the three axes first. A few whole numbers beside three columns
    /// of fractions are a flag or a status, and so is a constant integer beside three other columns.
    func axes(_ candidates: [Int]) -> [Int] {
        let candidates = candidates.filter { !rowNumbers.contains($0) }
        let fractions = candidates.count { !whole.contains($0) }
        var axes = candidates.filter { !whole.contains($0) || !hasAtMost(16, $0) }
        if fractions < 3 || axes.count < 3 {
            axes = candidates.filter { !whole.contains($0) || !hasAtMost(1, $0) }
        }
        return axes.count < 3 ? candidates : axes
    }

    /// The triples of columns that change, if there are any: constants beside them are settings.
    func moving(_ triples: [[Int]]) -> [[Int]] {
        let moving = triples.filter { !$0.contains { hasAtMost(1, $0) } }
        return moving.isEmpty ? triples : triples.filter { !$0.allSatisfy { hasAtMost(1, $0) } }
    }

    /// The first of three axes among more columns that may be something else: at rest an axis has few values too.
    func doubt(about axes: [Int]) -> (column: Int, reason: String)? {
        guard axes.count > 3 else { return nil }
        let first = axes.prefix(3)
        if let flag = first.first(where: flags.contains) {
            return (flag, "has only a few small numbers: an axis or a flag")
        }
        if let constant = first.first(where: { hasAtMost(1, $0) }) {
            return (constant, "has only one value: an axis or a status")
        }
        let odd = first.first { whole.contains($0) != first.allSatisfy(whole.contains) }
        return odd.map { ($0, "has whole numbers beside fractions: an axis or a number") }
    }

    /// The columns of ``clocks`` that step up in most rows.
    var fastClocks: [Int] { clocks.filter { !slow.contains($0) } }

    /// The columns of ``clocks`` that change more than once or twice.
    var changingClocks: [Int] { clocks.filter { !hasAtMost(3, $0) } }

    /// The columns of numbers with decimals.
    var fractions: [Int] { numbers.filter { !whole.contains($0) } }

    /// The columns of date-times that change.
    static func dates(_ text: Span<UInt8>, _ table: TableOpening) -> [Int] {
        guard let first = table.rows.first, let last = table.rows.last else { return [] }
        return first.fields.indices.prefix(4096).filter { column in
            guard last.fields.count > column, Field.isDateTime(text, first.fields[column]) else { return false }
            return text.string(first.fields[column]) != text.string(last.fields[column])
        }
    }

    /// Whether the numbers of a column rise from row to row like times, and are no intervals.
    static func rises(_ text: Span<UInt8>, _ table: TableOpening, _ column: Int) -> Bool {
        let values = table.numbers(text, column)
        return values.count >= 8 && isIncreasing(values) && Set(values).count >= 3
    }

    /// The largest difference between a magnitude and that of three columns, as a share, for numbers of few digits.
    private static let magnitudeError = 0.02

    /// Whether a column is the magnitude of the vector in three others that are next to each other.
    static func isMagnitude(_ column: Int, of candidates: [Int], _ text: Span<UInt8>, _ table: TableOpening) -> Bool {
        let others = candidates.filter { $0 != column }
        guard others.count >= 3 else { return false }
        return others.indices.dropLast(2).contains { first in
            let axes = Array(others[first..<first + 3])
            guard axes[2] - axes[0] == 2 else { return false }
            return table.rows.prefix(200).allSatisfy { row in
                guard let vector = row.vector(text, axes, table.dialect),
                    let number = row.number(text, column, table.dialect)
                else { return true }
                let size = Double(vector.length)
                return abs(number - size) <= magnitudeError * size
            }
        }
    }

    private func rank(_ column: Int, _ width: Int) -> Int { column == 0 ? 0 : column == width - 1 ? 1 : 2 }

    /// Whether values increase, with at most one step back in fifty, and are not row numbers.
    private static func isIncreasing(_ values: [Double]) -> Bool {
        let steps = values.differences
        let backward = steps.count { $0 < 0 }
        // The first interval of a column of intervals may be 0.
        let forward = (steps.count > 2 ? steps.dropFirst() : steps[...]).count { $0 > 0 }
        return backward * 50 <= steps.count && (forward > 0 || values.count == 1) && !areRowNumbers(values)
    }

    private static func areRowNumbers(_ values: [Double]) -> Bool { values.count > 2 && values.areRowNumbers }
}

extension Refusal {
    /// The refusal with the options that have its columns read all the same: those of the titles, the unit, and the
    /// numbers at 0 g.
    func insisting(
        _ titles: [String], _ unit: AccelerationScale, _ coding: CountCoding = CountCoding(), needsRate: Bool
    ) -> Refusal {
        guard let columns, columns.axes.count == 3 else { return self }
        let choice = SensorColumns(time: columns.times.first, axes: columns.axes, in: titles)
        let stated = Set(columns.axes.map { titles.title($0).flatMap { ColumnName($0).accelerationUnit } })
        let unit = stated.count == 1 ? stated.first.flatMap(\.self).map(AccelerationScale.unit) ?? unit : unit
        return insisting(choice, unit, coding, needsRate: needsRate)
    }

    /// The refusal with the options that have these columns read all the same; nil for columns without a name.
    func insisting(
        _ choice: SensorColumns?, _ unit: AccelerationScale, _ coding: CountCoding = CountCoding(),
        needsRate: Bool = false
    ) -> Refusal {
        guard let choice else { return self }
        var refusal = self
        let zero: [ParameterText.Parameter] = coding.zero == .zero ? [] : [.zero(coding)]
        let options = [.columns(choice)] + zero + [.unit(unit)] + (needsRate ? [.sampleRate()] : [])
        refusal.remedy =
            (remedy.map { "\($0); " } ?? "") + "to read these columns all the same, give \(options)"
            + (needsRate ? " HERTZ" : "")
        refusal.columns = nil
        return refusal
    }
}

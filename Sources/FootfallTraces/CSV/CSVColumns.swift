internal import FootfallWire

/// Which columns of a table hold what.
struct CSVColumns {
    /// Columns that may hold the time, the likeliest first.
    var times: [Int]
    /// The column that holds the time since the row above, where there is no other column of times.
    var interval: Int?
    /// The columns of x, y and z.
    var axes: [Int]
    /// The columns of gravity along x, y and z, where it is kept apart and has to be added back.
    var gravity: [Int] = []

    /// Finds the columns of a table.
    ///
    /// - Throws: ``Refusal`` when x, y or z is missing, or only acceleration without gravity is there.
    init(_ text: Span<UInt8>, _ table: CSVTable, _ chosen: TraceColumns?) throws(Refusal) {
        let names = table.names(text)
        if let chosen {
            self = try CSVColumns.chosen(chosen, names, table)
        } else if names.isEmpty {
            self = try CSVColumns.untitled(text, table)
        } else {
            self = try CSVColumns.titled(names, line: table.header?.line)
            if times.isEmpty, interval == nil {
                times = NumericColumns(text, table).clocks.prefix(1).filter { !axes.contains($0) }
            }
        }
    }

    private init(times: [Int], axes: [Int], gravity: [Int] = []) {
        self.times = times
        self.axes = axes
        self.gravity = gravity
    }

    // MARK: By the caller's choice

    private static func chosen(
        _ chosen: TraceColumns, _ names: [String], _ table: CSVTable
    ) throws(Refusal) -> CSVColumns {
        let width = table.rows.map(\.fields.count).max() ?? 0
        func index(_ column: TraceColumns.Column) throws(Refusal) -> Int {
            switch column {
            case .at(let index):
                guard (0..<width).contains(index) else {
                    throw Refusal("no column at position \(index), the rows have \(width)", remedy: remedy)
                }
                return index
            case .named(let name):
                guard !names.isEmpty else {
                    throw Refusal(
                        "no header to find a column '\(name)' in",
                        remedy: "give the option columns as positions, such as 0,1,2,3")
                }
                let wanted = name.lowercased()
                let match =
                    names.firstIndex { $0.lowercased() == wanted }
                    ?? names.firstIndex { ColumnName($0).plain == ColumnName(name).plain }
                guard let match else { throw missing("'\(name)'", names, line: table.header?.line) }
                return match
            }
        }
        var times: [Int] = []
        if let time = chosen.time { times.append(try index(time)) }
        return CSVColumns(times: times, axes: [try index(chosen.x), try index(chosen.y), try index(chosen.z)])
    }

    // MARK: By titles

    private static func titled(_ titles: [String], line: Int?) throws(Refusal) -> CSVColumns {
        let names = titles.map(ColumnName.init)
        let times = names.indices.filter { names[$0].timeRank != nil }
            .sorted { (names[$0].timeRank ?? 0, $0) < (names[$1].timeRank ?? 0, $1) }
        let acceleration = triple(names, of: .acceleration) ?? triple(names, of: .likelyAcceleration)
        if let acceleration {
            var found = CSVColumns(times: times, axes: acceleration)
            if times.isEmpty { found.interval = names.firstIndex(where: \.isInterval) }
            return found
        }
        if let linear = triple(names, of: .withoutGravity) {
            guard let gravity = triple(names, of: .gravity) else {
                throw GravityCheck.gravityIsMissing("the header speaks of acceleration without gravity", line: line)
            }
            return CSVColumns(times: times, axes: linear, gravity: gravity)
        }
        if EpochSummary.isNamed(in: titles.joined(separator: ",").lowercased()) { throw EpochSummary.refusal }
        let missing = ColumnName.Axis.allCases.filter { axis in
            !names.contains { $0.axis.map { $0.axis == axis && ColumnName.quantity($0.rest) != nil } ?? false }
        }
        throw CSVColumns.missing(
            missing.isEmpty ? "x, y and z" : missing.map { "\($0)" }.joined(separator: " or "), titles, line: line)
    }

    /// Whether these are titles of a table of acceleration, of whatever sort.
    static func hasAxes(_ titles: [String]) -> Bool {
        let names = titles.map(ColumnName.init)
        let quantities: [ColumnName.Quantity] = [.acceleration, .likelyAcceleration, .withoutGravity]
        return quantities.contains { triple(names, of: $0) != nil }
    }

    /// The three columns that hold one quantity under one name.
    private static func triple(_ names: [ColumnName], of quantity: ColumnName.Quantity) -> [Int]? {
        for name in names {
            guard let (_, rest) = name.axis, ColumnName.quantity(rest) == quantity else { continue }
            let columns = ColumnName.Axis.allCases.compactMap { axis in
                names.firstIndex { $0.axis.map { $0 == (axis, rest) } ?? false }
            }
            if columns.count == 3 { return columns }
        }
        return nil
    }

    private static func missing(_ what: String, _ titles: [String], line: Int?) -> Refusal {
        var found = titles.prefix(12).map { $0.count > 40 ? "\($0.prefix(40))…" : $0 }.joined(separator: ", ")
        if titles.count > 12 { found += ", … (\(titles.count) columns)" }
        return Refusal("no column for \(what) among: \(found)", remedy: remedy, line: line)
    }

    private static let remedy = "name the columns with the option columns, such as time,x,y,z"

    // MARK: By values

    /// Without titles: time is the column that only grows, the first such or the last; the three columns of numbers that
    /// follow it are x, y and z, or the first three if it is the last one.
    private static func untitled(_ text: Span<UInt8>, _ table: CSVTable) throws(Refusal) -> CSVColumns {
        let columns = NumericColumns(text, table)
        let time = columns.clocks.first
        var candidates = columns.numbers.filter { $0 != time }
        if let time, candidates.contains(where: { $0 > time }) {
            candidates = candidates.filter { $0 > time }
        }
        // A column that holds one whole number throughout is a status or an accuracy, if enough others are left.
        let varying = candidates.filter { !columns.constants.contains($0) }
        if varying.count >= 3 { candidates = varying }
        guard candidates.count >= 3 else {
            throw Refusal(
                "no header, and only \(candidates.count) of its columns may hold acceleration", remedy: remedy,
                line: table.firstRowLine)
        }
        var found = CSVColumns(times: time.map { [$0] } ?? [], axes: Array(candidates.prefix(3)))
        if time == nil, let interval = columns.interval, candidates.starts(with: [0, 1, 2]) {
            found.interval = interval
        }
        return found
    }
}

/// What the values of a table's columns tell.
struct NumericColumns {
    /// Columns that hold numbers.
    private(set) var numbers: [Int] = []
    /// Columns that only grow, or hold dates.
    private(set) var clocks: [Int] = []
    /// Columns of numbers that hold one whole number throughout.
    private(set) var constants: Set<Int> = []
    /// The fourth of four columns, where it can only be milliseconds since the row above: whole numbers beside fractions.
    private(set) var interval: Int?

    init(_ text: Span<UInt8>, _ table: CSVTable) {
        let rows = table.rows.prefix(500)
        let width = rows.map(\.fields.count).sorted()[rows.count / 2]
        var growing: [Int] = []
        var fractions: Set<Int> = []
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
            if column == 3, width == 4, isWhole, !fractions.isEmpty, values.allSatisfy({ (0...60_000).contains($0) }),
                values.count(where: { (2...1000).contains($0) }) * 2 > values.count
            {
                interval = column
            }
            if !isWhole { fractions.insert(column) }
            if NumericColumns.isGrowing(values), width > 3 { growing.append(column) }
            if values.allSatisfy({ $0 == first }), first == first.rounded() { constants.insert(column) }
        }
        // The likeliest clock is the first column, then the last, then any other.
        clocks += growing.sorted { rank($0, width) < rank($1, width) }
    }

    private func rank(_ column: Int, _ width: Int) -> Int {
        column == 0 ? 0 : column == width - 1 ? 1 : 2
    }

    /// Whether values grow throughout, save for one step back in fifty, and are not simply the numbers of the rows.
    private static func isGrowing(_ values: [Double]) -> Bool {
        let steps = zip(values.dropFirst(), values).map { $0 - $1 }
        let backward = steps.count { $0 < 0 }
        let forward = steps.count { $0 > 0 }
        let isRowNumber = values.count > 2 && steps.allSatisfy { $0 == 1 } && values.allSatisfy { $0 < 1e8 }
        return backward * 50 <= steps.count && (forward > 0 || values.count == 1) && !isRowNumber
    }
}

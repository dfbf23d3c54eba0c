internal import Footfall

/// Detects the rows of several persons, devices or sensors in one table, which another column tells apart.
struct SeriesCheck {
    /// The times and vectors of the first rows; nil if a row has none.
    let times: [Timestamp?]
    let vectors: [SIMD3<Float>?]

    /// The most series of a table, and the most that take turns row by row.
    private static let (most, mostInTurn) = (64, 16)
    /// The fewest rows to compare.
    private static let fewest = 16
    /// How much farther the row above is than the last one of the series, where series take turns. A runner at 20 Hz
    /// has 1.9: the samples of one sensor hardly resemble each other, and shared times have to tell.
    private static let (farther, fartherAtSharedTimes): (Float, Float) = (2, 1.2)

    /// The refusal of a table with several series; nil if no column but the `used` ones of times and axes tells series
    /// apart.
    func refusal(
        _ text: Span<UInt8>, _ rows: ArraySlice<TableOpening.Row>, besides used: [Int], _ names: [String]
    ) -> Refusal? {
        guard rows.count >= Self.fewest else { return nil }
        for column in 0..<min(64, rows.first?.fields.count ?? 0) where !used.contains(column) {
            guard let (series, values) = Self.series(text, rows, column), areApart(series, count: values.count)
            else { continue }
            let choice = values[acceleration(series, count: values.count)]
            let counts = values.indices.map { number in (value: values[number], rows: series.count { $0 == number }) }
            return SeriesColumn(column: column, values: counts).refusal(choosing: choice, names, rows: rows.count)
        }
        return nil
    }

    /// The number of the series of each row, and the value of each series; nil for a column with one value or many.
    private static func series(
        _ text: Span<UInt8>, _ rows: ArraySlice<TableOpening.Row>, _ column: Int
    ) -> (series: [Int], values: [String])? {
        var numbers: [String: Int] = [:]
        var values: [String] = []
        var series: [Int] = []
        for row in rows {
            guard let field = row[column], field.count <= 40 else { return nil }
            let value = text.string(field)
            guard !value.isEmpty else { return nil }
            if numbers[value] == nil {
                guard values.count < most else { return nil }
                numbers[value] = values.count
                values.append(value)
            }
            series.append(numbers[value] ?? 0)
        }
        return values.count > 1 ? (series, values) : nil
    }

    /// Whether time runs backwards only between series, or the series take turns row by row.
    func areApart(_ series: [Int], count: Int) -> Bool {
        var last = [Int?](repeating: nil, count: count)
        // For each row the last one of its series.
        let previous = series.indices.map { row in
            defer { last[series[row]] = row }
            return last[series[row]]
        }
        return runBackward(series, previous) || count <= Self.mostInTurn && takeTurns(series, previous)
    }

    /// Whether time runs backwards only between series.
    private func runBackward(_ series: [Int], _ previous: [Int?]) -> Bool {
        let steps = series.indices.dropFirst().map { seconds(from: $0 - 1, to: $0) }
        let (backward, longest) = (steps.count { $0 < 0 }, -(steps.min() ?? 0))
        let inside = count(previous) { $0 < 0 }
        return inside * 10 <= backward && (backward * 50 >= series.count || longest > 1)
    }

    /// Whether each row resembles the last one of its series more than the row above.
    private func takeTurns(_ series: [Int], _ previous: [Int?]) -> Bool {
        let changes = series.indices.dropFirst().filter { series[$0] != series[$0 - 1] }
        var (toRowAbove, toSameSeries): ([Float], [Float]) = ([], [])
        for row in changes {
            guard let before = previous[row], let now = vectors[row], let above = vectors[row - 1],
                let same = vectors[before]
            else { continue }
            toRowAbove.append((now - above).lengthSquared)
            toSameSeries.append((now - same).lengthSquared)
        }
        guard changes.count * 10 >= series.count, toRowAbove.count >= Self.fewest else { return false }
        // In turns of two series, every second row has the time of the row above.
        let shared = changes.count { seconds(from: $0 - 1, to: $0) == 0 }
        let areTimesShared = shared * 3 >= changes.count && count(previous) { $0 == 0 } * 10 <= shared
        let ratio = areTimesShared ? Self.fartherAtSharedTimes : Self.farther
        return toRowAbove.upperMedian() ?? 0 > ratio * ratio * (toSameSeries.upperMedian() ?? 0)
    }

    /// The number of rows for which the time since the last row of their series meets a condition.
    private func count(_ previous: [Int?], where condition: (Double) -> Bool) -> Int {
        previous.indices.count { row in previous[row].map { condition(seconds(from: $0, to: row)) } ?? false }
    }

    private func seconds(from first: Int, to second: Int) -> Double {
        guard let first = times[first], let second = times[second] else { return 0 }
        return second.seconds(since: first)
    }

    /// The first series that is acceleration with gravity, or the first of all.
    private func acceleration(_ series: [Int], count: Int) -> Int {
        (0..<count).first { number in
            GravityCheck(zip(series, vectors).compactMap { $0 == number ? $1 : nil }).scale != nil
        } ?? 0
    }
}

/// A column that tells the series of a table apart, and the rows of each value.
struct SeriesColumn {
    let column: Int
    let values: [(value: String, rows: Int)]

    /// The column and its values, such as `'sensor' (acc: 200 rows, gyr: 200 rows)`.
    func description(_ names: [String]) -> String {
        let name = names.title(column) ?? ""
        let list = values.prefix(6).map { "\($0.value): \($0.rows) rows" }.joined(separator: ", ")
        let place = name.isEmpty ? "column \(column + 1)" : "column '\(name.prefix(40))'"
        return "\(place) (\(list)\(values.count > 6 ? ", …" : ""))"
    }

    /// The option that chooses the rows of one value.
    func option(choosing value: String, _ names: [String]) -> ParameterText.Parameter {
        .rows("\(RowCondition(column: SensorColumns.Column(at: column, in: names), value: value))")
    }

    fileprivate func refusal(choosing value: String, _ names: [String], rows: Int) -> Refusal {
        Refusal(
            "several series in one table, told apart by \(description(names)) in the first \(rows) rows",
            remedy: "choose one, such as \(option(choosing: value, names))")
    }
}

extension CSVColumns {
    /// States the columns of a second sensor: acceleration by their titles, and gravity in the same unit. Nil for none.
    func noteOfOthers(
        _ text: Span<UInt8>, _ rows: ArraySlice<TableOpening.Row>, _ dialect: CSVDialect, _ titles: [String], time: Int?
    ) -> ParameterText? {
        let names = titles.map { ColumnName($0) }
        let groups = ColumnName.allAxes(names)
        guard groups.contains(axes) else { return nil }
        func unit(_ axes: [Int]) -> AccelerationScale? {
            GravityCheck(rows.compactMap { $0.vector(text, axes, dialect) }).scale
        }
        let other = groups.first { group in
            let first = names[group[0]]
            let quantity = first.axisQuantity
            return group != axes && first.otherSensor == nil && !ColumnName.areStatistics([first])
                && (quantity == .acceleration || quantity == .likelyAcceleration)
                && ColumnName.filters(in: titles[group[0]]) == ColumnName.filters(in: titles[axes[0]])
                && unit(group).map { $0 == unit(axes) } ?? false
        }
        guard let other else { return nil }
        return "several series in one table, told apart by titles such as '\(titles[axes[0]])' and "
            + "'\(titles[other[0]])'; only the first is read; for the other, give "
            + "\(.columns(SensorColumns(time: time, axes: other, in: titles)))"
    }
}

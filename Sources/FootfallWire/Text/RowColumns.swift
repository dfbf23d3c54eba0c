/// Which fields of a row hold what.
struct RowColumns {
    enum Outcome {
        case found(RowColumns)
        case refused(String)
    }

    var axes: [Int]
    var time: Int?

    /// Finds the fields of rows of one width.
    static func find(_ rows: [TextLine], width: Int, titles: [String], _ chosen: TextColumns?) -> Outcome {
        if let chosen { return find(chosen, width: width, titles: titles) }
        let names = titles.map { ColumnName($0) }
        if let axes = ColumnName.triple(names, of: .acceleration) ?? ColumnName.triple(names, of: .likelyAcceleration) {
            let time = names.indices.filter { names[$0].timeRank != nil && isTime(rows, $0) }
                .min { (names[$0].timeRank ?? 0) < (names[$1].timeRank ?? 0) }
            return .found(RowColumns(axes: axes, time: time))
        }
        if ColumnName.triple(names, of: .withoutGravity) != nil {
            return .refused(
                "the header speaks of acceleration without gravity; "
                    + "steps need acceleration with gravity, often called raw or total")
        }
        if !titles.isEmpty {
            return .refused("no acceleration among the columns \(titles.prefix(12).joined(separator: ", "))")
        }
        return find(rows, width: width)
    }

    private static func find(_ chosen: TextColumns, width: Int, titles: [String]) -> Outcome {
        func index(_ column: TextColumns.Column) -> Int? {
            switch column {
            case .at(let index): (0..<width).contains(index) ? index : nil
            case .named(let name): titles.firstIndex { ColumnName($0).plain == ColumnName(name).plain }
            }
        }
        let axes = [chosen.x, chosen.y, chosen.z].compactMap(index)
        guard axes.count == 3 else {
            return .refused(
                "the columns asked for are not there; lines have \(width)"
                    + (titles.isEmpty ? " without titles" : ": \(titles.prefix(12).joined(separator: ", "))"))
        }
        return .found(RowColumns(axes: axes, time: chosen.time.flatMap(index)))
    }

    /// Without titles: the time is a time of day, or the first or the last of four or more numbers if it only grows; x, y
    /// and z are the three numbers behind it, or the first three.
    private static func find(_ rows: [TextLine], width: Int) -> Outcome {
        var numbers = (0..<width).filter { column in rows.count { $0.fields[column].number != nil } * 2 > rows.count }
        let clock = (0..<width).first { column in rows.count { isClock($0.fields[column]) } * 2 > rows.count }
        guard numbers.count >= 3 else { return .refused("no line holds three numbers") }
        var time = clock
        if clock == nil, numbers.count >= 4, let first = numbers.first, let last = numbers.last {
            if let growing = [first, last].first(where: { isGrowing(rows, $0) }) {
                numbers.removeAll { $0 == growing }
                time = isCounter(rows, growing) ? nil : growing
            }
        }
        // A whole number that never changes, among numbers with decimals, is a status or an accuracy.
        let decimals = numbers.filter { column in rows.contains { !($0.fields[column].number?.isWhole ?? true) } }
        if decimals.count >= 3 { numbers.removeAll { !decimals.contains($0) && isConstant(rows, $0) } }
        guard numbers.count >= 3 else { return .refused("no line holds three numbers besides the time") }
        return .found(RowColumns(axes: Array(numbers.prefix(3)), time: time))
    }

    private static func isClock(_ field: TextLine.Field) -> Bool {
        if case .clock = field.content { true } else { false }
    }

    private static func isTime(_ rows: [TextLine], _ column: Int) -> Bool {
        rows.contains { isClock($0.fields[column]) || $0.fields[column].number != nil }
    }

    private static func values(_ rows: [TextLine], _ column: Int) -> [Double] {
        rows.compactMap { $0.fields[column].number?.double }
    }

    private static func steps(_ rows: [TextLine], _ column: Int) -> [Double] {
        let values = values(rows, column)
        return zip(values.dropFirst(), values).map { $0 - $1 }
    }

    /// Whether values grow: half of them at least, and hardly any falls.
    private static func isGrowing(_ rows: [TextLine], _ column: Int) -> Bool {
        let steps = steps(rows, column)
        return steps.count >= 3 && steps.count { $0 > 0 } * 2 > steps.count
            && steps.count { $0 < 0 } * 32 <= steps.count
    }

    /// Whether it counts lines.
    private static func isCounter(_ rows: [TextLine], _ column: Int) -> Bool {
        steps(rows, column).allSatisfy { $0 == 1 } && values(rows, column).allSatisfy { $0 < 1e8 }
    }

    private static func isConstant(_ rows: [TextLine], _ column: Int) -> Bool {
        steps(rows, column).allSatisfy { $0 == 0 }
    }
}

extension ColumnName {
    /// The three titles that speak of one quantity under one name, as x, y and z.
    static func triple(_ names: [ColumnName], of quantity: Quantity) -> [Int]? {
        for name in names {
            guard let (_, rest) = name.axis, ColumnName.quantity(rest) == quantity else { continue }
            let columns = Axis.allCases.compactMap { axis in
                names.firstIndex { $0.axis.map { $0 == (axis, rest) } ?? false }
            }
            if columns.count == 3 { return columns }
        }
        return nil
    }
}

/// The fields of a row that hold x, y, z and the time.
struct RowColumns {
    var axes: [Int]
    var time: Int?

    static func find(
        _ rows: [TextLine], width: Int, titles: [String], _ chosen: SensorColumns?
    ) throws(TextLearner.Failure) -> RowColumns {
        let shownTitles = titles.prefix(12).joined(separator: ", ")
        if let chosen {
            let axes = [chosen.x, chosen.y, chosen.z].compactMap { $0.index(in: titles, width: width) }
            guard axes.count == 3 else {
                throw .refused(
                    "the lines do not have the given columns; they have \(width)"
                        + (titles.isEmpty ? " without titles" : ": \(shownTitles)"))
            }
            return RowColumns(axes: axes, time: chosen.time.flatMap { $0.index(in: titles, width: width) })
        }
        let names = titles.map { ColumnName($0) }
        if let axes = ColumnName.accelerationAxes(names) {
            let time = ColumnName.times(names).first { column in
                rows.contains { $0.fields[column].isTimeOfDay || $0.fields[column].number != nil }
            }
            return RowColumns(axes: axes, time: time)
        }
        if ColumnName.triple(names, of: .withoutGravity) != nil {
            throw .refused(GravityCheck.Objection.noGravity("by the header").explanation)
        }
        if let (sensor, _) = ColumnName.otherSensor(names) {
            let kind = sensor == .position ? "a position" : "another sensor (\(sensor.rawValue))"
            throw .refused("the header states \(kind): \(shownTitles)")
        }
        guard titles.isEmpty else { throw .refused("no acceleration among the columns \(shownTitles)") }
        return try find(rows, width: width)
    }

    /// Finds the fields of rows without titles.
    ///
    /// The time is a time of day, or the first or last of four or more numbers, if it increases. The three numbers
    /// after it, or the first three, are x, y and z.
    private static func find(_ rows: [TextLine], width: Int) throws(TextLearner.Failure) -> RowColumns {
        var numbers = (0..<width).filter { column in rows.count { $0.fields[column].number != nil } * 2 > rows.count }
        var time = (0..<width).first { column in rows.count { $0.fields[column].isTimeOfDay } * 2 > rows.count }
        guard numbers.count >= 3 else { throw .refused("no line has three numbers") }
        if time == nil, numbers.count >= 4, let first = numbers.first, let last = numbers.last {
            if let increasing = [first, last].first(where: { isIncreasing(rows, $0) }) {
                numbers.removeAll { $0 == increasing }
                time = isCounter(rows, increasing) ? nil : increasing
            }
        }
        // A constant integer among numbers with decimals is a status or an accuracy.
        let decimals = numbers.filter { column in rows.contains { !($0.fields[column].number?.isWhole ?? true) } }
        if decimals.count >= 3 {
            numbers.removeAll { !decimals.contains($0) && steps(rows, $0).allSatisfy { $0 == 0 } }
        }
        guard numbers.count >= 3 else { throw .refused("no line has three numbers besides the time") }
        return RowColumns(axes: Array(numbers.prefix(3)), time: time)
    }

    private static func values(_ rows: [TextLine], _ column: Int) -> [Double] {
        rows.compactMap { $0.fields[column].number?.double }
    }

    private static func steps(_ rows: [TextLine], _ column: Int) -> [Double] {
        let values = values(rows, column)
        return zip(values.dropFirst(), values).map { $0 - $1 }
    }

    /// Whether more than half of the steps are up, and at most one in 32 is down.
    private static func isIncreasing(_ rows: [TextLine], _ column: Int) -> Bool {
        let steps = steps(rows, column)
        return steps.count >= 3 && steps.count { $0 > 0 } * 2 > steps.count
            && steps.count { $0 < 0 } * 32 <= steps.count
    }

    /// Whether the column counts lines.
    private static func isCounter(_ rows: [TextLine], _ column: Int) -> Bool {
        steps(rows, column).allSatisfy { $0 == 1 } && values(rows, column).allSatisfy { $0 < 1e8 }
    }
}

extension GravityCheck.Objection {
    /// The problem and its remedy for a live stream.
    var explanation: ParameterText {
        switch self {
        case .noGravity: "\(problem); steps need acceleration with gravity, often called raw or total"
        case .unknownUnit:
            "\(problem); hold the sensor still, or give the counts per g, such as \(.unit(.counts(perG: 16384)))"
        // Without the median, so that the explanation stays the same during a walk.
        case .tooMuchMotion(let scale, _):
            "these may be \(scale), but too few of them are at rest; hold the sensor still, or give \(.unit(scale))"
        }
    }
}

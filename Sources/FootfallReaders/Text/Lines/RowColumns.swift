internal import Footfall

/// The fields of a row that hold x, y, z and the time.
struct RowColumns {
    var axes: [Int]
    var time: Int?
    /// The titles of all fields, from the header or from the words in the rows; empty for bare numbers.
    var titles: [String] = []
    /// Whether the titles are words in the rows.
    var hasWords = false
    /// Whether four of the other numbers are a quaternion by their values.
    var isBesideQuaternion = false

    static func find(
        _ rows: [TextLine], width: Int, header: [String], _ text: [UInt8], _ chosen: SensorColumns?
    ) throws(TextLearner.Failure) -> RowColumns {
        let words = header.isEmpty ? RowColumns.words(rows, text, width: width) : []
        let titles = header.isEmpty ? words : header
        if let chosen {
            let axes = [chosen.x, chosen.y, chosen.z].compactMap { $0.index(in: titles, width: width) }
            guard axes.count == 3 else {
                throw .refused(
                    "the lines do not have the given columns; they have \(width)"
                        + (titles.isEmpty ? " without titles" : ": \(shown(titles))"))
            }
            return RowColumns(
                axes: axes, time: chosen.time.flatMap { $0.index(in: titles, width: width) }, titles: titles,
                hasWords: header.isEmpty)
        }
        guard !titles.isEmpty else { return try RowNumbers(rows, width: width).columns() }
        let names = titles.map { ColumnName($0) }
        if let axes = ColumnName.accelerationAxes(names) {
            let time = ColumnName.times(names).first { column in
                rows.contains { $0.fields[column].clock != nil || $0.fields[column].number != nil }
            }
            let first = header.isEmpty ? RowNumbers(rows, width: width).time : nil
            return RowColumns(axes: axes, time: time ?? first, titles: titles, hasWords: header.isEmpty)
        }
        if ColumnName.triple(names, of: .withoutGravity) != nil {
            throw .refused(
                GravityCheck.Objection.noGravity(header.isEmpty ? "by the words in the lines" : "by the header")
                    .explanation)
        }
        if header.isEmpty {
            // Words of a device; the fields of other sensors are no acceleration.
            let others = names.indices.filter { names[$0].otherSensor != nil }
            let rest = RowNumbers(rows, width: width, without: others)
            if rest.numbers.count >= 3 {
                var columns = try rest.columns()
                columns.hasWords = true
                columns.titles = titles
                return columns
            }
        }
        if let (sensor, _) = ColumnName.otherSensor(names) {
            let subject = header.isEmpty ? "lines state" : "header states"
            throw .refused("the \(subject) \(sensor.asOther): \(shown(titles))")
        }
        throw .refused("no acceleration among the columns \(shown(titles))")
    }

    private static func shown(_ titles: [String]) -> String {
        titles.filter { !$0.isEmpty }.prefix(12).joined(separator: ", ")
    }

    /// The titles of numbers by the words before them, such as `acc x` for the first number behind `acc`; empty if no
    /// words are between the numbers.
    private static func words(_ rows: [TextLine], _ text: [UInt8], width: Int) -> [String] {
        guard let row = rows.first, row.fields.count == width else { return [] }
        var (titles, words, column) = ([String](), "", 0)
        // The words before an axis, which the axes behind it share, as in `gyro X 1 Y 2 Z 3 accel X 4 Y 5 Z 6`.
        var context = ""
        while column < width {
            guard row.fields[column].number != nil else {
                if case .word = row.fields[column].content {
                    let word = text.span.string(row.fields[column].range)
                    words = words.isEmpty ? word : words + " " + word
                }
                titles.append("")
                column += 1
                continue
            }
            if ColumnName(words).axis?.rest.isEmpty ?? false {
                words = context.isEmpty ? words : context + " " + words
            } else {
                context = words.split(separator: " ").dropLast().joined(separator: " ")
            }
            let end = (column..<width).first { row.fields[$0].number == nil } ?? width
            titles += runTitles(words, column..<end, rows)
            (words, column) = ("", end)
        }
        return titles.contains { !$0.isEmpty } ? titles : []
    }

    private static func runTitles(_ words: String, _ run: Range<Int>, _ rows: [TextLine]) -> [String] {
        guard words.utf8.contains(where: \.isLetter) else { return run.map { _ in "" } }
        let axes = ["x", "y", "z"].map { words + " " + $0 }
        switch run.count {
        case 1: return [words]
        case 4 where RowNumbers.isIncreasing(rows, run.lowerBound): return ["time"] + axes
        case 4 where RowNumbers.isQuaternion(rows, Array(run)): return run.map { "quaternion \($0 - run.lowerBound)" }
        default:
            return (axes + run.dropFirst(3).map { words + " \($0 - run.lowerBound + 1)" }).prefix(run.count).map(\.self)
        }
    }
}

/// The fields of rows of bare numbers.
struct RowNumbers {
    /// The fields that may be axes, in order.
    private(set) var numbers: [Int]
    /// The field of the time; nil if there is none.
    private(set) var time: Int?
    private let rows: [TextLine]
    /// Four numbers that are a quaternion; nil if there are none.
    private var quaternion: [Int]?

    /// The time is a time of day, or the first or last of four or more numbers, if it increases.
    init(_ rows: [TextLine], width: Int, without others: [Int] = []) {
        self.rows = rows
        numbers = (0..<width).filter { column in
            !others.contains(column) && rows.count { $0.fields[column].number != nil } * 2 > rows.count
        }
        time = (0..<width).first { column in rows.count { $0.fields[column].clock != nil } * 2 > rows.count }
        quaternion = findQuaternion()
        if quaternion != nil { numbers.removeAll { quaternion?.contains($0) ?? false } }
        if time == nil, numbers.count >= 4, let first = numbers.first, let last = numbers.last {
            if let increasing = [first, last].first(where: { Self.isIncreasing(rows, $0) }) {
                numbers.removeAll { $0 == increasing }
                time = Self.isCounter(rows, increasing) ? nil : increasing
            }
            // A time may follow the number of the line.
            if time == nil, numbers.count >= 4, numbers[0] != first, Self.isIncreasing(rows, numbers[0]),
                !Self.isCounter(rows, numbers[0])
            {
                time = numbers.removeFirst()
            }
        }
        // A constant integer among numbers with decimals is a status or an accuracy.
        let decimals = numbers.filter { column in rows.contains { !($0.fields[column].number?.isWhole ?? true) } }
        if decimals.count >= 3 {
            numbers.removeAll { !decimals.contains($0) && Self.steps(rows, $0).allSatisfy { $0 == 0 } }
        }
    }

    /// The three numbers after the time are x, y and z, or the first three that hold gravity: not a quaternion before
    /// them, and not the size of the vector behind it.
    func columns() throws(TextLearner.Failure) -> RowColumns {
        guard numbers.count >= 3 else {
            throw .refused(time == nil ? "no line has three numbers" : "no line has three numbers besides the time")
        }
        return RowColumns(axes: axes, time: time, isBesideQuaternion: quaternion != nil)
    }

    /// Four of seven numbers or more that are a quaternion, where three of the others hold gravity.
    private func findQuaternion() -> [Int]? {
        // A time may stand before or behind them.
        guard numbers.count >= 7 else { return nil }
        let starts = Set([0, 1, 3, 4, numbers.count - 5, numbers.count - 4].filter { $0 + 4 <= numbers.count })
        return starts.sorted().lazy.map { Array(numbers[$0..<$0 + 4]) }.first { group in
            let rest = numbers.filter { !group.contains($0) }
            return Self.isQuaternion(rows, group)
                && (0...rest.count - 3).contains { holdGravity(Array(rest[$0..<$0 + 3])) }
        }
    }

    private var axes: [Int] {
        let first = Array(numbers.prefix(3))
        guard numbers.count > 3 else { return first }
        // Numbers with a unit say what the others before them are, as in `338, 342, 404 :: 0.00G, 0.06G, 0.97G`.
        let stated = numbers.filter { column in rows.count { $0.fields[column].unit != nil } * 2 > rows.count }
        if stated.count == 3 { return stated }
        if isSize(numbers[0], of: Array(numbers[1...3])) { return Array(numbers[1...3]) }
        // Between two sensors, such as angular rate before acceleration, two of one and the axis of the other that is
        // vertical hold gravity too. So threes that divide the numbers before or behind them into threes come first.
        let starts = 1..<numbers.count - 2
        let whole = starts.filter { $0.isMultiple(of: 3) || (numbers.count - $0).isMultiple(of: 3) }
        let others = (whole + starts.filter { !whole.contains($0) }).map { Array(numbers[$0..<$0 + 3]) }
        guard !isGravityPossible(first) else {
            let holding = holdGravity(first) ? [] : others.filter(holdGravity)
            return holding.count == 1 ? holding[0] : first
        }
        // A column with one value, such as a covariance, is no axis where three others hold gravity.
        let moving = others.filter { axes in
            !axes.contains { Self.steps(rows, $0).allSatisfy { $0 == 0 } }
        }
        return (moving + others).first(where: holdGravity) ?? first
    }

    private func vectors(_ axes: [Int]) -> [SIMD3<Float>] {
        rows.compactMap { $0.vector(axes) }.filter { $0.lengthSquared.isFinite }
    }

    private func holdGravity(_ axes: [Int]) -> Bool { GravityCheck(vectors(axes)).scale != nil }

    private func isGravityPossible(_ axes: [Int]) -> Bool {
        if case .refused = GravityCheck(vectors(axes)).find(isLast: false) { false } else { true }
    }

    /// The largest difference between a vector's size and the number that states it, as a share of it: two decimals of
    /// 1 g.
    private static let sizeError: Float = 0.03

    private func isSize(_ column: Int, of axes: [Int]) -> Bool {
        let vectors = rows.compactMap { row -> (size: Float, stated: Float)? in
            guard let vector = row.vector(axes), let stated = row.fields[column].number else { return nil }
            return (vector.length, Float(stated.double))
        }
        return vectors.count >= 8
            && vectors.allSatisfy { abs($0.size - $0.stated) <= Self.sizeError * max($0.size, $0.stated) }
    }

    // MARK: Values

    /// The largest deviation of the size of a quaternion, as a share of it.
    static let quaternionError = 0.05

    /// Whether four numbers are a quaternion: their squares add to 1 in every row, or to the square of a whole power of
    /// ten or two.
    static func isQuaternion(_ rows: [TextLine], _ columns: [Int]) -> Bool {
        let sizes = rows.compactMap { row -> Double? in
            let values = columns.compactMap { row.fields[$0].number?.double }
            return values.count == 4 ? values.reduce(0) { $0 + $1 * $1 }.squareRoot() : nil
        }
        guard sizes.count >= 8, let least = sizes.min(), let greatest = sizes.max(), least > 0, greatest.isFinite,
            greatest - least <= quaternionError * least
        else { return false }
        let powers = [1, 100, 1000, 10_000, 1_000_000] + (7...31).map { Double(UInt64(1) << $0) }
        return powers.contains { abs(least / $0 - 1) <= quaternionError || abs(greatest / $0 - 1) <= quaternionError }
    }

    private static func values(_ rows: [TextLine], _ column: Int) -> [Double] {
        rows.compactMap { $0.fields[column].number?.double }
    }

    private static func steps(_ rows: [TextLine], _ column: Int) -> [Double] { values(rows, column).differences }

    /// Whether more than half of the steps are up, and at most one in 32 is down.
    static func isIncreasing(_ rows: [TextLine], _ column: Int) -> Bool { isIncreasing(steps(rows, column)) }

    static func isIncreasing(_ steps: [Double]) -> Bool {
        steps.count >= 3 && steps.count { $0 > 0 } * 2 > steps.count && steps.count { $0 < 0 } * 32 <= steps.count
    }

    /// Whether the column counts lines.
    private static func isCounter(_ rows: [TextLine], _ column: Int) -> Bool { values(rows, column).areRowNumbers }
}

extension GravityCheck.Objection {
    /// The problem and its remedy for a live stream.
    var explanation: ParameterText {
        switch self {
        case .noGravity: Refusal(self).explanation
        case .unknownUnit:
            "\(problem); hold the sensor still, or give the counts per g, such as \(.unit(.counts(perG: 16384)))"
        // Without the median, so that the explanation stays the same during a walk.
        case .tooMuchMotion(let scale, _):
            "these may be \(scale), but too few of them are at rest; hold the sensor still, or give \(.unit(scale))"
        }
    }
}

extension Refusal {
    /// The problem, and what a live stream has to send.
    var explanation: ParameterText { "\(problem); steps need acceleration with gravity, often called raw or total" }
}

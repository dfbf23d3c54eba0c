internal import Footfall

/// Learns from the first lines how they are to be read.
struct TextLearner {
    enum Outcome {
        case learnt(TextLayout)
        /// More lines are needed.
        case unclear
        /// These lines cannot be used: why not.
        case refused(String)
    }

    let options: TextLineOptions
    private let header: [String]
    private let isLast: Bool
    private(set) var lines: [TextLine] = []
    private(set) var texts: [[UInt8]] = []

    /// Takes lines that hold numbers.
    ///
    /// - Parameters:
    ///   - texts: The lines, cleaned.
    ///   - header: The titles of the last header before them; empty without one.
    ///   - isLast: Whether there will be no more of them.
    init(_ texts: [[UInt8]], header: [String], _ options: TextLineOptions, isLast: Bool) {
        (self.texts, self.header, self.options, self.isLast) = (texts, header, options, isLast)
        for text in texts {
            var line = TextLine()
            line.read(text)
            lines.append(line)
        }
    }

    func learn() -> Outcome {
        let labelled = lines.count(where: \.isLabelled)
        if labelled * 2 > lines.count {
            switch learnLabels() {
            case .some(let outcome): return outcome
            case .none:
                guard let rows = unlabelledRows() else {
                    return isLast || lines.count >= ScaleFinder.enough
                        ? .refused("no acceleration among the labels \(labelNames.joined(separator: ", "))") : .unclear
                }
                return learnRows(rows)
            }
        }
        let rows = lines.indices.filter { !lines[$0].isLabelled }
        if lines.count >= 3, rows.allSatisfy({ SensorNumbers.accelerationField(lines[$0]).isRow }) {
            return learnSensorNumbers(rows)
        }
        return learnRows(rows)
    }

    // MARK: Rows

    /// Labelled lines in which one label stands before all numbers, such as `acc: 0.1 0.2 0.9`.
    private func unlabelledRows() -> [Int]? {
        guard labelNames.count == 1 else { return nil }
        let rows = lines.indices.filter { lines[$0].fields.count >= 3 }
        return rows.count * 2 > lines.count ? rows : nil
    }

    /// A word with which a row begins, unless it is a date.
    private func lead(_ index: Int) -> (label: TextLabel, name: String)? {
        guard let first = lines[index].fields.first, case .word = first.content else { return nil }
        let text = texts[index]
        guard !TextLine.isDate(text.span, first.range) else { return nil }
        return (TextLabel(text.span, first.range, context: 0..<0), text.span.string(first.range))
    }

    /// Rows that look alike.
    private struct RowShape {
        var width: Int
        var lead: TextLabel?
        var name: String?
        var count: Int

        /// Whether the first word says that acceleration follows.
        var isOfAcceleration: Bool {
            guard let name else { return false }
            return name == "I" || ColumnName.quantity(ColumnName(name).plain) == .acceleration
        }
    }

    private func learnRows(_ rows: [Int]) -> Outcome {
        // In the order of their first appearance, so that of equals the first is taken.
        var shapes: [RowShape] = []
        for row in rows where lines[row].fields.count(where: { $0.number != nil }) >= 3 {
            let lead = lead(row)
            let width = lines[row].fields.count
            if let known = shapes.firstIndex(where: { $0.width == width && $0.lead == lead?.label }) {
                shapes[known].count += 1
            } else {
                shapes.append(RowShape(width: width, lead: lead?.label, name: lead?.name, count: 1))
            }
        }
        let most = shapes.map(\.count).max() ?? 0
        guard
            let shape = shapes.first(where: { $0.isOfAcceleration && $0.count * 8 >= most })
                ?? shapes.first(where: { $0.count == most })
        else {
            return isLast || lines.count >= ScaleFinder.enough ? .refused("no line holds three numbers") : .unclear
        }
        let same = rows.filter {
            lines[$0].fields.count == shape.width && lead($0)?.label == shape.lead
        }
        // An x-IMU3 in text mode: letter, µs, angular rate, acceleration.
        if shape.name == "I", shape.width == 8 {
            return .learnt(
                TextLayout(
                    places: .row(width: 8, lead: shape.lead, axes: [5, 6, 7], time: 1), scale: .unit(.g),
                    time: .number(.microseconds), axisNames: "x-IMU3 inertial messages"))
        }
        return learnRow(same, width: shape.width, lead: shape.lead)
    }

    private func learnRow(_ rows: [Int], width: Int, lead: TextLabel?) -> Outcome {
        let titles = header.count == width ? header : []
        let columns: RowColumns
        switch RowColumns.find(rows.map { lines[$0] }, width: width, titles: titles, options.columns) {
        case .found(let found): columns = found
        case .refused(let reason): return .refused(reason)
        }
        let vectors = rows.compactMap { row in vector(columns.axes.map { lines[row].fields[$0].number }) }
        let titled = titles.isEmpty ? nil : ColumnName(titles[columns.axes[0]]).accelerationUnit
        let behind = lines[rows[0]].unit?.unit
        return scaled(vectors, stated: titled ?? behind) { scale in
            let time = columns.time.flatMap { column in
                timeForm(
                    rows.map { lines[$0].fields[column] },
                    titled: titles.isEmpty ? nil : ColumnName(titles[column]).timeUnit)
            }
            func name(_ column: Int) -> String { titles.isEmpty ? "\(column + 1)" : "'\(titles[column])'" }
            return TextLayout(
                places: .row(width: width, lead: lead, axes: columns.axes, time: time == nil ? nil : columns.time),
                scale: scale, time: time,
                axisNames: "columns " + columns.axes.map(name).joined(separator: ", "),
                timeName: columns.time.map { "column " + name($0) })
        }
    }

    private func learnSensorNumbers(_ rows: [Int]) -> Outcome {
        let fields = rows.compactMap { row in SensorNumbers.accelerationField(lines[row]).field.map { (row, $0) } }
        guard !fields.isEmpty else {
            return isLast || lines.count >= ScaleFinder.enough
                ? .refused("sensor 3, acceleration with gravity, is not among those that are sent") : .unclear
        }
        let vectors = fields.compactMap { row, field in
            vector((field..<field + 3).map { lines[row].fields[$0].number })
        }
        return scaled(vectors, stated: .metresPerSecondSquared) { scale in
            TextLayout(
                places: .sensorNumbers, scale: scale, time: timeForm(rows.map { lines[$0].fields[0] }, titled: nil),
                axisNames: "behind sensor number 3", timeName: "column 1")
        }
    }

    // MARK: Units

    private func vector(_ numbers: [DecimalNumber?]) -> SIMD3<Float>? {
        guard let x = numbers[0]?.double, let y = numbers[1]?.double, let z = numbers[2]?.double else { return nil }
        let vector = SIMD3(Float(x), Float(y), Float(z))
        return (vector * vector).sum().isFinite ? vector : nil
    }

    func scaled(
        _ vectors: [SIMD3<Float>], stated: AccelerationUnit?, _ layout: (AccelerationScale) -> TextLayout
    ) -> Outcome {
        if let scale = options.scale ?? stated.map(AccelerationScale.unit) {
            return vectors.isEmpty ? .unclear : .learnt(layout(scale))
        }
        switch ScaleFinder(vectors).find(isLast: isLast) {
        case .scale(let scale): return .learnt(layout(scale))
        case .unclear: return .unclear
        case .refused(let reason): return .refused(reason)
        }
    }

    /// The unit of a time: as the caller or its title says, or the one in which lines are nearest to 20 ms apart.
    func timeForm(_ fields: [TextLine.Field], titled: TimeUnit?) -> TextLayout.Time? {
        if fields.contains(where: { if case .clock = $0.content { true } else { false } }) { return .clock }
        let values = fields.compactMap { $0.number?.double }
        guard values.count * 2 > fields.count else { return nil }
        if let unit = options.timeUnit ?? titled { return .number(unit) }
        let steps = zip(values.dropFirst(), values).map { $0 - $1 }.filter { $0 > 0 }.sorted()
        guard !steps.isEmpty else { return nil }
        let step = steps[steps.count / 2]
        let usual = 2e7
        func distance(_ unit: TimeUnit) -> Double {
            let ratio = step * unit.inNanoseconds / usual
            return max(ratio, 1 / ratio)
        }
        return TimeUnit.allCases.min { distance($0) < distance($1) }.map(TextLayout.Time.number)
    }
}

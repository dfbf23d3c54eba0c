internal import Footfall

/// Learns the layout of a stream from its first lines.
package struct TextLearner {
    package enum Failure: Error {
        /// More lines are needed.
        case unclear
        /// The lines cannot be used, for this reason.
        case refused(ParameterText)
    }

    private let options: TextLineOptions
    private let header: [String]
    /// Whether the stream ends with these lines.
    private let isLast: Bool
    private let lines: [TextLine]
    private let texts: [[UInt8]]
    /// The labels in the order of their first appearance.
    private let labels: [(label: TextLabel, name: String)]
    private let names: [ColumnName]

    /// - Parameters:
    ///   - texts: Lines with numbers, cleaned.
    ///   - header: The titles of the last header before the lines; empty without one.
    ///   - isLast: Whether the stream ends with these lines.
    package init(_ texts: [[UInt8]], header: [String], _ options: TextLineOptions, isLast: Bool) {
        (self.texts, self.header, self.options, self.isLast) = (texts, header, options, isLast)
        lines = texts.map { TextLine($0) }
        labels = TextLearner.labels(lines, texts)
        names = labels.map { ColumnName($0.name) }
    }

    package func learn() throws(Failure) -> TextLayout {
        if lines.count(where: \.isLabeled) * 2 > lines.count {
            if let layout = try learnLabels() { return layout }
            guard let rows = rowsWithOneLabel() else {
                let names = labels.map(\.name).filter { !$0.isEmpty }
                throw refusedAtLast("no acceleration among the labels \(names.joined(separator: ", "))")
            }
            return try learnRows(rows)
        }
        let rows = lines.indices.filter { !lines[$0].isLabeled }
        if lines.count >= 3, rows.allSatisfy({ SensorNumbers.accelerationField(lines[$0]).isRow }) {
            return try learnSensorNumbers(rows)
        }
        return try learnRows(rows)
    }

    /// A refusal, or unclear where more lines may still help.
    private func refusedAtLast(_ reason: ParameterText) -> Failure {
        isLast || lines.count >= GravityCheck.block ? .refused(reason) : .unclear
    }

    // MARK: Rows

    /// Labeled lines with one label before all numbers, such as `acc: 0.1 0.2 0.9`.
    private func rowsWithOneLabel() -> [Int]? {
        guard labels.count(where: { !$0.name.isEmpty }) == 1 else { return nil }
        let rows = lines.indices.filter { lines[$0].fields.count >= 3 }
        return rows.count * 2 > lines.count ? rows : nil
    }

    /// Rows of one width that begin with the same word, or with none.
    private struct Group {
        var width: Int
        var lead: TextLabel?
        /// The first word.
        var name: String?
        /// Rows with three numbers or more.
        var count: Int

        /// Whether the first word means acceleration.
        var isOfAcceleration: Bool {
            guard let name else { return false }
            return name == "I" || ColumnName.quantity(ColumnName(name).plain) == .acceleration
        }
    }

    private func learnRows(_ rows: [Int]) throws(Failure) -> TextLayout {
        // In the order of their first appearance, so that the first of equally frequent groups is used.
        var groups: [Group] = []
        func index(_ row: Int) -> Int? {
            let (width, lead) = (lines[row].fields.count, lines[row].lead(texts[row]))
            return groups.firstIndex { $0.width == width && $0.lead == lead }
        }
        for row in rows where lines[row].fields.count(where: { $0.number != nil }) >= 3 {
            if let known = index(row) {
                groups[known].count += 1
            } else {
                let text = texts[row]
                let lead = lines[row].lead(text)
                let name = lead.map { _ in text.span.string(lines[row].fields[0].range) }
                groups.append(Group(width: lines[row].fields.count, lead: lead, name: name, count: 1))
            }
        }
        let most = groups.map(\.count).max() ?? 0
        guard
            let chosen = groups.firstIndex(where: { $0.isOfAcceleration && $0.count * 8 >= most })
                ?? groups.firstIndex(where: { $0.count == most })
        else { throw refusedAtLast("no line has three numbers") }
        let group = groups[chosen]
        // An x-IMU3 in text mode: letter, µs, angular rate, acceleration.
        if group.name == "I", group.width == 8 {
            return TextLayout(
                places: .row(width: 8, lead: group.lead, axes: [5, 6, 7], time: 1), scale: .g,
                time: .number(.microseconds), axisNames: "x-IMU3 inertial messages")
        }
        return try learn(rows.filter { index($0) == chosen }.map { lines[$0] }, group)
    }

    private func learn(_ rows: [TextLine], _ group: Group) throws(Failure) -> TextLayout {
        let titles = header.count == group.width ? header : []
        let columns = try RowColumns.find(rows, width: group.width, titles: titles, options.columns)
        let stated = titles.isEmpty ? nil : ColumnName(titles[columns.axes[0]]).accelerationUnit
        let vectors = rows.compactMap { $0.vector(columns.axes) }
        let scale = try scale(of: vectors, stated: stated ?? rows[0].unit?.unit)
        let time = columns.time.flatMap { column in
            timeForm(rows.map { $0.fields[column] }, titles.isEmpty ? nil : ColumnName(titles[column]).timeUnit)
        }
        func name(_ column: Int) -> String { titles.isEmpty ? "\(column + 1)" : "'\(titles[column])'" }
        return TextLayout(
            places: .row(
                width: group.width, lead: group.lead, axes: columns.axes, time: time == nil ? nil : columns.time),
            scale: scale, time: time, axisNames: "columns " + columns.axes.map(name).joined(separator: ", "),
            timeName: columns.time.map { "column " + name($0) })
    }

    private func learnSensorNumbers(_ rows: [Int]) throws(Failure) -> TextLayout {
        let vectors = rows.compactMap { row in
            SensorNumbers.accelerationField(lines[row]).field.flatMap { lines[row].vector([$0, $0 + 1, $0 + 2]) }
        }
        guard !vectors.isEmpty else {
            throw refusedAtLast("the lines do not contain sensor 3, acceleration with gravity")
        }
        return TextLayout(
            places: .sensorNumbers, scale: try scale(of: vectors, stated: .metresPerSecondSquared),
            time: timeForm(rows.map { lines[$0].fields[0] }, nil), axisNames: "behind sensor number 3",
            timeName: "column 1")
    }

    // MARK: Labels

    private static func labels(_ lines: [TextLine], _ texts: [[UInt8]]) -> [(label: TextLabel, name: String)] {
        var labels: [(label: TextLabel, name: String)] = []
        for (line, text) in zip(lines, texts) where line.isLabeled && labels.count < 64 {
            for field in line.fields {
                guard let label = field.label, !labels.contains(where: { $0.label == label }) else { continue }
                let own = text.span.string(field.labelRange)
                var context = text.span.string(field.contextRange)
                if ColumnName(context).axis?.rest.isEmpty == false { context = String(context.dropLast()) }
                labels.append((label, label.place > 0 ? "" : context.isEmpty ? own : context + " " + own))
            }
        }
        return labels
    }

    /// Whether the labels name acceleration, with or without gravity.
    package var hasAcceleration: Bool {
        labeledAxes != nil || ColumnName.triple(names, of: .withoutGravity) != nil
    }

    /// Nil when the labels do not name acceleration.
    private func learnLabels() throws(Failure) -> TextLayout? {
        guard let axes = labeledAxes else {
            guard hasAcceleration else { return nil }
            throw .refused(GravityCheck.Objection.noGravity("by the labels").explanation)
        }
        let axisLabels = axes.map { labels[$0].label }
        var slots = AxisSlots()
        let vectors = lines.compactMap { slots.take($0, axisLabels) }
        let unit = lines.lazy.compactMap(\.unit).first { unit in axisLabels.contains { $0 == unit.label } }?.unit
        // The g of a/g is the gyroscope.
        let isList = listsSensors(axes[0])
        let scale = try scale(of: vectors, stated: isList ? nil : names[axes[0]].accelerationUnit ?? unit)
        let timeLabel = timeLabel
        let labeledTime = timeLabel.flatMap { index in
            timeForm(
                lines.compactMap { line in line.fields.first { $0.label == labels[index].label } },
                names[index].timeUnit)
        }
        let isTeleplot = lines.allSatisfy { $0.time != nil || !$0.isLabeled }
        let isOneLabel = axisLabels[0].place == 0 && axisLabels[1].place > 0
        return TextLayout(
            places: .labels(axes: axisLabels, time: timeLabel.map { labels[$0].label }), scale: scale,
            time: isTeleplot ? .number(.milliseconds) : labeledTime,
            axisNames: isOneLabel
                ? "\(isList ? "the first " : "")three numbers behind '\(labels[axes[0]].name)'"
                : "labels " + axes.map { "'\(labels[$0].name)'" }.joined(separator: ", "),
            timeName: timeLabel.map { "label '\(labels[$0].name)'" })
    }

    private var labeledAxes: [Int]? {
        if let chosen = options.columns {
            let axes = [chosen.x, chosen.y, chosen.z].compactMap(index)
            return axes.count == 3 ? axes : nil
        }
        if let axes = ColumnName.accelerationAxes(names) { return axes }
        // One label before three numbers.
        let isFirst: (Int) -> Bool = {
            !names[$0].plain.isEmpty && ColumnName.quantity(names[$0].plain) == .acceleration || listsSensors($0)
        }
        guard let first = names.indices.first(where: isFirst) else { return nil }
        let axes = (0..<3).compactMap { place in
            var wanted = labels[first].label
            wanted.place = place
            return labels.firstIndex { $0.label == wanted }
        }
        return axes.count == 3 ? axes : nil
    }

    /// Whether a label is that of several sensors, the accelerometer first, such as `a/g` before the six numbers of an
    /// MPU-6050.
    private func listsSensors(_ index: Int) -> Bool {
        let sensors = labels[index].name.lowercased().split(separator: "/", omittingEmptySubsequences: false)
        guard let first = sensors.first, !first.isEmpty, sensors.count >= 2 else { return false }
        let isOther = { (name: Substring) in ["g", "m"].contains(name) || SensorKind(title: String(name)) != nil }
        var last = labels[index].label
        last.place = 3 * sensors.count - 1
        return ColumnName.quantity(ColumnName(String(first)).plain) == .acceleration
            && sensors.dropFirst().allSatisfy(isOther) && labels.contains { $0.label == last }
    }

    private var timeLabel: Int? {
        if let chosen = options.columns { return chosen.time.flatMap(index) }
        return ColumnName.times(names).first { labels[$0].label.place == 0 }
    }

    private func index(_ column: SensorColumns.Column) -> Int? {
        column.index(in: labels.map(\.name), width: labels.count)
    }

    // MARK: Units

    private func scale(of vectors: [SIMD3<Float>], stated: AccelerationUnit?) throws(Failure) -> AccelerationScale {
        let vectors = vectors.filter { ($0 * $0).sum().isFinite }
        if let scale = options.scale ?? stated.map(AccelerationScale.unit) {
            guard !vectors.isEmpty else { throw .unclear }
            return scale
        }
        switch GravityCheck(vectors).find(isLast: isLast) {
        case .scale(let scale): return scale
        case .unclear: throw .unclear
        case .refused(let objection): throw .refused(objection.explanation)
        }
    }

    /// The form and unit of a time: by the options, by its title, or by the interval between lines.
    private func timeForm(_ fields: [TextLine.Field], _ titled: TimeUnit?) -> TextLayout.Time? {
        if fields.contains(where: \.isTimeOfDay) { return .timeOfDay }
        let values = fields.compactMap { $0.number?.double }
        guard values.count * 2 > fields.count else { return nil }
        if let unit = options.timeUnit ?? titled { return .number(unit) }
        let steps = zip(values.dropFirst(), values).map { $0 - $1 }.filter { $0 > 0 }
        return steps.upperMedian().map { .number(.likeliest(step: $0)) }
    }
}

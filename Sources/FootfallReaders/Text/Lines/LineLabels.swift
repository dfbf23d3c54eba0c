internal import Footfall

/// The labels before the numbers of lines, and which of them are x, y, z and the time.
struct LineLabels {
    /// The labels with the places of their numbers, in the order of their first appearance.
    private(set) var all: [TextLabel] = []
    /// Their texts; empty for the second and further numbers behind one label.
    private(set) var titles: [String] = []

    private let names: [ColumnName]
    private let lines: [TextLine]
    private static let most = 64

    /// The labels of acceleration.
    struct Axes {
        /// The indices of x, y and z.
        var axes: [Int]
        var time: Int?
        /// The rest of a time in seconds, in a smaller unit.
        var rest: Int?
        /// Whether the label is that of several sensors, such as `a/g`.
        var isList = false
    }

    /// Reads the labels of lines, without the name of their device.
    init(_ lines: [TextLine], _ parts: [JSONLine.Part], device: String? = nil) {
        for (line, part) in zip(lines, parts) where line.isLabeled && all.count < Self.most {
            for field in line.fields {
                guard let label = field.label, !all.contains(label) else { continue }
                let text = part.text.span
                let own = text.string(field.labelRange)
                var context = text.string(field.contextRange)
                if ColumnName(context).axis?.rest.isEmpty == false { context = String(context.dropLast()) }
                all.append(label)
                var title = (context + " " + own).split(separator: " ").joined(separator: " ")
                if let device, title.hasPrefix(device + " ") { title.removeFirst(device.count + 1) }
                titles.append(label.place > 0 ? "" : title)
            }
        }
        names = titles.map { ColumnName($0) }
        self.lines = lines
    }

    /// Whether the labels name acceleration, with or without gravity.
    var hasAcceleration: Bool { axes != nil || ColumnName.triple(names, of: .withoutGravity) != nil }

    /// The text of a label, whatever the place of the number behind it.
    func title(of label: TextLabel) -> String {
        var first = label
        first.place = 0
        return all.firstIndex(of: first).map { titles[$0] } ?? ""
    }

    private func index(of column: SensorColumns.Column) -> Int? { column.index(in: titles, width: titles.count) }

    /// The first label that the caller names and no line has.
    func missing(of columns: SensorColumns) -> SensorColumns.Column? {
        [columns.time, columns.x, columns.y, columns.z].compactMap(\.self).first { index(of: $0) == nil }
    }

    /// The labels that the caller names; nil where one is missing.
    func chosen(_ columns: SensorColumns) -> Axes? {
        guard missing(of: columns) == nil else { return nil }
        let axes = [columns.x, columns.y, columns.z].compactMap { index(of: $0) }
        return Axes(axes: axes, time: columns.time.flatMap { index(of: $0) } ?? time)
    }

    /// How a user has the labels of another sensor read, or of unknown names.
    var remedy: ParameterText {
        guard let axes = ColumnName.anyAxes(names) else {
            return "name the labels with \(.columns()), such as ax,ay,az"
        }
        let columns = SensorColumns(time: nil, axes: axes, in: titles)
        return "to read these labels all the same, give \(.columns(columns))"
    }

    /// The labels of acceleration; nil where they name none.
    var axes: Axes? {
        if let axes = ColumnName.accelerationAxes(names), !isVectorPart(axes) { return Axes(axes: axes, time: time) }
        if let found = oneLabel { return found }
        let linear = ColumnName.triple(names, of: .withoutGravity)
        // In ROS, linear_acceleration includes gravity by convention (REP 145).
        if let linear, names.contains(where: { $0.plain.contains("angularvelocity") }) {
            return Axes(axes: linear, time: time, rest: rest)
        }
        guard linear == nil, let axes = unknownAxes else { return nil }
        return Axes(axes: axes, time: time)
    }

    /// The label that names the time, or the last number, where it is a time since 1970 as in InfluxDB's line protocol.
    private var time: Int? {
        let named = ColumnName.times(names).first { index in
            all[index].place == 0 && !names[index].isTemperature(values(of: index))
        }
        if let named { return named }
        guard let last = lines.last?.fields.last, let label = last.label, label.place == 1, last.isSinceEpoch else {
            return nil
        }
        return all.firstIndex(of: label).flatMap { isIncreasing($0) ? $0 : nil }
    }

    /// The label of the rest of a time in seconds.
    private var rest: Int? {
        guard let time, names[time].timeUnit == .seconds else { return nil }
        return names.indices.first { names[$0].unit(ofRestOf: names[time], values(of: $0)) != nil }
    }

    // MARK: One label before three numbers

    private var oneLabel: Axes? {
        let quantities = titles.map(Self.quantity)
        let first =
            titles.indices.first { quantities[$0] == .acceleration } ?? titles.indices.first(where: listsSensors)
            ?? titles.indices.first { quantities[$0] == .likelyAcceleration } ?? lettered
        guard let first else { return nil }
        let places = (0..<4).map { place -> Int? in
            var wanted = all[first]
            wanted.place = place
            return all.firstIndex { $0 == wanted }
        }
        // A time may precede the three numbers.
        if let fourth = places[3], let second = places[1], let third = places[2], isIncreasing(first) {
            return Axes(axes: [second, third, fourth], time: first)
        }
        let axes = places.prefix(3).compactMap(\.self)
        // Or follow them, as in `Acceleration [mg]:12 -5 981 T 1040 ms`.
        let behind = places[3].flatMap { isIncreasing($0) ? $0 : nil }
        return axes.count == 3 ? Axes(axes: axes, time: time ?? behind, isList: listsSensors(first)) : nil
    }

    /// The label of the accelerometer among labels that differ in the letter of the sensor, such as `A-R`, `M-R`, `G-R`
    /// of the Razor's firmware.
    private var lettered: Int? {
        let names = names.map(\.plain)
        return names.firstIndex { $0.hasPrefix("a") && $0.count > 1 && names.contains("g" + $0.dropFirst()) }
    }

    /// The quantity of a label before several numbers, such as `Accel (x, y, z)`, `ax/ay/az` or `acc`.
    private static func quantity(_ title: String) -> ColumnName.Quantity? {
        let name = ColumnName(title)
        guard name.otherSensor == nil, !name.plain.isEmpty else { return nil }
        if let quantity = ColumnName.quantity(name.plain) { return quantity }
        var words = title.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
        if let place = words.firstIndex(of: "xyz") {
            words.remove(at: place)
        } else {
            let place = words.indices.dropLast(2).first { place in
                let stem = words[place].dropLast()
                return zip(words[place...], "xyz").allSatisfy { $0 == stem + String($1) }
            }
            guard let place else { return nil }
            words.replaceSubrange(place..<place + 3, with: [String(words[place].dropLast())])
        }
        return ColumnName.quantity(ColumnName(words.joined(separator: " ")).plain)
    }

    /// Whether a label is that of several sensors, the accelerometer first, such as `a/g` before the six numbers of an
    /// MPU-6050.
    private func listsSensors(_ index: Int) -> Bool {
        let sensors = titles[index].lowercased().split(separator: "/", omittingEmptySubsequences: false)
        guard let first = sensors.first, !first.isEmpty, sensors.count >= 2 else { return false }
        let isOther = { (name: Substring) in ["g", "m"].contains(name) || SensorKind(title: String(name)) != nil }
        var last = all[index]
        last.place = 3 * sensors.count - 1
        return ColumnName.quantity(ColumnName(String(first)).plain) == .acceleration
            && sensors.dropFirst().allSatisfy(isOther) && all.contains(last)
    }

    /// The number behind a label in a line.
    private func number(in line: TextLine, _ index: Int) -> Double? {
        line.fields.first { $0.label == all[index] }?.number?.double
    }

    private func values(of index: Int) -> [Double] { lines.compactMap { number(in: $0, index) } }

    private func isIncreasing(_ index: Int) -> Bool { RowNumbers.isIncreasing(values(of: index).differences) }

    // MARK: Unknown names

    /// Words that name no acceleration, although no ``SensorKind`` states them.
    private static let otherWords = [
        "ang", "rot", "pos", "vel", "speed", "gyr", "mag", "quat", "euler", "rpy", "lin", "grav", "orient", "heading",
        "offset", "bias", "cal", "coord", "joy", "mouse", "touch",
    ]

    /// Three labels with one name that is unknown, such as that of the chip in `MPU6050 X: …`, whose values may be
    /// gravity.
    private var unknownAxes: [Int]? {
        var rests: [String] = []
        for name in names where name.otherSensor == nil {
            // A letter before the axis is that of a sensor: gx, mx, qx.
            guard let rest = name.axis?.rest, rest.count > 1, !rests.contains(rest),
                !Self.otherWords.contains(where: rest.contains)
            else { continue }
            rests.append(rest)
        }
        return rests.lazy.compactMap { rest in
            guard let axes = ColumnName.axes(under: rest, names), !isVectorPart(axes) else { return nil }
            var slots = AxisSlots()
            let labels = axes.map { all[$0] }
            if case .refused = GravityCheck(lines.compactMap { slots.take($0, labels) }).find(isLast: false) {
                return nil
            }
            return axes
        }.first
    }

    /// Whether x, y and z are those of a quaternion: a w is beside them, and the sum of the four squares is nearly the
    /// same in every line.
    private func isVectorPart(_ axes: [Int]) -> Bool {
        guard let first = axes.first, let rest = names[first].axis?.rest,
            let scalar = names.firstIndex(where: { $0.plain == rest + "w" || $0.plain == "w" + rest })
        else { return false }
        let rows = lines.filter { line in
            (axes + [scalar]).allSatisfy { index in line.fields.contains { $0.label == all[index] } }
        }
        let sizes = rows.map { line in
            (axes + [scalar]).reduce(0.0) { sum, index in
                let value = number(in: line, index) ?? 0
                return sum + value * value
            }
        }
        guard let least = sizes.min(), let greatest = sizes.max() else { return false }
        return least > 0 && greatest - least <= RowNumbers.quaternionError * greatest
    }
}

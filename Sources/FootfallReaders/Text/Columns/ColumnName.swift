package import Footfall
internal import Synchronization

/// The title of a column: its quantity, axis and unit. Case, blanks and punctuation are ignored: `Accelerometer X (g)`,
/// `accelX[g]`, `acc_x_g` and `AX` name the same axis.
package struct ColumnName: Sendable {
    package enum Axis: Int, CaseIterable {
        case x
        case y
        case z
    }

    /// The kind of acceleration in a column.
    package enum Quantity: Equatable, Sendable {
        /// Acceleration with gravity, by one of its usual names.
        case acceleration
        /// Acceleration by an unusual name.
        case likelyAcceleration
        /// Acceleration without gravity.
        case withoutGravity
        /// Gravity alone.
        case gravity
    }

    /// The title in lower case, letters and digits only, without the unit.
    package private(set) var plain: String
    /// The text in brackets, or a unit after a blank or underscore.
    package private(set) var unit: String?
    /// The sensor that the title states; nil for the accelerometer, or if it states none.
    package let otherSensor: SensorKind?
    /// How well the title names the time of a sample: from 0, the usual names, to 3; nil if it does not name it.
    package private(set) var timeRank: Int?
    /// Whether the title names the device or the person that a value is of.
    package private(set) var namesDevice = false
    private var words: [String] = []

    package init(_ title: String) { self = Self.known.result(of: title, Self.init(reading:)) }

    private static let known = Memo<ColumnName>()

    private init(reading title: String) {
        let kind = SensorKind(title: title)
        otherSensor = kind == .accelerometer ? nil : kind
        var title = title.lowercased()
        if let open = title.lastIndex(where: { "([{".contains($0) }),
            let close = title[open...].firstIndex(where: { ")]}".contains($0) })
        {
            unit = title[title.index(after: open)..<close].filter { !$0.isWhitespace }
            title = title[..<open] + " " + title[title.index(after: close)...]
        }
        words = title.split { !$0.isLetter && !$0.isNumber }.map(String.init)
        if unit == nil, words.count >= 2, let last = words.last,
            ColumnName.accelerationUnit(last) != nil || ColumnName.timeUnit(last) != nil
                || last != "v" && ColumnName.isVoltage(last)
        {
            unit = last
            words.removeLast()
        }
        plain = words.joined()
        // Volts are no velocities.
        if unit.map(ColumnName.isVoltage) ?? false, plain.count == 2, plain.first == "v" { plain.removeFirst() }
        timeRank = readTimeRank()
        let ending = ["id", "name", "address", "addr"].first(where: plain.hasSuffix) ?? ""
        namesDevice = !plain.isEmpty && Self.devices.contains(String(plain.dropLast(ending.count)))
    }

    /// The axis, and the title without it; nil if the title names no axis. The axis is a word of one letter, else the
    /// last letter, else the first letter of the title.
    package var axis: (axis: Axis, rest: String)? {
        // InvenSense names registers such as `accel_xout`.
        for (index, word) in words.enumerated() where word.count == 1 || word.dropFirst() == "out" {
            guard let axis = ColumnName.axis(word.first) else { continue }
            return (axis, (words[..<index] + words[(index + 1)...]).joined())
        }
        if let axis = ColumnName.axis(plain.last) { return (axis, String(plain.dropLast())) }
        if let axis = ColumnName.axis(plain.first), ColumnName.quantity(String(plain.dropFirst())) != nil {
            return (axis, String(plain.dropFirst()))
        }
        // The first sensor of several, as in `X1`.
        if let last = words.last, last.count == 2, last.last?.isNumber ?? false, let axis = ColumnName.axis(last.first)
        {
            return (axis, (words.dropLast() + [String(last.dropFirst())]).joined())
        }
        // The place in a list, counted from 0, as in `accSmooth[0]` and `Accel Channel 0`.
        if let place = unit.flatMap(Int.init), let axis = Axis(rawValue: place), ColumnName.quantity(plain) != nil {
            return (axis, plain)
        }
        let rest = words.dropLast().joined()
        if let place = words.last.flatMap(Int.init), let axis = Axis(rawValue: place), rest.contains("acc") {
            return (axis, rest)
        }
        return nil
    }

    private static func axis(_ letter: Character?) -> Axis? {
        switch letter {
        case "x": .x
        case "y": .y
        case "z": .z
        default: nil
        }
    }

    /// The quantity, from a title without its axis; nil when it is not acceleration or gravity.
    package static func quantity(_ rest: String) -> Quantity? { knownQuantities.result(of: rest, readQuantity) }

    private static let knownQuantities = Memo<Quantity?>()

    private static func readQuantity(_ rest: String) -> Quantity? {
        if usualNames.contains(rest) { return .acceleration }
        let kind = SensorKind(title: rest)
        let isAcceleration = rest.contains("acc") || kind == .accelerometer
        let isWithout = ["linear", "user", "body", "without", "nogravity", "excluding"].contains { rest.contains($0) }
        if kind == .linearAcceleration || isAcceleration && (isWithout || rest.hasPrefix("lin")) {
            return .withoutGravity
        }
        if kind == .gravity { return .gravity }
        if rest.count == 1, rest.first?.isNumber ?? false { return .likelyAcceleration }
        return isAcceleration && !rest.contains("gyro") && !rest.contains("mag") ? .likelyAcceleration : nil
    }

    private static let usualNames: Set<String> = [
        "", "a", "ac", "acc", "accel", "acceleration", "accelerometer", "gf", "rawa", "raw", "axis", "rawacc", "accraw",
        "accelerometeracceleration", "totalacceleration", "totalacc", "accelerometeruncalibrated", "accelerationwithg",
        "accelerationincludinggravity", "val", "value", "values",
    ]

    package var accelerationUnit: AccelerationUnit? {
        unit.flatMap(ColumnName.accelerationUnit) ?? (plain.hasPrefix("gf") ? .g : nil)
    }

    static func accelerationUnit(_ text: String) -> AccelerationUnit? {
        switch text {
        case "g", "gs", "g-force", "gforce": .g
        case "mg", "milli-g", "millig": .mg
        case "m/s^2", "m/s²", "m/s2", "m/s/s", "m/s**2", "ms^-2", "ms-2", "m.s-2", "m·s⁻²", "ms⁻²", "ms2", "mps2",
            "ms/2", "mss":
            .metresPerSecondSquared
        default: nil
        }
    }

    /// Whether the text is the unit of the output of an analog sensor.
    static func isVoltage(_ text: String) -> Bool { ["v", "mv", "volt", "volts"].contains(text) }

    /// Whether the text is only a unit of acceleration or of another motion sensor, with or without brackets.
    package static func isUnit(_ text: String) -> Bool {
        accelerationUnit(text.lowercased().filter { !"()[] ".contains($0) }) != nil || SensorKind(unit: text) != nil
    }

    package var timeUnit: TimeUnit? {
        unit.flatMap(ColumnName.timeUnit) ?? ColumnName.timeUnit(plain)
            ?? ["seconds", "milliseconds", "millis"].first { plain.hasPrefix($0) }.flatMap(ColumnName.timeUnit)
    }

    static func timeUnit(_ text: String) -> TimeUnit? {
        switch text {
        case "s", "sec", "secs", "second", "seconds": .seconds
        case "ms", "msec", "msecs", "millis", "millisecond", "milliseconds": .milliseconds
        case "us", "µs", "μs", "usec", "usecs", "micros", "microsecond", "microseconds": .microseconds
        case "ns", "nsec", "nsecs", "nanosec", "nanos", "nanosecond", "nanoseconds": .nanoseconds
        default: nil
        }
    }

    /// A unit of time that is longer than a second, as the title states it in brackets or by a word; nil for another
    /// one.
    var longTimeUnit: String? {
        let isShort = timeUnit != nil || words.last.flatMap(ColumnName.timeUnit) != nil
        guard timeRank != nil, !isShort, !plain.hasSuffix("ofday") else { return nil }
        let units = [
            "min": "minutes", "mins": "minutes", "minute": "minutes", "minutes": "minutes", "h": "hours", "hr": "hours",
            "hrs": "hours", "hour": "hours", "hours": "hours", "day": "days", "days": "days",
        ]
        return ([unit].compactMap(\.self) + words.dropFirst()).lazy.compactMap { units[$0] }.first
    }

    /// The title without its unit of time; empty for a title that is only such a unit.
    private var timeStem: String { ColumnName.timeUnit(plain) == nil ? plain : "" }

    /// The unit of a column that has the rest of the whole seconds in another one, such as `nanosec` beside `sec`, by
    /// the titles and its values; nil for another column.
    func unit(ofRestOf seconds: ColumnName, _ values: @autoclosure () -> [Double]) -> TimeUnit? {
        guard timeStem == seconds.timeStem, let unit = timeUnit, unit != .seconds else { return nil }
        let values = values()
        return Set(values).count > 1 && values.allSatisfy { (0..<1).contains($0 * unit.inSeconds) } ? unit : nil
    }

    /// Whether the column is the time since the row above.
    package var isInterval: Bool { ["dt", "delta", "deltat", "deltatime", "timedelta", "interval"].contains(plain) }

    /// Whether the title is `T`, and its values are temperatures: most do not rise or some fall, and they are no whole
    /// seconds, which rise at times and never fall.
    func isTemperature(_ values: @autoclosure () -> [Double]) -> Bool {
        guard plain == "t" else { return false }
        let values = values()
        let steps = values.differences
        let (rises, falls) = (steps.count { $0 > 0 }, steps.count { $0 < 0 })
        let areSeconds = rises > 0 && steps.allSatisfy { $0 >= 0 } && values.allSatisfy { $0 == $0.rounded() }
        return (rises * 2 <= steps.count || falls * 16 > steps.count) && !steps.isEmpty && !areSeconds
    }

    /// Whether the title names a count or a measure that may rise like times: a packet, a pulse, a temperature, a
    /// place.
    package var namesCount: Bool { words.contains { word in Self.counts.contains(where: word.hasPrefix) } }

    /// Whether the title states a unit that is none of time.
    package var hasOtherUnit: Bool { unit.map { ColumnName.timeUnit($0) == nil } ?? false }

    /// Whether the title names a person.
    package var namesPerson: Bool {
        ["id", "pid"].contains(plain) || words.contains { word in Self.persons.contains(where: word.hasPrefix) }
    }

    private static let persons = ["user", "subj", "participant", "person", "patient", "proband", "wearer", "volunteer"]

    /// Empty for a title such as `id` or `name`, which says no more.
    private static let devices: Set<String> = [
        "", "device", "dev", "mac", "uu", "sensor", "node", "imu", "board", "module", "serial", "peripheral", "client",
        "source", "src", "topic", "user", "subject", "participant", "person", "patient",
    ]

    private static let counts = [
        "count", "seq", "index", "packet", "frame", "sample", "heart", "hr", "bpm", "pulse", "temp", "batt", "volt",
        "step", "humid", "press", "label", "user", "id", "dist", "odo", "altit", "elev", "lat", "lon", "lng", "speed",
        "energy", "kcal", "lux",
    ]

    /// Time in German, French, Spanish, Italian, Portuguese, Dutch, the Scandinavian languages, Finnish, Polish, Czech,
    /// Turkish, Russian, Chinese, Japanese and Korean.
    private static let timeWords = [
        "zeit", "tiempo", "tempo", "tijd", "tid", "aika", "czas", "čas", "zaman", "время", "时间", "時間", "時刻", "시간",
    ]

    private func readTimeRank() -> Int? {
        let others = [
            "gyro", "mag", "location", "motion", "altitude", "pedo", "heading", "activity", "battery", "lifetime",
        ]
        if isInterval || others.contains(where: plain.contains) || words.contains("alt") { return nil }
        // A program receives a sample after a delay that varies.
        if plain.contains("arrival") || plain.contains("received") { return 3 }
        if ["time", "timestamp", "t", "ts", "datetime", "datetimeutc", "epoch", "epoc", "unix"].contains(plain) {
            return 0
        }
        if plain.contains("timestamp") || plain.contains("datetime") || plain == "loggingtime" { return 1 }
        // Of a header in ROS.
        if plain.hasSuffix("headerstamp") { return 1 }
        if plain.contains("time") || plain.contains("epoc") || Self.timeWords.contains(where: plain.hasPrefix) {
            return 2
        }
        // Without a unit of time, the English word for temperatures.
        if plain == "temps", timeUnit != nil { return 2 }
        return plain.contains("elapsed") || plain.hasPrefix("tick") || ColumnName.timeUnit(plain) != nil ? 3 : nil
    }
}

// MARK: Several titles

extension ColumnName {
    /// The columns of x, y and z of acceleration that may contain gravity; nil when one is missing.
    package static func accelerationAxes(_ names: [ColumnName]) -> [Int]? {
        stated(names) ?? triple(names, of: .acceleration) ?? triple(names, of: .likelyAcceleration)
            ?? titledByUnit(names)
    }

    /// The columns of x, y and z that state acceleration. Beside them, `x,y,z` may be a position, or parts of a
    /// quaternion.
    private static func stated(_ names: [ColumnName]) -> [Int]? {
        func axes(_ isStated: (String) -> Bool) -> [Int]? {
            anyAxes(names) { $0.isAxis(of: .acceleration) && $0.axis.map { isStated($0.rest) } ?? false }
        }
        // Physics Toolbox has `gFx` with gravity beside `ax` without it.
        return axes { $0 == "gf" } ?? axes { $0.hasPrefix("a") }
    }

    /// The columns of x, y and z under an unknown name with a unit of acceleration, such as `Beschl. x (g)`.
    private static func titledByUnit(_ names: [ColumnName]) -> [Int]? {
        anyAxes(names) { $0.accelerationUnit != nil && $0.axisQuantity == nil && $0.mayBe(.likelyAcceleration) }
    }

    /// The columns of x, y and z of one quantity under one name; nil when one is missing. A title that states another
    /// sensor does not count, such as `x (rad/s)`.
    package static func triple(_ names: [ColumnName], of quantity: Quantity) -> [Int]? {
        anyAxes(names) { $0.isAxis(of: quantity) }
    }

    private func isAxis(of quantity: Quantity) -> Bool { mayBe(quantity) && axisQuantity == quantity }

    /// The quantity of which the title names an axis; nil for an axis of another one, and for another title.
    package var axisQuantity: Quantity? { axis.flatMap { ColumnName.quantity($0.rest) } }

    private func mayBe(_ quantity: Quantity) -> Bool {
        switch quantity {
        case .acceleration: otherSensor == nil
        case .likelyAcceleration: otherSensor == nil && !isStatistic
        case .withoutGravity: otherSensor == nil || otherSensor == .linearAcceleration
        case .gravity: otherSensor == nil || otherSensor == .gravity
        }
    }

    /// The sensor other than the accelerometer that at least three titles state, and the column of the first of them.
    /// For a position, two titles suffice.
    package static func otherSensor(_ names: [ColumnName]) -> (sensor: SensorKind, index: Int)? {
        for (index, name) in names.enumerated() {
            guard let sensor = name.otherSensor else { continue }
            if names.count(where: { $0.otherSensor == sensor }) >= (sensor == .position ? 2 : 3) {
                return (sensor, index)
            }
        }
        return nil
    }

    /// The columns of x, y and z of another sensor; its first three columns if the titles do not name all axes.
    package static func axes(of sensor: SensorKind, _ names: [ColumnName]) -> [Int]? {
        let indices = names.indices.filter { names[$0].otherSensor == sensor }
        let named = Axis.allCases.compactMap { axis in indices.first { names[$0].axis?.axis == axis } }
        let axes = named.count == 3 ? named : Array(indices.prefix(3))
        return axes.count == 3 ? axes : nil
    }

    /// Whether most titles name statistics of windows, such as `acc_x_mean` and `acc_x_std`.
    package static func areStatistics(_ names: [ColumnName]) -> Bool {
        names.count(where: \.isStatistic) * 2 > names.count
    }

    private var isStatistic: Bool { words.contains(where: Self.statistics.contains) }

    private static let statistics: Set<String> = [
        "mean", "std", "stdev", "stddev", "var", "variance", "avg", "average", "median", "mad", "min", "max", "range",
        "rms", "energy", "entropy", "skew", "skewness", "kurt", "kurtosis", "iqr", "corr", "correlation", "fft", "freq",
        "psd", "quantile", "percentile", "sma", "arcoeff", "meanfreq", "peak", "peaks", "zcr",
    ]

    /// The columns of x, y and z under each name.
    static func allAxes(_ names: [ColumnName]) -> [[Int]] {
        var rests: [String] = []
        return names.compactMap { name in
            guard let rest = name.axis?.rest, !rests.contains(rest) else { return nil }
            rests.append(rest)
            return axes(under: rest, names)
        }
    }

    /// The words in a name for what changed the numbers of a sensor, of which a table or a stream may hold several.
    static func filters(in name: String) -> [String] {
        ["raw", "filt", "smooth", "mean", "aver", "norm", "calib"].filter(name.lowercased().contains)
    }

    /// The columns of x, y and z of any quantity, among the titles that are used; nil when one is missing.
    static func anyAxes(_ names: [ColumnName], where isUsed: (ColumnName) -> Bool = { _ in true }) -> [Int]? {
        let indices = names.indices.filter { isUsed(names[$0]) }
        let used = indices.map { names[$0] }
        return used.lazy.compactMap { $0.axis.flatMap { axes(under: $0.rest, used) } }.first?.map { indices[$0] }
    }

    /// The columns of x, y and z whose titles are this one without their axis; nil when one is missing.
    static func axes(under rest: String, _ names: [ColumnName]) -> [Int]? {
        let columns = Axis.allCases.compactMap { axis in
            names.firstIndex { $0.axis.map { $0 == (axis, rest) } ?? false }
        }
        return columns.count == 3 ? columns : nil
    }

    /// The columns of hours, minutes, seconds and smaller parts of one time, of which none is a time alone.
    package static func timeParts(_ names: [ColumnName]) -> [Int] {
        let isPart: (String) -> Bool = { ["hour", "hours", "minute", "minutes", "min"].contains($0) }
        guard names.count(where: { isPart($0.plain) }) >= 2 else { return [] }
        return names.indices.filter { isPart(names[$0].plain) || timeUnit(names[$0].plain) != nil }
    }

    /// The columns that may hold the time of a sample, the likeliest first.
    package static func times(_ names: [ColumnName]) -> [Int] {
        let parts = timeParts(names)
        let ranked = names.indices.filter { !parts.contains($0) }.compactMap { column in
            names[column].timeRank.map { (rank: $0, column: column) }
        }
        return ranked.sorted { ($0.rank, $0.column) < ($1.rank, $1.column) }.map(\.column)
    }
}

/// Results for texts that come again. The labels of a log stand in each of its lines, and it takes 30 µs to find what a
/// label names.
final class Memo<Result: Sendable>: Sendable {
    /// The most results that are kept, more than a log has labels, and the longest text, in bytes.
    private let (most, longest) = (1024, 64)

    /// By the bytes, because texts of different bytes may be equal.
    private let known = Mutex<[[UInt8]: Result]>([:])

    /// The result for a text, which is computed if it is not known.
    func result(of text: String, _ compute: (String) -> Result) -> Result {
        guard text.utf8.count <= longest else { return compute(text) }
        let key = Array(text.utf8)
        if let result = known.withLock({ $0[key] }) { return result }
        let result = compute(text)
        known.withLock { known in
            if known.count >= most { known.removeAll(keepingCapacity: true) }
            known[key] = result
        }
        return result
    }
}

extension [Double] {
    /// The difference of each value to the one before it.
    var differences: [Double] { zip(dropFirst(), self).map { $0 - $1 } }

    /// Whether the values are the numbers of rows or lines, not times.
    var areRowNumbers: Bool { differences.allSatisfy { $0 == 1 } && allSatisfy { $0 < 1e8 } }
}

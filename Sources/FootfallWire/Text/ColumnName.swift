package import Footfall

/// What the title of a column says: a quantity, an axis, a unit.
///
/// Titles are compared without case, blanks and punctuation, so that `Accelerometer X (g)`, `accelX[g]`, `acc_x_g` and
/// `AX` all speak of the same axis.
package struct ColumnName {
    package enum Axis: Int, CaseIterable {
        case x
        case y
        case z
    }

    /// The sort of acceleration that a column holds.
    package enum Quantity: Equatable {
        /// Acceleration with gravity, under one of its usual names.
        case acceleration
        /// Something that speaks of acceleration.
        case likelyAcceleration
        /// Acceleration with gravity taken away.
        case withoutGravity
        /// Gravity alone.
        case gravity
    }

    /// The title in lower case, letters and digits only, without a unit.
    package private(set) var plain: String
    /// The unit: what stands in brackets, or a unit after a blank or underscore.
    package private(set) var unit: String?
    private var words: [String] = []

    package init(_ title: String) {
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
        {
            unit = last
            words.removeLast()
        }
        plain = words.joined()
    }

    /// The axis, as a word of its own or as the last or first letter of the title, and what is left of the title.
    package var axis: (axis: Axis, rest: String)? {
        for (index, word) in words.enumerated() where word.count == 1 {
            guard let axis = ColumnName.axis(word.first) else { continue }
            return (axis, (words[..<index] + words[(index + 1)...]).joined())
        }
        if let axis = ColumnName.axis(plain.last) { return (axis, String(plain.dropLast())) }
        if let axis = ColumnName.axis(plain.first), ColumnName.quantity(String(plain.dropFirst())) != nil {
            return (axis, String(plain.dropFirst()))
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

    /// What the rest of a title, its axis taken away, says about the quantity; nil when it is something else.
    package static func quantity(_ rest: String) -> Quantity? {
        if usualNames.contains(rest) { return .acceleration }
        let isAcceleration = rest.contains("acc")
        let isWithout = ["linear", "user", "body", "without", "nogravity", "excluding"].contains { rest.contains($0) }
        if isAcceleration, isWithout || rest.hasPrefix("lin") { return .withoutGravity }
        if rest == "gravity" || rest == "grav" { return .gravity }
        return isAcceleration && !rest.contains("gyro") && !rest.contains("mag") ? .likelyAcceleration : nil
    }

    private static let usualNames: Set<String> = [
        "", "a", "acc", "accel", "acceleration", "accelerometer", "gf", "rawa", "raw", "axis", "rawacc", "accraw",
        "accelerometeracceleration", "totalacceleration", "totalacc", "accelerometeruncalibrated", "accelerationwithg",
        "accelerationincludinggravity",
    ]

    /// The unit of acceleration that the title states.
    package var accelerationUnit: AccelerationUnit? {
        unit.flatMap(ColumnName.accelerationUnit) ?? (plain.hasPrefix("gf") ? .g : nil)
    }

    static func accelerationUnit(_ text: String) -> AccelerationUnit? {
        switch text {
        case "g", "gs", "g-force", "gforce": .g
        case "mg", "milli-g", "millig": .mg
        case "m/s^2", "m/s²", "m/s2", "m/s/s", "m/s**2", "ms^-2", "ms-2", "m.s-2", "m·s⁻²", "ms⁻²", "ms2", "mps2",
            "mss":
            .metresPerSecondSquared
        default: nil
        }
    }

    /// Whether text is a unit of acceleration and nothing else, with or without brackets.
    package static func isUnit(_ text: String) -> Bool {
        accelerationUnit(text.lowercased().filter { !"()[] ".contains($0) }) != nil
    }

    /// The unit of time that the title states.
    package var timeUnit: TimeUnit? {
        unit.flatMap(ColumnName.timeUnit) ?? ColumnName.timeUnit(plain)
            ?? ["seconds", "milliseconds", "millis"].first { plain.hasPrefix($0) }.flatMap(ColumnName.timeUnit)
    }

    private static func timeUnit(_ text: String) -> TimeUnit? {
        switch text {
        case "s", "sec", "secs", "second", "seconds": .seconds
        case "ms", "msec", "millis", "millisecond", "milliseconds": .milliseconds
        case "us", "µs", "μs", "usec", "micros", "microsecond", "microseconds": .microseconds
        case "ns", "nsec", "nanos", "nanosecond", "nanoseconds": .nanoseconds
        default: nil
        }
    }

    /// Whether the title speaks of the time since the row above.
    package var isInterval: Bool { ["dt", "delta", "deltat", "deltatime", "timedelta", "interval"].contains(plain) }

    /// How much the title speaks of the time of a sample of acceleration, 0 the most; nil when it does not.
    package var timeRank: Int? {
        let others = ["gyro", "mag", "location", "motion", "alt", "pedo", "heading", "activity", "battery", "lifetime"]
        if isInterval || others.contains(where: plain.contains) { return nil }
        if ["time", "timestamp", "t", "datetime", "datetimeutc", "epoch"].contains(plain) { return 0 }
        if plain.contains("timestamp") || plain.contains("datetime") || plain == "loggingtime" { return 1 }
        if plain.contains("time") || plain.contains("epoc") { return 2 }
        return plain.contains("elapsed") || ColumnName.timeUnit(plain) != nil ? 3 : nil
    }
}

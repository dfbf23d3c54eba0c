/// How lines of text are read: where x, y, z and the time stand, and in which units.
struct TextLayout: Sendable {
    /// Where the values stand.
    enum Places: Hashable, Sendable {
        /// In a row of fields, by position. Rows begin with this word, if any; what begins with another is another
        /// sensor's.
        case row(width: Int, lead: TextLabel?, axes: [Int], time: Int?)
        /// Behind labels.
        case labels(axes: [TextLabel], time: TextLabel?)
        /// Behind numbers that tell the sensor: time, then 3 and an acceleration, 4 and an angular rate …
        case sensorNumbers
    }

    /// What the time is.
    enum Time: Hashable, Sendable {
        case number(TimeUnit)
        case clock
    }

    var places: Places
    var scale: AccelerationScale
    var time: Time?
    /// What the axes are called, or where they stand.
    var axisNames: String
    var timeName: String?
}

extension TextLayout: CustomStringConvertible {
    var description: String {
        var parts = ["text lines: x, y, z in \(scale) (\(axisNames))"]
        switch time {
        case .number(let unit): parts.append("time in \(unit.rawValue)" + (timeName.map { " (\($0))" } ?? ""))
        case .clock: parts.append("time of day" + (timeName.map { " (\($0))" } ?? ""))
        case nil: parts.append("no time")
        }
        return parts.joined(separator: ", ")
    }
}

/// The sensors of Android, by the numbers under which phones send them (android.hardware.Sensor; Sensorstream IMU+GPS).
enum SensorNumbers {
    static let acceleration = 3
    /// Fields: the time, then each sensor's number and its values.
    static func values(behind number: Int) -> Int? {
        switch number {
        case 1, 3, 4, 5, 82, 83, 84: 3
        case 8, 85, 86: 1
        default: nil
        }
    }

    /// The field in which the acceleration begins; nil when the row is none of this kind, or has no acceleration.
    static func accelerationField(_ line: TextLine) -> (isRow: Bool, field: Int?) {
        var field = 1
        var found: Int?
        while field < line.fields.count {
            guard let number = line.fields[field].number, number.isWhole,
                let identifier = Int(exactly: number.double), let count = values(behind: identifier)
            else { return (false, nil) }
            if identifier == acceleration { found = field + 1 }
            field += 1 + count
        }
        return (field == line.fields.count && line.fields.count >= 5, found)
    }
}

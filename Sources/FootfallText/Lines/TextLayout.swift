/// The layout of lines of text: the places of x, y, z and the time, and their units.
package struct TextLayout: Sendable {
    enum Places: Hashable, Sendable {
        /// A row of fields, by position. Rows begin with the word `lead`, if any; rows of other sensors with another
        /// word.
        case row(width: Int, lead: TextLabel?, axes: [Int], time: Int?)
        /// Values after labels.
        case labels(axes: [TextLabel], time: TextLabel?)
        /// Values after the number of a sensor: time, then 3 and an acceleration, 4 and an angular rate …
        case sensorNumbers
    }

    enum Time: Hashable, Sendable {
        case number(TimeUnit)
        case timeOfDay
    }

    var places: Places
    package var scale: AccelerationScale
    var time: Time?
    /// The titles, labels or positions of the axes.
    var axisNames: String
    var timeName: String?
    /// The latest change of the unit in the stream; nil without one.
    package var change: UnitChange?
}

extension TextLayout: CustomStringConvertible {
    package var description: String {
        let name = timeName.map { " (\($0))" } ?? ""
        let time =
            switch time {
            case .number(let unit): "time in \(unit.rawValue)" + name
            case .timeOfDay: "time of day" + name
            case nil: "no time"
            }
        return "text lines: x, y, z in \(scale) (\(axisNames)), \(time)" + (change.map { "; \($0)" } ?? "")
    }
}

/// The sensors of Android, by the numbers that phones send (android.hardware.Sensor; Sensorstream IMU+GPS).
///
/// The fields of a row are the time, then the number of each sensor and its values.
enum SensorNumbers {
    private static let acceleration = 3

    private static func valueCount(after number: Int) -> Int? {
        switch number {
        case 1, 3, 4, 5, 82, 83, 84: 3
        case 8, 85, 86: 1
        default: nil
        }
    }

    /// Whether a line is such a row, and the first field of its acceleration; nil when it has none.
    static func accelerationField(_ line: TextLine) -> (isRow: Bool, field: Int?) {
        var field = 1
        var found: Int?
        while field < line.fields.count {
            guard let number = line.fields[field].number, number.isWhole,
                let sensor = Int(exactly: number.double), let count = valueCount(after: sensor)
            else { return (false, nil) }
            if sensor == acceleration { found = field + 1 }
            field += 1 + count
        }
        return (field == line.fields.count && line.fields.count >= 5, found)
    }
}

package import Footfall

/// The layout of lines of text: the places of x, y, z and the time, and their units.
package struct TextLayout: Sendable {
    enum Places: Hashable, Sendable {
        /// A row of fields, by position. Rows have the word `lead`, if any; rows of other sensors another word there.
        case row(width: Int, lead: Lead?, axes: [Int], time: Int?)
        /// Values after labels.
        case labels(axes: [TextLabel], time: TextLabel?)
        /// Values after the number of a sensor: time, then 3 and an acceleration, 4 and an angular rate …
        case sensorNumbers
    }

    /// The word that tells the rows of a sensor from those of others, and its field.
    struct Lead: Hashable, Sendable {
        var field = 0
        var word: TextLabel
    }

    /// The rest of a time in whole seconds.
    struct Rest: Hashable, Sendable {
        var label: TextLabel
        var unit: TimeUnit
    }

    enum Time: Hashable, Sendable {
        case number(TimeUnit)
        case clock
    }

    /// The moment from which the times of a stream count.
    package enum Zero: Sendable {
        /// The start of the device or of the recording.
        case unknown
        /// The start of a day that the lines do not state.
        case midnight
        /// 1970-01-01T00:00:00Z, by a clock that keeps UTC or states its zone.
        case epoch
        /// The same by a clock in a zone that it does not state.
        case localEpoch
    }

    var places: Places
    package var scale: AccelerationScale
    /// How the numbers stand for accelerations.
    package var coding = CountCoding()
    /// Whether other scales or zeros would fit the numbers too.
    package var isUnitAssumed = false
    /// The unit that a label, a header or the text after a number states; nil if none does.
    package var stated: AccelerationUnit?
    /// The form of the numbers; nil for plain decimals.
    package var form: NumberForm?
    var time: Time?
    /// The label of the rest of a time in seconds, and its unit.
    var rest: Rest?
    package var zero = Zero.unknown
    /// Whether the time is the one before the text of a line, as a serial monitor or a log writes it.
    var isStamped = false
    /// Whether the lines are lists in brackets, as `(0.1, 0.2, 0.9)`, or behind a mark, as `00> 0.1,0.2,0.9`.
    var isBracketed = false
    /// Whether lines with x, y and z but without the unit are raw values behind the same labels, as of
    /// Adafruit_MMA8451.
    var needsUnit = false
    /// Whether one label stands before all numbers, as in `sensors: 0.1,0.2,0.9`.
    var isBehindLabel = false
    /// Whether four of the other numbers are a quaternion by their values.
    var isBesideQuaternion = false
    /// The interval between two lines with several samples each, in nanoseconds; nil if lines have one sample.
    var packetInterval: Int64?
    /// The titles, labels or positions of the axes.
    var axisNames: String
    /// The titles or labels of the axes; empty for bare numbers.
    var titles: [String] = []
    /// Whether the titles are words in the rows.
    var hasWords = false
    var timeName: String?
    /// The device whose lines are read, the outermost name first; empty where the lines are not of several.
    var devices: [DeviceName] = []
    /// Another series in the lines, which is not read.
    var remark: ParameterText?
    /// The latest change of the unit in the stream; nil without one.
    package var change: UnitChange?
}

extension TextLayout {
    package var hasTime: Bool { time != nil }

    /// The places of x, y and z.
    package var axes: String { "x, y, z in \(axisNames)" }

    /// The columns or labels of the axes, for a caller who names them; nil where one label stands before all numbers.
    var axisColumns: SensorColumns? {
        if !devices.isEmpty { return SensorColumns(device: devices.map(\.name).joined(separator: " ")) }
        switch places {
        case .row(_, _, let axes, let time): return SensorColumns(time: time, axes: axes, in: [])
        case .labels where titles.count == 3:
            return SensorColumns(time: nil, x: .named(titles[0]), y: .named(titles[1]), z: .named(titles[2]))
        case .labels, .sensorNumbers: return nil
        }
    }

    /// Whether only programs write such lines, not tables: the values stand behind labels, behind words that name the
    /// sensor, behind the time of a monitor, or are no decimal numbers.
    package var isOfProgram: Bool {
        if form?.isHexadecimal ?? false || isStamped || isBracketed || isBehindLabel || isBesideQuaternion
            || packetInterval != nil
            || !devices.isEmpty
        {
            return true
        }
        switch places {
        case .row:
            if titles.isEmpty, stated != nil { return true }
            return hasWords && titles.contains { ColumnName($0).axisQuantity != nil }
        case .labels: return true
        case .sensorNumbers: return false
        }
    }
}

extension TextLayout {
    /// The least change of an assumed zero, in g, and of an assumed scale, as a share, that is worth a message.
    private static let leastChange: Float = 0.1

    /// Whether the layout differs from another only in an assumed zero and scale, and by little.
    func isNear(_ other: TextLayout?) -> Bool {
        guard var other, isUnitAssumed, other.coding.span == coding.span else { return false }
        let (offset, factor) = ((coding.zero - other.coding.zero) * scale.inG, scale.inG / other.scale.inG)
        (other.coding, other.scale) = (coding, scale)
        return other.description == description && (offset * offset).max() < Self.leastChange * Self.leastChange
            && abs(factor - 1) < Self.leastChange
    }
}

extension TextLayout: CustomStringConvertible {
    package var description: String {
        let name = timeName.map { " (\($0))" } ?? ""
        let time =
            switch time {
            case .number(let unit): "time in \(unit.rawValue)" + name
            case .clock: (zero == .midnight ? "time of day" : "date and time") + name
            case nil: "no time"
            }
        let coding = (coding.isPlain ? "" : ", \(coding)") + (isUnitAssumed ? ", assumed" : "")
        return "text lines: x, y, z in \(scale)\(coding) (\(axisNames)), \(time)" + (change.map { "; \($0)" } ?? "")
    }
}

/// The sensors of Android, by the numbers that phones send (android.hardware.Sensor; Sensorstream IMU+GPS). The fields
/// of a row are the time, then the number of each sensor and its values.
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

/// The known facts about lines of text. The decoder learns the others from the first lines.
public struct TextLineOptions: Hashable, Sendable {
    /// The fields of a line to read; nil to find them by their labels, a header, or their values.
    public var columns: SensorColumns?
    /// The unit of acceleration; nil to find it from the lines or from the magnitude of gravity.
    public var scale: AccelerationScale?
    /// The numbers at 0 g; nil to find them from the lines.
    public var zero: SIMD3<Float>?
    /// The unit of a numeric time; nil to find it from its label or from the interval between lines.
    public var timeUnit: TimeUnit?
    /// How numbers stand for accelerations, where the whole log showed it; nil to find it from the lines.
    package var coding: CountCoding?
    /// Whether the first line is whole, as in a file. A port may open in the middle of it.
    package var isFirstLineWhole = false

    /// Creates options; without arguments, the decoder learns everything from the lines.
    public init(
        columns: SensorColumns? = nil, scale: AccelerationScale? = nil, timeUnit: TimeUnit? = nil,
        zero: SIMD3<Float>? = nil
    ) {
        (self.columns, self.scale, self.timeUnit, self.zero) = (columns, scale, timeUnit, zero)
    }
}

extension TextLineOptions {
    /// Whether the columns are those behind the name of a device, such as `B x`.
    func name(_ device: String) -> Bool {
        guard case .named(let title)? = columns?.x else { return false }
        return title.lowercased().hasPrefix(device.lowercased() + " ")
    }

    /// The options for the lines of one device, without its name before the columns. The axes x, y and z are then those
    /// of any titles.
    func behind(_ device: String) -> TextLineOptions {
        guard let columns, name(device) else { return self }
        func rest(_ column: SensorColumns.Column) -> SensorColumns.Column {
            guard case .named(let title) = column, title.count > device.count else { return column }
            return .named(String(title.dropFirst(device.count + 1)))
        }
        let own = SensorColumns(time: columns.time, x: rest(columns.x), y: rest(columns.y), z: rest(columns.z))
        var options = self
        options.columns = own == SensorColumns("x,y,z") ? nil : own
        return options
    }
}

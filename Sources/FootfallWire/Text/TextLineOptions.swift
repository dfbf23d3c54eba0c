public import Footfall

/// What the reader of text lines is told beforehand. Everything left out is learnt from the first lines.
public struct TextLineOptions: Hashable, Sendable {
    /// Which fields of a line to read; nil to find them by their labels, a header, or their values.
    public var columns: TextColumns?
    /// What one of a number is; nil to tell it by what the lines say or by the magnitude of gravity.
    public var scale: AccelerationScale?
    /// The unit of a numeric time; nil to tell it by its label or by the distance between lines.
    public var timeUnit: TimeUnit?

    /// Creates options; without arguments, the lines tell everything.
    public init(columns: TextColumns? = nil, scale: AccelerationScale? = nil, timeUnit: TimeUnit? = nil) {
        self.columns = columns
        self.scale = scale
        self.timeUnit = timeUnit
    }
}

/// What a number of acceleration stands for.
public enum AccelerationScale: Hashable, Sendable {
    /// A physical unit.
    case unit(AccelerationUnit)
    /// Raw counts of a converter: so many to one g.
    case counts(perG: Float)

    /// Standard gravity.
    public static let g = AccelerationScale.unit(.g)
    /// Thousandths of standard gravity.
    public static let mg = AccelerationScale.unit(.mg)
    /// Metres per second squared.
    public static let metresPerSecondSquared = AccelerationScale.unit(.metresPerSecondSquared)

    /// The counts to one g of common sensors at their usual ranges: ADXL345 256, MMA8451 4096, MPU-6050, LSM6DS3 and
    /// LIS3DH 16384 at ±2 g, and the wider ranges of the same. What is 1024 to one g reads as mg.
    package static let usualCounts = [256, 4096, 16384, 2048, 8192, 512].map { AccelerationScale.counts(perG: $0) }
    /// At rest, |a| in counts is one g within this factor. These scales lie close together, so they have to fit better than
    /// units.
    package static let restOfCounts: ClosedRange<Float> = 0.79...1.22

    /// What one is in g.
    public var inG: Float {
        switch self {
        case .unit(let unit): unit.inG
        case .counts(let perG): 1 / perG
        }
    }
}

extension AccelerationScale: CustomStringConvertible {
    /// The scale as it is shown, such as `m/s²` or `counts of 1/16384 g`.
    public var description: String {
        switch self {
        case .unit(let unit): unit.rawValue
        case .counts(let perG): "counts of 1/\(Int(exactly: perG).map(String.init) ?? "\(perG)") g"
        }
    }
}

/// The fields of a line that hold time and acceleration.
public struct TextColumns: Hashable, Sendable {
    /// A field, told by its label or its title in a header, or by its position.
    public enum Column: Hashable, Sendable {
        /// The field with this label or title. Case, blanks and punctuation do not count.
        case named(String)
        /// The field at this position, counted from 0.
        case at(Int)
    }

    /// The field of times; nil when there is none.
    public var time: Column?
    /// The field of acceleration along x.
    public var x: Column
    /// The field of acceleration along y.
    public var y: Column
    /// The field of acceleration along z.
    public var z: Column

    /// Creates a choice of fields.
    public init(time: Column?, x: Column, y: Column, z: Column) {
        self.time = time
        self.x = x
        self.y = y
        self.z = z
    }

    /// Creates a choice of fields from a list such as `time,x,y,z` or `0,2,3,4`, or without time `x,y,z`.
    ///
    /// An entry of digits only is a position counted from 0. Returns nil unless there are three or four entries.
    public init?(_ list: String) {
        let entries = list.split(separator: ",", omittingEmptySubsequences: false).map {
            $0.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        }
        guard (3...4).contains(entries.count), entries.allSatisfy({ !$0.isEmpty }) else { return nil }
        let columns = entries.map { Int($0).flatMap { $0 >= 0 ? Column.at($0) : nil } ?? .named($0) }
        self.init(
            time: columns.count == 4 ? columns[0] : nil,
            x: columns[columns.count - 3], y: columns[columns.count - 2], z: columns[columns.count - 1])
    }
}

/// The unit of a number that is a time.
public enum TimeUnit: String, CaseIterable, Sendable {
    /// Seconds.
    case seconds = "s"
    /// Thousandths of a second.
    case milliseconds = "ms"
    /// Millionths of a second.
    case microseconds = "µs"
    /// Thousand-millionths of a second.
    case nanoseconds = "ns"

    /// One of this unit is ten to this power nanoseconds.
    package var powerOfTen: Int {
        switch self {
        case .seconds: 9
        case .milliseconds: 6
        case .microseconds: 3
        case .nanoseconds: 0
        }
    }

    /// One of this unit in nanoseconds.
    var inNanoseconds: Double {
        switch self {
        case .seconds: 1e9
        case .milliseconds: 1e6
        case .microseconds: 1e3
        case .nanoseconds: 1
        }
    }

    /// One of this unit in seconds.
    package var inSeconds: Double {
        switch self {
        case .seconds: 1
        case .milliseconds: 1e-3
        case .microseconds: 1e-6
        case .nanoseconds: 1e-9
        }
    }
}

/// One reading of an accelerometer.
public struct AccelerationSample: Hashable, Sendable {
    /// When the reading was taken.
    public var time: Timestamp
    /// Acceleration along the device's x axis in g, gravity included.
    public var x: Float
    /// Acceleration along the device's y axis in g, gravity included.
    public var y: Float
    /// Acceleration along the device's z axis in g, gravity included.
    public var z: Float

    /// Creates a reading from its time and its three axes in g, gravity included.
    @inlinable
    public init(time: Timestamp, x: Float, y: Float, z: Float) {
        self.time = time
        self.x = x
        self.y = y
        self.z = z
    }

    /// When the reading was taken, in nanoseconds since 1970.
    var nanoseconds: Int64 { time.nanosecondsSince1970 }
}

/// A unit of acceleration in a device or a file.
public enum AccelerationUnit: String, CaseIterable, Sendable {
    /// Standard gravity, the unit of all samples in Footfall.
    case g
    /// Thousandths of standard gravity.
    case mg
    /// Metres per second squared.
    case metresPerSecondSquared = "m/s²"

    /// One of this unit in g. Standard gravity is 9.80665 m/s² (3rd CGPM, 1901).
    public var inG: Float {
        switch self {
        case .g: 1
        case .mg: 1e-3
        case .metresPerSecondSquared: 1 / 9.80665
        }
    }
}

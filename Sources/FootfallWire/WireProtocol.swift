public import Footfall

/// A way in which sensors write acceleration onto a wire: a serial line, a socket, a raw log.
public enum WireProtocol: String, CaseIterable, Sendable {
    /// Lines of text: bare numbers, `label:value`, a header with columns.
    case text
    /// WitMotion's frames that begin with 0x55.
    case witmotion
    /// Xsens MTData2 messages.
    case xsens
    /// Messages of the x-io x-IMU3, binary or text.
    case ximu3
    /// MAVLink 1 and 2.
    case mavlink
}

extension WireProtocol: CustomStringConvertible {
    /// The name a person knows it by.
    public var description: String {
        switch self {
        case .text: "text lines"
        case .witmotion: "WitMotion"
        case .xsens: "Xsens MTData2"
        case .ximu3: "x-IMU3"
        case .mavlink: "MAVLink"
        }
    }
}

/// One acceleration that came over a wire.
public struct WireReading: Hashable, Sendable {
    /// When it was taken, on the device's own clock, in nanoseconds from an origin of its own; nil when the device sends
    /// no time.
    ///
    /// It is good for the distance between readings. What its zero means is told, if at all, by
    /// ``WireDecoder/clockOrigin``. Counters that wrap are unwrapped; a device that starts anew steps back.
    public var deviceTime: Int64?
    /// Acceleration along the device's x axis in g, gravity included.
    public var x: Float
    /// Acceleration along the device's y axis in g, gravity included.
    public var y: Float
    /// Acceleration along the device's z axis in g, gravity included.
    public var z: Float

    /// Creates a reading from its time on the device's clock, in nanoseconds, and its three axes in g.
    public init(deviceTime: Int64?, x: Float, y: Float, z: Float) {
        self.deviceTime = deviceTime
        self.x = x
        self.y = y
        self.z = z
    }
}

extension WireReading {
    /// Anything beyond is no acceleration of a wearer, in g; what a trace refuses, too.
    private static let mostG: Float = 1000

    /// Creates a reading from a vector in g; nil when it cannot be the acceleration of a wearer.
    init?(_ vector: SIMD3<Float>, at deviceTime: Int64?) {
        // NaN fails the comparison as well.
        guard abs(vector.x) <= Self.mostG, abs(vector.y) <= Self.mostG, abs(vector.z) <= Self.mostG else { return nil }
        self.init(deviceTime: deviceTime, x: vector.x, y: vector.y, z: vector.z)
    }

    /// The acceleration in g.
    var vector: SIMD3<Float> { SIMD3(x, y, z) }
}

/// The moment at which a device's clock showed zero.
public struct ClockOrigin: Hashable, Sendable {
    /// The moment. When ``isLocal``, it was read from a wall clock as if that were UTC.
    public var time: Timestamp
    /// Whether the device keeps the time of day of a zone that it does not tell.
    public var isLocal: Bool

    /// Creates an origin.
    public init(time: Timestamp, isLocal: Bool) {
        self.time = time
        self.isLocal = isLocal
    }
}

public import Footfall

/// One acceleration from a wire.
public struct WireReading: Hashable, Sendable {
    /// The time on the device's clock, in nanoseconds from the clock's own origin; nil when the device sends no time.
    ///
    /// ``WireDecoder/clockOrigin`` gives the moment of that origin, where the protocol states it. Counters that wrap
    /// are unwrapped. After a restart of the device, the time steps back.
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
    /// Creates a reading from a vector in g; nil when the vector is not plausible.
    init?(_ vector: SIMD3<Float>, at deviceTime: Int64?) {
        guard PlausibleAcceleration.contains(vector) else { return nil }
        self.init(deviceTime: deviceTime, x: vector.x, y: vector.y, z: vector.z)
    }

    /// The acceleration in g.
    var vector: SIMD3<Float> { SIMD3(x, y, z) }
}

/// The moment at which a device's clock showed zero.
public struct ClockOrigin: Hashable, Sendable {
    /// The moment. When ``isLocal`` is true, this is the reading of a wall clock, taken as UTC.
    public var time: Timestamp
    /// Whether the device keeps local time in a zone that it does not state.
    public var isLocal: Bool

    /// Creates an origin.
    public init(time: Timestamp, isLocal: Bool) {
        self.time = time
        self.isLocal = isLocal
    }
}

/// Counts of what a decoder found in the bytes of a stream.
public struct WireQuality: Hashable, Sendable {
    /// Bytes received.
    public var bytes = 0
    /// Valid frames, or lines of text, with or without acceleration.
    public var frames = 0
    /// Readings from these frames.
    public var readings = 0
    /// Frames with a wrong checksum, length or content.
    public var damagedFrames = 0
    /// Bytes outside all frames. One run of them at the start is normal, because a port seldom opens between two
    /// frames.
    public var skippedBytes = 0
    /// Lines of text that do not fit the layout of the stream: cut, damaged, or messages for a person.
    public var refusedLines = 0
    /// The first two lines that could not be read, at most 80 characters of each. Lines with a digit have priority over
    /// others, such as the greeting of a device.
    public var refusedExamples: [String] = []
    /// The reason why readings are missing or doubtful, such as acceleration without gravity or in no known unit; nil
    /// when there is none.
    public var problem: ParameterText?

    /// Creates the quality of an empty stream.
    public init() {}

    private static let (mostExamples, longestExample) = (2, 80)

    mutating func addExample(_ line: String) {
        func hasDigit(_ line: String) -> Bool { line.utf8.contains(where: \.isDigit) }
        let example = String(line.replacing("\t", with: " ").printable.prefix(Self.longestExample))
        if refusedExamples.count < Self.mostExamples {
            refusedExamples.append(example)
        } else if hasDigit(example), let place = refusedExamples.firstIndex(where: { !hasDigit($0) }) {
            refusedExamples.remove(at: place)
            refusedExamples.append(example)
        }
    }
}

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
    /// Lines of numbers that wait for their layout, while they are too few to show it.
    public var waitingLines = 0
    /// The lines that show a layout, which is learned from them.
    public static let linesOfLayout = 16
    /// The first two lines that could not be read, at most 80 characters of each. Lines with a digit have priority over
    /// others, such as the greeting of a device.
    public var refusedExamples: [String] = []
    /// The reason why readings are missing or doubtful, such as acceleration without gravity or in no known unit; nil
    /// when there is none.
    public var problem: ParameterText?

    /// Creates the quality of an empty stream.
    public init() {}

    private static let (mostExamples, longestExample) = (2, 80)

    /// Appends the reading of a frame; a frame with implausible acceleration counts as damaged.
    mutating func add(_ vector: SIMD3<Float>, at time: Int64?, to readings: inout [WireReading]) {
        guard let reading = WireReading(vector, at: time) else {
            damagedFrames += 1
            return
        }
        self.readings += 1
        readings.append(reading)
    }

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

/// Holds readings of a stream back while their unit may have changed.
struct UnitWatch: Sendable {
    /// In the unit that was learned.
    private(set) var held: [WireReading] = []
    private var usual = 0
    /// The most readings held back, if the times of the device hardly increase: a window at 800 Hz.
    private static let most = 1024

    /// Adds a reading, and appends those that are certain to `readings`. Those of more than 1000 g are dropped. Returns
    /// the change of the unit, if the appended readings are in another one; a given unit does not change.
    mutating func add(
        _ reading: WireReading, in scale: AccelerationScale, isGiven: Bool, to readings: inout [WireReading]
    ) -> UnitChange? {
        let isUsual = UnitChange.isUsual(reading.vector)
        if held.isEmpty, isUsual {
            readings.append(reading)
            return nil
        }
        held.append(reading)
        usual += isUsual ? 1 : 0
        if isGiven || (usual > 1 && !UnitChange.isRare(usual, of: held.count)) { release(to: &readings) }
        guard held.count >= UnitChange.block, lastsLongEnough else { return nil }
        let change = UnitChange(of: held.map(\.vector), after: scale)
        release(to: &readings, factor: change.map { 1 / $0.factor } ?? 1)
        return change
    }

    /// Whether the readings held back last for longer than a jumper is in flight, where the device sends times.
    private var lastsLongEnough: Bool {
        guard let first = held.first?.deviceTime, let last = held.last?.deviceTime else { return true }
        return last < first || Double(last - first) >= UnitChange.window * 1e9 || held.count >= Self.most
    }

    /// Appends the readings that are held back to `readings`. Those of more than 1000 g are dropped.
    mutating func release(to readings: inout [WireReading], factor: Float = 1) {
        for reading in held {
            if let reading = WireReading(reading.vector * factor, at: reading.deviceTime) { readings.append(reading) }
        }
        held.removeAll(keepingCapacity: true)
        usual = 0
    }
}

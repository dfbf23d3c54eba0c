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

/// Consecutive samples, stored as columns.
///
/// Readers and devices produce batches, and ``MotionAnalyzer`` analyzes them. The division of a series into batches
/// never changes a result. Samples should be in order of time; the analyzer drops and counts samples that are not.
public struct SampleBatch: Hashable, Sendable {
    /// When each sample was taken.
    public private(set) var times: [Timestamp] = []
    /// Acceleration along the device's x axis in g, gravity included.
    public private(set) var x: [Float] = []
    /// Acceleration along the device's y axis in g, gravity included.
    public private(set) var y: [Float] = []
    /// Acceleration along the device's z axis in g, gravity included.
    public private(set) var z: [Float] = []
    /// Whether the samples fill a sleep of the logger without motion. A calibration leaves them out.
    public package(set) var isFilled = false
    /// Whether the unit is assumed: no value confirms it, so no activity has a high confidence.
    public package(set) var isUnitAssumed = false
    /// The mean temperature of the sensor, in °C; nil if the log states none.
    public var temperature: Float?

    /// Creates an empty batch.
    public init() {}

    /// Creates an empty batch with room for `capacity` samples.
    public init(capacity: Int) { reserveCapacity(capacity) }

    /// Creates a batch from samples.
    public init(_ samples: some Sequence<AccelerationSample>) {
        reserveCapacity(samples.underestimatedCount)
        for sample in samples { append(sample) }
    }

    /// Creates a batch from its columns, without copying them.
    ///
    /// - Parameters:
    ///   - times: When each sample was taken.
    ///   - x: Acceleration along x in g, gravity included.
    ///   - y: Acceleration along y in g, gravity included.
    ///   - z: Acceleration along z in g, gravity included.
    /// - Precondition: The columns have the same length.
    public init(times: [Timestamp], x: [Float], y: [Float], z: [Float]) {
        precondition(x.count == times.count && y.count == times.count && z.count == times.count)
        self.times = times
        self.x = x
        self.y = y
        self.z = z
    }

    /// Reserves memory for `capacity` samples in total.
    public mutating func reserveCapacity(_ capacity: Int) {
        times.reserveCapacity(capacity)
        x.reserveCapacity(capacity)
        y.reserveCapacity(capacity)
        z.reserveCapacity(capacity)
    }

    /// Adds a sample at the end.
    public mutating func append(_ sample: AccelerationSample) {
        append(time: sample.time, x: sample.x, y: sample.y, z: sample.z)
    }

    /// Adds a sample at the end from its time and its three axes in g, gravity included.
    public mutating func append(time: Timestamp, x: Float, y: Float, z: Float) {
        times.append(time)
        self.x.append(x)
        self.y.append(y)
        self.z.append(z)
    }

    package mutating func append(contentsOf other: SampleBatch, in range: Range<Int>) {
        times.append(contentsOf: other.times[range])
        x.append(contentsOf: other.x[range])
        y.append(contentsOf: other.y[range])
        z.append(contentsOf: other.z[range])
    }

    /// The samples at a range of positions. The columns are copied as a whole, which is faster than sample by sample.
    package func part(_ range: Range<Int>) -> SampleBatch {
        var part = SampleBatch(times: Array(times[range]), x: Array(x[range]), y: Array(y[range]), z: Array(z[range]))
        (part.isFilled, part.isUnitAssumed, part.temperature) = (isFilled, isUnitAssumed, temperature)
        return part
    }

    /// Removes all samples and keeps their memory.
    public mutating func removeAll() {
        times.removeAll(keepingCapacity: true)
        x.removeAll(keepingCapacity: true)
        y.removeAll(keepingCapacity: true)
        z.removeAll(keepingCapacity: true)
    }
}

extension SampleBatch: RandomAccessCollection {
    /// The position of the first sample: 0.
    public var startIndex: Int { 0 }
    /// The position after the last sample.
    public var endIndex: Int { times.count }

    /// The sample at a position.
    public internal(set) subscript(position: Int) -> AccelerationSample {
        get { AccelerationSample(time: times[position], x: x[position], y: y[position], z: z[position]) }
        set {
            times[position] = newValue.time
            (x[position], y[position], z[position]) = (newValue.x, newValue.y, newValue.z)
        }
    }
}

/// The columns that a reader fills and turns into a batch.
@usableFromInline
package struct SampleColumns {
    /// The most samples of a batch.
    package static let room = 4096

    @usableFromInline var times: [Timestamp]
    @usableFromInline var x: [Float]
    @usableFromInline var y: [Float]
    @usableFromInline var z: [Float]
    @usableFromInline package internal(set) var count = 0

    /// Creates empty columns in the memory of a full batch, or in new memory. If the batch is still held elsewhere, the
    /// first write copies it.
    package init(reusing spare: consuming SampleBatch) {
        if spare.count == Self.room {
            (times, x, y, z) = (spare.times, spare.x, spare.y, spare.z)
        } else {
            times = Array(repeating: .epoch, count: Self.room)
            x = Array(repeating: 0, count: Self.room)
            y = x
            z = x
        }
    }

    /// The number of samples for which there is room.
    package var room: Int { SampleColumns.room - count }

    /// Adds `count` samples, or as many as fit. `sample` returns each by its number from 0: nanoseconds since 1970, and
    /// x, y and z in g; the fourth lane is ignored.
    @inlinable @inline(__always)
    package mutating func append(_ count: Int, _ sample: (Int) -> (nanoseconds: Int64, acceleration: SIMD4<Float>)) {
        var index = 0
        append(&index) { index in
            guard index < count else { return nil }
            defer { index += 1 }
            let (nanoseconds, acceleration) = sample(index)
            return AccelerationSample(
                time: Timestamp(nanosecondsSince1970: nanoseconds), x: acceleration.x, y: acceleration.y,
                z: acceleration.z)
        }
    }

    package mutating func removeLast(_ count: Int) { self.count -= count }

    /// Adds a sample; there must be room.
    package mutating func append(_ sample: AccelerationSample) {
        append(1) { _ in (sample.time.nanosecondsSince1970, SIMD4(sample.x, sample.y, sample.z, 0)) }
    }

    /// Adds samples until the columns are full or `next` returns nil. Its variables are in `state`: captured ones would
    /// be written to memory for each sample.
    @inlinable @inline(__always)
    package mutating func append<State>(_ state: inout State, asLongAs next: (inout State) -> AccelerationSample?) {
        SampleColumns.append(&count, &times, &x, &y, &z, &state, asLongAs: next)
    }

    @inlinable @inline(__always)
    static func append<State>(
        _ count: inout Int, _ times: inout [Timestamp], _ x: inout [Float], _ y: inout [Float], _ z: inout [Float],
        _ state: inout State, asLongAs next: (inout State) -> AccelerationSample?
    ) {
        var times = times.mutableSpan
        var x = x.mutableSpan
        var y = y.mutableSpan
        var z = z.mutableSpan
        precondition(count >= 0 && x.count == times.count && y.count == times.count && z.count == times.count)
        // Local copies stay in registers.
        var (index, current) = (count, state)
        while index < times.count, let sample = next(&current) {
            times[unchecked: index] = sample.time
            x[unchecked: index] = sample.x
            y[unchecked: index] = sample.y
            z[unchecked: index] = sample.z
            index &+= 1
        }
        (count, state) = (index, current)
    }

    /// The last sample's acceleration; nil when there is none.
    package var last: SIMD4<Float>? { count > 0 ? SIMD4(x[count - 1], y[count - 1], z[count - 1], 0) : nil }

    /// The samples as a batch; nil without samples.
    package consuming func batch() -> SampleBatch? {
        guard count > 0 else { return nil }
        times.removeLast(room)
        x.removeLast(room)
        y.removeLast(room)
        z.removeLast(room)
        return SampleBatch(times: times, x: x, y: y, z: z)
    }
}

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
    /// Whether the samples fill a time in which the logger slept because nothing moved. They are no evidence for a
    /// calibration.
    public package(set) var isFilled = false
    /// The mean temperature of the sensor, in °C; nil if the log states none.
    public var temperature: Float?

    /// Creates an empty batch.
    public init() {}

    /// Creates an empty batch with room for `capacity` samples.
    public init(capacity: Int) {
        reserveCapacity(capacity)
    }

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
    public subscript(position: Int) -> AccelerationSample {
        AccelerationSample(time: times[position], x: x[position], y: y[position], z: z[position])
    }
}

internal import Footfall
public import Foundation

/// An acceleration in g, gravity included.
public struct Acceleration: Hashable, Sendable {
    /// The acceleration along the x axis.
    public var x: Double
    /// The acceleration along the y axis.
    public var y: Double
    /// The acceleration along the z axis.
    public var z: Double

    /// Creates an acceleration in g.
    public init(x: Double, y: Double, z: Double) { (self.x, self.y, self.z) = (x, y, z) }
}

/// A sample of the accelerometer.
public struct AccelerometerData: Hashable, Sendable {
    /// The acceleration in g, gravity included.
    public let acceleration: Acceleration
    /// The time in seconds since 1970. Core Motion counts from the start of the device.
    public let timestamp: TimeInterval
}

/// A recorded sample of the accelerometer.
public struct RecordedAccelerometerData: Hashable, Sendable {
    /// The acceleration in g, gravity included.
    public let acceleration: Acceleration
    /// The time in seconds since 1970.
    public let timestamp: TimeInterval
    /// The time.
    public let startDate: Date
    /// The number of the batch of the sample. It grows with time.
    public let identifier: UInt64
}

/// Recorded samples, in the order of time.
public struct SensorDataList: Sequence, Sendable {
    /// The batches with the samples of the list, and the number of each.
    let batches: [(identifier: UInt64, samples: SampleBatch)]

    /// Passes on the samples one by one.
    public func makeIterator() -> AnyIterator<RecordedAccelerometerData> {
        AnyIterator(
            batches.lazy.flatMap { batch in
                batch.samples.accelerometerData.lazy.map {
                    RecordedAccelerometerData(
                        acceleration: $0.acceleration, timestamp: $0.timestamp,
                        startDate: Date(timeIntervalSince1970: $0.timestamp), identifier: batch.identifier)
                }
            }.makeIterator())
    }
}

extension SampleBatch {
    /// The samples as Core Motion has them.
    var accelerometerData: [AccelerometerData] {
        times.indices.map { index in
            AccelerometerData(
                acceleration: Acceleration(x: Double(x[index]), y: Double(y[index]), z: Double(z[index])),
                timestamp: times[index].seconds(since: .epoch))
        }
    }
}

internal import Footfall
internal import FootfallLive
internal import FootfallReaders
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

/// The samples of the device, in batches of a second.
public final class BatchedSensorManager: Sendable {
    /// Seconds of a batch, as in Core Motion.
    private static let batchSeconds = 1.0

    private let access: CoprocessorAccess
    private let delivery = Delivery()
    /// The queue of the handler, which calls it one at a time.
    private let queue = OperationQueue()

    /// Creates a manager of a coprocessor; nil for ``MotionCoprocessor/default``.
    public init(_ coprocessor: MotionCoprocessor? = nil) {
        access = CoprocessorAccess(coprocessor)
        queue.name = "Footfall.BatchedSensorManager"
        queue.maxConcurrentOperationCount = 1
    }

    /// Whether there are samples, which need a device.
    public static var isAccelerometerSupported: Bool { MotionCoprocessor.default?.isLive == true }
    /// False: an accelerometer does not measure rotation.
    public static var isDeviceMotionSupported: Bool { false }
    /// Whether the history may be read.
    public static var authorizationStatus: AuthorizationStatus { .current }

    /// The rate of the samples in hertz, rounded; 0 before the first ones.
    public var accelerometerDataFrequency: Int {
        guard let times = (try? access.coprocessor)?.samples.newest?.times, let first = times.first,
            let last = times.last, last > first
        else { return 0 }
        return Int(clamping: (Double(times.count - 1) / last.seconds(since: first)).rounded())
    }

    /// Starts batches of samples. A second call replaces the first handler.
    ///
    /// - Parameter handler: Gets the samples, or a ``MotionError`` after which no more follow. The manager's own queue
    ///   calls it, one call at a time.
    public func startAccelerometerUpdates(
        @_inheritActorContext handler: @escaping @Sendable @isolated(any) ([AccelerometerData]?, (any Error)?) -> Void
    ) {
        delivery.start(accelerometerUpdates(), on: queue, or: handler.isolation) {
            await handler(try? $0.get(), $0.failure)
        }
    }

    /// Stops the batches. The handler is not called again.
    public func stopAccelerometerUpdates() { delivery.stop() }

    /// The samples from now on, in batches of at least a second; the last one may be shorter.
    ///
    /// The sequence ends with the device, and when its task is cancelled. It throws ``MotionError``, also without a
    /// device. A reader that is far behind the device misses the oldest samples.
    public func accelerometerUpdates() -> AsyncThrowingStream<[AccelerometerData], any Error> {
        // The samples count from this call on, not from the start of the task.
        let samples = Result { try access.coprocessor.deviceSamples() }
        return access.updates(mostWaiting: MotionCoprocessor.mostBatches) { _, yield in
            var batch: [AccelerometerData] = []
            for try await samples in try samples.get() {
                batch += samples.accelerometerData
                guard let first = batch.first, let last = batch.last,
                    last.timestamp - first.timestamp >= Self.batchSeconds
                else { continue }
                yield(batch)
                batch = []
            }
            if !batch.isEmpty { yield(batch) }
        }
    }
}

/// Records the samples of the device in memory, and returns those of a range.
public final class SensorRecorder: Sendable {
    /// The longest recording and the longest range of a query, in seconds: 12 h, as in Core Motion.
    public static let longestDuration: TimeInterval = 43_200

    private let access: CoprocessorAccess

    /// Creates a recorder of a coprocessor; nil for ``MotionCoprocessor/default``.
    public init(_ coprocessor: MotionCoprocessor? = nil) { access = CoprocessorAccess(coprocessor) }

    /// Whether there are samples, which need a device.
    public static func isAccelerometerRecordingAvailable() -> Bool { MotionCoprocessor.default?.isLive == true }
    /// Whether the history may be read.
    public static func authorizationStatus() -> AuthorizationStatus { .current }

    /// Records the samples from now on. A recording that already lasts longer goes on. Of all recordings together, the
    /// newest ``longestDuration`` is kept.
    ///
    /// - Parameter duration: Seconds of samples, at most ``longestDuration``. A sample takes 20 bytes.
    public func recordAccelerometer(forDuration duration: TimeInterval) {
        guard duration > 0 else { return }
        (try? access.coprocessor)?.recorded.record(seconds: min(duration, Self.longestDuration))
    }

    /// The recorded samples of a range, both bounds included; nil without any, and for a range that ends before it
    /// starts or is longer than ``longestDuration``.
    public func accelerometerData(from start: Date, to end: Date) -> SensorDataList? {
        guard start <= end, end.timeIntervalSince(start) <= Self.longestDuration,
            let coprocessor = try? access.coprocessor
        else { return nil }
        let range = Timestamp(start)...Timestamp(end)
        let batches = coprocessor.recorded.batches.compactMap { batch in
            let samples = SampleBatch(batch.samples.filter { range.contains($0.time) })
            return samples.isEmpty ? nil : (identifier: batch.identifier, samples: samples)
        }
        return batches.isEmpty ? nil : SensorDataList(batches: batches)
    }
}

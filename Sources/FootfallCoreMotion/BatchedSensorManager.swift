internal import Footfall
internal import Foundation

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
        Int(clamping: ((try? access.coprocessor)?.samples.sampleRate ?? 0).rounded())
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
    public func stopAccelerometerUpdates() {
        delivery.stop()
    }

    /// The samples from now on, in batches of at least a second; the last one may be shorter.
    ///
    /// The sequence ends with the device, and when its task is cancelled. It throws ``MotionError``, also without a
    /// device. A reader that is far behind the device misses the oldest samples.
    public func accelerometerUpdates() -> AsyncThrowingStream<[AccelerometerData], any Error> {
        // The samples count from this call on, not from the start of the task.
        let samples = Result { try access.coprocessor.deviceSamples() }
        return access.updates { _, yield in
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

public import Footfall

/// A live origin of samples: the one thing to adopt for a device of one's own.
///
/// ```swift
/// struct TiltSensor: MotionDevice {
///     let name = "tilt sensor"
///     let read: @Sendable () throws -> (x: Float, y: Float, z: Float)
///
///     func batches() -> AsyncThrowingStream<SampleBatch, any Error> {
///         AsyncThrowingStream {
///             try await Task.sleep(for: .milliseconds(20))
///             let (x, y, z) = try read()
///             return SampleBatch([AccelerationSample(time: .now, x: x, y: y, z: z)])
///         }
///     }
/// }
/// ```
///
/// Its motion is then there for the asking:
///
/// ```swift
/// for try await update in LiveMotion(TiltSensor(read: readSensor)) {
///     print(update.steps, update.current?.activity ?? .unknown)
/// }
/// ```
///
/// Times are those of the host's clock. A device whose own clock says when its readings were taken, or that only tells
/// when they arrived, leaves them to a ``DeviceClock``.
public protocol MotionDevice: Sendable {
    /// What to call the device in messages, such as `/dev/ttyUSB0`.
    var name: String { get }

    /// Starts the device and returns its samples as they come, in g with gravity.
    ///
    /// The sequence ends with the device, or when the task that reads it is cancelled. A device that can come back, a plug
    /// pulled and put in again, is silent meanwhile. It throws what a user has to mend, such as a missing permission.
    func batches() -> AsyncThrowingStream<SampleBatch, any Error>
}

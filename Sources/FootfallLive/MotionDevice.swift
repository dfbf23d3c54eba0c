public import Footfall
internal import FootfallReaders

/// A live origin of samples. Adopt this protocol for a new kind of device.
///
/// ```swift
/// struct TiltSensor: MotionDevice {
///     let name = "tilt sensor"
///     let read: @Sendable () throws -> (x: Float, y: Float, z: Float)
///
///     func batches() -> some AsyncSequence<SampleBatch, any Error> {
///         AsyncThrowingStream {
///             try await Task.sleep(for: .milliseconds(20))
///             let (x, y, z) = try read()
///             return SampleBatch([AccelerationSample(time: .now, x: x, y: y, z: z)])
///         }
///     }
/// }
/// ```
///
/// ``LiveMotion`` analyzes its samples:
///
/// ```swift
/// for try await update in LiveMotion(TiltSensor(read: readSensor)) {
///     print(update.steps, update.current?.activity ?? .unknown)
/// }
/// ```
///
/// Times are those of the host's clock. Use a ``DeviceClock`` when readings have a device time, or arrive in bursts.
public protocol MotionDevice: Sendable {
    /// The name of the device in messages, such as `/dev/ttyUSB0`.
    var name: String { get }

    /// The sequence of its samples, any that gives batches; a device need not name it.
    associatedtype Batches: AsyncSequence where Batches.Element == SampleBatch

    /// Starts the device and returns its samples as they arrive, in g with gravity.
    ///
    /// The sequence ends with the device, or when the task that reads it is cancelled. A device that can be reconnected
    /// returns no samples meanwhile. The sequence throws an error that the user has to correct, such as a missing
    /// permission.
    func batches() -> Batches
}

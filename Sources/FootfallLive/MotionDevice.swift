public import Footfall
public import FootfallReaders

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

    /// The type of the sequence of its samples. Swift infers it from ``batches()``.
    associatedtype Batches: AsyncSequence where Batches.Element == SampleBatch

    /// Starts the device and returns its samples as they arrive, in g with gravity.
    ///
    /// The sequence ends with the device, or when the task that reads it is cancelled. A device that can be reconnected
    /// returns no samples meanwhile. The sequence throws an error that the user has to correct, such as a missing
    /// permission.
    func batches() -> Batches
}

/// A message of a device, apart from its samples.
public enum DeviceNotice: Hashable, Sendable {
    /// The device was opened for the first time.
    case opened
    /// The device was opened again after ``lost(_:)``.
    case reconnected
    /// The format was recognized. The layout names the columns and the unit.
    case recognized(WireProtocol, layout: String?)
    /// The device is open, but no bytes arrive for five seconds.
    case silent
    /// Bytes arrive, but none can be decoded for five seconds, or until the device ends. The first lines of them, if
    /// they are text.
    case unreadable(bytes: Int, baud: Int?, lines: [String])
    /// Samples arrive again.
    case resumed
    /// The connection is lost, with the reason. The device is reconnected.
    case lost(String)
    /// Datagrams of a second sender are dropped.
    case ignored(sender: String)
    /// Samples were dropped, because the program did not read them in time.
    case overrun(samples: Int)
    /// The host's clock was set back by these seconds. The times of the samples go on without it. If that would be too
    /// far ahead of the clock, they repeat: what is recorded then replaces what was recorded for the same time.
    case clockSetBack(seconds: Double, repeats: Bool)
    /// How the device is read.
    case remark(ParameterText)
    /// Why its data are refused or doubted.
    case problem(ParameterText)
    /// The quality of the bytes so far, about once a second.
    case quality(WireQuality)
}

extension DeviceNotice: CustomStringConvertible {
    /// The notice in words, without the name of the device.
    public var description: String { message.description }

    /// The notice, which may name parameters.
    public var message: ParameterText {
        switch self {
        case .opened: "open"
        case .reconnected: "reconnected"
        case .recognized(let wire, let layout): ParameterText(layout ?? "\(wire)")
        case .silent: "no data arrive; check that it is switched on and sends, and that this is the right port"
        case .unreadable(let bytes, _, let lines) where !lines.isEmpty:
            "\(bytes) bytes arrived, in no known format: \(lines.map { "'\($0)'" }.joined(separator: ", "))"
                + "; each line needs x, y and z with gravity, such as "
                + "0.02,-0.01,1.00 or ax:0.02 ay:-0.01 az:1.00"
        case .unreadable(let bytes, nil, _): "\(bytes) bytes arrived, in no known format"
        case .unreadable(let bytes, let baud?, _):
            "\(bytes) bytes arrived at \(baud) baud, in no known format; "
                + "try another \(.baud), such as \(baud == 9600 ? 115200 : 9600)"
        case .resumed: "sends again"
        case .lost(let reason): "connection lost: \(reason); reconnecting"
        case .ignored(let sender): "\(sender) sends too; its data are dropped"
        case .overrun(let samples): "samples dropped, because they were not read in time: \(samples)"
        case .clockSetBack(let seconds, repeats: false):
            "the clock of this machine was set back by \(Int(clamping: seconds.rounded())) s; the times of the samples go on "
                + "without it until a pause"
        case .clockSetBack(let seconds, repeats: true):
            "the clock of this machine was set back by \(Int(clamping: seconds.rounded())) s; what is recorded from now on "
                + "replaces what was recorded for the same time"
        case .remark(let text), .problem(let text): text
        case .quality(let quality): "\(quality.readings) readings in \(quality.bytes) bytes"
        }
    }
}

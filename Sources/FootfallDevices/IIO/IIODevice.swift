public import Footfall

/// An accelerometer of Linux's Industrial I/O subsystem, as `/sys/bus/iio/devices/iio:device0`: sensors on a Raspberry Pi's pins
/// with a driver of the kernel, those of tablets, laptops and Linux phones.
///
/// It is read through its buffer, which has the times of the readings; that needs the permission to set it up. Otherwise it is
/// asked fifty times a second.
public struct IIODevice: MotionDevice {
    /// Where the devices are.
    static let folder = "/sys/bus/iio/devices"

    /// The number of the device.
    public let number: Int
    private let isPolled: Bool
    private let configures: Bool
    private let root: String
    private let clock: HostClock

    /// Told what the device has to say besides its samples, on a thread of the device.
    public var onNotice: (@Sendable (DeviceNotice) -> Void)?

    /// Creates a device, which is not touched before its batches are asked for.
    ///
    /// - Parameters:
    ///   - number: The 0 of `iio:device0`.
    ///   - isPolled: Whether to leave its buffer alone.
    ///   - configures: Whether to set its rate to 50 Hz or the next one that it offers. Otherwise it is left as it is.
    ///   - root: Where `/sys` and `/dev` are found.
    public init(_ number: Int, isPolled: Bool = false, configures: Bool = false, root: String = "/") {
        self.init(number, isPolled: isPolled, configures: configures, root: root, clock: HostClock())
    }

    /// Creates a device on a host with another clock.
    package init(
        _ number: Int, isPolled: Bool = false, configures: Bool = false, root: String = "/", clock: HostClock
    ) {
        (self.number, self.isPolled, self.configures, self.clock) = (number, isPolled, configures, clock)
        self.root = root == "/" ? "" : root
    }

    /// Such as `iio:0`.
    public var name: String { "iio:\(number)" }

    /// Opens the device and returns its samples as they come. The sequence throws ``DeviceError`` when it cannot be opened.
    public func batches() -> AsyncThrowingStream<SampleBatch, any Error> {
        let source = IIOSource(number: number, root: root, isPolled: isPolled, configures: configures)
        return DeviceLoop.run(source, clock: clock, onNotice: onNotice)
    }
}

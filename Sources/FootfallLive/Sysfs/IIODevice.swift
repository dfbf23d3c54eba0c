public import Footfall
internal import FootfallReaders
internal import Foundation

/// An accelerometer of Linux's Industrial I/O subsystem, such as `/sys/bus/iio/devices/iio:device0`. These are sensors
/// with a driver of the kernel, on the pins of a Raspberry Pi or in tablets, laptops and Linux phones.
///
/// The device is read through its buffer, which has the times of the readings and needs permission to be configured.
/// Without a buffer, the device is polled at 50 Hz.
public struct IIODevice: MotionDevice {
    /// The number of the device.
    public let number: Int
    private let isPolled: Bool
    private let configures: Bool
    private let root: String
    /// The clock of the host; tests replace it.
    package var clock = HostClock()

    /// Gets the notices of the device, on the device's thread.
    public var onNotice: (@Sendable (DeviceNotice) -> Void)?

    /// Creates a device. It is opened by ``batches()``.
    ///
    /// - Parameters:
    ///   - number: The 0 of `iio:device0`.
    ///   - isPolled: Whether to poll a device that has a buffer.
    ///   - configures: Whether to set the sample rate to 50 Hz or the next available one above.
    ///   - root: The folder of `sys` and `dev`.
    public init(_ number: Int, isPolled: Bool = false, configures: Bool = false, root: String = "/") {
        (self.number, self.isPolled, self.configures) = (number, isPolled, configures)
        self.root = root == "/" ? "" : root
    }

    /// The name, such as `iio:0`.
    public var name: String { "iio:\(number)" }

    /// Opens the device and returns its samples as they arrive. The sequence throws ``DeviceError`` when it cannot be
    /// opened.
    public func batches() -> AsyncThrowingStream<SampleBatch, any Error> {
        let source = IIOSource(number: number, root: root, isPolled: isPolled, configures: configures)
        return DeviceLoop.run(source, clock: clock, onNotice: onNotice)
    }
}

private struct IIOSource: DeviceSource {
    /// The highest rate of polling in hertz. Reading three files takes too long for more.
    private static let pollingRate = 50.0

    private let number: Int
    private let root: String
    private let isPolled: Bool
    private let configures: Bool
    private var accelerometer: IIOAccelerometer?
    private var buffer: IIOBuffer?
    /// The files of the raw values in polling.
    private var files: [Handle] = []
    /// The bytes of an incomplete scan.
    private var tail: [UInt8] = []
    var notices: [DeviceNotice] = []
    private(set) var interval: Int64?

    init(number: Int, root: String, isPolled: Bool, configures: Bool) {
        (self.number, self.root, self.isPolled, self.configures) = (number, root, isPolled, configures)
    }

    var descriptor: Int32 { buffer?.handle.descriptor ?? -1 }
    var baud: Int? { nil }
    var quality: WireQuality? { nil }

    mutating func open() throws(DeviceError) {
        let path = "\(root)\(IIOAccelerometer.devices)/iio:device\(number)"
        guard access(path, F_OK) == 0 else { throw DeviceError(.missing, device: "iio:\(number)") }
        guard let accelerometer = IIOAccelerometer(AttributeFolder(path: path)) else {
            throw DeviceError(.notADevice("not an accelerometer"), device: "iio:\(number)")
        }
        if configures { accelerometer.setSampleRate(atLeast: Self.pollingRate) }
        self.accelerometer = accelerometer
        tail = []
        let rate = accelerometer.sampleRate
        let title = accelerometer.name + (rate.map { " at \(Self.text($0)) Hz" } ?? "")
        if !isPolled {
            do throws(IIOBuffer.Unavailable) {
                buffer = try IIOBuffer(accelerometer, number: number, root: root)
                notices.append(.remark("\(title), read through its buffer"))
                return
            } catch {
                notices.append(.remark("its buffer is not used: \(error.reason)"))
            }
        }
        files = try IIOAccelerometer.axes.map { axis throws(DeviceError) in
            let descriptor = Foundation.open("\(path)/in_accel_\(axis)_raw", O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else { throw DeviceError(code: errno, device: "iio:\(number)") }
            return Handle(descriptor)
        }
        let polled = min(rate ?? Self.pollingRate, Self.pollingRate)
        interval = Int64(clamping: 1e9 / polled)
        notices.append(.remark("\(title), polled at \(Self.text(polled)) Hz"))
    }

    mutating func close() {
        (buffer, files, interval) = (nil, [], nil)
    }

    mutating func receive(into readings: inout [WireReading]) throws(Disconnection) -> Int {
        guard let accelerometer else { return 0 }
        if let buffer { return try receive(from: buffer, accelerometer, into: &readings) }
        let raw = files.map { AttributeFolder.text($0).flatMap { Double($0) } }
        guard raw.count == 3, let x = raw[0], let y = raw[1], let z = raw[2] else {
            // While the file exists, the bus may only be busy.
            if accelerometer.folder.has("in_accel_x_raw") { return 0 }
            throw .lost("removed")
        }
        readings.append(accelerometer.reading([x, y, z], at: nil))
        return 3
    }

    private mutating func receive(
        from buffer: IIOBuffer, _ accelerometer: IIOAccelerometer, into readings: inout [WireReading]
    ) throws(Disconnection) -> Int {
        var bytes = [UInt8](repeating: 0, count: IIOBuffer.chunk)
        let count = read(buffer.handle.descriptor, &bytes, bytes.count)
        if count < 0, errno == EAGAIN || errno == EINTR { return 0 }
        guard count > 0 else { throw .lost("removed") }
        tail += bytes.prefix(count)
        let whole = tail.count - tail.count % max(1, buffer.scan.size)
        readings += buffer.readings(in: tail[..<whole], of: accelerometer)
        tail.removeFirst(whole)
        return count
    }

    private static func text(_ rate: Double) -> String {
        rate == rate.rounded() && rate < 1e9 ? String(Int(clamping: rate)) : String(rate)
    }
}

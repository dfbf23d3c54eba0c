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
    fileprivate let configures: Bool
    fileprivate let root: String
    /// The clock of the host; tests replace it.
    package var clock = HostClock()

    /// Gets the notices of the device, on the device's thread.
    public var onNotice: (@Sendable (DeviceNotice) -> Void)?

    /// Creates a device. It is opened by ``batches()``.
    ///
    /// - Parameters:
    ///   - number: The 0 of `iio:device0`.
    ///   - configures: Whether to set the sample rate to 50 Hz or the next available one above.
    ///   - root: The folder of `sys` and `dev`.
    public init(_ number: Int, configures: Bool = false, root: String = "/") {
        (self.number, self.configures, self.root) = (number, configures, root == "/" ? "" : root)
    }

    /// The name, such as `iio:0`.
    public var name: String { "iio:\(number)" }

    /// Opens the device and returns its samples as they arrive. The sequence throws ``DeviceError`` when it cannot be
    /// opened.
    public func batches() -> AsyncThrowingStream<SampleBatch, any Error> {
        DeviceLoop.run(IIOSource(device: self), clock: clock, onNotice: onNotice)
    }
}

private struct IIOSource: DeviceSource {
    /// The highest rate of polling in hertz. Reading three files takes too long for more.
    private static let pollingRate = 50.0

    let device: IIODevice
    private var accelerometer: IIOAccelerometer?
    private var buffer: IIOBuffer?
    /// The files of the raw values in polling.
    private var files: [Handle] = []
    /// The bytes of an incomplete scan.
    private var tail: [UInt8] = []
    var notices: [DeviceNotice] = []
    private(set) var interval: Int64?

    init(device: IIODevice) { self.device = device }

    var descriptor: Int32 { buffer?.handle.descriptor ?? -1 }
    var baud: Int? { nil }
    var quality: WireQuality? { nil }
    var isUnitAssumed: Bool { false }

    mutating func open() throws(DeviceError) {
        let path = "\(device.root)\(IIOAccelerometer.devices)/iio:device\(device.number)"
        guard access(path, F_OK) == 0 else { throw DeviceError(.missing, device: device.name) }
        guard let accelerometer = IIOAccelerometer(AttributeFolder(path: path)) else {
            throw DeviceError(.notADevice("not an accelerometer"), device: device.name)
        }
        if device.configures { accelerometer.setSampleRate(atLeast: Self.pollingRate) }
        self.accelerometer = accelerometer
        tail = []
        let rate = accelerometer.sampleRate
        let title = accelerometer.name + (rate.map { " at \(Self.text($0)) Hz" } ?? "")
        do throws(IIOBuffer.Unavailable) {
            buffer = try IIOBuffer(accelerometer, number: device.number, root: device.root)
            notices.append(.remark("\(title), read through its buffer"))
            return
        } catch {
            notices.append(.remark("its buffer is not used: \(error.reason)"))
        }
        files = try IIOAccelerometer.axes.map { axis throws(DeviceError) in
            let descriptor = Foundation.open("\(path)/in_accel_\(axis)_raw", O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else { throw DeviceError(code: errno, device: device.name) }
            return Handle(descriptor)
        }
        let polled = min(rate ?? Self.pollingRate, Self.pollingRate)
        interval = Int64(clamping: 1e9 / polled)
        notices.append(.remark("\(title), polled at \(Self.text(polled)) Hz"))
    }

    mutating func close() { (buffer, files, interval) = (nil, [], nil) }

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

/// The buffer of an IIO device, from which the kernel returns readings with their times.
final class IIOBuffer: Sendable {
    /// The capacity in readings.
    private static let length = 256
    /// The bytes of one read.
    static let chunk = 1 << 14

    let handle: Handle
    let scan: IIOScan
    /// An attribute, and its text before it was set.
    private typealias Setting = (folder: AttributeFolder, name: String, before: String)
    private let settings: [Setting]

    struct Unavailable: Error {
        var reason: String
    }

    init(_ accelerometer: IIOAccelerometer, number: Int, root: String) throws(Unavailable) {
        let folder = accelerometer.folder
        let buffer = AttributeFolder(path: folder.path + "/buffer")
        let elements = AttributeFolder(
            path: folder.path + (folder.has("scan_elements") ? "/scan_elements" : "/buffer0"))
        guard buffer.has("enable"), elements.has("in_accel_x_en") else {
            throw Unavailable(reason: "the driver has no buffer")
        }
        guard buffer.text("enable") != "1" else { throw Unavailable(reason: "another program uses its buffer") }
        var settings: [Setting] = []
        do throws(Unavailable) {
            for axis in IIOAccelerometer.axes { try Self.set("in_accel_\(axis)_en", "1", in: elements, &settings) }
            if elements.has("in_timestamp_en") { try Self.set("in_timestamp_en", "1", in: elements, &settings) }
            try Self.setTrigger(accelerometer, number: number, root: root, &settings)
            if buffer.has("length") { try Self.set("length", "\(Self.length)", in: buffer, &settings) }
            scan = try Self.layout(elements)
            try Self.set("enable", "1", in: buffer, &settings)
            let path = "\(root)/dev/iio:device\(number)"
            let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
            guard descriptor >= 0 else { throw Unavailable(reason: "\(path): \(String(cString: strerror(errno)))") }
            handle = Handle(descriptor)
            self.settings = settings
        } catch {
            Self.undo(settings)
            throw error
        }
    }

    deinit { Self.undo(settings) }

    func readings(in scans: ArraySlice<UInt8>, of accelerometer: IIOAccelerometer) -> [WireReading] {
        let axes = IIOAccelerometer.axes.compactMap { scan.elements["in_accel_\($0)"] }
        guard axes.count == 3 else { return [] }
        return stride(from: scans.startIndex, to: scans.endIndex, by: scan.size).map { start in
            let bytes = scans[start..<start + scan.size]
            let time = scan.elements["in_timestamp"]?.value(in: bytes)
            return accelerometer.reading(axes.map { Double($0.value(in: bytes)) }, at: time)
        }
    }

    private static func set(
        _ name: String, _ value: String, in folder: AttributeFolder, _ settings: inout [Setting]
    ) throws(Unavailable) {
        let before = folder.text(name) ?? ""
        guard before != value else { return }
        let code = folder.set(name, to: value)
        guard code == 0 else {
            throw Unavailable(reason: "\(folder.path)/\(name): \(String(cString: strerror(code)))")
        }
        settings.append((folder, name, before))
    }

    /// Restores attributes in reverse order. The last one, `enable`, locks all others while it is set.
    private static func undo(_ settings: [Setting]) {
        for setting in settings.reversed() where !setting.before.isEmpty {
            _ = setting.folder.set(setting.name, to: setting.before)
        }
    }

    /// Selects a trigger, the device's own if possible. A device without the attribute needs none.
    private static func setTrigger(
        _ accelerometer: IIOAccelerometer, number: Int, root: String, _ settings: inout [Setting]
    ) throws(Unavailable) {
        let trigger = AttributeFolder(path: accelerometer.folder.path + "/trigger")
        guard let current = trigger.text("current_trigger"), current.isEmpty else { return }
        let devices = AttributeFolder(path: root + IIOAccelerometer.devices)
        let names = devices.names.filter { $0.hasPrefix("trigger") }.compactMap { devices.text($0 + "/name") }
        let own = names.first { $0 == "\(accelerometer.name)-dev\(number)" }
        guard let name = own ?? names.first(where: { $0.hasPrefix(accelerometer.name) }) ?? names.first else {
            throw Unavailable(reason: "there is no trigger for it")
        }
        try set("current_trigger", name, in: trigger, &settings)
    }

    /// The layout of all enabled channels, including those that another program enabled.
    private static func layout(_ elements: AttributeFolder) throws(Unavailable) -> IIOScan {
        var channels: [(name: String, index: Int, element: IIOScan.Element)] = []
        for file in elements.names where file.hasSuffix("_en") && elements.text(file) == "1" {
            let name = String(file.dropLast("_en".count))
            guard let index = elements.text(name + "_index").flatMap({ Int($0) }),
                let type = elements.text(name + "_type"), let element = IIOScan.Element(type)
            else { throw Unavailable(reason: "the format of its channel \(name) is unknown") }
            channels.append((name, index, element))
        }
        return IIOScan(channels)
    }
}

/// The layout of a scan, which is one reading of all enabled channels. Linux's
/// `Documentation/ABI/testing/sysfs-bus-iio` defines it: channels are in the order of their index, each at a multiple
/// of its own size. The scan is a multiple of the largest.
struct IIOScan: Sendable {
    /// The format of a value: `[be|le]:[s|u]bits/storagebits[Xrepeat][>>shift]`.
    struct Element: Sendable {
        var isBigEndian: Bool
        var isSigned: Bool
        var bits: Int
        var bytes: Int
        var count: Int
        var shift: Int
        var offset = 0

        /// Parses a format; nil for an unknown one.
        init?(_ type: String) {
            let format = #/(be|le):(s|u)([0-9]{1,4})/([0-9]{1,4})(?:X([0-9]{1,4}))?(?:>>([0-9]{1,4}))?/#
            guard let match = type.wholeMatch(of: format), let bits = Int(match.3), let storage = Int(match.4)
            else { return nil }
            isBigEndian = match.1 == "be"
            isSigned = match.2 == "s"
            count = match.5.flatMap { Int($0) } ?? 1
            shift = match.6.flatMap { Int($0) } ?? 0
            guard count > 0, [8, 16, 32, 64].contains(storage), bits > 0, shift + bits <= storage else { return nil }
            (self.bits, bytes) = (bits, storage / 8)
        }

        func value(in scan: ArraySlice<UInt8>) -> Int64 {
            let start = scan.startIndex + offset
            let stored = scan[start..<start + bytes]
            let ordered = isBigEndian ? Array(stored) : stored.reversed()
            let raw = ordered.reduce(UInt64(0)) { $0 << 8 | UInt64($1) } >> UInt64(shift)
            // Shifting up removes the bits above the value; shifting down extends the sign.
            let top = raw << UInt64(64 - bits)
            return isSigned
                ? Int64(bitPattern: top) >> Int64(64 - bits) : Int64(truncatingIfNeeded: top >> UInt64(64 - bits))
        }
    }

    private(set) var elements: [String: Element] = [:]
    private(set) var size = 0

    init(_ channels: [(name: String, index: Int, element: Element)]) {
        var largest = 1
        for channel in channels.sorted(by: { $0.index < $1.index }) {
            var element = channel.element
            let length = element.bytes * element.count
            element.offset = Self.aligned(size, to: length)
            size = element.offset + length
            largest = max(largest, length)
            elements[channel.name] = element
        }
        size = Self.aligned(size, to: largest)
    }

    private static func aligned(_ offset: Int, to size: Int) -> Int { (offset + size - 1) / size * size }
}

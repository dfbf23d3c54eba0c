internal import FootfallWire

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// An accelerometer of the IIO subsystem, read through its buffer or, where there is none, asked again and again.
struct IIOSource: DeviceSource {
    /// Times a second that a device is asked, unless it has fewer readings. Three files at once are not faster.
    private static let usualRate = 50.0

    private let number: Int
    private let root: String
    private let isPolled: Bool
    private let configures: Bool
    private var accelerometer: IIOAccelerometer?
    private var buffer: IIOBuffer?
    private var files: [Handle] = []
    /// The bytes of a scan that has not arrived as a whole.
    private var tail: [UInt8] = []
    private var notices: [DeviceNotice] = []
    private(set) var interval: Int64?

    init(number: Int, root: String, isPolled: Bool, configures: Bool) {
        (self.number, self.root, self.isPolled, self.configures) = (number, root, isPolled, configures)
    }

    var descriptor: Int32 { buffer?.handle.descriptor ?? -1 }
    var baud: Int? { nil }
    var quality: WireQuality? { nil }

    mutating func takeNotices() -> [DeviceNotice] {
        defer { notices.removeAll() }
        return notices
    }

    mutating func open() throws(DeviceError) {
        let path = "\(root)\(IIODevice.folder)/iio:device\(number)"
        guard access(path, F_OK) == 0 else { throw DeviceError(.missing, device: "iio:\(number)") }
        guard let accelerometer = IIOAccelerometer(AttributeFolder(path: path)) else {
            throw DeviceError(.notADevice("not an accelerometer"), device: "iio:\(number)")
        }
        if configures { accelerometer.setSampleRate(atLeast: Self.usualRate) }
        self.accelerometer = accelerometer
        tail = []
        let rate = accelerometer.sampleRate
        let known = rate.map { " at \(Self.rounded($0)) Hz" } ?? ""
        if !isPolled {
            do throws(IIOBuffer.Unavailable) {
                buffer = try IIOBuffer(accelerometer, number: number, root: root)
                notices.append(.remark("\(accelerometer.name)\(known), read through its buffer"))
                return
            } catch {
                notices.append(.remark("not read through its buffer: \(error.reason)"))
            }
        }
        files = try IIOAccelerometer.axes.map { axis throws(DeviceError) in
            let descriptor = openFile("\(path)/in_accel_\(axis)_raw")
            guard descriptor >= 0 else { throw DeviceError(code: errno, device: "iio:\(number)") }
            return Handle(descriptor)
        }
        let asked = min(rate ?? Self.usualRate, Self.usualRate)
        interval = Int64(1e9 / asked)
        notices.append(.remark("\(accelerometer.name)\(known), asked \(Self.rounded(asked)) times a second"))
    }

    mutating func close() {
        (buffer, files, interval) = (nil, [], nil)
    }

    mutating func receive(into readings: inout [WireReading]) throws(Loss) -> Int {
        guard let accelerometer else { return 0 }
        if let buffer { return try receive(from: buffer, accelerometer, into: &readings) }
        let raw = files.map { AttributeFolder.text($0).flatMap { Double($0) } }
        guard raw.count == 3, let x = raw[0], let y = raw[1], let z = raw[2] else {
            // A reading that failed may be the device's end, or a bus that was busy.
            if accelerometer.folder.has("in_accel_x_raw") { return 0 }
            throw .broken("gone")
        }
        readings.append(accelerometer.reading([x, y, z], at: nil))
        return 3
    }

    private mutating func receive(
        from buffer: IIOBuffer, _ accelerometer: IIOAccelerometer, into readings: inout [WireReading]
    ) throws(Loss) -> Int {
        var bytes = [UInt8](repeating: 0, count: IIOBuffer.chunk)
        let count = read(buffer.handle.descriptor, &bytes, bytes.count)
        if count < 0, errno == EAGAIN || errno == EINTR { return 0 }
        guard count > 0 else { throw .broken("gone") }
        tail += bytes.prefix(count)
        let whole = tail.count - tail.count % max(1, buffer.scan.size)
        readings += buffer.readings(in: tail[..<whole], of: accelerometer)
        tail.removeFirst(whole)
        return count
    }

    private func openFile(_ path: String) -> Int32 {
        #if canImport(Darwin)
            Darwin.open(path, O_RDONLY | O_CLOEXEC)
        #else
            Glibc.open(path, O_RDONLY | O_CLOEXEC)
        #endif
    }

    /// A rate as it is shown: whole where it is.
    private static func rounded(_ rate: Double) -> String {
        rate == rate.rounded() && rate < 1e9 ? String(Int(rate)) : String(rate)
    }
}

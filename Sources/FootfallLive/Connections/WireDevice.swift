public import Footfall
public import FootfallReaders
internal import Foundation

/// A device that sends bytes over a serial port, a pipe, UDP or TCP.
///
/// The format is recognized within two seconds, or given. Times are those of the host's clock.
///
/// ```swift
/// var device = WireDevice(.serial(path: "/dev/ttyUSB0"), baud: 9600)
/// device.onNotice = { print($0) }
/// for try await update in LiveMotion(device) { print(update.steps) }
/// ```
///
/// A lost serial port or server is reconnected. The time between is a gap in the samples. A device that is missing,
/// busy or not permitted at the start is an error.
public struct WireDevice: MotionDevice {
    /// The default speed of a serial port, which most sketches and enclosed sensors use.
    public static let defaultBaud = 115_200

    /// The address of the device.
    public let address: DeviceAddress
    fileprivate let baud: Int
    fileprivate let wire: WireProtocol?
    fileprivate let text: TextLineOptions
    /// The clock of the host; tests replace it.
    package var clock = HostClock()

    /// Gets the notices of the device, on the device's thread.
    public var onNotice: (@Sendable (DeviceNotice) -> Void)?
    /// Gets all bytes of the device, on the device's thread.
    public var onBytes: (@Sendable ([UInt8]) -> Void)?
    /// The numeric address of the host whose datagrams are read, such as `192.168.1.17`; nil for any host.
    public var sender: String?
    /// The commands to send each time the device is opened; see ``/FootfallReaders/WireProtocol/configuration(rate:)``.
    public var setup: [WireCommand] = []

    /// Creates a device. It is opened by ``batches()``.
    ///
    /// - Parameters:
    ///   - address: The address. ``DeviceAddress/iio(_:)`` is an error; use ``IIODevice``.
    ///   - baud: The speed of a serial port.
    ///   - wire: The protocol; nil to recognize it.
    ///   - text: The known properties of lines of text.
    public init(
        _ address: DeviceAddress, baud: Int = defaultBaud, protocol wire: WireProtocol? = nil,
        text: TextLineOptions = TextLineOptions()
    ) {
        (self.address, self.baud, self.wire, self.text) = (address, baud, wire, text)
    }

    /// The address.
    public var name: String { address.description }

    /// Opens the device and returns its samples as they arrive.
    ///
    /// The sequence throws ``DeviceError`` when the device cannot be opened. It ends with a pipe.
    public func batches() -> AsyncThrowingStream<SampleBatch, any Error> {
        DeviceLoop.run(WireSource(self), clock: clock, onNotice: onNotice)
    }
}

/// The connection of a device that sends the bytes of a wire protocol.
private struct WireSource: DeviceSource {
    /// The bytes of one read: more than a serial driver or a socket buffers in a second.
    private static let capacity = 1 << 16
    /// Milliseconds in which a device has to accept a command.
    private static let writeTimeout: Int32 = 1000
    /// The longest pause in seconds after a command.
    private static let longestPause = 2.0

    private let device: WireDevice
    private var decoder: WireDecoder
    private var handle: Handle?
    private var buffer = [UInt8](repeating: 0, count: capacity)
    private var senders: Senders
    var notices: [DeviceNotice] = []
    private var lastRecognized: DeviceNotice?
    /// Without its numbers: those of a measure change about every second.
    private var lastProblem: String?

    init(_ device: WireDevice) {
        self.device = device
        decoder = WireDecoder(device.wire, text: device.text)
        senders = Senders(only: device.sender, decoder, device.clock)
    }

    private var address: DeviceAddress { device.address }
    var descriptor: Int32 { handle?.descriptor ?? -1 }
    var interval: Int64? { nil }
    var quality: WireQuality? { decoder.quality }
    var isUnitAssumed: Bool { decoder.isUnitAssumed }
    var baud: Int? { if case .serial = address { device.baud } else { nil } }

    mutating func open() throws(DeviceError) {
        let handle =
            switch address {
            case .serial(let path): try SerialPort.open(path, baud: device.baud)
            case .standardInput: Handle(STDIN_FILENO, isOwned: false)
            case .udp(let host, let port): try Sockets.listen(host: host, port: port, name: address.description)
            case .tcp(let host, let port): try Sockets.connect(host: host, port: port, name: address.description)
            case .iio: throw DeviceError(.notADevice("an IIO device"), device: address.description)
            }
        for command in device.setup {
            try send(command.bytes, to: handle)
            usleep(UInt32(clamping: min(max(0, command.pause), Self.longestPause) * 1e6))
        }
        self.handle = handle
        decoder.reset()
    }

    private func send(_ bytes: [UInt8], to handle: Handle) throws(DeviceError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            guard Poll.writable(handle.descriptor, milliseconds: Self.writeTimeout) else {
                throw DeviceError(.failed("it does not accept its settings"), device: address.description)
            }
            let sent = rest.withUnsafeBytes { write(handle.descriptor, $0.baseAddress, $0.count) }
            if sent < 0, errno != EAGAIN, errno != EINTR {
                throw DeviceError(code: errno, device: address.description)
            }
            rest = rest.dropFirst(max(0, sent))
        }
    }

    mutating func close() { handle = nil }

    mutating func receive(into readings: inout [WireReading]) throws(Disconnection) -> Int {
        if case .udp = address { return receiveDatagrams(into: &readings) }
        let count: Int
        do throws(Disconnection) {
            count = try read()
        } catch {
            if case .ended = error {
                decoder.finish(into: &readings)
                addNotices(hasReadings: !readings.isEmpty)
            }
            throw error
        }
        decode(count, into: &readings)
        return count
    }

    private mutating func decode(_ count: Int, into readings: inout [WireReading]) {
        guard count > 0 else { return }
        let bytes = Array(buffer[..<count])
        device.onBytes?(bytes)
        decoder.decode(bytes, into: &readings)
        addNotices(hasReadings: !readings.isEmpty)
    }

    private mutating func addNotices(hasReadings: Bool) {
        if hasReadings, let wire = decoder.recognized {
            let notice = DeviceNotice.recognized(wire, layout: decoder.layout)
            if notice != lastRecognized { notices.append(notice) }
            lastRecognized = notice
        }
        let problem = decoder.quality.problem
        let words = problem.map { $0.description.filter { !$0.isNumber } }
        if let problem, words != lastProblem { notices.append(.problem(problem)) }
        lastProblem = words
    }

    /// Reads all available bytes, so that bytes that arrived together have one time of arrival.
    private mutating func read() throws(Disconnection) -> Int {
        let descriptor = descriptor
        var filled = 0
        repeat {
            let count = buffer.withUnsafeMutableBytes { buffer -> Int in
                let count = Foundation.read(descriptor, buffer.baseAddress.map { $0 + filled }, buffer.count - filled)
                // A later call could overwrite the code.
                return count < 0 ? -Int(errno) : count
            }
            if count == -Int(EAGAIN) || count == -Int(EINTR) { break }
            if count <= 0 {
                // The next read returns the end again.
                if filled > 0 { break }
                throw disconnection(code: Int32(-count))
            }
            filled += count
        } while filled < buffer.count && Poll.readable([descriptor], milliseconds: 0)[0]
        return filled
    }

    private func disconnection(code: Int32) -> Disconnection {
        switch address {
        case .standardInput: .ended
        case .tcp where code == 0: .lost("the server closed the connection")
        case .serial where code == 0 || code == EIO || code == ENXIO || code == ENODEV: .lost("unplugged")
        default: .lost(String(cString: strerror(code)))
        }
    }

    private mutating func receiveDatagrams(into readings: inout [WireReading]) -> Int {
        let descriptor = descriptor
        var total = 0
        while total < Self.capacity, Poll.readable([descriptor], milliseconds: 0)[0] {
            var sender = sockaddr_storage()
            var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
            let count = buffer.withUnsafeMutableBytes { buffer in
                withUnsafeMutablePointer(to: &sender) { pointer in
                    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                        recvfrom(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT), $0, &length)
                    }
                }
            }
            // An error of a datagram socket does not end it.
            guard count >= 0 else { break }
            let host = Sockets.host(sender, length)
            guard senders.accepts(host) else {
                if senders.isFirst(host) { notices.append(.ignored(sender: host)) }
                continue
            }
            let known = readings.count
            let bytes = Array(buffer[..<count])
            senders.exchangeDecoder(of: host, with: &decoder)
            decoder.decode(bytes, into: &readings)
            decoder.endDatagram(into: &readings)
            let isRead = readings.count > known
            if let bytes = senders.bytesToPassOn(bytes, from: host, isRead: isRead) {
                device.onBytes?(bytes)
                addNotices(hasReadings: isRead)
            }
            if isRead { senders.select(host) } else { senders.exchangeDecoder(of: host, with: &decoder) }
            total += max(1, count)
        }
        return total
    }
}

/// Selects the datagrams of one sender at a time, so that two sensors are not mixed. Only a host whose datagrams can be
/// decoded is selected. Until then, each host has a decoder of its own. A sender is its host, because many apps change
/// the port at each start.
private struct Senders: Sendable {
    /// Another sender can be selected after so many seconds without a reading.
    private static let timeout = 5.0
    /// The number of other hosts that are decoded, and that are reported.
    private static let capacity = 16
    /// The bytes that are kept of another host: more than a sensor sends until it is recognized.
    private static let mostBytes = 1 << 16

    /// The only permitted host; nil for any.
    private let only: String?
    private let new: WireDecoder
    private let clock: HostClock
    private var current: String?
    private var lastReading: Timestamp
    /// The first host, whose bytes are passed on as long as no host is selected.
    private var first: String?
    /// The decoders of other hosts, and the bytes to pass on once they are selected.
    private var others: [String: (decoder: WireDecoder, bytes: [UInt8])] = [:]
    private var reported: Set<String> = []

    init(only: String?, _ decoder: WireDecoder, _ clock: HostClock) {
        (self.only, new, self.clock) = (only, decoder, clock)
        lastReading = clock.now
    }

    /// Whether to decode a datagram of a host.
    func accepts(_ host: String) -> Bool {
        guard only == nil || host == only else { return false }
        return current == nil || host == current || clock.now.seconds(since: lastReading) > Self.timeout
    }

    /// Whether a dropped host is to be reported: the first time.
    mutating func isFirst(_ host: String) -> Bool { reported.count < Self.capacity && reported.insert(host).inserted }

    /// Exchanges the decoder of another host than the selected one. The second exchange reverses the first one.
    mutating func exchangeDecoder(of host: String, with decoder: inout WireDecoder) {
        guard host != current else { return }
        if others.count >= Self.capacity, others[host] == nil { others.removeAll() }
        var other = others[host] ?? (new, [])
        swap(&other.decoder, &decoder)
        others[host] = other
    }

    /// The bytes to pass on after a datagram of a host; nil while another one may be selected.
    mutating func bytesToPassOn(_ bytes: [UInt8], from host: String, isRead: Bool) -> [UInt8]? {
        first = first ?? host
        if host == current ?? first { return bytes }
        let waiting = (others[host]?.bytes ?? []) + bytes
        if isRead { return waiting }
        others[host]?.bytes = Array(waiting.suffix(Self.mostBytes))
        return nil
    }

    /// Selects a host, whose decoder is in use, after a reading.
    mutating func select(_ host: String) {
        lastReading = clock.now
        guard host != current else { return }
        (current, others) = (host, [:])
    }
}

/// Opens serial ports: raw, at a given speed, exclusively.
enum SerialPort {
    private static let speeds: [Int: speed_t] = {
        var speeds: [Int: speed_t] = [
            1200: speed_t(B1200), 2400: speed_t(B2400), 4800: speed_t(B4800), 9600: speed_t(B9600),
            19200: speed_t(B19200), 38400: speed_t(B38400), 57600: speed_t(B57600), 115_200: speed_t(B115200),
            230_400: speed_t(B230400),
        ]
        #if os(Linux)
            let fast = [
                (460_800, B460800), (500_000, B500000), (576_000, B576000), (921_600, B921600), (1_000_000, B1000000),
                (1_152_000, B1152000), (1_500_000, B1500000), (2_000_000, B2000000), (2_500_000, B2500000),
                (3_000_000, B3000000), (3_500_000, B3500000), (4_000_000, B4000000),
            ]
            for (baud, constant) in fast { speeds[baud] = speed_t(constant) }
        #endif
        return speeds
    }()

    static func open(_ path: String, baud: Int) throws(DeviceError) -> Handle {
        guard let speed = speeds[baud] else { throw DeviceError(.unknownBaud(baud), device: path) }
        // The port must not become the controlling terminal of this process, and opening must not wait for a carrier.
        let descriptor = Foundation.open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw error(errno, path) }
        let handle = Handle(descriptor)
        guard isatty(descriptor) == 1 else { throw DeviceError(.notADevice(kind(of: descriptor)), device: path) }
        // The exclusive mode prevents a later open by others, except by root. The lock also detects an earlier one.
        guard lock(descriptor), ioctl(descriptor, UInt(TIOCEXCL)) == 0 else { throw error(errno, path) }
        try configure(descriptor, speed, path)
        // The time of bytes in the driver's buffer is unknown.
        tcflush(descriptor, TCIFLUSH)
        return handle
    }

    /// Takes the lock within 0.1 s. A child process holds the lock of its parent until it executes its program.
    private static func lock(_ descriptor: Int32) -> Bool {
        for _ in 0..<20 {
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return true }
            usleep(5000)
        }
        return flock(descriptor, LOCK_EX | LOCK_NB) == 0
    }

    /// Sets raw bytes, eight bits, no parity, one stop bit and no flow control. Modem lines are ignored.
    private static func configure(_ descriptor: Int32, _ speed: speed_t, _ path: String) throws(DeviceError) {
        var settings = termios()
        guard tcgetattr(descriptor, &settings) == 0 else { throw error(errno, path) }
        cfmakeraw(&settings)
        settings.c_cflag |= tcflag_t(CLOCAL | CREAD)
        // HUPCL would reset an Arduino when the port is closed.
        settings.c_cflag &= ~tcflag_t(CSTOPB | PARENB | HUPCL)
        #if os(Linux)
            settings.c_cflag &= ~tcflag_t(0o20_000_000_000)  // CRTSCTS, a macro that Swift does not import
        #endif
        guard cfsetspeed(&settings, speed) == 0, tcsetattr(descriptor, TCSANOW, &settings) == 0 else {
            throw error(errno, path)
        }
    }

    private static func error(_ code: Int32, _ path: String) -> DeviceError {
        code == EISDIR ? DeviceError(.notADevice("a folder"), device: path) : DeviceError(code: code, device: path)
    }

    private static func kind(of descriptor: Int32) -> String {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return "no serial port" }
        return switch status.st_mode & S_IFMT {
        case S_IFREG: "a file"
        case S_IFDIR: "a folder"
        case S_IFIFO: "a pipe"
        default: "no serial port"
        }
    }
}

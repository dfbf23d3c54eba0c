internal import FootfallWire
internal import Foundation

/// A device that sends the bytes of a wire protocol.
struct WireSource: DeviceSource {
    /// The bytes of one read: more than a serial driver or a socket buffers in a second.
    private static let capacity = 1 << 16
    /// Milliseconds in which a device has to accept a command.
    private static let writeTimeout: Int32 = 1000
    /// The longest pause in seconds after a command.
    private static let longestPause = 2.0

    private let address: DeviceAddress
    private let speed: Int
    private let setup: [WireCommand]
    private let onBytes: (@Sendable ([UInt8]) -> Void)?
    private var decoder: WireDecoder
    private var handle: Handle?
    private var buffer = [UInt8](repeating: 0, count: capacity)
    private var senders = SenderFilter()
    var notices: [DeviceNotice] = []
    private var lastRecognized: DeviceNotice?
    private var lastProblem: String?

    init(
        address: DeviceAddress, speed: Int, setup: [WireCommand], decoder: WireDecoder,
        onBytes: (@Sendable ([UInt8]) -> Void)?
    ) {
        (self.address, self.speed, self.setup) = (address, speed, setup)
        (self.decoder, self.onBytes) = (decoder, onBytes)
    }

    var descriptor: Int32 { handle?.descriptor ?? -1 }
    var interval: Int64? { nil }
    var quality: WireQuality? { decoder.quality }
    var baud: Int? { if case .serial = address { speed } else { nil } }

    mutating func open() throws(DeviceError) {
        let handle =
            switch address {
            case .serial(let path): try SerialPort.open(path, baud: speed)
            case .standardInput: Handle(STDIN_FILENO, isOwned: false)
            case .udp(let host, let port): try Sockets.listen(host: host, port: port, name: address.description)
            case .tcp(let host, let port): try Sockets.connect(host: host, port: port, name: address.description)
            case .iio: throw DeviceError(.notADevice("an IIO device"), device: address.description)
            }
        for command in setup {
            try send(command.bytes, to: handle)
            usleep(UInt32(min(max(0, command.pause), Self.longestPause) * 1e6))
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
            if case .ended = error { decoder.finish(into: &readings) }
            throw error
        }
        decode(count, into: &readings)
        return count
    }

    private mutating func decode(_ count: Int, into readings: inout [WireReading]) {
        guard count > 0 else { return }
        let bytes = Array(buffer[..<count])
        onBytes?(bytes)
        decoder.decode(bytes, into: &readings)
        if case .udp = address { decoder.endDatagram(into: &readings) }
        addNotices(hasReadings: !readings.isEmpty)
    }

    private mutating func addNotices(hasReadings: Bool) {
        if hasReadings, let wire = decoder.recognized {
            let notice = DeviceNotice.recognized(wire, layout: decoder.layout)
            if notice != lastRecognized { notices.append(notice) }
            lastRecognized = notice
        }
        let problem = decoder.quality.problem
        if let problem, problem != lastProblem { notices.append(.remark(problem)) }
        lastProblem = problem
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
            switch senders.decide(on: sender, length) {
            case .current: break
            case .new: decoder.reset()
            case .other(let name):
                if let name { notices.append(.ignored(sender: name)) }
                continue
            }
            decode(count, into: &readings)
            total += max(1, count)
        }
        return total
    }
}

/// Selects the datagrams of one sender at a time, so that two sensors are not mixed.
private struct SenderFilter: Sendable {
    /// Another sender is accepted after so long without a datagram.
    private static let timeout = Duration.seconds(5)
    /// The number of other senders that are reported.
    private static let capacity = 16

    enum Decision {
        case current
        case new
        /// Another sender; with its name the first time.
        case other(String?)
    }

    private var current: String?
    private var lastDatagram = ContinuousClock.now
    private var others: Set<String> = []

    /// Decides on a datagram by its host. Many apps change the port at each start.
    mutating func decide(on address: sockaddr_storage, _ length: socklen_t) -> Decision {
        let name = Sockets.host(address, length)
        let now = ContinuousClock.now
        if name == current {
            lastDatagram = now
            return .current
        }
        if current == nil || lastDatagram.duration(to: now) > Self.timeout {
            (current, lastDatagram) = (name, now)
            return .new
        }
        let isFirst = others.count < Self.capacity && others.insert(name).inserted
        return .other(isFirst ? name : nil)
    }
}

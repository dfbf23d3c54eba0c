internal import FootfallWire

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// A device that sends the bytes of a wire protocol.
struct WireSource: DeviceSource {
    /// As many bytes as are read at once: more than a serial port's driver or a socket holds back in a second.
    private static let capacity = 1 << 16

    private let opener: ByteOpener
    private let onBytes: (@Sendable ([UInt8]) -> Void)?
    private var decoder: WireDecoder
    private var handle: Handle?
    private var buffer = [UInt8](repeating: 0, count: capacity)
    private var senders = Senders()
    private var notices: [DeviceNotice] = []
    private var announced: DeviceNotice?
    private var problem: String?

    init(opener: ByteOpener, decoder: WireDecoder, onBytes: (@Sendable ([UInt8]) -> Void)?) {
        (self.opener, self.decoder, self.onBytes) = (opener, decoder, onBytes)
    }

    var descriptor: Int32 { handle?.descriptor ?? -1 }
    var interval: Int64? { nil }
    var quality: WireQuality? { decoder.quality }
    var baud: Int? { if case .serial = opener.address { opener.baud } else { nil } }

    mutating func open() throws(DeviceError) {
        handle = try opener.open()
        decoder.reset()
    }

    mutating func close() { handle = nil }

    mutating func takeNotices() -> [DeviceNotice] {
        defer { notices.removeAll() }
        return notices
    }

    mutating func receive(into readings: inout [WireReading]) throws(Loss) -> Int {
        if case .udp = opener.address { return receiveDatagrams(into: &readings) }
        let count: Int
        do throws(Loss) {
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
        if case .udp = opener.address { decoder.endDatagram(into: &readings) }
        announce(hasReadings: !readings.isEmpty)
    }

    /// Reads all that is there, so that bytes that arrived together get the same time of arrival.
    private mutating func read() throws(Loss) -> Int {
        let descriptor = descriptor
        var filled = 0
        repeat {
            let count = buffer.withUnsafeMutableBytes { buffer -> Int in
                let room = UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
                let count = Self.read(descriptor, room)
                // The code is read here, before anything else can set another.
                return count < 0 ? -Int(errno) : count
            }
            if count == -Int(EAGAIN) || count == -Int(EINTR) { break }
            if count <= 0 {
                // What was read is good; the end shows again the next time.
                if filled > 0 { break }
                throw loss(code: Int32(-count))
            }
            filled += count
        } while filled < buffer.count && Poll.readable([descriptor], milliseconds: 0)[0]
        return filled
    }

    private func loss(code: Int32) -> Loss {
        switch opener.address {
        case .standardInput: .ended
        case .tcp where code == 0: .broken("the server hung up")
        case .serial where code == 0 || code == EIO || code == ENXIO || code == ENODEV: .broken("unplugged")
        default: .broken(String(cString: strerror(code)))
        }
    }

    private static func read(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
        #if canImport(Darwin)
            Darwin.read(descriptor, buffer.baseAddress, buffer.count)
        #else
            Glibc.read(descriptor, buffer.baseAddress, buffer.count)
        #endif
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
            // An error of a datagram socket, as of an earlier one that could not be delivered, is over with the call.
            guard count >= 0 else { break }
            switch senders.accept(sender, length) {
            case .same: break
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

    private mutating func announce(hasReadings: Bool) {
        if hasReadings, let wire = decoder.recognized {
            let notice = DeviceNotice.recognized(wire, layout: decoder.layout)
            if notice != announced { notices.append(notice) }
            announced = notice
        }
        let newProblem = decoder.quality.problem
        if let newProblem, newProblem != problem { notices.append(.remark(newProblem)) }
        problem = newProblem
    }
}

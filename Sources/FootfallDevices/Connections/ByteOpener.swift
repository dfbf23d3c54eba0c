internal import FootfallWire

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// Opens whatever bytes come from, and sends what is to be sent at the start.
struct ByteOpener: Sendable {
    /// Milliseconds a device may take to accept what is sent to it.
    private static let patience: Int32 = 1000
    /// Seconds to wait after a command, at most.
    private static let longestPause = 2.0

    let address: DeviceAddress
    let baud: Int
    let setup: [WireCommand]

    func open() throws(DeviceError) -> Handle {
        let handle =
            switch address {
            case .serial(let path): try SerialPort.open(path, baud: baud)
            case .standardInput: Handle(STDIN_FILENO, isOwned: false)
            case .udp(let host, let port): try Sockets.listen(host: host, port: port, name: address.description)
            case .tcp(let host, let port): try Sockets.connect(host: host, port: port, name: address.description)
            case .iio: throw DeviceError(.notADevice("an IIO device"), device: address.description)
            }
        for command in setup {
            try send(command.bytes, to: handle)
            usleep(UInt32(min(max(0, command.pause), Self.longestPause) * 1e6))
        }
        return handle
    }

    private func send(_ bytes: [UInt8], to handle: Handle) throws(DeviceError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            guard Poll.writable(handle.descriptor, milliseconds: Self.patience) else {
                throw DeviceError(.failed("it does not take its settings"), device: address.description)
            }
            let sent = rest.withUnsafeBytes { write(handle.descriptor, $0.baseAddress, $0.count) }
            if sent < 0, errno != EAGAIN, errno != EINTR {
                throw DeviceError(code: errno, device: address.description)
            }
            rest = rest.dropFirst(max(0, sent))
        }
    }
}

import Foundation

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A serial port in software, with a name that can be removed and created again.
final class PseudoTerminal: Sendable {
    /// The descriptor of the device's side.
    let device: Int32
    private let path: String

    /// Creates a port and a symbolic link to it.
    init(at path: String) throws {
        var (device, port): (Int32, Int32) = (-1, -1)
        var name = [CChar](repeating: 0, count: 128)
        guard openpty(&device, &port, &name, nil, nil) == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
        (self.device, self.path) = (device, path)
        // Commands that other tests start meanwhile do not keep the port open.
        _ = fcntl(device, F_SETFD, FD_CLOEXEC)
        // Sending does not wait for a reader.
        _ = fcntl(device, F_SETFL, O_NONBLOCK)
        // Without the raw mode the port would echo all bytes.
        var settings = termios()
        tcgetattr(port, &settings)
        cfmakeraw(&settings)
        tcsetattr(port, TCSANOW, &settings)
        close(port)
        unlink(path)
        let target = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        guard symlink(target, path) == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    }

    /// Sends bytes. Returns the number of accepted bytes.
    @discardableResult
    func send(_ bytes: [UInt8]) -> Int { max(0, write(device, bytes, bytes.count)) }

    /// The bytes that have been sent to the device, at most 64.
    var received: String {
        var entry = pollfd(fd: device, events: Int16(POLLIN), revents: 0)
        guard poll(&entry, 1, 0) > 0 else { return "" }
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = read(device, &bytes, bytes.count)
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }

    /// Removes the name, and closes the device's side. The system gives the closed port's number to the next port,
    /// maybe that of another test: a name that remained would lead to it.
    func unplug() {
        unlink(path)
        close(device)
    }
}

/// Writes bytes. Returns the number of accepted bytes.
@discardableResult
func send(_ bytes: [UInt8], to descriptor: Int32) -> Int {
    max(0, write(descriptor, bytes, bytes.count))
}

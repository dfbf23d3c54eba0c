import Foundation

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A serial port with nothing but software behind it, found under a name that can be pulled and put in again.
final class PseudoTerminal: Sendable {
    /// The end that plays the device.
    let device: Int32

    /// Makes a port and lets `path` lead to it.
    init(at path: String) throws {
        var (device, port): (Int32, Int32) = (-1, -1)
        var name = [CChar](repeating: 0, count: 128)
        guard openpty(&device, &port, &name, nil, nil) == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
        self.device = device
        // Whoever sends does not wait for a reader that may be gone.
        _ = fcntl(device, F_SETFL, O_NONBLOCK)
        // The port stays raw, whoever opens it; a cooked one would echo what is sent.
        var settings = termios()
        tcgetattr(port, &settings)
        cfmakeraw(&settings)
        tcsetattr(port, TCSANOW, &settings)
        close(port)
        unlink(path)
        let target = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        guard symlink(target, path) == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    }

    /// Sends bytes. Returns how many were taken.
    @discardableResult
    func send(_ bytes: [UInt8]) -> Int { max(0, write(device, bytes, bytes.count)) }

    /// What was sent to the device and not read yet, at most a line of it.
    var heard: String {
        var entry = pollfd(fd: device, events: Int16(POLLIN), revents: 0)
        guard poll(&entry, 1, 100) > 0 else { return "" }
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = read(device, &bytes, bytes.count)
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }

    /// Pulls the plug.
    func unplug() { close(device) }
}

/// Writes bytes. Returns how many were taken.
@discardableResult
func send(_ bytes: [UInt8], to descriptor: Int32) -> Int {
    max(0, write(descriptor, bytes, bytes.count))
}

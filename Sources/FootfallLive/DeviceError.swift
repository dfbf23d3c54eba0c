internal import Foundation

/// The reason why a device cannot be used, with the remedy.
public struct DeviceError: Error, Hashable, Sendable {
    /// The kinds of failure.
    public enum Reason: Hashable, Sendable {
        /// There is no such device, or it does not answer.
        case missing
        /// This user may not read the device. The group has the permission; nil if it is not known.
        case notPermitted(group: String?)
        /// Another program uses the device.
        case busy
        /// The address leads to something else, which the text names, such as a file.
        case notADevice(String)
        /// A serial port does not have this speed.
        case unknownBaud(Int)
        /// The address cannot be parsed.
        case malformedAddress
        /// Another error of the operating system.
        case failed(String)
    }

    /// The kind of failure.
    public var reason: Reason
    /// The name of the device.
    public var device: String

    /// Creates an error.
    public init(_ reason: Reason, device: String) {
        self.reason = reason
        self.device = device
    }

    /// Converts an error code of the operating system.
    init(code: Int32, device: String) {
        switch code {
        case ENOENT, ENXIO, ENODEV, ECONNREFUSED, EHOSTUNREACH, ENETUNREACH, ETIMEDOUT, EIO:
            self.init(.missing, device: device)
        case EACCES, EPERM: self.init(.notPermitted(group: Self.group(of: device)), device: device)
        case EBUSY, EADDRINUSE, EWOULDBLOCK: self.init(.busy, device: device)
        default: self.init(.failed(String(cString: strerror(code))), device: device)
        }
    }

    /// The group of a file; nil for the group of the administrator, which no user should join.
    private static func group(of path: String) -> String? {
        var status = stat()
        guard stat(path, &status) == 0, status.st_gid != 0, let entry = getgrgid(status.st_gid) else { return nil }
        return String(cString: entry.pointee.gr_name)
    }
}

extension DeviceError: CustomStringConvertible {
    /// Whether the device is reached over the network, and not over a cable of this machine.
    package var isOnNetwork: Bool { ["tcp://", "udp://"].contains { device.hasPrefix($0) } }

    /// The device, the problem and the remedy.
    public var description: String {
        let message =
            switch reason {
            case .missing where isOnNetwork:
                "nothing answers at this address. Start the sender, and check the host, the port and the network."
            case .missing:
                "there is no such device, or it does not answer. Connect or start it; AttachedDevice.all() lists the "
                    + "devices of this machine."
            case .notPermitted(let group?):
                "no permission. Join the group \(group) with 'sudo usermod -aG \(group) $USER', and log in again."
            case .notPermitted(nil):
                "no permission. Add a udev rule: AttachedDevice.udevRule, see the page on running as a service."
            case .busy: "another program uses it. Close that program; a modem manager may also open new ports."
            case .notADevice(let kind):
                "it is \(kind) and cannot be read live. Read a recording as a Trace, or play it as a ReplayDevice."
            case .unknownBaud(let baud):
                "a serial port has no speed of \(baud) baud. Use 9600, 57600, 115200, 230400, 460800 or 921600."
            case .malformedAddress:
                "this is not an address of a device. Use a serial port such as /dev/ttyUSB0, - for standard input, "
                    + "udp://:5555, tcp://host:port or iio:0."
            case .failed(let message) where isOnNetwork: "\(message). Check the host and the network."
            case .failed(let message): "\(message). Check the device and its cable."
            }
        return "\(device): \(message)"
    }
}

/// The address of a device.
public enum DeviceAddress: Hashable, Sendable {
    /// A serial port, by the path of its file.
    case serial(path: String)
    /// Standard input.
    case standardInput
    /// Datagrams to a port of this machine. The host is the local address that receives them: empty for the loopback
    /// address, so that only this machine can send, and `0.0.0.0` or `::` for all addresses.
    case udp(host: String, port: UInt16)
    /// A server that sends bytes to its clients.
    case tcp(host: String, port: UInt16)
    /// An accelerometer of Linux's Industrial I/O subsystem, by its number.
    case iio(Int)

    /// Parses an address: `/dev/ttyUSB0`, `-`, `udp://:5555`, `tcp://imu.local:7000`, `iio:0`.
    ///
    /// - Throws: ``DeviceError`` with ``DeviceError/Reason/malformedAddress``.
    public init(_ text: String) throws(DeviceError) {
        guard let address = Self.parse(text) else { throw DeviceError(.malformedAddress, device: text) }
        self = address
    }

    private static func parse(_ text: String) -> DeviceAddress? {
        if text == "-" { return .standardInput }
        for prefix in ["iio:device", "iio:", "/dev/iio:device"] where text.hasPrefix(prefix) {
            return Int(text.dropFirst(prefix.count)).flatMap { $0 >= 0 ? .iio($0) : nil }
        }
        if text.hasPrefix("udp://") {
            return endpoint(text).map { .udp(host: $0.host, port: $0.port) }
        }
        if text.hasPrefix("tcp://") {
            return endpoint(text).flatMap { $0.host.isEmpty ? nil : .tcp(host: $0.host, port: $0.port) }
        }
        return text.isEmpty || text.contains("://") ? nil : .serial(path: text)
    }

    /// The host and port of `scheme://host:port`. An IPv6 host is in brackets.
    private static func endpoint(_ text: String) -> (host: String, port: UInt16)? {
        let rest = text.dropFirst("udp://".count)
        guard let colon = rest.lastIndex(of: ":"), let port = UInt16(rest[rest.index(after: colon)...]), port > 0
        else { return nil }
        var host = rest[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
        return (String(host), port)
    }
}

extension DeviceAddress: CustomStringConvertible {
    /// The address in the form that ``init(_:)`` parses; `standard input` for `-`.
    public var description: String {
        switch self {
        case .serial(let path): path
        case .standardInput: "standard input"
        case .udp(let host, let port): "udp://\(host.contains(":") ? "[\(host)]" : host):\(port)"
        case .tcp(let host, let port): "tcp://\(host.contains(":") ? "[\(host)]" : host):\(port)"
        case .iio(let number): "iio:\(number)"
        }
    }
}

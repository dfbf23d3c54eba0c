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

import Foundation
import TestSupport

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// An address of this machine.
private func loopback(_ host: String, _ port: UInt16) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    inet_pton(AF_INET, host, &address.sin_addr)
    return address
}

private func withAddress<Result>(
    _ address: inout sockaddr_in, _ body: (UnsafeMutablePointer<sockaddr>, socklen_t) -> Result
) -> Result {
    withUnsafeMutablePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
    }
}

#if canImport(Darwin)
    private let streamType = SOCK_STREAM
    private let datagramType = SOCK_DGRAM
#else
    private let streamType = Int32(SOCK_STREAM.rawValue)
    private let datagramType = Int32(SOCK_DGRAM.rawValue)
#endif

/// Sends datagrams from an address of this machine.
final class DatagramSender: Sendable {
    private let descriptor: Int32

    init(from host: String) throws {
        descriptor = socket(AF_INET, datagramType, 0)
        var address = loopback(host, 0)
        let socket = descriptor
        guard withAddress(&address, { bind(socket, $0, $1) }) == 0 else { throw POSIXError(.EADDRNOTAVAIL) }
    }

    deinit { close(descriptor) }

    func send(_ bytes: [UInt8], toPort port: UInt16) {
        var address = loopback("127.0.0.1", port)
        _ = withAddress(&address) { sendto(descriptor, bytes, bytes.count, 0, $0, $1) }
    }
}

/// A TCP server.
final class Server: Sendable {
    let port: UInt16
    private let descriptor: Int32

    init() throws {
        descriptor = socket(AF_INET, streamType, 0)
        var address = loopback("127.0.0.1", 0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let socket = descriptor
        guard withAddress(&address, { bind(socket, $0, $1) }) == 0, listen(socket, 4) == 0,
            withAddress(&address, { pointer, _ in getsockname(socket, pointer, &length) }) == 0
        else { throw POSIXError(.EADDRINUSE) }
        port = UInt16(bigEndian: address.sin_port)
        _ = fcntl(socket, F_SETFL, O_NONBLOCK)
    }

    /// Waits for a client.
    func accept() async throws -> Int32 {
        var client: Int32 = -1
        _ = try await eventually {
            #if canImport(Darwin)
                client = Darwin.accept(descriptor, nil, nil)
            #else
                client = Glibc.accept(descriptor, nil, nil)
            #endif
            return client >= 0
        }
        guard client >= 0 else { throw POSIXError(.ETIMEDOUT) }
        return client
    }

    func close() {
        #if canImport(Darwin)
            _ = Darwin.close(descriptor)
        #else
            _ = Glibc.close(descriptor)
        #endif
    }
}

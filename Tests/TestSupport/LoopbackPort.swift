import Foundation
import Synchronization

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Ports of this machine for datagrams.
package enum LoopbackPort {
    /// Below the ports that systems give to sockets without one, so that no socket takes a port before its user does.
    private static let ports = UInt16(20_000)..<30_000
    private static let next = Atomic<UInt16>(.random(in: ports))

    /// A port that no socket has, another one at each call.
    package static func unused() throws -> UInt16 {
        for _ in ports {
            let number = next.wrappingAdd(1, ordering: .relaxed).oldValue
            let port = ports.lowerBound + number % UInt16(ports.count)
            if isFree(port) { return port }
        }
        throw POSIXError(.EADDRINUSE)
    }

    private static func isFree(_ port: UInt16) -> Bool {
        #if canImport(Darwin)
            let type = SOCK_DGRAM
        #else
            let type = Int32(SOCK_DGRAM.rawValue)
        #endif
        let descriptor = socket(AF_INET, type, 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }
}

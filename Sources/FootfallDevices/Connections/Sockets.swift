#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// Opens network connections.
enum Sockets {
    /// Milliseconds to wait for an answer.
    private static let patience: Int32 = 5000

    /// Connects to a server.
    static func connect(host: String, port: UInt16, name: String) throws(DeviceError) -> Handle {
        var failure = DeviceError(.missing, device: name)
        for address in try addresses(host, port, isStream: true, name: name) {
            let handle = Handle(socket(address.family, streamType, 0))
            guard handle.descriptor >= 0 else { continue }
            _ = fcntl(handle.descriptor, F_SETFD, FD_CLOEXEC)
            _ = fcntl(handle.descriptor, F_SETFL, O_NONBLOCK)
            var code = address.withSocketAddress { start(handle.descriptor, $0, $1) }
            if code == EINPROGRESS {
                code = Poll.writable(handle.descriptor, milliseconds: patience) ? outcome(handle.descriptor) : ETIMEDOUT
            }
            if code == 0 {
                keepAlive(handle.descriptor)
                return handle
            }
            failure = DeviceError(code: code, device: name)
        }
        throw failure
    }

    /// Listens for datagrams.
    static func listen(host: String, port: UInt16, name: String) throws(DeviceError) -> Handle {
        var failure = DeviceError(.missing, device: name)
        for address in try addresses(host.isEmpty ? "0.0.0.0" : host, port, isStream: false, name: name) {
            let handle = Handle(socket(address.family, datagramType, 0))
            guard handle.descriptor >= 0 else { continue }
            _ = fcntl(handle.descriptor, F_SETFD, FD_CLOEXEC)
            if address.withSocketAddress({ bind(handle.descriptor, $0, $1) == 0 }) { return handle }
            failure = DeviceError(code: errno, device: name)
        }
        throw failure
    }

    #if canImport(Darwin)
        private static let streamType = SOCK_STREAM
        private static let datagramType = SOCK_DGRAM
    #else
        private static let streamType = Int32(SOCK_STREAM.rawValue)
        private static let datagramType = Int32(SOCK_DGRAM.rawValue)
    #endif

    /// A connection that is silently gone is found out within a minute, instead of never.
    private static func keepAlive(_ descriptor: Int32) {
        var (on, idle, interval, count): (Int32, Int32, Int32, Int32) = (1, 20, 10, 3)
        let size = socklen_t(MemoryLayout<Int32>.size)
        setsockopt(descriptor, SOL_SOCKET, SO_KEEPALIVE, &on, size)
        #if os(Linux)
            setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_KEEPIDLE, &idle, size)
            setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_KEEPINTVL, &interval, size)
            setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_KEEPCNT, &count, size)
        #endif
    }

    /// Begins to connect; returns 0 or a code.
    private static func start(_ descriptor: Int32, _ address: UnsafePointer<sockaddr>, _ length: socklen_t) -> Int32 {
        #if canImport(Darwin)
            Darwin.connect(descriptor, address, length) == 0 ? 0 : errno
        #else
            Glibc.connect(descriptor, address, length) == 0 ? 0 : errno
        #endif
    }

    private static func outcome(_ descriptor: Int32) -> Int32 {
        var code: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        return getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &length) == 0 ? code : errno
    }

    // MARK: Addresses

    /// The address of a host and a port.
    private struct Address {
        var family: Int32
        var bytes: [UInt8]

        func withSocketAddress<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
            // Copied into the structure that is made to hold, and aligned for, an address of any family.
            var storage = sockaddr_storage()
            withUnsafeMutableBytes(of: &storage) { $0.copyBytes(from: bytes.prefix($0.count)) }
            return withUnsafePointer(to: storage) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(bytes.count)) }
            }
        }
    }

    private static func addresses(
        _ host: String, _ port: UInt16, isStream: Bool, name: String
    ) throws(DeviceError) -> [Address] {
        var hints = addrinfo()
        hints.ai_socktype = isStream ? streamType : datagramType
        var list: UnsafeMutablePointer<addrinfo>?
        let code = getaddrinfo(host, String(port), &hints, &list)
        defer { if let list { freeaddrinfo(list) } }
        guard code == 0 else {
            let reason = String(cString: gai_strerror(code))
            throw DeviceError(.failed("the host \(host) is not known: \(reason)"), device: name)
        }
        var found: [Address] = []
        var next = list
        while let entry = next?.pointee {
            if let address = entry.ai_addr {
                let bytes = UnsafeRawBufferPointer(start: address, count: Int(entry.ai_addrlen))
                found.append(Address(family: entry.ai_family, bytes: Array(bytes)))
            }
            next = entry.ai_next
        }
        return found
    }
}

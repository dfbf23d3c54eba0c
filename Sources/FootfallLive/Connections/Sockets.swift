internal import FootfallReaders
internal import Foundation

/// Opens network connections.
enum Sockets {
    /// Milliseconds to wait for a server.
    private static let timeout: Int32 = 5000

    #if canImport(Darwin)
        private static let streamType = SOCK_STREAM
        private static let datagramType = SOCK_DGRAM
    #else
        private static let streamType = Int32(SOCK_STREAM.rawValue)
        private static let datagramType = Int32(SOCK_DGRAM.rawValue)
    #endif

    static func connect(host: String, port: UInt16, name: String) throws(DeviceError) -> Handle {
        try open(host: host, port: port, type: streamType, name: name) { descriptor, address, length in
            _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
            var code = Foundation.connect(descriptor, address, length) == 0 ? 0 : errno
            if code == EINPROGRESS {
                code = Poll.writable(descriptor, milliseconds: timeout) ? pendingError(descriptor) : ETIMEDOUT
            }
            if code == 0 { keepAlive(descriptor) }
            return code
        }
    }

    /// Opens a port for datagrams, of the loopback address by default.
    static func listen(host: String, port: UInt16, name: String) throws(DeviceError) -> Handle {
        let host = host.isEmpty ? "127.0.0.1" : host
        return try open(host: host, port: port, type: datagramType, name: name) { descriptor, address, length in
            bind(descriptor, address, length) == 0 ? 0 : errno
        }
    }

    /// The host of an address as a number, such as `127.0.0.1`.
    static func host(_ address: sockaddr_storage, _ length: socklen_t) -> String {
        var name = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        let code = withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                getnameinfo($0, length, &name, socklen_t(name.count), nil, 0, NI_NUMERICHOST)
            }
        }
        guard code == 0 else { return "?" }
        let text = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        // An IPv6 socket for all addresses receives IPv4 datagrams, too.
        return text.hasPrefix("::ffff:") && text.contains(".") ? String(text.dropFirst("::ffff:".count)) : text
    }

    /// Opens a socket with the first address of a host for which `start` returns 0 and not an error code.
    private static func open(
        host: String, port: UInt16, type: Int32, name: String,
        start: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) throws(DeviceError) -> Handle {
        var hints = addrinfo()
        hints.ai_socktype = type
        var list: UnsafeMutablePointer<addrinfo>?
        let code = getaddrinfo(host, String(port), &hints, &list)
        guard code == 0, let list else {
            let reason = String(cString: gai_strerror(code))
            throw DeviceError(.failed("the host \(host) is unknown: \(reason)"), device: name)
        }
        defer { freeaddrinfo(list) }
        var failure = DeviceError(.missing, device: name)
        for entry in sequence(first: list.pointee, next: { $0.ai_next?.pointee }) {
            let handle = Handle(socket(entry.ai_family, type, 0))
            guard handle.descriptor >= 0, let address = entry.ai_addr else { continue }
            _ = fcntl(handle.descriptor, F_SETFD, FD_CLOEXEC)
            let code = start(handle.descriptor, address, entry.ai_addrlen)
            if code == 0 { return handle }
            failure = DeviceError(code: code, device: name)
        }
        throw failure
    }

    /// Makes the system notice within a minute that a server is gone.
    private static func keepAlive(_ descriptor: Int32) {
        func set(_ level: Int32, _ option: Int32, _ value: Int32) {
            var value = value
            setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
        }
        set(SOL_SOCKET, SO_KEEPALIVE, 1)
        #if os(Linux)
            set(Int32(IPPROTO_TCP), TCP_KEEPIDLE, 20)
        #else
            set(Int32(IPPROTO_TCP), TCP_KEEPALIVE, 20)
        #endif
        set(Int32(IPPROTO_TCP), TCP_KEEPINTVL, 10)
        set(Int32(IPPROTO_TCP), TCP_KEEPCNT, 3)
    }

    private static func pendingError(_ descriptor: Int32) -> Int32 {
        var code: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        return getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &length) == 0 ? code : errno
    }
}

enum Poll {
    /// Waits until a descriptor is readable, or for `milliseconds`. Returns which ones are readable, or have an end or
    /// an error, which reading returns. A negative descriptor is never readable.
    static func readable(_ descriptors: [Int32], milliseconds: Int32) -> [Bool] {
        var entries = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        _ = poll(&entries, nfds_t(entries.count), milliseconds)
        return entries.map { $0.revents != 0 }
    }

    /// Waits until a descriptor is writable, or for `milliseconds`. A signal begins the wait again.
    static func writable(_ descriptor: Int32, milliseconds: Int32) -> Bool {
        var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        var count: Int32
        repeat { count = poll(&entry, 1, milliseconds) } while count < 0 && errno == EINTR
        return count > 0
    }
}

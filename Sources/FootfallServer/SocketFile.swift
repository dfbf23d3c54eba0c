internal import Foundation

/// The file of a Unix socket on which a server listens.
struct SocketFile: Sendable {
    private let path: String
    private let device: UInt64
    private let inode: UInt64

    /// The socket at a path; nil if there is none.
    init?(at path: String) {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else { return nil }
        (self.path, device, inode) = (path, UInt64(status.st_dev), UInt64(status.st_ino))
    }

    /// Removes the file, unless another one has taken its place.
    func remove() {
        guard let present = SocketFile(at: path), (present.device, present.inode) == (device, inode) else { return }
        unlink(path)
    }

    /// Removes the socket of a killed server, which does not answer. Another kind of file stays.
    ///
    /// - Throws: ``ServerError`` if a program listens on the socket.
    static func removeAbandoned(at path: String) throws {
        guard let socket = SocketFile(at: path) else { return }
        guard connectionError(at: path) == ECONNREFUSED else {
            throw ServerError(.socketInUse, at: "unix:\(path)")
        }
        socket.remove()
    }

    /// The error of a connection to a socket; 0 if a program takes it.
    private static func connectionError(at path: String) -> Int32 {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | O_NONBLOCK | O_CLOEXEC, 0)
        guard descriptor >= 0 else { return errno }
        defer { close(descriptor) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        return result == 0 ? 0 : errno
    }
}

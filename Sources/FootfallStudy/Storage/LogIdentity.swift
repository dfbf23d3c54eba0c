internal import FootfallReaders
internal import FootfallTables
internal import Foundation

/// What tells one sensor log from another of the same name: its path, its size, its time and its content.
package struct LogIdentity: Equatable, Sendable {
    /// The bytes at each end of the file that ``hash`` covers.
    private static let sampledBytes = 65_536

    /// The absolute path.
    package let path: String
    let size: Int
    /// The time of the last change, in nanoseconds since 1970.
    let modified: Int
    /// The hash of the head and the tail.
    let hash: String
}

extension LogIdentity {
    /// Reads the identity of a file; nil for a pipe, and for a file that cannot be read.
    package init?(of path: String) {
        var status = stat()
        // A pipe is not even opened: its writer would take that for its reader.
        guard FilePath.withBytes(of: path, { stat($0, &status) }) == 0, status.st_mode & S_IFMT == S_IFREG else {
            return nil
        }
        let descriptor = FilePath.withBytes(of: path) { open($0, O_RDONLY | O_NONBLOCK | O_CLOEXEC) }
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        size = Int(status.st_size)
        modified = status.st_mtim.tv_sec * 1_000_000_000 + status.st_mtim.tv_nsec
        self.path = Self.absolute(path)
        var hash = FNVHash()
        for start in [0, max(0, size - Self.sampledBytes)] {
            var bytes = [UInt8](repeating: 0, count: Self.sampledBytes)
            let count = pread(descriptor, &bytes, bytes.count, off_t(start))
            // Byte by byte: the sequence as a whole is generic code here, 20 times slower.
            for index in 0..<max(0, count) { hash.add(bytes[index]) }
        }
        self.hash = String(hash.value, radix: 16)
    }

    /// The absolute path, as text.
    static func absolute(_ path: String) -> String {
        FilePath.shown((path.hasPrefix("/") ? "" : FileManager.default.currentDirectoryPath + "/") + path)
    }

    /// The content, wherever the file is.
    var content: String { "\(size) \(modified) \(hash) " }

    static let fields: [TableField<LogIdentity>] = [
        .text("path", "The absolute path.") { $0.path },
        .count("size", unit: "bytes", "The size.") { $0.size },
        .count("modified", unit: "ns since 1970", "The time of the last change.") { $0.modified },
        .text("hash", "The hash FNV-1a of the first and the last 64 KiB.") { $0.hash },
    ]
}

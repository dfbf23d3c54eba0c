internal import Foundation

/// An open file, read from its start to its end.
struct InputFile: ~Copyable {
    private let descriptor: Int32
    private let path: String
    private let size: Int64
    private var offset: Int64 = 0
    private var peeked: [UInt8] = []

    /// Opens a file.
    ///
    /// - Throws: ``TraceError`` of kind `unreadable` when there is no such file, it is a directory, or may not be read.
    init(path: String) throws(TraceError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw InputFile.failure(path, errno) }
        var status = stat()
        let code = fstat(descriptor, &status) == 0 ? 0 : errno
        let isDirectory = status.st_mode & S_IFMT == S_IFDIR
        guard code == 0, !isDirectory else {
            close(descriptor)
            throw InputFile.failure(path, isDirectory ? EISDIR : code)
        }
        self.descriptor = descriptor
        self.path = path
        size = Int64(status.st_size)
    }

    deinit {
        close(descriptor)
    }

    /// How much of the file has been read, 0…1; 1 for a pipe, whose size is unknown.
    var progress: Double {
        size > 0 ? min(1, Double(offset) / Double(size)) : 1
    }

    /// The first bytes of the file, which are still there to be read.
    mutating func peek(_ count: Int) throws(TraceError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var span = bytes.mutableSpan
        let got = try span.withUnsafeMutableBytes { buffer throws(TraceError) in try read(into: buffer) }
        bytes.removeLast(count - got)
        peeked = bytes
        return bytes
    }

    /// Reads until `buffer` is full or the file ends, since a pipe hands out less at a time; returns how many bytes.
    mutating func read(into buffer: UnsafeMutableRawBufferPointer) throws(TraceError) -> Int {
        var count = min(peeked.count, buffer.count)
        buffer.copyBytes(from: peeked[..<count])
        peeked.removeFirst(count)
        while count < buffer.count, let base = buffer.baseAddress {
            let got = Foundation.read(descriptor, base + count, buffer.count - count)
            if got < 0 {
                let code = errno
                if code == EINTR { continue }
                throw InputFile.failure(path, code)
            }
            if got == 0 { break }
            count += got
            offset += Int64(got)
        }
        return count
    }

    private static func failure(_ path: String, _ code: Int32) -> TraceError {
        switch code {
        case ENOENT, ENOTDIR:
            TraceError(.unreadable, path: path, problem: "no such file", remedy: "check the path")
        case EISDIR:
            TraceError(.unreadable, path: path, problem: "is a directory", remedy: "name a file inside it")
        case EACCES, EPERM:
            TraceError(.unreadable, path: path, problem: "may not be read", remedy: "check its permissions")
        default:
            TraceError(.unreadable, path: path, problem: "cannot be read: \(String(cString: strerror(code)))")
        }
    }
}

internal import Footfall
internal import Foundation

/// An open file, or a part of one, read from its start to its end.
struct InputFile: Sendable {
    private let handle: Handle
    let path: String
    /// The size of the file in bytes; 0 for a pipe.
    let size: Int64
    /// Whether it can be read at any offset, as on disk.
    let isSeekable: Bool
    /// The part that has not been read; without an end in a pipe.
    private var rest: Range<Int64>
    private var start: Int64

    /// Opens a file. Throws ``TraceError`` when there is no such file, it is a directory, or may not be read.
    init(path: String) throws(TraceError) {
        let descriptor = FilePath.withBytes(of: path) { open($0, O_RDONLY | O_CLOEXEC) }
        guard descriptor >= 0 else { throw TraceError(reading: path, errno) }
        try self.init(Handle(descriptor), path: path)
    }

    /// Takes over an open file with this path.
    init(_ handle: Handle, path: String) throws(TraceError) {
        var status = stat()
        let code = fstat(handle.descriptor, &status) == 0 ? 0 : errno
        let isDirectory = status.st_mode & S_IFMT == S_IFDIR
        guard code == 0, !isDirectory else { throw TraceError(reading: path, isDirectory ? EISDIR : code) }
        self.handle = handle
        self.path = path
        isSeekable = status.st_mode & S_IFMT == S_IFREG
        size = isSeekable ? Int64(status.st_size) : 0
        rest = 0..<(isSeekable ? size : .max)
        start = 0
    }

    /// The part of a seekable file that lies in `range`.
    init(_ file: InputFile, _ range: Range<Int64>) {
        self = file
        (rest, start) = (range, range.lowerBound)
    }

    var bytesRead: Int64 { rest.lowerBound - start }

    /// The share that has been read, 0…1; 1 for a pipe, whose size is unknown.
    var progress: Double {
        let length = rest.upperBound - start
        return isSeekable && length > 0 ? Double(bytesRead) / Double(length) : 1
    }

    /// Reads until `buffer` is full or the file ends, because a pipe returns less at a time. Returns the number of
    /// bytes.
    mutating func read(into buffer: UnsafeMutableRawBufferPointer) throws(TraceError) -> Int {
        let wanted = Int(min(Int64(buffer.count), rest.upperBound - rest.lowerBound))
        var count = 0
        while count < wanted, let base = buffer.baseAddress {
            let got =
                isSeekable
                ? pread(handle.descriptor, base + count, wanted - count, off_t(rest.lowerBound))
                : Foundation.read(handle.descriptor, base + count, wanted - count)
            if got < 0 {
                let code = errno
                if code == EINTR { continue }
                throw TraceError(reading: path, code)
            }
            if got == 0 { break }
            count += got
            rest = rest.lowerBound + Int64(got)..<rest.upperBound
        }
        return count
    }

    /// Reads the next `count` bytes, or as many as there are.
    mutating func next(_ count: Int) throws(TraceError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var space = bytes.mutableSpan
        let got = try space.withUnsafeMutableBytes { buffer throws(TraceError) in try read(into: buffer) }
        bytes.removeLast(count - got)
        return bytes
    }

    /// The bytes in `range` of a seekable file, as far as it goes.
    func bytes(at range: Range<Int64>) throws(TraceError) -> [UInt8] {
        var part = InputFile(self, range)
        return try part.next(range.count)
    }
}

extension TraceError {
    /// The error of a file that cannot be opened or read, with the code of the system, such as `ENOENT`.
    package init(reading path: String, _ code: Int32) {
        switch code {
        case ENOENT, ENOTDIR: self.init(.unreadable, path: path, problem: "no such file", remedy: "check the path")
        case EISDIR: self.init(.unreadable, path: path, problem: "is a directory", remedy: "name a file inside it")
        case EACCES, EPERM:
            self.init(.notPermitted, path: path, problem: "may not be read", remedy: "check its permissions")
        default:
            self.init(.unreadable, path: path, problem: "cannot be read: \(String(cString: strerror(code)))")
        }
    }
}

/// A file descriptor that is closed with its last reference.
package final class Handle: Sendable {
    package let descriptor: Int32
    private let isOwned: Bool

    package init(_ descriptor: Int32, isOwned: Bool = true) {
        self.descriptor = descriptor
        self.isOwned = isOwned
    }

    deinit { if isOwned { close(descriptor) } }

    /// Writes all bytes to a descriptor. Returns the number of the error; 0 for none.
    package static func write(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) -> Int32 {
        var rest = bytes
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno != EINTR { return errno }
            rest = rest.dropFirst(max(0, count))
        }
        return 0
    }
}

/// Names and paths of files as text. On Linux they are bytes. In a path that is not UTF-8, a private-use character
/// stands for each byte that is not ASCII, so no byte is lost. ``shown(_:)`` turns these characters into Latin-1, for
/// messages and names of results.
package enum FilePath {
    /// The characters of the bytes 0x80 to 0xFF are U+10FE80 to U+10FEFF.
    private static let firstByte: UInt32 = 0x10FE00

    /// The text of a name or a path.
    package static func text(_ bytes: some Collection<UInt8>) -> String {
        if let text = String(validating: bytes, as: UTF8.self), isUTF8(text) { return text }
        return String(
            String.UnicodeScalarView(
                bytes.lazy.compactMap { Unicode.Scalar($0 < 0x80 ? UInt32($0) : firstByte + UInt32($0)) }))
    }

    /// Whether the bytes of a path are UTF-8.
    package static func isUTF8(_ path: String) -> Bool { !path.unicodeScalars.contains { byte(of: $0) != nil } }

    /// A text with paths as it is shown to people: bytes that are not UTF-8 become Latin-1.
    package static func shown(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.map { byte(of: $0).map { Unicode.Scalar($0) } ?? $0 }))
    }

    /// Calls `body` with the bytes of a path.
    package static func withBytes<Result>(of path: String, _ body: (UnsafePointer<CChar>) -> Result) -> Result {
        var bytes: [CChar] = []
        for scalar in path.unicodeScalars {
            if let byte = byte(of: scalar) {
                bytes.append(CChar(bitPattern: byte))
            } else {
                bytes += UTF8.encode(scalar)?.map { CChar(bitPattern: $0) } ?? []
            }
        }
        return body(bytes + [0])
    }

    /// The folder in a path, with its slash: `a/` of `a/b.csv`; empty for a name alone.
    package static func folder(of path: String) -> String {
        String(String.UnicodeScalarView(path.unicodeScalars.reversed().drop { $0 != "/" }.reversed()))
    }

    /// The names in a folder, without hidden ones; nil if it cannot be read.
    package static func names(in folder: String) -> [String]? {
        guard let stream = withBytes(of: folder, { opendir($0) }) else { return nil }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { text($0.prefix { $0 != 0 }) }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names.sorted()
    }

    private static func byte(of scalar: Unicode.Scalar) -> UInt8? {
        guard (firstByte + 0x80...firstByte + 0xFF).contains(scalar.value) else { return nil }
        return UInt8(scalar.value - firstByte)
    }
}

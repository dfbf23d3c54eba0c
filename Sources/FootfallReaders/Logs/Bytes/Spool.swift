internal import Foundation

/// Copies a stream into a temporary file, which can be read at any offset.
enum Spool {
    /// The largest temporary file of a short stream, in bytes.
    private static let floor: Int64 = 64 << 20
    /// The largest temporary file of a long stream, relative to the bytes read. An archive is compressed itself, so
    /// gzip seldom makes it smaller. Zeros shrink to a thousandth.
    private static let mostGrowth: Int64 = 20

    /// A file without a name with all of `source`. The system deletes it when it is closed.
    ///
    /// - Throws: ``TraceError`` when reading or writing fails, or there is too much.
    static func file(of source: consuming LineSource, path: String) throws(TraceError) -> InputFile {
        var name = Array(FileManager.default.temporaryDirectory.appending(path: "footfall-XXXXXX").path.utf8CString)
        let number = name.withUnsafeMutableBufferPointer { $0.baseAddress.map { mkstemp($0) } ?? -1 }
        guard number >= 0 else { throw failure(path, errno) }
        let descriptor = Descriptor(number)
        name.withUnsafeBufferPointer { _ = $0.baseAddress.map { unlink($0) } }
        repeat {
            guard source.offset <= max(floor, mostGrowth * source.bytesRead) else {
                throw Refusal(
                    "an archive inside gzip that unpacks to more than 64 MiB and \(mostGrowth) times its size",
                    remedy: "unpack it first if it is sound"
                ).error(in: path)
            }
            try write(source, to: descriptor, path)
            source.advance(to: source.unread.upperBound)
        } while try source.readMore()
        return try InputFile(descriptor, path: path)
    }

    private static func write(
        _ source: borrowing LineSource, to descriptor: Descriptor, _ path: String
    ) throws(TraceError) {
        let unread = source.unread
        let code = source.bytes.withUnsafeBytes { buffer -> Int32 in
            var place = unread.lowerBound
            while place < unread.upperBound, let base = buffer.baseAddress {
                let written = Foundation.write(descriptor.number, base + place, unread.upperBound - place)
                if written < 0, errno != EINTR { return errno }
                place += max(0, written)
            }
            return 0
        }
        if code != 0 { throw failure(path, code) }
    }

    private static func failure(_ path: String, _ code: Int32) -> TraceError {
        TraceError(
            .unreadable, path: path,
            problem: "cannot be unpacked into a temporary file: \(String(cString: strerror(code)))",
            remedy: "unpack it first")
    }
}

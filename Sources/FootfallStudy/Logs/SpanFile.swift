internal import Foundation
internal import Synchronization

/// A temporary file of 64-bit words without a name. The system deletes it when it is closed.
final class SpanFile: Sendable {
    /// The words of one read.
    private static let chunk = 8192

    private let descriptor: Int32
    private let broken = Atomic(false)
    /// Whether words could not be read.
    var isBroken: Bool { broken.load(ordering: .relaxed) }
    private let count = Atomic(0)

    /// Creates the file.
    ///
    /// - Throws: `FileError`.
    init() throws(FileError) {
        let folder = FileManager.default.temporaryDirectory
        var name = Array(folder.appending(path: "footfall-XXXXXX").path.utf8CString)
        descriptor = name.withUnsafeMutableBufferPointer { $0.baseAddress.map { mkstemp($0) } ?? -1 }
        guard descriptor >= 0 else { throw FileError(POSIXError.latest, path: folder.path, .writing) }
        name.withUnsafeBufferPointer { _ = $0.baseAddress.map { unlink($0) } }
    }

    deinit { close(descriptor) }

    /// Adds words at the end.
    ///
    /// - Throws: `FileError`.
    func append(_ words: [Int64]) throws(FileError) {
        if let failure = OutputFile.write(words.withUnsafeBytes { Array($0) }, to: descriptor) {
            throw FileError(failure, path: FileManager.default.temporaryDirectory.path, .writing)
        }
        count.add(words.count, ordering: .relaxed)
    }

    /// The next words from a position on; none at the end, and if they cannot be read, which ``isBroken`` states.
    func words(at position: Int) -> [Int64] {
        let size = MemoryLayout<Int64>.stride
        let length = min(Self.chunk, count.load(ordering: .relaxed) - position)
        guard length > 0 else { return [] }
        var words = [Int64](repeating: 0, count: length)
        let read = words.withUnsafeMutableBytes {
            pread(descriptor, $0.baseAddress, $0.count, off_t(position * size))
        }
        guard read == length * size else {
            broken.store(true, ordering: .relaxed)
            return []
        }
        return words
    }
}

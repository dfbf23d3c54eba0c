internal import Foundation
internal import Synchronization

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// The lock that excludes a second writer and identifies the first one.
///
/// It is a kernel lock on a file beside the history, so it ends with the process. The content of the file, the process
/// and its sources, is valid only while the lock is held.
final class WriterLock: Sendable {
    private let descriptor: Int32
    private let sources = Mutex<[String]>([])

    /// Takes the lock, or throws an error with its holder.
    init(for url: URL) throws {
        let path = url.path + "-lock"
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw HistoryError(HistoryFile.reason(forCode: errno), at: url) }
        guard WriterLock.take(descriptor) else {
            let holder = WriterLock.holder(descriptor)
            close(descriptor)
            throw HistoryError(.locked(by: holder), at: url)
        }
        write([])
    }

    deinit { close(descriptor) }

    /// Takes the lock. Tries for 0.1 s, because a child process holds its parent's lock between fork and exec.
    private static func take(_ descriptor: Int32) -> Bool {
        for _ in 0..<20 {
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return true }
            usleep(5000)
        }
        return false
    }

    /// Adds a source to the content of the lock.
    func add(_ source: String) {
        sources.withLock { sources in
            guard !sources.contains(source) else { return }
            sources.append(source)
            write(sources)
        }
    }

    private func write(_ sources: [String]) {
        // The lock holds without content, so a full disk is no error here.
        let text = Array((["\(getpid())"] + sources).joined(separator: "\n").utf8)
        if ftruncate(descriptor, 0) == 0 { _ = pwrite(descriptor, text, text.count, 0) }
    }

    private static func holder(_ descriptor: Int32) -> HistoryError.Writer {
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        let lines = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self).split(separator: "\n").map(String.init)
        return HistoryError.Writer(process: lines.first.flatMap { Int32($0) }, sources: Array(lines.dropFirst()))
    }
}

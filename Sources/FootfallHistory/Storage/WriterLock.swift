internal import Foundation
internal import Synchronization

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// What keeps a second writer away from a history, and tells it who the first one is.
///
/// The lock is the kernel's, on a file beside the history, so it is gone with the process however that ends. The file's
/// content, the process and its sources, only counts while the lock is held.
final class WriterLock: Sendable {
    private let descriptor: Int32
    private let sources = Mutex<[String]>([])

    /// Takes the lock, or throws an error that names its holder.
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

    /// Takes the lock, if need be after a moment: a process that is just being started holds what its parent held until it
    /// becomes another program.
    private static func take(_ descriptor: Int32) -> Bool {
        for _ in 0..<20 {
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return true }
            usleep(5000)
        }
        return false
    }

    /// Lets others know that a source is being recorded.
    func add(_ source: String) {
        sources.withLock { sources in
            guard !sources.contains(source) else { return }
            sources.append(source)
            write(sources)
        }
    }

    private func write(_ sources: [String]) {
        // Best effort: a full disk must not keep a history from being written, the lock holds without a name in it.
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

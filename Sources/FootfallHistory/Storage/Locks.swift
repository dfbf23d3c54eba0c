package import Foundation
internal import Synchronization

/// The lock that excludes a second writer, also one that opens the history by another link. It is a kernel lock on the
/// file of the history, so it ends with the process. It uses `flock`, which is independent of the POSIX locks of
/// SQLite. A note beside the history names the process and its sources. The note is valid only while the lock is held.
final class WriterLock: Sendable {
    /// The first line of a note. A file of that name without this line stays untouched.
    private static let title = "Footfall writer"

    private let file: HistoryFile
    private let notePath: String
    /// The descriptor of the note; negative without one.
    private let note: Int32
    private let sources = Mutex<[String]>([])
    private let isReleased = Atomic(false)

    /// Takes the lock. Throws ``HistoryError`` with the process that has it.
    init(for file: HistoryFile) throws {
        self.file = file
        notePath = file.path + Companions.note
        if let reason = WriterLock.take(file.descriptor, notePath) { throw HistoryError(reason, at: file.url) }
        note = WriterLock.openNote(notePath, O_RDWR | O_CREAT)
        write([])
    }

    deinit {
        release()
        if note >= 0 { close(note) }
    }

    /// Ends the lock.
    func release() {
        guard !isReleased.exchange(true, ordering: .relaxed) else { return }
        if note >= 0 { unlink(notePath) }
        flock(file.descriptor, LOCK_UN)
    }

    /// The attempts to take the lock, and the time between two: half a second in all.
    private static let (attempts, attemptMicroseconds) = (100, UInt32(5000))

    /// Takes the lock. Returns why that fails for half a second; nil if it succeeds. Two holders release it soon. A
    /// child process holds its parent's lock between fork and exec. A reader holds it while it writes the log of a
    /// killed writer into the file. `note` is the path of the note of a holder.
    static func take(_ descriptor: Int32, _ note: String) -> HistoryError.Reason? {
        for _ in 0..<attempts {
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return nil }
            guard errno == EWOULDBLOCK || errno == EINTR else {
                let why = String(cString: strerror(errno))
                return .other("the file system cannot lock files (\(why)); keep the history on a local disk")
            }
            usleep(attemptMicroseconds)
        }
        return .locked(by: holder(note))
    }

    /// Adds a source to the note.
    func add(_ source: String) {
        sources.withLock { sources in
            guard !sources.contains(source) else { return }
            sources.append(source)
            write(sources)
        }
    }

    private func write(_ sources: [String]) {
        guard note >= 0 else { return }
        // The lock works without a note, so a full disk is no error here.
        let text = Array(([WriterLock.title, "\(getpid())"] + sources).joined(separator: "\n").utf8)
        if ftruncate(note, 0) == 0 { _ = pwrite(note, text, text.count, 0) }
    }

    /// Opens the note. Returns its descriptor; negative if another file has its name.
    private static func openNote(_ path: String, _ mode: Int32) -> Int32 {
        let descriptor = open(path, mode | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0o600)
        var status = stat()
        guard descriptor >= 0, fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            status.st_nlink == 1, status.st_size == 0 || lines(descriptor).first == title
        else {
            if descriptor >= 0 { close(descriptor) }
            return -1
        }
        return descriptor
    }

    private static func lines(_ descriptor: Int32) -> [String] {
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self).split(separator: "\n").map(String.init)
    }

    /// The process that has the lock, as the note states it. Both parts are empty without a note.
    static func holder(_ path: String) -> HistoryError.Writer {
        let note = openNote(path, O_RDONLY)
        guard note >= 0 else { return HistoryError.Writer(process: nil, sources: []) }
        defer { close(note) }
        let lines = lines(note).dropFirst()
        return HistoryError.Writer(process: lines.first.flatMap { Int32($0) }, sources: Array(lines.dropFirst()))
    }
}

/// A folder in which a history takes its place: one process at a time, so that none frees a path that another has just
/// taken. The lock ends with the last reference. In a folder that cannot be opened there is none.
package final class FolderLock {
    private let descriptor: Int32

    /// Waits for the lock of a file's folder.
    package init(for url: URL) {
        descriptor = open(url.deletingLastPathComponent().path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        if descriptor >= 0 { flock(descriptor, LOCK_EX) }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Makes sure that a new name survives a power failure.
    func synchronize(at url: URL) throws {
        // A file system without this call reports EINVAL.
        guard descriptor < 0 || fsync(descriptor) == 0 || errno == EINVAL else {
            throw HistoryError(HistoryFile.reason(forCode: errno), at: url)
        }
    }
}

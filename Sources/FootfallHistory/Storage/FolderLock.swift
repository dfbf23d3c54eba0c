internal import Foundation

/// A folder in which a history takes its place: one process at a time, so that none frees a path that another has just
/// taken.
///
/// The lock ends with the last reference. In a folder that cannot be opened there is none.
final class FolderLock {
    private let descriptor: Int32

    /// Waits for the lock of a file's folder.
    init(for url: URL) {
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

public import Foundation

extension MotionHistory {
    /// Gives a history another name, together with the files beside it that belong to it. No other process may record
    /// meanwhile.
    ///
    /// The history may be damaged. A process that is killed meanwhile leaves a history that finds its companions.
    ///
    /// - Parameters:
    ///   - url: The history.
    ///   - target: The new name, on the same file system. There must be no file. Companions of a history that was there
    ///     before are set aside.
    /// - Returns: What the user should know.
    /// - Throws: ``HistoryError``, such as ``HistoryError/Reason/exists`` and ``HistoryError/Reason/locked(by:)``.
    @discardableResult
    public static func move(_ url: URL, to target: URL) throws -> [String] {
        try place(url, at: target, replaces: false)
    }

    /// Renames a history and its companions.
    ///
    /// - Parameter replaces: Whether it replaces a file and its companions.
    @discardableResult
    package static func place(_ url: URL, at target: URL, replaces: Bool) throws -> [String] {
        let (source, place) = (try LockedFile(url), target.standardizedFileURL)
        let folder = FolderLock(for: place)
        let replaced = access(place.path, F_OK) == 0 ? try LockedFile(place) : nil
        guard replaces || replaced == nil else { throw HistoryError(.exists, at: target) }
        let remarks = replaced == nil ? try Companions.clear(place.path, at: target) : []
        guard fsync(source.descriptor) == 0, rename(source.path, place.path) == 0 else {
            throw HistoryError(HistoryFile.reason(forCode: errno), at: target)
        }
        // Until here a kill changes nothing. From here on the stamps show which log belongs to the file.
        for suffix in [Companions.index, Companions.note] {
            unlink(source.path + suffix)
            unlink(place.path + suffix)
        }
        for suffix in [Companions.log, Companions.waiting, Companions.rollback] {
            if rename(source.path + suffix, place.path + suffix) != 0, replaced != nil { unlink(place.path + suffix) }
        }
        try folder.synchronize(at: target)
        return remarks
    }
}

/// A file that no history is recorded into.
private final class LockedFile {
    let path: String
    let descriptor: Int32

    init(_ url: URL) throws {
        path = url.resolvingSymlinksInPath().path
        descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw HistoryError(HistoryFile.reason(forCode: errno), at: url) }
        guard WriterLock.take(descriptor) else {
            throw HistoryError(.locked(by: WriterLock.holder(path + Companions.note)), at: url)
        }
    }

    deinit { close(descriptor) }
}

internal import FootfallHistory
internal import FootfallReaders
internal import Foundation
internal import Synchronization

/// An unfinished file with a random name, beside the path that it takes at its end. It is removed with its last
/// reference, and at the end of the process.
package final class Draft {
    /// The suffixes that SQLite and a history add to the name of a database.
    private static let suffixes = ["", "-wal", "-shm", "-journal", "-lock"]

    private static let all: Mutex<Set<String>> = {
        atexit { Draft.removeAll() }
        return Mutex([])
    }()

    /// The path of the draft. The caller creates the file.
    package let path: String
    private let target: String
    private let rule: OutputRule
    private let marker: String

    /// Chooses the path of a draft.
    package init(of target: String, _ rule: OutputRule, marker: String = "") {
        (self.target, self.rule, self.marker) = (target, rule, marker)
        let folder = FilePath.folder(of: target)
        Drafts.tidy(folder.isEmpty ? "." : folder)
        let path = folder + Drafts.name
        self.path = path
        _ = Self.all.withLock { $0.insert(path) }
    }

    deinit {
        Self.remove(path)
        _ = Self.all.withLock { $0.remove(path) }
    }

    /// Renames the draft.
    ///
    /// - Throws: `FileError`, also for a file that has appeared at the path meanwhile.
    package func finish() throws(FileError) {
        _ = try rule.place(at: target, marker: marker)
        guard rename(path, target) == 0 else { throw FileError(POSIXError.latest, path: target, .writing) }
    }

    /// Removes all drafts of the process.
    package static func removeAll() { all.withLock { for path in $0 { remove(path) } } }

    private static func remove(_ path: String) { for suffix in suffixes { unlink(path + suffix) } }
}

import Foundation

/// A file of text that is written piece by piece under another name, and takes its place when it is whole.
final class TextDraft {
    private let path: String
    private let file: FileHandle
    private var draft: String { path + "-new" }
    private lazy var pieces = Pieces { [unowned self] in write($0) }
    private var failure: (any Error)?

    /// Begins a file.
    ///
    /// - Throws: `FileError`.
    init(of path: String) throws(FileError) {
        self.path = path
        let descriptor = open(path + "-new", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw FileError(POSIXError.latest, path: path, isInput: false) }
        file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    /// Removes what was not finished.
    deinit { unlink(draft) }

    /// Adds a text to the end.
    func add(_ text: String) {
        pieces.add(text)
    }

    /// Puts the file in the place of what was there.
    ///
    /// - Throws: `FileError`, also for what failed on the way.
    func finish() throws(FileError) {
        pieces.flush()
        if let failure { throw FileError(failure, path: path, isInput: false) }
        guard rename(draft, path) == 0 else { throw FileError(POSIXError.latest, path: path, isInput: false) }
    }

    private func write(_ piece: String) {
        guard failure == nil else { return }
        do { try file.write(contentsOf: Data(piece.utf8)) } catch { failure = error }
    }
}

extension POSIXError {
    /// What the last call of the system failed for.
    static var latest: POSIXError { POSIXError(Code(rawValue: errno) ?? .EIO) }
}

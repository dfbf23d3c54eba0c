import Foundation

/// Files that a command writes in addition to its output.
enum TextFile {
    /// Replaces a file atomically.
    static func write(_ text: String, to path: String) throws(FileError) {
        do {
            try Data(text.utf8).write(to: URL(filePath: path), options: .atomic)
        } catch {
            throw FileError(error, path: path, isInput: false)
        }
    }
}

/// A text file that is written under another name and replaces the existing file when it is complete.
final class TextDraft {
    private let path: String
    private let file: FileHandle
    private var draft: String { path + "-new" }
    private lazy var buffer = OutputBuffer { [unowned self] in write($0) }
    private var failure: (any Error)?

    /// Creates the draft.
    init(of path: String) throws(FileError) {
        self.path = path
        let descriptor = open(path + "-new", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw FileError(POSIXError.latest, path: path, isInput: false) }
        file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    /// Removes an incomplete draft.
    deinit { unlink(draft) }

    /// Appends a text.
    func add(_ text: String) { buffer.add(text) }

    /// Replaces the file with the draft.
    ///
    /// - Throws: `FileError`, also for an earlier error.
    func finish() throws(FileError) {
        buffer.flush()
        if let failure { throw FileError(failure, path: path, isInput: false) }
        guard rename(draft, path) == 0 else { throw FileError(POSIXError.latest, path: path, isInput: false) }
    }

    private func write(_ piece: String) {
        guard failure == nil else { return }
        do { try file.write(contentsOf: Data(piece.utf8)) } catch { failure = error }
    }
}

extension POSIXError {
    /// The error of the last system call.
    static var latest: POSIXError { POSIXError(Code(rawValue: errno) ?? .EIO) }
}

/// A file that cannot be read or written.
struct FileError: Error, CustomStringConvertible {
    var path: String
    var problem: String
    var isInput = true
    var description: String { "\(path): \(problem)" }
}

extension FileError {
    /// Takes the reason from the error of the system: the text of Foundation repeats the path.
    init(_ error: any Error, path: String, isInput: Bool = true) {
        let cause = error as? POSIXError ?? (error as? CocoaError)?.underlying as? POSIXError
        let reason = cause.map { String(cString: strerror($0.code.rawValue)) } ?? error.localizedDescription
        self.init(path: path, problem: "cannot be \(isInput ? "read" : "written"): \(reason)", isInput: isInput)
    }
}

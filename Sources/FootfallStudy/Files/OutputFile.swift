package import FootfallHistory
internal import FootfallReaders
internal import FootfallTables
package import Foundation
internal import Synchronization

/// A file that a command writes. The bytes go into a draft with a random name in the same folder, and ``finish()`` puts
/// it in its place. Symbolic links are never followed. A pipe or a character device, such as `/dev/null`, is written
/// directly.
package final class OutputFile {
    /// The marker of a picture.
    package static let pictureMarker = "<svg data-generator=\"Footfall\""
    /// The marker of a report.
    package static let pageMarker = "<meta name=\"generator\" content=\"Footfall"

    private let path: String
    private let descriptor: Int32
    /// The draft; nil when the file is in its place.
    private var draft: Draft?
    private var buffer = OutputBuffer()
    private var failure: POSIXError?

    /// Creates the draft.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - marker: A text at the beginning of such files, by which the command recognizes its own and replaces them.
    ///     Empty for a format that other programs write too.
    ///   - rule: Which files are not replaced.
    /// - Throws: `FileError` for a file that is not replaced, and for a folder that cannot be written.
    package init(_ path: String, marker: String = "", _ rule: OutputRule) throws(FileError) {
        self.path = path
        switch try rule.place(at: path, marker: marker) {
        case .stream:
            // Without O_TRUNC, a file that takes this place meanwhile keeps its bytes.
            descriptor = open(path, O_WRONLY | O_APPEND | O_CLOEXEC)
            guard descriptor >= 0 else { throw FileError(POSIXError.latest, path: path, .writing) }
        case .file(let existing):
            let draft = Draft(of: path, rule, marker: marker)
            descriptor = open(draft.path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o666)
            guard descriptor >= 0 else { throw FileError(.latest, creating: path) }
            self.draft = draft
            Drafts.own(descriptor)
            if let existing {
                _ = fchown(descriptor, existing.st_uid, existing.st_gid)
                fchmod(descriptor, existing.st_mode & 0o777)
            }
        }
    }

    deinit { close(descriptor) }

    /// Appends a text.
    package func add(_ text: String) { buffer.add(text, to: write) }

    /// Appends the bytes of a text.
    package func add(_ bytes: [UInt8]) { buffer.add(bytes, to: write) }

    /// Writes everything to the file, and puts it in its place. What is added later needs another call. Throws
    /// `FileError`, also for an earlier error and for a file that has appeared at the path meanwhile.
    package func finish() throws(FileError) {
        try flush()
        try draft?.finish()
        draft = nil
    }

    /// Writes everything to the draft. Throws `FileError`, also for an earlier error.
    package func flush() throws(FileError) {
        buffer.flush(to: write)
        if let failure { throw FileError(failure, path: path, .writing) }
    }

    private func write(_ bytes: [UInt8]) {
        if failure == nil { failure = Self.write(bytes, to: descriptor) }
    }

    /// Writes all bytes to a descriptor. Returns the error, if any.
    package static func write(_ bytes: [UInt8], to descriptor: Int32) -> POSIXError? {
        let code = Handle.write(bytes[...], to: descriptor)
        return code == 0 ? nil : POSIXError(POSIXErrorCode(rawValue: code) ?? .EIO)
    }
}

/// An unfinished file with a random name, in the folder of the path that it gets in the end. It is removed with its
/// last reference, and at the end of the process.
package final class Draft {
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
        Companions.removeDraft(path)
        _ = Self.all.withLock { $0.remove(path) }
    }

    /// Renames the draft. Throws `FileError`, also for a file that has appeared at the path meanwhile.
    package func finish() throws(FileError) {
        _ = try rule.place(at: target, marker: marker)
        guard rename(path, target) == 0 else { throw FileError(POSIXError.latest, path: target, .writing) }
    }

    /// Removes all drafts of the process.
    package static func removeAll() { all.withLock { for path in $0 { Companions.removeDraft(path) } } }
}

/// Decides which existing files a command replaces.
package struct OutputRule: Sendable {
    /// Whether to replace files that have no marker of the command.
    package var replacesAll = false
    /// The files that the command reads. They are never replaced.
    package var inputs: [FileIdentity] = []

    package init(replacesAll: Bool = false, inputs: [FileIdentity] = []) {
        (self.replacesAll, self.inputs) = (replacesAll, inputs)
    }

    /// The place of an output.
    package enum Place {
        /// A pipe or a character device.
        case stream
        /// A file, with the status of the one to replace.
        case file(replacing: stat?)
    }

    /// The place of an output at a path. Throws `FileError` for a file that is not replaced.
    package func place(at path: String, marker: String) throws(FileError) -> Place {
        func refusal(_ problem: String) -> FileError { FileError(path: path, problem: problem, .replacing) }
        guard path != "-" else { throw refusal("this output cannot go to standard output; name a file") }
        guard !path.isEmpty else { throw refusal("the name of a file is empty; name one") }
        guard !path.hasSuffix("/") else { throw refusal("is a folder; name a file in it") }
        var status = stat()
        guard lstat(path, &status) == 0 else {
            guard errno == ENOENT else { throw FileError(.latest, creating: path) }
            return .file(replacing: nil)
        }
        let isLink = status.st_mode & S_IFMT == S_IFLNK
        if isLink, stat(path, &status) != 0 { status.st_mode = S_IFLNK }
        switch status.st_mode & S_IFMT {
        case S_IFIFO, S_IFCHR: return .stream
        case S_IFDIR: throw refusal("is a folder; name a file in it")
        case S_IFREG where !isLink: break
        case _ where isLink: throw refusal("is a symbolic link, which is not followed; name the file itself")
        default: throw refusal("is not a file; name another")
        }
        if inputs.contains(FileIdentity(status)) { throw refusal("is read by this command; name another file") }
        guard replacesAll || status.st_size == 0 || Self.file(path, has: marker) else {
            throw FileError(path: path, problem: "exists already", .replacingForeign)
        }
        return .file(replacing: status)
    }

    private static func file(_ path: String, has marker: String) -> Bool {
        guard !marker.isEmpty else { return false }
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        defer { if descriptor >= 0 { close(descriptor) } }
        var bytes = [UInt8](repeating: 0, count: 1024)
        let count = read(descriptor, &bytes, bytes.count)
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self).contains(marker)
    }
}

extension FileIdentity {
    /// The file at a path; nil if there is none.
    package init?(of path: String) {
        var status = stat()
        guard FilePath.withBytes(of: path, { stat($0, &status) }) == 0 else { return nil }
        self.init(status)
    }
}

/// A file that cannot be read or written.
public struct FileError: Error, CustomStringConvertible {
    /// The operation on the file that failed.
    package enum Access {
        case reading
        case writing
        /// The process has no permission.
        case notPermitted
        /// The folder of an output does not exist.
        case missingFolder
        /// The place of an output is taken.
        case replacing
        /// The place of an output is taken by a file of another program, which a caller may replace.
        case replacingForeign
    }

    /// The path.
    public let path: String
    /// The problem, and what helps.
    public let problem: String
    package let access: Access
    /// The path and the problem.
    public var description: String { "\(path): \(problem)" }

    package init(path: String, problem: String, _ access: Access = .reading) {
        (self.path, self.problem, self.access) = (path, problem, access)
    }

    /// Takes the reason from the error of the system: the text of Foundation repeats the path.
    package init(_ error: any Error, path: String, _ access: Access = .reading) {
        let cause = error as? POSIXError ?? (error as? CocoaError)?.underlying as? POSIXError
        let reason = cause.map { String(cString: strerror($0.code.rawValue)) } ?? error.localizedDescription
        let isForbidden = [.EACCES, .EPERM, .EROFS].contains(cause?.code)
        self.init(
            path: path, problem: "cannot be \(access == .reading ? "read" : "written"): \(reason)",
            isForbidden ? .notPermitted : access)
    }

    /// The error of a file that cannot be created: most often its folder is the reason.
    package init(_ error: POSIXError, creating path: String) {
        let folder = FilePath.folder(of: path)
        let (reason, access): (String, Access) =
            switch error.code {
            case .ENOENT: ("there is no folder \(folder); create it, or name another", .missingFolder)
            case .ENOTDIR: ("\(folder) is a file, not a folder; name another", .replacing)
            case .EACCES, .EPERM, .EROFS:
                ("you may not write in \(folder.isEmpty ? "this folder" : folder); name another folder", .notPermitted)
            default: (String(cString: strerror(error.code.rawValue)), .writing)
            }
        self.init(path: path, problem: "cannot be written: \(reason)", access)
    }
}

extension POSIXError {
    /// The error of the last system call.
    package static var latest: POSIXError { POSIXError(Code(rawValue: errno) ?? .EIO) }
}

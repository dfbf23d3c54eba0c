import ArgumentParser
import Foundation

/// A file that a command writes. ``finish()`` puts it in its place; until then nothing changes there.
///
/// The bytes go into a draft with a random name in the same folder. Symbolic links are never followed. A pipe or a
/// character device, such as `/dev/null`, is written directly.
final class OutputFile {
    /// The marker of a picture.
    static let pictureMarker = "<svg data-generator=\"Footfall\""
    /// The marker of a report.
    static let pageMarker = "<meta name=\"generator\" content=\"Footfall"

    private let path: String
    private let descriptor: Int32
    /// The draft; nil when the file is in its place.
    private var draft: Draft?
    private lazy var buffer = OutputBuffer { [unowned self] text in write(Array(text.utf8)) }
    private var failure: POSIXError?

    /// Creates the draft.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - marker: A text at the beginning of each such file of this command, which replaces such a file. Empty for a
    ///     format that other programs write too.
    ///   - rule: Which files are not replaced.
    /// - Throws: `FileError` for a file that is not replaced, and for a folder that cannot be written.
    init(_ path: String, marker: String = "", _ rule: OutputRule) throws(FileError) {
        self.path = path
        switch try rule.place(at: path, marker: marker) {
        case .stream:
            // Without O_TRUNC, a file that takes this place meanwhile keeps its bytes.
            descriptor = open(path, O_WRONLY | O_APPEND | O_CLOEXEC)
        case .file(let existing):
            let draft = Draft(of: path, rule, marker: marker)
            descriptor = open(draft.path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o666)
            self.draft = draft
            if descriptor >= 0, let existing {
                _ = fchown(descriptor, existing.st_uid, existing.st_gid)
                fchmod(descriptor, existing.st_mode & 0o777)
            }
        }
        guard descriptor >= 0 else { throw FileError(POSIXError.latest, path: path, .writing) }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Appends a text.
    func add(_ text: String) { buffer.add(text) }

    /// Appends bytes, after all texts.
    func add(_ bytes: [UInt8]) {
        buffer.flush()
        write(bytes)
    }

    /// Writes everything to the file, and puts it in its place. What is added later needs another call.
    ///
    /// - Throws: `FileError`, also for an earlier error and for a file that has appeared at the path meanwhile.
    func finish() throws(FileError) {
        buffer.flush()
        if let failure { throw FileError(failure, path: path, .writing) }
        try draft?.finish()
        draft = nil
    }

    private func write(_ bytes: [UInt8]) {
        if failure == nil { failure = Self.write(bytes, to: descriptor) }
    }

    /// Writes all bytes to a descriptor. Returns the error, if any.
    static func write(_ bytes: [UInt8], to descriptor: Int32) -> POSIXError? {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno != EINTR { return .latest }
            rest = rest.dropFirst(max(0, count))
        }
        return nil
    }
}

/// Decides which existing files a command replaces.
struct OutputRule: Sendable {
    /// Whether to replace files that the command did not write.
    var replacesAll = false
    /// The files that the command reads. They are never replaced.
    var inputs: [FileIdentity] = []

    /// The place of an output.
    enum Place {
        /// A pipe or a character device.
        case stream
        /// A file, with the status of the one to replace.
        case file(replacing: stat?)
    }

    /// Looks at a path.
    ///
    /// - Throws: `FileError` for a file that is not replaced.
    func place(at path: String, marker: String) throws(FileError) -> Place {
        func refusal(_ problem: String) -> FileError { FileError(path: path, problem: problem, .replacing) }
        var status = stat()
        guard lstat(path, &status) == 0 else {
            guard errno == ENOENT else { throw FileError(POSIXError.latest, path: path, .writing) }
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
            throw refusal("exists, and this command did not write it; --force replaces it")
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

/// The option of all commands that write files.
struct ReplacementOptions: ParsableArguments {
    @Flag(help: "Replace existing files, also those that this command did not write.")
    var force = false

    /// The rule for the outputs of a command that reads these files.
    func rule(reading paths: [String]) -> OutputRule {
        OutputRule(replacesAll: force, inputs: paths.compactMap { FileIdentity(of: $0) })
    }
}

/// A file, whatever path or link leads to it.
struct FileIdentity: Hashable, Sendable {
    private let device: UInt64
    private let inode: UInt64

    /// The file at a path; nil if there is none.
    init?(of path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    init(_ status: stat) { (device, inode) = (UInt64(status.st_dev), UInt64(status.st_ino)) }
}

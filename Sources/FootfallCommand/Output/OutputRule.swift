import ArgumentParser
import Foundation

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
        guard !path.isEmpty else { throw refusal("the name of a file is empty; name one") }
        guard !path.hasSuffix("/") else { throw refusal("is a folder; name a file in it") }
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

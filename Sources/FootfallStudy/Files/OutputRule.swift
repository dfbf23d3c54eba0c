package import FootfallHistory
internal import FootfallReaders
package import Foundation

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

    /// Looks at a path.
    ///
    /// - Throws: `FileError` for a file that is not replaced.
    package func place(at path: String, marker: String) throws(FileError) -> Place {
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

internal import FootfallReaders
package import Foundation

/// A file that cannot be read or written.
public struct FileError: Error, CustomStringConvertible {
    /// The operation on the file that failed.
    package enum Access {
        case reading
        case writing
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
        self.init(path: path, problem: "cannot be \(access == .reading ? "read" : "written"): \(reason)", access)
    }
}

extension FileError {
    /// The error of a file that cannot be created: most often its folder is the reason.
    package init(_ error: POSIXError, creating path: String) {
        let folder = FilePath.folder(of: path)
        switch error.code {
        case .ENOENT:
            self.init(
                path: path, problem: "cannot be written: there is no folder \(folder); create it, or name another",
                .writing)
        case .EACCES, .EPERM, .EROFS:
            let place = folder.isEmpty ? "this folder" : folder
            self.init(
                path: path, problem: "cannot be written: you may not write in \(place); name another folder", .writing)
        default: self.init(error, path: path, .writing)
        }
    }
}

extension POSIXError {
    /// The error of the last system call.
    package static var latest: POSIXError { POSIXError(Code(rawValue: errno) ?? .EIO) }
}

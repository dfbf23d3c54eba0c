import Foundation

/// A file that cannot be read or written.
struct FileError: Error, CustomStringConvertible {
    /// The operation on the file that failed.
    enum Access {
        case reading
        case writing
        /// The command refuses to replace the file.
        case replacing
    }

    var path: String
    var problem: String
    var access: Access
    var description: String { "\(path): \(problem)" }

    init(path: String, problem: String, _ access: Access = .reading) {
        (self.path, self.problem, self.access) = (path, problem, access)
    }

    /// Takes the reason from the error of the system: the text of Foundation repeats the path.
    init(_ error: any Error, path: String, _ access: Access = .reading) {
        let cause = error as? POSIXError ?? (error as? CocoaError)?.underlying as? POSIXError
        let reason = cause.map { String(cString: strerror($0.code.rawValue)) } ?? error.localizedDescription
        self.init(path: path, problem: "cannot be \(access == .reading ? "read" : "written"): \(reason)", access)
    }

    var exitCode: Int32 {
        switch access {
        case .reading: Failure.missingInput
        case .writing: Failure.failure
        case .replacing: Failure.cannotCreate
        }
    }
}

extension POSIXError {
    /// The error of the last system call.
    static var latest: POSIXError { POSIXError(Code(rawValue: errno) ?? .EIO) }
}

import Foundation

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

import Foundation

/// A file of an evaluation that cannot be used: a manifest, a table of labels or step times, a baseline.
public struct EvaluationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of problem.
    public enum Reason: Hashable, Sendable {
        /// The file does not exist or cannot be read.
        case unreadable
        /// The file holds something else.
        case malformed
    }

    /// The kind of problem.
    public let reason: Reason
    /// The path of the file.
    public let path: String
    /// The problem, and the remedy if there is one.
    public let problem: String

    /// The path and the problem.
    public var description: String { "\(path): \(problem)" }

    init(_ reason: Reason, _ url: URL, _ problem: String) {
        self.reason = reason
        path = url.relativePath
        self.problem = problem
    }

    static func data(of url: URL) throws(EvaluationError) -> Data {
        do {
            return try Data(contentsOf: url)
        } catch {
            // The system's own text names only the reason; Foundation's repeats the path.
            let cause = (error as? CocoaError)?.underlying as? POSIXError
            let text = cause.map { String(cString: strerror($0.code.rawValue)) } ?? error.localizedDescription
            throw EvaluationError(.unreadable, url, "cannot be read: \(text)")
        }
    }
}

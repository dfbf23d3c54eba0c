import FootfallReaders
import FootfallTables
import Foundation

/// A table of an evaluation, such as a manifest, step times or a labeled recording, whose errors are those of an
/// evaluation.
struct TruthTable {
    private let url: URL
    private let reader: TableReader

    /// Opens a table. The columns are numbered from 0; those that it does not have are empty.
    init(contentsOf url: URL, columns: [String]) throws(EvaluationError) {
        self.url = url
        do {
            reader = try TableReader(url.path, columns: [], optional: columns)
        } catch {
            throw EvaluationError(error, url)
        }
    }

    /// Whether the table has a column.
    func has(_ column: Int) -> Bool { reader.has(column) }

    /// Reads the next row; false at the end.
    func next() throws(EvaluationError) -> Bool {
        do {
            return try reader.next()
        } catch {
            throw EvaluationError(error, url)
        }
    }

    /// The text of a column in the row.
    func text(_ column: Int) -> String { reader.text(column) }

    /// The number of a column in the row; nil for other text.
    func number(_ column: Int) -> Double? { Double(reader.text(column)) }
}

extension EvaluationError {
    fileprivate init(_ error: TraceError, _ url: URL) {
        self.init(error.kind == .unreadable ? .unreadable : .malformed, url, "\(error.problem)")
    }
}

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

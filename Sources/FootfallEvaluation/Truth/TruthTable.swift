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

import FootfallTables
import Foundation

/// A format of results on standard output.
enum OutputFormat: String, CaseIterable {
    case table
    case csv
    case json
    case ndjson
}

extension OutputFormat {
    /// Creates a writer for a machine format; nil for `table`, which each command prints by itself.
    ///
    /// - Parameter local: The local times of CSV; nil for none.
    func makeWriter(columns: [String], local: LocalTimes? = nil) -> RecordWriter? {
        RecordFormat(rawValue: rawValue).map {
            RecordWriter(
                format: $0, columns: columns, local: local, isForTerminal: Terminal.isOutputTerminal,
                to: Terminal.out(bytes:))
        }
    }
}

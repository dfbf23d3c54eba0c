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
    /// - Parameter zone: The zone of times in CSV; nil for UTC.
    func makeWriter(columns: [String], zone: TimeZone? = nil) -> RecordWriter? {
        RecordFormat(rawValue: rawValue).map {
            RecordWriter(
                format: $0, columns: columns, zone: zone, isForTerminal: Terminal.isOutputTerminal,
                to: Terminal.out(bytes:))
        }
    }
}

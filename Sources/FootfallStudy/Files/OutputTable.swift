internal import FootfallHistory
internal import FootfallReaders
package import FootfallTables
package import Foundation

/// A file with a CSV table.
package final class OutputTable {
    private let file: OutputFile
    private var writer: RecordWriter

    /// The columns that mark a table of this command. Later versions may add columns behind them.
    private static let markingColumns = 8

    /// Starts a table. `columns` are the names of its columns; nil for all. `zone` is the zone of its local times; nil
    /// if its rows have them, and for a table without times.
    package init(
        _ table: TableDescription, columns: [String]? = nil, at path: String, zone: TimeZone? = nil, _ rule: OutputRule
    ) throws(FileError) {
        let columns = columns ?? table.names
        let marker = columns.prefix(Self.markingColumns).joined(separator: ",")
        let file = try OutputFile(path, marker: marker, rule)
        self.file = file
        writer = RecordWriter(
            format: .csv, columns: columns, local: LocalTimes(of: table, in: zone), timeDecimals: table.timeDecimals
        ) { file.add($0) }
    }

    /// Starts a table with the name of its description in a folder.
    convenience init(
        _ table: TableDescription, columns: [String]? = nil, in folder: URL, zone: TimeZone? = nil, _ rule: OutputRule
    ) throws(FileError) {
        try self.init(table, columns: columns, at: folder.appending(path: table.name).relativePath, zone: zone, rule)
    }

    package func write(_ record: Record) { writer.write(record) }

    /// Writes all rows, and leaves the table beside its place.
    package func flush() throws(FileError) { try file.flush() }

    package func finish() throws(FileError) { try file.finish() }

    /// Creates the folder of tables where it is missing.
    package static func make(_ folder: URL) throws(FileError) {
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        } catch {
            guard FileManager.default.fileExists(atPath: folder.path) else {
                throw FileError(error, path: folder.path, .writing)
            }
            throw FileError(path: folder.path, problem: "is a file, not a folder for tables; name another", .replacing)
        }
    }
}

/// The folder of the tables of one trace. All of them come from one analysis. The tables take their places one after
/// the other. A marker is in the folder meanwhile, and stays there if the process dies: `--resume` then writes them
/// again from the study file.
struct TableFolder {
    private static let markerName = ".incomplete"

    private let marker: String
    private let tables: [String]
    private let folder: String

    init(_ folder: URL) {
        self.folder = folder.relativePath
        marker = folder.appending(path: Self.markerName).relativePath
        tables = TableDescription.traceTables.map { folder.appending(path: $0.name).relativePath }
    }

    /// Marks the tables as those of an earlier analysis, until others are in their places.
    func mark() throws(FileError) {
        let descriptor = open(marker, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw FileError(POSIXError.latest, path: marker, .writing) }
        close(descriptor)
    }

    /// Puts tables in their places, after ``mark()``. Throws `FileError`. Then the folder is not whole.
    func place(_ tables: [OutputTable]) throws(FileError) {
        for table in tables { try table.finish() }
        guard unlink(marker) == 0 else { throw FileError(POSIXError.latest, path: marker, .writing) }
    }

    /// Whether the tables are there, and no analysis was stopped while it replaced them.
    var isWhole: Bool { FileIdentity(of: marker) == nil && tables.allSatisfy { FileIdentity(of: $0) != nil } }

    /// Removes the tables of a log without results, and the folder if nothing else is in it.
    func remove() {
        for path in [marker] + tables { unlink(path) }
        rmdir(folder)
    }
}

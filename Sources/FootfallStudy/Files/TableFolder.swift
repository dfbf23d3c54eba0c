internal import FootfallHistory
internal import FootfallReaders
internal import FootfallTables
internal import Foundation

/// The folder of the tables of one trace. All of them come from one analysis.
///
/// The tables take their places one after the other. A marker is in the folder meanwhile, and stays there if the
/// process dies: `--resume` then writes them again from the study file.
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
    ///
    /// - Throws: `FileError`.
    func mark() throws(FileError) {
        let descriptor = open(marker, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw FileError(POSIXError.latest, path: marker, .writing) }
        close(descriptor)
    }

    /// Puts tables in their places, after ``mark()``.
    ///
    /// - Throws: `FileError`. Then the folder is not whole.
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

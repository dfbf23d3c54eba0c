internal import FootfallHistory
internal import FootfallReaders
internal import FootfallTables
internal import Foundation

/// The folder of the tables of one trace. All of them come from one analysis.
///
/// The tables take their places one after the other. A marker is in the folder meanwhile, and stays there if the
/// process dies.
struct TableFolder {
    private static let markerName = ".incomplete"

    private let marker: String
    private let days: String

    init(_ folder: URL) {
        marker = folder.appending(path: Self.markerName).relativePath
        days = folder.appending(path: TableDescription.days.name).relativePath
    }

    /// Puts tables in their places.
    ///
    /// - Throws: `FileError`. Then the folder is not whole.
    func place(_ tables: [OutputTable]) throws(FileError) {
        for table in tables { try table.flush() }
        let descriptor = open(marker, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw FileError(POSIXError.latest, path: marker, .writing) }
        close(descriptor)
        for (index, table) in tables.enumerated() {
            do {
                try table.finish()
            } catch {
                if index == 0 { unlink(marker) }
                throw error
            }
        }
        guard unlink(marker) == 0 else { throw FileError(POSIXError.latest, path: marker, .writing) }
    }

    /// Whether the tables are there, and no analysis was stopped while it replaced them.
    var isWhole: Bool { FileIdentity(of: marker) == nil && FileIdentity(of: days) != nil }

    /// Refuses tables of two analyses.
    ///
    /// - Throws: `TraceError`.
    func check() throws(TraceError) {
        guard FileIdentity(of: marker) != nil else { return }
        throw TraceError(
            .badData, path: marker, problem: "the analysis that replaced these tables was stopped",
            remedy: "analyze the trace again with --tables")
    }
}

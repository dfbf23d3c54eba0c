package import FootfallHistory
internal import FootfallReaders
internal import Foundation

extension FileIdentity {
    /// The file at a path; nil if there is none.
    package init?(of path: String) {
        var status = stat()
        guard FilePath.withBytes(of: path, { stat($0, &status) }) == 0 else { return nil }
        self.init(status)
    }
}

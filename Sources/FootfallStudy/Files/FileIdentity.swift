internal import FootfallTraces
package import Foundation

/// The identity of a file, the same for each path and link to it.
package struct FileIdentity: Hashable, Sendable {
    private let device: UInt64
    private let inode: UInt64

    /// The file at a path; nil if there is none.
    package init?(of path: String) {
        var status = stat()
        guard FilePath.withBytes(of: path, { stat($0, &status) }) == 0 else { return nil }
        self.init(status)
    }

    package init(_ status: stat) { (device, inode) = (UInt64(status.st_dev), UInt64(status.st_ino)) }
}

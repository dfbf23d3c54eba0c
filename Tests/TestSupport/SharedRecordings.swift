package import Foundation
package import Testing

/// Recordings of real people and devices that are not part of the package.
///
/// The environment variable `FOOTFALL_SHARED` names their folder; the default is `shared` beside the package.
package enum SharedRecordings {
    private static let folder: URL =
        if let path = ProcessInfo.processInfo.environment["FOOTFALL_SHARED"] {
            URL(filePath: path)
        } else {
            PackageFolder.url.deletingLastPathComponent().appending(path: "shared")
        }

    package static func url(_ path: String) -> URL { folder.appending(path: path).standardizedFileURL }

    package static func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: url(path).path) }

    package static func bytes(_ path: String) throws -> [UInt8] { Array(try Data(contentsOf: url(path))) }
}

extension Trait where Self == ConditionTrait {
    /// Skips a test where a file or folder of the shared recordings is missing, and gives that as the reason.
    package static func needsShared(_ path: String) -> Self {
        .enabled(
            if: SharedRecordings.exists(path),
            "needs \(path) in the folder of the shared recordings, which FOOTFALL_SHARED names")
    }
}

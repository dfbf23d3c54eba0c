package import Foundation

/// The folder of the package.
package enum PackageFolder {
    package static let url = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// A trace in `SensorTraces`.
    package static func trace(_ name: String) -> URL { url.appending(path: "SensorTraces/\(name).csv") }
}

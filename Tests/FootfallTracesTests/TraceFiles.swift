import Footfall
import Foundation

@testable import FootfallTraces

/// Writes text or bytes to a file, hands its place to `body`, and removes it again.
func withFile<Result>(
    _ bytes: some Sequence<UInt8>, named name: String = "trace.csv", _ body: (URL) throws -> Result
) throws -> Result {
    let folder = FileManager.default.temporaryDirectory.appending(path: "footfall-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: name)
    try Data(bytes).write(to: file)
    return try body(file)
}

/// A trace, read to its end.
struct ReadTrace {
    var samples: [AccelerationSample] = []
    var layout: TraceLayout
    var warnings: [String]
    var notes: [String]
    var progress: Double

    init(_ url: URL, _ options: TraceOptions = TraceOptions(), chunkSize: Int = 1 << 18) throws(TraceError) {
        var trace = try Trace(contentsOf: url, options: options, chunkSize: chunkSize)
        while let batch = try trace.nextBatch() { samples += batch }
        layout = trace.layout
        warnings = trace.warnings.map(\.description)
        notes = trace.notes
        progress = trace.progress
    }

    init(text: String, _ options: TraceOptions = TraceOptions(), chunkSize: Int = 1 << 18) throws {
        self = try withFile(text.utf8) { try ReadTrace($0, options, chunkSize: chunkSize) }
    }

    /// Milliseconds of each sample since 1970.
    var milliseconds: [Int64] { samples.map { $0.time.nanosecondsSince1970 / 1_000_000 } }
}

/// Where the recordings shared between the parts of the project are, unless they are not there.
enum SharedFiles {
    static let folder: URL? = {
        let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let path = ProcessInfo.processInfo.environment["FOOTFALL_SHARED"] ?? package.appending(path: "../shared").path
        let logs = URL(filePath: path).appending(path: "fixtures/logs").standardizedFileURL
        return FileManager.default.fileExists(atPath: logs.path) ? logs : nil
    }()

    static var areThere: Bool { folder != nil }

    static func url(_ name: String) throws -> URL {
        guard let folder else { throw CocoaError(.fileNoSuchFile) }
        return folder.appending(path: name)
    }
}

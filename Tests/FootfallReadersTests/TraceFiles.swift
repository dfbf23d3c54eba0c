import Footfall
import Foundation
import TestSupport

@testable import FootfallReaders

/// Writes bytes to a file, calls `body` with its URL, and removes it.
func withFile<Result>(
    _ bytes: some Sequence<UInt8>, named name: String = "trace.csv", _ body: (URL) throws -> Result
) throws -> Result {
    let folder = try Folder()
    return try withExtendedLifetime(folder) { try body(folder.write(name, Data(bytes))) }
}

/// A trace, read to its end.
struct ReadTrace {
    var samples: [AccelerationSample] = []
    /// Of the batches.
    var areUnitsAssumed: Set<Bool> = []
    var layout: TraceLayout
    var warnings: [String]
    var notes: [String]
    var progress: Double

    init(_ url: URL, _ options: TraceOptions = TraceOptions(), chunkSize: Int = 1 << 18) throws(TraceError) {
        var trace = try Trace(contentsOf: url, options: options, chunkSize: chunkSize)
        while let batch = try trace.nextBatch() {
            samples += batch
            areUnitsAssumed.insert(batch.isUnitAssumed)
        }
        layout = trace.layout
        warnings = trace.warnings.map(\.description)
        notes = trace.notes.map(\.description)
        progress = trace.progress
    }

    init(text: String, _ options: TraceOptions = TraceOptions(), chunkSize: Int = 1 << 18) throws {
        self = try withFile(text.utf8) { try ReadTrace($0, options, chunkSize: chunkSize) }
    }

    /// Milliseconds of each sample since 1970.
    var milliseconds: [Int64] { samples.map { $0.time.nanosecondsSince1970 / 1_000_000 } }
}

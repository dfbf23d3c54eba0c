public import Foundation

/// Writes simulated traces: `NAME.csv` with the samples and `NAME.truth.json` with what really happened.
public struct TraceWriter: Sendable {
    /// How rows are written.
    public var format: TraceFormat

    /// Creates a writer.
    public init(format: TraceFormat = TraceFormat()) {
        self.format = format
    }

    /// How many bytes of text are gathered before they are handed on.
    private static let chunkSize = 1 << 18

    /// Hands the trace on as text in pieces of about 256 KB; memory does not grow with the trace.
    ///
    /// - Throws: What `write` throws.
    public func write(_ simulation: Simulation, to write: ([UInt8]) throws -> Void) throws {
        var text = RowWriter.header
        text.reserveCapacity(TraceWriter.chunkSize + 64 * simulation.samplesPerBatch)
        var rows = RowWriter(format: format, start: simulation.sensor.start)
        for batch in simulation {
            text += rows.rows(of: batch)
            if text.count >= TraceWriter.chunkSize {
                try write(text)
                text.removeAll(keepingCapacity: true)
            }
        }
        if !text.isEmpty { try write(text) }
    }

    /// Writes the trace to an open file, such as the standard output.
    ///
    /// - Throws: The error of the file system.
    public func write(_ simulation: Simulation, to handle: FileHandle) throws {
        try write(simulation) { try handle.write(contentsOf: Data($0)) }
    }

    /// Writes the trace to `file`, and the truth beside it, where ``truthFile(for:)`` says.
    ///
    /// - Throws: The error of the file system.
    public func write(_ simulation: Simulation, to file: URL) throws {
        // Created by writing nothing, because `FileManager.createFile` does not say what went wrong.
        try Data().write(to: file)
        let handle = try FileHandle(forWritingTo: file)
        defer { try? handle.close() }
        try write(simulation, to: handle)
        try TruthDocument(simulation).json().write(to: TraceWriter.truthFile(for: file))
    }

    /// Where the truth of a trace is kept: `walk.truth.json` beside `walk.csv`.
    public static func truthFile(for trace: URL) -> URL {
        trace.deletingPathExtension().appendingPathExtension("truth.json")
    }
}

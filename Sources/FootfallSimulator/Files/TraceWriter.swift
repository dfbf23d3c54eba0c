public import Foundation

/// The form of a trace as CSV: a header `time,x,y,z`, then one row per sample.
public struct CSVFormat: Hashable, Sendable {
    /// The form of times.
    public enum Times: String, CaseIterable, Sendable {
        /// Seconds since the trace's start, with 4 decimals.
        case seconds
        /// Seconds since 1970-01-01T00:00:00Z, with 4 decimals.
        case epoch
        /// ISO 8601 in UTC with milliseconds.
        case iso8601
    }

    /// The form of times.
    public let times: Times
    /// The number of decimals of an acceleration in g, 1 to 6.
    public let decimals: Int

    /// Creates a format. `decimals` is limited to 1…6.
    public init(times: Times = .seconds, decimals: Int = 4) {
        self.times = times
        self.decimals = min(max(decimals, 1), 6)
    }
}

/// Writes simulated traces: the samples to `NAME.csv` and the ground truth to `NAME.truth.json`.
public struct TraceWriter: Sendable {
    /// The form of the rows.
    public var format: CSVFormat

    /// Creates a writer.
    public init(format: CSVFormat = CSVFormat()) {
        self.format = format
    }

    /// The size of a piece of text in bytes.
    private static let chunkSize = 1 << 18

    /// Passes the trace as text to `write`, in pieces of about 256 KB. The memory does not depend on the length of the
    /// trace.
    ///
    /// - Throws: The error that `write` throws.
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

    /// Writes the trace to `file` and the ground truth to ``truthFile(for:)``.
    ///
    /// - Throws: The error of the file system.
    public func write(_ simulation: Simulation, to file: URL) throws {
        // Creates the file. `FileManager.createFile` does not give the reason for a failure.
        try Data().write(to: file)
        let handle = try FileHandle(forWritingTo: file)
        defer { try? handle.close() }
        try write(simulation) { try handle.write(contentsOf: Data($0)) }
        try TruthDocument(simulation).json().write(to: TraceWriter.truthFile(for: file))
    }

    /// The file for the ground truth of a trace: `walk.truth.json` beside `walk.csv`.
    public static func truthFile(for trace: URL) -> URL {
        trace.deletingPathExtension().appendingPathExtension("truth.json")
    }
}

public import Footfall
public import Foundation

/// A recorded series of samples in a file, read batch by batch.
///
/// The file is never held in memory: however long it is, a trace holds less than a megabyte of it. What kind of file it
/// is, is told by its content, not by its name.
///
/// ```swift
/// var trace = try Trace(contentsOf: url)
/// while let batch = try trace.nextBatch() {
///     record(analyzer.analyze(batch))
/// }
/// for warning in trace.warnings { print(warning) }
/// ```
///
/// Read are, also when they are compressed with gzip or alone in a ZIP archive:
///
/// - tables of numbers in UTF-8, one sample per row: `time,x,y,z` and its relatives, with or without a header, separated by
///   commas, semicolons, tabs or spaces, with times as numbers or dates;
/// - recordings of Axivity AX3 and AX6 (`.cwa`);
/// - recordings of ActiGraph loggers (`.gt3x`, `.agdc`), whose idle sleep is filled with the last sample, since nothing moved;
/// - recordings of GENEActiv loggers (`.bin`);
/// - what came over a wire and was kept as it was: MAVLink telemetry logs, x-IMU3 and WitMotion logs, Xsens dumps;
/// - archives of tables as phyphox and Sensor Logger export them.
///
/// ``layout`` says how a file was understood; ``TraceOptions`` overrules it. The clocks of loggers that state no zone are
/// read in ``TraceOptions/timeZone``, as they were set when the recording began.
public struct Trace: ~Copyable, Sendable {
    /// The file.
    public let url: URL
    private var reader: any TraceReader & ~Copyable
    private var isEmpty = true

    /// Opens a trace and decides how to read it.
    ///
    /// - Parameters:
    ///   - url: A file.
    ///   - options: What is known about the file beforehand. It goes before what the file says itself.
    /// - Throws: ``TraceError`` when the file cannot be opened, is no sensor log, lacks something that an option must
    ///   give, or holds acceleration without gravity.
    public init(contentsOf url: URL, options: TraceOptions = TraceOptions()) throws(TraceError) {
        try self.init(contentsOf: url, options: options, chunkSize: LineSource.chunkSize)
    }

    /// Opens a trace that is read `chunkSize` bytes at a time. Results never depend on it.
    init(contentsOf url: URL, options: TraceOptions, chunkSize: Int) throws(TraceError) {
        guard url.isFileURL else {
            throw TraceError(.unreadable, path: url.absoluteString, problem: "not a file", remedy: "download it first")
        }
        let reader = try TraceFormat.reader(path: url.relativePath, options, chunkSize: chunkSize)
        self.url = url
        self.reader = reader
    }

    /// The next samples, at most 4096, in the order of the file; nil at its end.
    ///
    /// What cannot be used is left out and counted in ``warnings``. Rows whose time lies before that of the row
    /// above are counted and passed on.
    ///
    /// - Throws: ``TraceError`` when reading fails, or when the file ends without one usable sample.
    public mutating func nextBatch() throws(TraceError) -> SampleBatch? {
        if let batch = try reader.nextBatch() {
            isEmpty = false
            return batch
        }
        guard !isEmpty else {
            let reasons = warnings.map(\.description).joined(separator: ", ")
            let problem = reasons.isEmpty ? "it holds no samples" : "no sample could be used: \(reasons)"
            throw TraceError(.badData, path: url.relativePath, problem: problem)
        }
        return nil
    }

    /// How the file is read: its format, and what had to be decided, such as columns and units.
    public var layout: TraceLayout { ask { $0.layout } }

    /// What a user should know about how the file was understood, in sentences; empty when nothing had to be assumed.
    public var notes: [String] { ask { $0.notes } }

    /// What could not be used in the part read so far. Complete once ``nextBatch()`` has returned nil.
    public var warnings: [TraceWarning] { ask { $0.warnings } }

    /// How much of the file has been read, 0…1, by bytes. Reading a pipe, whose size is unknown, it is 1 throughout.
    public var progress: Double { ask { $0.progress } }

    /// Asks the reader something. Swift 6.3 opens an existential that cannot be copied only where it is a parameter.
    private func ask<Answer>(_ question: (borrowing any TraceReader & ~Copyable) -> Answer) -> Answer {
        question(reader)
    }
}

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
/// Read are tables of numbers in UTF-8, one sample per row, also compressed with gzip: `time,x,y,z` and its relatives, with
/// or without a header, separated by commas, semicolons, tabs or spaces, with times as numbers or dates. ``layout`` says
/// how a file was understood; ``TraceOptions`` overrules it.
public struct Trace: ~Copyable, Sendable {
    /// The file.
    public let url: URL
    private var reader: CSVReader

    /// Opens a trace and decides how to read it.
    ///
    /// - Parameters:
    ///   - url: A file.
    ///   - options: What is known about the file beforehand. It goes before what the file says itself.
    /// - Throws: ``TraceError`` when the file cannot be opened, is no sensor log, lacks something that an option must
    ///   give, or holds acceleration without gravity.
    public init(contentsOf url: URL, options: TraceOptions = TraceOptions()) throws(TraceError) {
        try self.init(contentsOf: url, options: options, chunkSize: LineSource.openingSize)
    }

    /// Opens a trace that is read `chunkSize` bytes at a time. Results never depend on it.
    init(contentsOf url: URL, options: TraceOptions, chunkSize: Int) throws(TraceError) {
        guard url.isFileURL else {
            throw TraceError(.unreadable, path: url.absoluteString, problem: "not a file", remedy: "download it first")
        }
        let path = url.relativePath
        var source = try LineSource(path: path, chunkSize: chunkSize)
        try source.takeInOpening()
        let sniffer: CSVSniffer
        do throws(Refusal) {
            sniffer = try CSVSniffer(source, options)
        } catch {
            throw error.error(in: path)
        }
        self.url = url
        reader = CSVReader(source, sniffer)
    }

    /// The next samples, at most 4096, in the order of the file; nil at its end.
    ///
    /// Rows that cannot be used are left out and counted in ``warnings``. Rows whose time lies before that of the row
    /// above are counted and passed on.
    ///
    /// - Throws: ``TraceError`` when reading fails, or when the file ends without one usable row.
    public mutating func nextBatch() throws(TraceError) -> SampleBatch? {
        if let batch = try reader.nextBatch() { return batch }
        guard reader.sampleCount > 0 else {
            let reasons = warnings.map(\.description).joined(separator: ", ")
            throw TraceError(.badData, path: url.relativePath, problem: "no row could be used: \(reasons)")
        }
        return nil
    }

    /// How the file is read: columns, units, what times are counted from.
    public var layout: TraceLayout { reader.layout }

    /// What a user should know about how the file was understood, in sentences; empty when nothing had to be assumed.
    public var notes: [String] { reader.notes }

    /// What could not be used in the part read so far. Complete once ``nextBatch()`` has returned nil.
    public var warnings: [TraceWarning] { reader.warnings }

    /// How much of the file has been read, 0…1, by bytes. Reading a pipe, whose size is unknown, it is 1 throughout.
    public var progress: Double { reader.progress }
}

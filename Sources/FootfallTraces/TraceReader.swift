internal import Footfall

/// Reads one format of trace. There is one reader per format; ``Trace`` asks whichever it opened, batch by batch.
protocol TraceReader: ~Copyable, Sendable {
    /// How the file is read.
    var layout: TraceLayout { get }
    /// What a user should know about how the file was understood, in sentences.
    var notes: [String] { get }
    /// What could not be used in the part read so far.
    var warnings: [TraceWarning] { get }
    /// How much of the file has been read, 0…1.
    var progress: Double { get }
    /// The next samples, at most ``SampleColumns/room``; nil at the end of the file.
    mutating func nextBatch() throws(TraceError) -> SampleBatch?
}

/// Opens the reader that a file calls for.
enum TraceFormat {
    /// Tells the format of a file by its opening.
    ///
    /// - Throws: ``TraceError`` when the file cannot be opened, is no sensor log, or lacks something that an option must give.
    static func reader(
        path: String, _ options: TraceOptions, chunkSize: Int
    ) throws(TraceError) -> any TraceReader & ~Copyable {
        var source = try LineSource(path: path, chunkSize: chunkSize)
        try source.takeInOpening()
        do throws(Refusal) {
            return try reader(source, options)
        } catch {
            throw error.error(in: path)
        }
    }

    private static func reader(
        _ source: consuming LineSource, _ options: TraceOptions
    ) throws(Refusal) -> any TraceReader & ~Copyable {
        if AxivityReader.reads(source) { return AxivityReader(source, options) }
        let sniffer = try CSVSniffer(source, options)
        return CSVReader(source, sniffer)
    }
}

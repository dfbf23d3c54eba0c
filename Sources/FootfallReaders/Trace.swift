public import Footfall
public import Foundation

/// A recorded series of samples in a file, read batch by batch.
///
/// A trace holds less than a megabyte of the file in memory. The format is detected from the content, not from the
/// name.
///
/// ```swift
/// var trace = try Trace(contentsOf: url)
/// while let batch = try trace.nextBatch() {
///     record(analyzer.analyze(batch))
/// }
/// for warning in trace.warnings { print(warning) }
/// ```
///
/// Supported formats, also compressed with gzip or alone in a ZIP archive:
///
/// - tables of numbers in UTF-8, one sample per row: `time,x,y,z` and its variants, with or without a header, separated
///   by commas, semicolons, tabs or spaces, with times as numbers or dates;
/// - recordings of Axivity AX3 and AX6 (`.cwa`);
/// - recordings of ActiGraph loggers (`.gt3x`, `.agdc`), whose idle sleep is filled with the last sample, because the
///   logger did not move, in batches of their own (`SampleBatch.isFilled`);
/// - recordings of GENEActiv, GENEA and Parmay Matrix loggers (`.bin`);
/// - the JSON of Movesense sensors;
/// - lines that a program printed, as a serial monitor or a logging library kept them: labels, lists, JSON;
/// - raw logs of wire protocols: MAVLink telemetry logs, x-IMU3 and WitMotion logs, Xsens dumps;
/// - archives of tables as phyphox and Sensor Logger export them, and the unpacked folders.
///
/// ``layout`` describes the detected format; ``TraceOptions`` overrides it. The clock of a logger that states no zone
/// is read in ``TraceOptions/timeZone``, with the offset at the start of the recording.
public struct Trace: ~Copyable, Sendable {
    /// The file.
    public let url: URL
    private var reader: any TraceReader & ~Copyable
    private var isUnitAssumed = false
    private var isEmpty = true
    /// The runs of the part read so far.
    private var runs = ClockRuns()

    /// Opens a trace and detects its format.
    ///
    /// - Parameters:
    ///   - url: A file, or the folder of an unpacked export.
    ///   - options: Known facts about the file. They override its content.
    /// - Throws: ``TraceError`` when the file cannot be opened, is not a sensor log, needs an option, or holds
    ///   acceleration without gravity.
    public init(contentsOf url: URL, options: TraceOptions = TraceOptions()) throws(TraceError) {
        try self.init(contentsOf: url, options: options, chunkSize: LineSource.chunkSize)
    }

    /// Opens a trace and reads `chunkSize` bytes at a time. The results do not depend on it.
    init(contentsOf url: URL, options: TraceOptions, chunkSize: Int) throws(TraceError) {
        guard url.isFileURL else {
            throw TraceError(.unreadable, path: url.absoluteString, problem: "not a file", remedy: "download it first")
        }
        let path = url.relativePath
        if let order = options.order {
            reader = try OrderedReader(order) { () throws(TraceError) in
                try TraceOpener.reader(path: path, options, chunkSize: chunkSize)
            }
        } else {
            reader = try TraceOpener.reader(path: path, options, chunkSize: chunkSize)
        }
        self.url = url
        isUnitAssumed = ask { $0.layout.unitEvidence } == .assumption
    }

    /// The next samples, at most 4096, in the order of the file; nil at its end.
    ///
    /// Unusable rows are dropped and counted in ``warnings``. A row whose time is before that of the row above is
    /// counted and returned.
    ///
    /// - Throws: ``TraceError`` when reading fails, or when the file ends without one usable sample.
    public mutating func nextBatch() throws(TraceError) -> SampleBatch? { try nextBatch(reusing: SampleBatch()) }

    /// The next samples, like ``nextBatch()``, in the memory of a batch that is no longer used.
    mutating func nextBatch(reusing spare: consuming SampleBatch) throws(TraceError) -> SampleBatch? {
        if var batch = try reader.nextBatch(reusing: spare) {
            isEmpty = false
            batch.isUnitAssumed = isUnitAssumed
            runs.add(batch)
            return batch
        }
        guard !isEmpty else {
            let reasons = warnings.map(\.description).joined(separator: ", ")
            let problem: ParameterText =
                reasons.isEmpty ? "it holds no samples" : "no sample could be used: \(reasons)"
            throw TraceError(.badData, path: url.relativePath, problem: problem)
        }
        return nil
    }

    /// How the file is read: its format, columns and units.
    public var layout: TraceLayout { ask { $0.layout } }

    /// Assumptions about the file that a user should check, in sentences; empty without assumptions.
    public var notes: [ParameterText] { ask { $0.notes } }

    /// The dropped rows and records of the part read so far; complete once ``nextBatch()`` has returned nil.
    public var warnings: [TraceWarning] { ask { $0.warnings } }

    /// What a logger stated about itself in the part read so far.
    package var logger: LoggerState { ask { $0.logger } }

    /// The runs of the clock in the part read so far.
    package var clockRuns: ClockRuns {
        var runs = runs
        runs.lines = ask { $0.linesOfStepsBack }
        return runs
    }

    /// The share of the file that has been read, 0…1, by bytes; 1 for a pipe, whose size is unknown.
    public var progress: Double { ask { $0.progress } }

    /// Reads a property of the reader. Swift 6.3 opens a noncopyable existential only as a parameter.
    private func ask<Answer>(_ question: (borrowing any TraceReader & ~Copyable) -> Answer) -> Answer {
        question(reader)
    }
}

/// Reads ranges of a file's samples in a given order. For a range that lies before the last one, it reads the file
/// again from the beginning.
struct OrderedReader: TraceReader, ~Copyable {
    private var reader: any TraceReader & ~Copyable
    private let open: @Sendable () throws(TraceError) -> any TraceReader & ~Copyable
    private var ranges: [Range<Int>]
    private let total: Int
    private var taken = 0
    /// The number of samples that the reader has returned.
    private var position = 0
    /// A batch of which a part is still to be read, and the number of its first sample.
    private var batch = SampleBatch()
    private var first = 0

    /// Reads the samples of these numbers, counted from 0.
    init(
        _ ranges: [Range<Int>], _ open: @escaping @Sendable () throws(TraceError) -> any TraceReader & ~Copyable
    ) throws(TraceError) {
        self.ranges = ranges.filter { !$0.isEmpty }
        self.open = open
        total = self.ranges.reduce(0) { $0 + $1.count }
        reader = try open()
    }

    var layout: TraceLayout { ask { $0.layout } }
    var notes: [ParameterText] { ask { $0.notes } }
    var warnings: [TraceWarning] { ask { $0.warnings } }
    var linesOfStepsBack: [Int] { ask { $0.linesOfStepsBack } }
    var logger: LoggerState { ask { $0.logger } }
    var progress: Double { total == 0 ? 1 : Double(taken) / Double(total) }

    private func ask<Answer>(_ question: (borrowing any TraceReader & ~Copyable) -> Answer) -> Answer {
        question(reader)
    }

    mutating func nextBatch(reusing spare: consuming SampleBatch) throws(TraceError) -> SampleBatch? {
        while let range = ranges.first {
            if range.lowerBound < first {
                reader = try open()
                (batch, first, position) = (SampleBatch(), 0, 0)
            }
            let part = range.clamped(to: first..<position)
            if !part.isEmpty {
                if part.upperBound == range.upperBound {
                    ranges.removeFirst()
                } else {
                    ranges[0] = part.upperBound..<range.upperBound
                }
                taken += part.count
                return batch.part(part.lowerBound - first..<part.upperBound - first)
            }
            guard let next = try reader.nextBatch(reusing: SampleBatch()) else { return nil }
            (batch, first) = (next, position)
            position += next.count
        }
        return nil
    }
}

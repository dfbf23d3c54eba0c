internal import Footfall
internal import Foundation

/// Decodes the records of one format in order, with the state between them.
protocol RecordingDecoder: Sendable {
    /// The most samples that one call of ``read(_:into:)`` adds.
    static var mostSamples: Int { get }
    /// The device and its clock.
    var layout: RecordingLayout { get }
    var notes: [ParameterText] { get }
    /// The damaged records of the part read so far, by default those of ``tally``.
    var warnings: [TraceWarning] { get }
    var tally: WarningCounts { get }
    /// Whether the next samples fill a time in which the logger slept. They are in batches of their own.
    var isFilling: Bool { get }
    /// The temperature of the record that was read last, in °C; nil if the format has none.
    var temperature: Float? { get }
    /// The voltage of the battery in the record that was read last, in V; nil if the format has none.
    var battery: Float? { get }
    /// Decodes at most the next record of `source` and returns how many bytes it used; nil if it needs more bytes.
    mutating func read(_ source: borrowing LineSource, into columns: inout SampleColumns) -> Int?
    /// Ends the decoding. Calls of ``read(_:into:)`` that follow return the samples that remain, then nil.
    mutating func finish(_ source: borrowing LineSource)
}

extension RecordingDecoder {
    var warnings: [TraceWarning] { tally.warnings }
    var tally: WarningCounts { WarningCounts() }
    var isFilling: Bool { false }
    var temperature: Float? { nil }
    var battery: Float? { nil }
}

/// What the records of a logger state about itself.
package struct LoggerState: Hashable, Sendable {
    /// The mean temperature of the sensor, in °C; nil if the format has none.
    package var temperature: Double?
    /// The voltage of the battery at the end, in V; nil if the format has none.
    package var battery: Double?

    package init(temperature: Double? = nil, battery: Double? = nil) {
        (self.temperature, self.battery) = (temperature, battery)
    }
}

struct RecordingReader<Decoder: RecordingDecoder>: TraceReader, ~Copyable {
    private let format: TraceLayout.Format
    private var source: LineSource
    private var decoder: Decoder
    private var isFinished = false
    private var (degrees, records) = (0.0, 0)

    init(_ format: TraceLayout.Format, _ decoder: Decoder, _ source: consuming LineSource) {
        self.format = format
        self.decoder = decoder
        self.source = source
    }

    var layout: TraceLayout {
        // An ActiGraph recording is itself a ZIP archive.
        TraceLayout(
            format: format, isCompressed: source.isCompressed, member: format == .actiGraph ? nil : source.member,
            content: .recording(decoder.layout))
    }
    var notes: [ParameterText] { decoder.notes }
    var warnings: [TraceWarning] {
        let finding = isFinished ? source.finding : nil
        return decoder.warnings + (finding.map { [TraceWarning(kind: $0, count: 1)] } ?? [])
    }
    var progress: Double { source.progress }

    mutating func nextBatch(reusing spare: consuming SampleBatch) throws(TraceError) -> SampleBatch? {
        var columns = SampleColumns(reusing: spare)
        var isFilled = decoder.isFilling
        let (degreesBefore, recordsBefore) = (degrees, records)
        while columns.room >= Decoder.mostSamples {
            if decoder.isFilling != isFilled {
                guard columns.count == 0 else { break }
                isFilled = decoder.isFilling
            }
            let count = columns.count
            if let size = decoder.read(source, into: &columns) {
                source.advance(to: source.unread.lowerBound + size)
                if columns.count > count, let temperature = decoder.temperature {
                    degrees += Double(temperature)
                    records += 1
                }
            } else if isFinished {
                break
            } else if try !source.readMore() {
                isFinished = true
                decoder.finish(source)
            }
        }
        var batch = columns.batch()
        batch?.isFilled = isFilled
        let count = records - recordsBefore
        batch?.temperature = count > 0 ? Float((degrees - degreesBefore) / Double(count)) : nil
        return batch
    }

    var logger: LoggerState {
        LoggerState(
            temperature: records > 0 ? degrees / Double(records) : nil, battery: decoder.battery.map(Double.init))
    }
}

/// How far a logger's clock is ahead of UTC.
struct UTCOffset: Sendable {
    let seconds: Int64
    let evidence: TraceLayout.Evidence

    /// The stated offset or, where there is none, that of the zone in the options at a local time, in seconds since
    /// 1970.
    init(stated: Int64? = nil, _ options: TraceOptions, atLocalSecond local: Int64) {
        seconds = stated ?? options.zone.offsets(atLocalSecond: local).first
        evidence = stated != nil ? .header : options.timeZone == .gmt ? .assumption : .option
    }

    /// The note on a clock that states no zone.
    func notes(_ options: TraceOptions) -> [ParameterText] {
        evidence == .header ? [] : ["the logger's clock states no zone; it was read as \(options.zone.name)"]
    }
}

/// Reads one format of trace, batch by batch. There is one reader per format.
protocol TraceReader: ~Copyable, Sendable {
    /// How the file is read.
    var layout: TraceLayout { get }
    /// Assumptions about the file that a user should check, in sentences.
    var notes: [ParameterText] { get }
    /// The dropped rows and records of the part read so far.
    var warnings: [TraceWarning] { get }
    /// The share of the file that has been read, 0…1.
    var progress: Double { get }
    /// The lines of the first steps back in time that may be those of a clock; see `Timestamp.isSetBack`.
    var linesOfStepsBack: [Int] { get }
    /// What a logger stated about itself in the part read so far.
    var logger: LoggerState { get }
    /// The next samples, at most `SampleColumns.room`; nil at the end of the file. The memory of the spare batch, which
    /// is no longer used, may be written again.
    mutating func nextBatch(reusing spare: consuming SampleBatch) throws(TraceError) -> SampleBatch?
}

extension TraceReader where Self: ~Copyable {
    var linesOfStepsBack: [Int] { [] }
    var logger: LoggerState { LoggerState() }
}

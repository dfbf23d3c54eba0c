internal import Footfall
internal import Foundation

/// Reads the recordings of ActiGraph loggers (`.gt3x`, `.agdc`): an archive with a log of records and a text about the
/// device.
struct ActiGraphReader: TraceReader, ~Copyable {
    private var source: LineSource
    private var decoder: ActiGraphDecoder
    private let device: String
    private let range: Double?
    private var isFinished = false

    /// Opens the log in an archive.
    ///
    /// - Throws: ``TraceError`` when reading fails, or the sample rate is missing.
    init(_ archive: ZipArchive, log: ZipArchive.Member, _ options: TraceOptions, chunkSize: Int) throws(TraceError) {
        let info = ActiGraphInfo(try archive.content(of: "info.txt") ?? [])
        let calibration = try archive.content(of: "calibration.json")
        var source = LineSource(ByteSource(log, of: archive), chunkSize: chunkSize)
        try source.takeInOpening()
        do throws(Refusal) {
            decoder = try ActiGraphDecoder(source, info, calibration, options)
        } catch {
            throw error.error(in: archive.file.path)
        }
        device = info.device
        range = info.range
        self.source = source
    }

    var layout: TraceLayout {
        TraceLayout(
            format: .actiGraph, isCompressed: false, content: .recording(decoder.layout(device: device, range: range)))
    }
    var notes: [String] { decoder.notes }
    var warnings: [TraceWarning] { decoder.tally.warnings }
    var progress: Double { source.progress }

    mutating func nextBatch() throws(TraceError) -> SampleBatch? {
        var columns = SampleColumns()
        while columns.room > 0, !isFinished || decoder.hasPending {
            if let size = decoder.read(source, into: &columns) {
                source.advance(to: source.unread.lowerBound + size)
            } else if try !source.takeInMore() {
                isFinished = true
                decoder.finish(source)
            }
        }
        return columns.batch()
    }
}

/// Decodes records in order, with the state between them.
struct ActiGraphDecoder: Sendable {
    private let sampleRate: Double
    private let isTurned: Bool
    private let isCalibrated: Bool
    private var scale: ActiGraphScale
    /// How far the logger's clock is ahead of UTC, in seconds.
    private let utcOffset: Int64
    private let utcOffsetEvidence: TraceLayout.Evidence
    private var facts: [String] = []
    private var idle = IdleSleep()
    /// How many samples of the next record have been returned.
    private var samplesRead = 0
    /// The time of the last record of any kind, in nanoseconds on the logger's clock.
    private var lastRecord: Int64 = 0
    /// Whether the decoder searches for the start of a record.
    private var isLost = false
    private(set) var tally = WarningCounts()

    /// Creates a decoder from the opening of a source.
    ///
    /// - Throws: ``Refusal`` when the sample rate is missing.
    init(
        _ source: borrowing LineSource, _ info: ActiGraphInfo, _ calibration: [UInt8]?, _ options: TraceOptions
    ) throws(Refusal) {
        let prelude = ActiGraphPrelude(source)
        guard let rate = info.sampleRate ?? prelude.sampleRate else {
            throw Refusal("an ActiGraph recording without its sample rate", remedy: "download it again")
        }
        sampleRate = rate
        isTurned = info.isTurned
        scale = ActiGraphScale(unitsPerG: prelude.scale ?? info.scale ?? info.usualScale)
        switch ActiGraphScale.calibration(calibration, sampleRate: rate) {
        case .none: isCalibrated = false
        case .scale(let calibrated):
            scale = calibrated
            isCalibrated = true
            facts.append("the factory's calibration was applied")
        case .unknown(let reason):
            isCalibrated = false
            facts.append("the factory's calibration was not applied: \(reason)")
        }
        if prelude.isClockUTC {
            (utcOffset, utcOffsetEvidence) = (0, .header)
        } else if let offset = info.timeZone {
            (utcOffset, utcOffsetEvidence) = (offset, .header)
        } else {
            utcOffset = options.timeZone.offset(atLocalSecond: prelude.firstTime)
            utcOffsetEvidence = options.timeZone == .gmt ? .assumption : .option
            facts.append("the logger's clock states no zone; it was read as \(options.zoneName)")
        }
        facts += options.notesOnRecording
    }

    func layout(device: String, range: Double?) -> RecordingLayout {
        RecordingLayout(
            device: device, sampleRate: sampleRate, range: range, utcOffset: Int(utcOffset),
            utcOffsetEvidence: utcOffsetEvidence)
    }

    var notes: [String] {
        guard idle.spanCount > 0 else { return facts }
        return facts + [
            "the logger slept \(idle.spanCount == 1 ? "once" : "\(idle.spanCount) times") because nothing moved, "
                + "\(Int(idle.seconds.rounded())) s in all; its last sample was repeated for that time"
        ]
    }

    /// Whether repeated samples are still to be returned.
    var hasPending: Bool { idle.pending > 0 }

    /// Decodes at most the next record of `source` and returns how many bytes it used; nil where it needs more bytes.
    mutating func read(_ source: borrowing LineSource, into columns: inout SampleColumns) -> Int? {
        if hasPending {
            idle.fill(&columns, period: 1e9 / sampleRate, shift: utcOffset * 1_000_000_000)
            return 0
        }
        let bytes = source.bytes.span.extracting(source.unread)
        guard !bytes.isEmpty else { return nil }
        let start = skip(bytes, at: source.offset)
        guard start == 0 else { return start }
        guard bytes.count >= ActiGraphRecord.headerSize else { return source.isAtEnd ? giveUp() : nil }
        guard let record = ActiGraphRecord(bytes, at: 0), !isLost || record.kind != nil else {
            return lose(at: source.offset)
        }
        guard bytes.count >= record.size else { return source.isAtEnd ? giveUp() : nil }
        // A record that is returned in parts was checked before.
        guard samplesRead > 0 || record.isWhole(bytes) else { return lose(at: source.offset) }
        isLost = false
        return take(record, bytes, into: &columns) ? record.size : 0
    }

    /// How many bytes come before the next separator. Zeros are padding; other bytes are damage.
    private mutating func skip(_ bytes: Span<UInt8>, at offset: Int) -> Int {
        var start = 0
        while start < bytes.count, bytes[start] != ActiGraphRecord.separator {
            if bytes[start] != 0, !isLost { _ = lose(at: offset + start) }
            start += 1
        }
        return start
    }

    /// Starts the search for a record at the next byte. Counts each damaged part once.
    private mutating func lose(at offset: Int) -> Int {
        if !isLost { tally.note(.damaged, .byte(offset)) }
        isLost = true
        return 1
    }

    /// The file ends inside a possible record. Counts that once, and searches the rest for whole records.
    private mutating func giveUp() -> Int {
        if !isLost { tally.note(.cutShort, nil) }
        isLost = true
        return 1
    }

    /// Decodes a record; false where not all of it fits.
    private mutating func take(
        _ record: ActiGraphRecord, _ bytes: Span<UInt8>, into columns: inout SampleColumns
    ) -> Bool {
        let time = record.time * 1_000_000_000
        lastRecord = time
        switch record.kind {
        case .activity, .activity2, .activity3:
            return takeSamples(record, bytes, time, into: &columns)
        case .event where record.payload.count == 1:
            switch bytes[record.payload.lowerBound] {
            case 8: idle.begin()
            case 9: idle.fill(until: time, period: 1e9 / sampleRate)
            default: break
            }
        case .parameters where !isCalibrated:
            if let units = record.scale(bytes) { scale = ActiGraphScale(unitsPerG: units) }
        default: break
        }
        return true
    }

    private mutating func takeSamples(
        _ record: ActiGraphRecord, _ bytes: Span<UInt8>, _ time: Int64, into columns: inout SampleColumns
    ) -> Bool {
        let count = record.sampleCount
        guard count > 0 else { return true }
        if samplesRead == 0 {
            // The logger may wake without an event.
            idle.fill(until: time, period: 1e9 / sampleRate)
            if hasPending { return false }
        }
        let (first, added) = (samplesRead, min(count - samplesRead, columns.room))
        let period = 1e9 / max(sampleRate, Double(count))
        let start = time - utcOffset * 1_000_000_000
        let (scale, isTurned) = (self.scale, self.isTurned)
        columns.append(added) { index in
            var values = record.sample(bytes, first + index)
            if isTurned { values = SIMD4(values[1], -values[0], values[2], 0) }
            return (start + Int64(Double(first + index) * period), scale.acceleration(values))
        }
        samplesRead += added
        guard samplesRead == count else { return false }
        samplesRead = 0
        // A record lasts a second, also with a sample less than usual.
        idle.end(due: time + 1_000_000_000, last: columns.last ?? .zero)
        return true
    }

    /// Ends the decoding.
    mutating func finish(_ source: borrowing LineSource) {
        // A recording may end during sleep, which then lasts until the last record.
        idle.fill(until: lastRecord, period: 1e9 / sampleRate)
        if let finding = source.finding { tally.note(finding, nil) }
    }
}

/// The settings in the first records of a log.
struct ActiGraphPrelude {
    private(set) var scale: Double?
    private(set) var sampleRate: Double?
    private(set) var isClockUTC = false
    /// Seconds since 1970 on the logger's clock; 0 where there is no record.
    private(set) var firstTime: Int64 = 0

    init(_ source: borrowing LineSource) {
        let bytes = source.bytes.span.extracting(source.unread)
        var start = 0
        while start + ActiGraphRecord.headerSize <= bytes.count {
            guard bytes[start] == ActiGraphRecord.separator, let record = ActiGraphRecord(bytes, at: start),
                record.kind != nil, record.payload.upperBound < bytes.count, record.isWhole(bytes)
            else {
                start += 1
                continue
            }
            // Records of other types are skipped byte by byte, because any byte can look like a separator.
            if firstTime == 0 { firstTime = record.time }
            switch record.kind {
            case .parameters:
                scale = scale ?? record.scale(bytes)
                sampleRate = sampleRate ?? record.sampleRate(bytes)
            case .metadata: isClockUTC = isClockUTC || record.saysClockIsUTC(bytes)
            default: break
            }
            start += record.size
        }
    }
}

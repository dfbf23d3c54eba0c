internal import Footfall
internal import Foundation

/// Decodes the recordings of ActiGraph loggers (`.gt3x`, `.agdc`): an archive with a log of records and a text about
/// the device.
struct ActiGraphDecoder: RecordingDecoder {
    static let mostSamples = 1

    private let info: ActiGraphInfo
    private let sampleRate: Double
    private let isCalibrated: Bool
    private var scale: ActiGraphScale
    private let utcOffset: UTCOffset
    private var facts: [ParameterText] = []
    private var idle = IdleSleep()
    /// The number of samples of the next record that have been returned.
    private var samplesRead = 0
    /// The time of the last record of any kind, in nanoseconds on the logger's clock.
    private var lastRecord: Int64 = 0
    /// Whether the decoder searches for the start of a record.
    private var isLost = false
    private(set) var tally = WarningCounts()

    /// Creates a decoder from the opening of a log. Throws ``Refusal`` when the sample rate is missing.
    init(
        _ source: borrowing LineSource, _ info: ActiGraphInfo, calibration: [UInt8]?, _ options: TraceOptions
    ) throws(Refusal) {
        let prelude = ActiGraphPrelude(source)
        guard let rate = info.sampleRate ?? prelude.sampleRate else {
            throw Refusal("an ActiGraph recording without its sample rate", remedy: "download it again")
        }
        sampleRate = rate
        self.info = info
        let calibrated = ActiGraphScale.calibrated(by: calibration, sampleRate: rate)
        scale = calibrated.scale ?? ActiGraphScale(unitsPerG: prelude.scale ?? info.scale ?? info.usualScale)
        isCalibrated = calibrated.scale != nil
        if let outcome = calibrated.outcome { facts.append("the factory's calibration was \(outcome)") }
        utcOffset = UTCOffset(
            stated: prelude.isClockUTC ? 0 : info.timeZone, options, atLocalSecond: prelude.firstTime)
        facts += utcOffset.notes(options) + options.notesOnRecording
    }

    var layout: RecordingLayout { info.layout(sampleRate: sampleRate, utcOffset) }
    var isFilling: Bool { idle.pending > 0 }
    var battery: Float? { info.battery }

    var notes: [ParameterText] {
        guard idle.spanCount > 0 else { return facts }
        return facts + [
            "the logger slept \(idle.spanCount == 1 ? "once" : "\(idle.spanCount) times") because nothing moved, "
                + "\(Int(clamping: idle.seconds.rounded())) s in all; its last sample was repeated for that time, with 1 g"
        ]
    }

    mutating func read(_ source: borrowing LineSource, into columns: inout SampleColumns) -> Int? {
        if idle.pending > 0 {
            idle.fill(&columns, period: 1e9 / sampleRate, shift: utcOffset.seconds * 1_000_000_000)
            return 0
        }
        let bytes = source.bytes.span.extracting(source.unread)
        guard !bytes.isEmpty else { return nil }
        let start = skip(bytes, at: source.offset)
        guard start == 0 else { return start }
        guard bytes.count >= ActiGraphRecord.headerSize else { return source.isAtEnd ? lose() : nil }
        guard let record = ActiGraphRecord(bytes, at: 0), !isLost || record.kind != nil else {
            return lose(at: source.offset)
        }
        guard bytes.count >= record.size else { return source.isAtEnd ? lose() : nil }
        // A record that is returned in parts was checked before.
        guard samplesRead > 0 || record.isWhole(bytes) else { return lose(at: source.offset) }
        isLost = false
        return take(record, bytes, into: &columns) ? record.size : 0
    }

    /// The number of bytes before the next separator. Zeros are padding; other bytes are damage.
    private mutating func skip(_ bytes: Span<UInt8>, at offset: Int) -> Int {
        var start = 0
        while start < bytes.count, bytes[start] != ActiGraphRecord.separator {
            if bytes[start] != 0, !isLost { _ = lose(at: offset + start) }
            start += 1
        }
        return start
    }

    /// Starts the search for a record at the next byte. Counts each damaged part once; without an offset, the file ends
    /// inside a possible record.
    private mutating func lose(at offset: Int? = nil) -> Int {
        if !isLost { tally.note(offset == nil ? .cutShort : .damaged, offset.map { .byte($0) }) }
        isLost = true
        return 1
    }

    /// Decodes a record; false if not all of it fits.
    private mutating func take(
        _ record: ActiGraphRecord, _ bytes: Span<UInt8>, into columns: inout SampleColumns
    ) -> Bool {
        let time = record.time * 1_000_000_000
        lastRecord = time
        switch record.kind {
        case .activity, .activity2, .activity3: return takeSamples(record, bytes, time, into: &columns)
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
            if idle.pending > 0 { return false }
        }
        let (first, added) = (samplesRead, min(count - samplesRead, columns.room))
        let period = 1e9 / max(sampleRate, Double(count))
        let start = time - utcOffset.seconds * 1_000_000_000
        let (scale, isTurned) = (self.scale, info.isTurned)
        columns.append(added) { index in
            var values = record.sample(bytes, first + index)
            if isTurned { values = SIMD4(values[1], -values[0], values[2], 0) }
            return (start + Int64(clamping: Double(first + index) * period), scale.acceleration(values))
        }
        samplesRead += added
        guard samplesRead == count else { return false }
        samplesRead = 0
        // A record lasts a second, also with a sample less than usual.
        idle.end(due: time + 1_000_000_000, last: columns.last ?? .zero)
        return true
    }

    mutating func finish(_ source: borrowing LineSource) {
        // A recording may end during sleep, which then lasts until the last record.
        idle.fill(until: lastRecord, period: 1e9 / sampleRate)
    }
}

/// The settings in the first records of a log.
struct ActiGraphPrelude {
    private(set) var scale: Double?
    private(set) var sampleRate: Double?
    private(set) var isClockUTC = false
    /// Seconds since 1970 on the logger's clock; 0 if there is no record.
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

/// The spans in which a motionless logger stops recording. The last sample is repeated at the rate of the recording, as
/// in the manufacturer's export. Without that, rest would be a gap. Its magnitude is set to 1 g, as in GGIR: nothing
/// moved, so the sensor felt gravity alone, and the error of its last reading is no activity.
struct IdleSleep: Sendable {
    /// The most time that is filled in one recording: longer than any battery lasts. It bounds the output of a damaged
    /// file.
    private static let mostNanoseconds: Int64 = 60 * 86400 * 1_000_000_000

    private var isAsleep = false
    /// The end of the recorded samples, or of the filled span, in nanoseconds on the logger's clock; nil before the
    /// first.
    private var due: Int64?
    private var last = SIMD4<Float>()
    private var filled: Int64 = 0
    private(set) var pending = 0
    /// The number of repeated samples of the span. Times count from its start, so that rounding errors do not add up.
    private var repeated = 0
    private(set) var spanCount = 0

    /// The length of all filled spans, in seconds.
    var seconds: Double { Double(filled) * 1e-9 }

    /// The logger falls asleep.
    mutating func begin() { isAsleep = true }

    /// Samples were recorded up to `due`.
    mutating func end(due: Int64, last: SIMD4<Float>) {
        isAsleep = false
        self.due = due
        let magnitude = (last.x * last.x + last.y * last.y + last.z * last.z).squareRoot()
        self.last = magnitude > 0 ? last / magnitude : last
    }

    /// Fills the sleep up to `time`, with a sample every `period` nanoseconds.
    mutating func fill(until time: Int64, period: Double) {
        guard isAsleep, let due, time > due, time - due <= IdleSleep.mostNanoseconds - filled else { return }
        pending = Int(clamping: (Double(time - due) / period).rounded())
        filled += time - due
        spanCount += 1
        isAsleep = false
    }

    /// Adds pending samples, as many as fit.
    mutating func fill(_ columns: inout SampleColumns, period: Double, shift: Int64) {
        guard pending > 0, let due else { return }
        let count = min(pending, columns.room)
        let (start, last, first) = (due - shift, self.last, repeated)
        columns.append(count) { (start + Int64(clamping: Double(first + $0) * period), last) }
        pending -= count
        repeated += count
        guard pending == 0 else { return }
        self.due = due + Int64(clamping: Double(repeated) * period)
        repeated = 0
    }
}

/// Decodes the recordings of the first GT3X+ loggers, firmware 2.5 and older, as NHANES used them: an archive whose
/// member `activity.bin` is packed samples and nothing else, two of them in nine bytes, from a start that `info.txt`
/// gives.
struct OldActiGraphDecoder: RecordingDecoder {
    static let mostSamples = 2

    let layout: RecordingLayout
    let notes: [ParameterText]
    let battery: Float?
    /// The time of the first sample, in nanoseconds since 1970.
    private let start: Int64
    private let period: Double
    private let scale: ActiGraphScale
    private var count = 0

    /// Throws ``Refusal`` when the sample rate or the start is missing.
    init(_ info: ActiGraphInfo, _ options: TraceOptions) throws(Refusal) {
        guard let rate = info.sampleRate, let start = info.start else {
            throw Refusal(
                "an ActiGraph recording whose info.txt has no sample rate or no start", remedy: "download it again")
        }
        let offset = UTCOffset(stated: info.timeZone, options, atLocalSecond: start / 1_000_000_000)
        notes = offset.notes(options) + options.notesOnRecording
        layout = info.layout(sampleRate: rate, offset)
        battery = info.battery
        self.start = start - offset.seconds * 1_000_000_000
        period = 1e9 / rate
        scale = ActiGraphScale(unitsPerG: info.scale ?? info.usualScale)
    }

    /// Reads pairs of samples, and at the end of the file a single one.
    mutating func read(_ source: borrowing LineSource, into columns: inout SampleColumns) -> Int? {
        let bytes = source.bytes.span.extracting(source.unread)
        let pairs = min(bytes.count / 9, columns.room / 2)
        let isLast = source.isAtEnd && pairs == 0 && bytes.count >= 5
        guard pairs > 0 || isLast else { return nil }
        let added = isLast ? 1 : pairs * 2
        let (first, start, period, scale) = (count, start, period, scale)
        columns.append(added) { index in
            let values = ActiGraphRecord.yBeforeX(bytes.int12Vector(atHalfByte: index * 9))
            return (start &+ Int64(clamping: Double(first + index) * period), scale.acceleration(values))
        }
        count += added
        return isLast ? bytes.count : pairs * 9
    }

    func finish(_ source: borrowing LineSource) {}
}

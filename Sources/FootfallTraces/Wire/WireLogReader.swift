internal import Footfall
internal import FootfallWire
internal import Foundation

/// Reads raw logs of wire protocols: MAVLink telemetry logs, x-IMU3 logs, WitMotion's files on
/// SD cards, and dumps of serial lines. `FootfallWire` decodes them, as it does for live devices.
struct WireLogReader: TraceReader, ~Copyable {
    let layout: TraceLayout
    private(set) var notes: [String]
    private var source: LineSource
    private var decoder: WireDecoder
    private var clock: WireLogClock
    /// The decoded readings, and how many of them have been returned.
    private var readings: [WireReading] = []
    private var next = 0
    private var isFinished = false
    private var tally = WarningCounts()

    /// Takes over a source with a log that ``WireLogOpening`` recognised.
    ///
    /// - Throws: ``Refusal`` when its readings have no times.
    init(_ source: consuming LineSource, _ opening: WireLogOpening, _ options: TraceOptions) throws(Refusal) {
        clock = try WireLogClock(opening, options)
        decoder = opening.wire.map { WireDecoder($0) } ?? .telemetryLog()
        notes = clock.notes + (opening.problem.map { [$0] } ?? [])
        layout = TraceLayout(
            .wire, of: source,
            .recording(
                RecordingLayout(
                    device: opening.layout, sampleRate: nil, range: nil, utcOffset: clock.utcOffset,
                    utcOffsetEvidence: clock.utcOffsetEvidence)))
        self.source = source
    }

    var warnings: [TraceWarning] { tally.warnings + [TraceWarning](decoder.quality) }
    var progress: Double { source.progress }

    mutating func nextBatch() throws(TraceError) -> SampleBatch? {
        while next == readings.count, !isFinished {
            readings.removeAll(keepingCapacity: true)
            next = 0
            decoder.decode(source, into: &readings)
            source.advance(to: source.unread.upperBound)
            if try !source.takeInMore() {
                isFinished = true
                decoder.finish(into: &readings)
                if let finding = source.finding { tally.note(finding, nil) }
            }
        }
        var columns = SampleColumns()
        let first = next
        columns.append(readings.count - first) { index in
            let reading = readings[first + index]
            return (clock.nanoseconds(of: reading), SIMD4(reading.x, reading.y, reading.z, 0))
        }
        next += columns.count
        return columns.batch()
    }
}

extension WireDecoder {
    fileprivate mutating func decode(_ source: borrowing LineSource, into readings: inout [WireReading]) {
        decode(source.bytes.span.extracting(source.unread), into: &readings)
    }
}

extension [TraceWarning] {
    /// The damage in the bytes of a log.
    fileprivate init(_ quality: WireQuality) {
        self = []
        if quality.damagedFrames > 0 { append(TraceWarning(kind: .damaged, count: quality.damagedFrames)) }
        if quality.skippedBytes > 0 { append(TraceWarning(kind: .strayBytes, count: quality.skippedBytes)) }
    }
}

/// The protocol and the clock of a log, from its opening.
struct WireLogOpening {
    /// The protocol; nil for a MAVLink telemetry log, whose frames stand behind the times of their reception.
    let wire: WireProtocol?
    /// The layout in one line.
    let layout: String
    /// Why its acceleration is doubtful, in one sentence; nil without doubt.
    let problem: String?
    /// Whether readings have times.
    let hasTimes: Bool
    /// The first time on the device's clock, in nanoseconds.
    let firstTime: Int64
    /// The moment of zero on that clock, where the log states it.
    let origin: ClockOrigin?

    /// How many bytes of a file are examined.
    private static let size = 1 << 16

    /// Recognises a log of a wire protocol; nil for another file. Text is a table.
    init?(_ source: borrowing LineSource) {
        let bytes = Array(source.bytes[source.unread.prefix(WireLogOpening.size)])
        guard WireLogOpening.isWorthALook(bytes) else { return nil }
        var readings: [WireReading] = []
        if WireDecoder.isTelemetryLog(bytes) {
            var decoder = WireDecoder.telemetryLog()
            decoder.decode(bytes, into: &readings)
            decoder.finish(into: &readings)
            wire = nil
            layout = decoder.layout ?? "MAVLink"
            problem = decoder.quality.problem
            origin = ClockOrigin(time: .epoch, isLocal: false)
        } else {
            var decoder = WireDecoder()
            decoder.decode(bytes, into: &readings)
            decoder.finish(into: &readings)
            guard let recognized = decoder.recognized, recognized != .text else { return nil }
            wire = recognized
            layout = decoder.layout ?? "\(recognized)"
            problem = decoder.quality.problem
            origin = decoder.clockOrigin
        }
        hasTimes = readings.contains { $0.deviceTime != nil }
        firstTime = readings.lazy.compactMap(\.deviceTime).first ?? 0
    }

    /// Whether the bytes are not text, or lines of an x-IMU3: settings in braces, and messages.
    private static func isWorthALook(_ bytes: [UInt8]) -> Bool {
        let head = bytes.prefix(4096)
        let controls = head.count { $0 < 9 || (14...31).contains($0) }
        return controls * 50 > head.count || head.first == UInt8(ascii: "{") || head.starts(with: Array("I,".utf8))
    }
}

/// Converts the device's times to timestamps.
struct WireLogClock: Sendable {
    /// How far the device's clock is ahead of UTC, in seconds; nil where it counts from its start.
    let utcOffset: Int?
    let utcOffsetEvidence: TraceLayout.Evidence
    private(set) var notes: [String] = []
    /// The offset added to the device's time, in nanoseconds.
    private let shift: Int64
    /// Nanoseconds between readings without times; nil where they have times.
    private let period: Double?
    private var count = 0
    private var latest: Int64

    /// - Throws: ``Refusal`` when readings have no times, and no rate is given.
    init(_ opening: WireLogOpening, _ options: TraceOptions) throws(Refusal) {
        let start = (options.start ?? .epoch).nanosecondsSince1970
        guard opening.hasTimes else {
            guard let rate = options.sampleRate, rate.isFinite, rate > 0.001, rate < 1e6 else {
                throw Refusal("a log without times (\(opening.layout))", remedy: "give the rate with --rate")
            }
            (utcOffset, utcOffsetEvidence) = (nil, .option)
            (shift, period, latest) = (0, 1e9 / rate, start)
            return
        }
        period = nil
        if let origin = opening.origin {
            let zero = origin.time.nanosecondsSince1970
            let offset =
                origin.isLocal ? options.timeZone.offset(atLocalSecond: (zero &+ opening.firstTime) / 1_000_000_000) : 0
            utcOffset = Int(offset)
            utcOffsetEvidence = !origin.isLocal ? .header : options.timeZone == .gmt ? .assumption : .option
            shift = zero &- offset * 1_000_000_000
            if origin.isLocal {
                notes.append("the logger's clock states no zone; it was read as \(options.zoneName)")
            }
            if options.start != nil { notes.append("--start was not used; the log has absolute times") }
        } else {
            (utcOffset, utcOffsetEvidence) = (nil, .header)
            shift = start &- opening.firstTime
        }
        latest = opening.firstTime &+ shift
    }

    /// The time of a reading, in nanoseconds since 1970.
    mutating func nanoseconds(of reading: WireReading) -> Int64 {
        if let period {
            defer { count += 1 }
            return latest &+ Int64(Double(count) * period)
        }
        // A reading without a time has that of the reading before.
        if let time = reading.deviceTime { latest = time &+ shift }
        return latest
    }
}

internal import Footfall
internal import Foundation

/// Decodes raw logs of wire protocols: MAVLink telemetry logs, x-IMU3 logs, WitMotion's files on
/// SD cards, and dumps of serial lines. ``WireDecoder`` decodes them, as it does for live devices.
struct WireLogDecoder: RecordingDecoder {
    static let mostSamples = 1

    let layout: RecordingLayout
    let notes: [ParameterText]
    private var decoder: WireDecoder
    private var clock: WireLogClock
    /// The decoded readings, and how many of them have been returned.
    private var readings: [WireReading] = []
    private var next = 0

    /// Throws ``Refusal`` when the readings have no times.
    init(_ opening: WireLogOpening, _ options: TraceOptions) throws(Refusal) {
        clock = try WireLogClock(opening, options)
        decoder = opening.wire.map { WireDecoder($0) } ?? .telemetryLog()
        notes = clock.notes + (opening.problem.map { [$0] } ?? [])
        layout = RecordingLayout(
            device: opening.layout, sampleRate: nil, range: nil, utcOffset: clock.utcOffset,
            utcOffsetEvidence: clock.utcOffsetEvidence)
    }

    init(_ lines: LineLogOpening, _ options: TraceOptions) {
        clock = lines.clock
        decoder = WireDecoder(.text, text: lines.text)
        notes = lines.notes
        var known = lines.layout
        (known.scale, known.coding) = (lines.decision.unit, lines.decision.coding)
        var settled: [ParameterText.Parameter] = [.unit(known.scale)]
        if known.coding.zero != .zero { settled.append(.zero(known.coding)) }
        if !known.hasTime { settled.append(.sampleRate(options.sampleRate)) }
        layout = RecordingLayout(
            device: "\(known) (unit \(lines.decision.evidence.description))", sampleRate: nil, range: nil,
            utcOffset: clock.utcOffset, utcOffsetEvidence: clock.utcOffsetEvidence,
            unitEvidence: lines.decision.evidence, options: settled)
    }

    var warnings: [TraceWarning] { [TraceWarning](decoder.quality) }

    mutating func read(_ source: borrowing LineSource, into columns: inout SampleColumns) -> Int? {
        if next < readings.count {
            let (first, before) = (next, columns.count)
            columns.append(readings.count - first) { index in
                let reading = readings[first + index]
                return (clock.nanoseconds(of: reading), SIMD4(reading.x, reading.y, reading.z, 0))
            }
            next += columns.count - before
            return 0
        }
        guard !source.unread.isEmpty else { return nil }
        removeReadings()
        decoder.decode(source.bytes.span.extracting(source.unread), into: &readings)
        return source.unread.count
    }

    mutating func finish(_ source: borrowing LineSource) {
        removeReadings()
        decoder.finish(into: &readings)
    }

    private mutating func removeReadings() {
        readings.removeAll(keepingCapacity: true)
        next = 0
    }
}

extension [TraceWarning] {
    /// The damage in the bytes of a log.
    fileprivate init(_ quality: WireQuality) {
        self = []
        if quality.damagedFrames > 0 { append(TraceWarning(kind: .damaged, count: quality.damagedFrames)) }
        if quality.refusedLines > 0 { append(TraceWarning(kind: .foreignLine, count: quality.refusedLines)) }
        if quality.skippedBytes > 0 { append(TraceWarning(kind: .strayBytes, count: quality.skippedBytes)) }
    }
}

struct WireLogOpening {
    /// The protocol; nil for a MAVLink telemetry log, whose frames stand behind the times of their reception.
    let wire: WireProtocol?
    /// The layout in one line.
    let layout: String
    /// Why its acceleration is doubtful, in one sentence; nil without doubt.
    let problem: ParameterText?
    let hasTimes: Bool
    /// The first time on the device's clock, in nanoseconds.
    let firstTime: Int64
    /// The moment of zero on that clock, where the log states it.
    let origin: ClockOrigin?

    /// The number of bytes of a file that are examined.
    private static let size = 1 << 16

    /// Recognizes a log of a wire protocol; nil for another file, such as a table of text.
    init?(_ source: borrowing LineSource) {
        let bytes = Array(source.bytes[source.unread.prefix(WireLogOpening.size)])
        guard WireLogOpening.mayBeLog(bytes) else { return nil }
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
            guard let recognized = decoder.recognized, recognized != .text,
                WireLogOpening.isLog(decoder.quality, readings: readings.count)
            else { return nil }
            wire = recognized
            layout = decoder.layout ?? "\(recognized)"
            problem = decoder.quality.problem
            origin = decoder.clockOrigin
        }
        hasTimes = readings.contains { $0.deviceTime != nil }
        firstTime = readings.lazy.compactMap(\.deviceTime).first ?? 0
    }

    /// The fewest readings of a log, and the most bytes that belong to no record, as a share. A program or a picture
    /// has a few valid records by chance: one in 256 sums of eight bits is right.
    private static let (fewestReadings, mostStray) = (4, 0.5)

    /// Whether the bytes are mostly valid records.
    private static func isLog(_ quality: WireQuality, readings: Int) -> Bool {
        readings >= fewestReadings && Double(quality.skippedBytes) <= mostStray * Double(quality.bytes)
    }

    /// Whether the bytes are not text, or lines of an x-IMU3: settings in braces, and messages.
    private static func mayBeLog(_ bytes: [UInt8]) -> Bool {
        let head = bytes.prefix(4096)
        let controls = head.count { $0 < 9 || (14...31).contains($0) }
        return controls * 50 > head.count || head.first == UInt8(ascii: "{") || head.starts(with: Array("I,".utf8))
    }
}

/// Converts the device's times to timestamps.
struct WireLogClock: Sendable {
    /// How far the device's clock is ahead of UTC, in seconds; nil if it counts from its start.
    let utcOffset: Int?
    let utcOffsetEvidence: TraceLayout.Evidence
    var notes: [ParameterText] = []
    /// The offset added to the device's time, in nanoseconds.
    private let shift: Int64
    /// Nanoseconds between readings without times; nil if they have times.
    private let period: Double?
    private var count = 0
    private var latest: Int64

    /// The example in a message: the rate of most sketches, in Hz.
    private static let usualRate = 50.0

    /// Throws ``Refusal`` when readings have no times, and no rate is given.
    init(_ opening: WireLogOpening, _ options: TraceOptions) throws(Refusal) {
        try self.init(
            layout: opening.layout, hasTimes: opening.hasTimes, firstTime: opening.firstTime, origin: opening.origin,
            options)
    }

    /// A given start that `isDated` is that of the first reading. If not, its date is that of ``origin``.
    init(
        layout: String, hasTimes: Bool, firstTime: Int64, origin: ClockOrigin?, _ options: TraceOptions,
        isDated: Bool = true
    ) throws(Refusal) {
        let start = (options.start ?? .epoch).nanosecondsSince1970
        guard hasTimes else {
            guard let rate = options.sampleRate, rate.isFinite, rate > 0.001, rate < 1e6 else {
                throw Refusal(
                    "a log without times (\(layout))",
                    remedy: "give the rate with \(.sampleRate()), such as \(.sampleRate(Self.usualRate))")
            }
            (utcOffset, utcOffsetEvidence) = (nil, .option)
            (shift, period, latest) = (0, 1e9 / rate, start)
            return
        }
        period = nil
        if let origin {
            let zero = origin.time.nanosecondsSince1970
            let offset = UTCOffset(
                stated: origin.isLocal ? nil : 0, options,
                atLocalSecond: (zero &+ firstTime) / 1_000_000_000)
            (utcOffset, utcOffsetEvidence) = (Int(offset.seconds), offset.evidence)
            shift = zero &- offset.seconds * 1_000_000_000
            notes = offset.notes(options)
            if options.start != nil, isDated { notes.append("\(.start) was not used; the log has absolute times") }
        } else {
            (utcOffset, utcOffsetEvidence) = (nil, .header)
            shift = start &- firstTime
        }
        latest = firstTime &+ shift
    }

    /// The time of a reading, in nanoseconds since 1970.
    mutating func nanoseconds(of reading: WireReading) -> Int64 {
        if let period {
            defer { count += 1 }
            return latest &+ Int64(clamping: Double(count) * period)
        }
        // A reading without a time has that of the reading before.
        if let time = reading.deviceTime { latest = time &+ shift }
        return latest
    }
}

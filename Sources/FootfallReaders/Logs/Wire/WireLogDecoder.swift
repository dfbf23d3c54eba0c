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

    /// The number of bytes of a file that are examined.
    private static let openingSize = 1 << 16
    /// The fewest readings of a log, and the most bytes that belong to no record, as a share. A program or a picture
    /// has a few valid records by chance: one in 256 sums of eight bits is right.
    private static let (fewestReadings, mostStray) = (4, 0.5)

    /// Recognizes a log of a wire protocol; nil for another file, such as a table of text. Throws ``Refusal`` when the
    /// readings have no times, and no rate is given.
    init?(_ source: borrowing LineSource, _ options: TraceOptions) throws(Refusal) {
        let bytes = Array(source.bytes[source.unread.prefix(Self.openingSize)])
        guard Self.mayBeLog(bytes) else { return nil }
        // The frames of a MAVLink telemetry log stand behind the times of their reception.
        let isTelemetry = WireDecoder.isTelemetryLog(bytes)
        var opening = isTelemetry ? WireDecoder.telemetryLog() : WireDecoder()
        var readings: [WireReading] = []
        opening.decode(bytes, into: &readings)
        opening.finish(into: &readings)
        guard let wire = opening.recognized, isTelemetry || wire != .text && Self.isLog(opening.quality, readings.count)
        else { return nil }
        let device = opening.layout ?? "\(wire)"
        let hasTimes = readings.contains { $0.deviceTime != nil }
        let clock = try WireLogClock(device, readings, opening.clockOrigin, hasTimes: hasTimes, options)
        // The clock has its own notes on these two.
        var unused = options
        (unused.start, unused.sampleRate) = (nil, nil)
        let notes = clock.notes + unused.notesOnRecording + (opening.quality.problem.map { [$0] } ?? [])
        self.init(
            isTelemetry ? .telemetryLog() : WireDecoder(wire), clock, notes: notes, clock.layout(of: device))
    }

    /// Whether the bytes are mostly valid records.
    private static func isLog(_ quality: WireQuality, _ readings: Int) -> Bool {
        readings >= fewestReadings && Double(quality.skippedBytes) <= mostStray * Double(quality.bytes)
    }

    /// Whether the bytes are not text, or lines of an x-IMU3: settings in braces, and messages.
    private static func mayBeLog(_ bytes: [UInt8]) -> Bool {
        let head = bytes.prefix(4096)
        return head.count(where: \.isControl) * 50 > head.count || head.first == UInt8(ascii: "{")
            || head.starts(with: "I,".utf8)
    }

    init(_ decoder: WireDecoder, _ clock: WireLogClock, notes: [ParameterText], _ layout: RecordingLayout) {
        (self.decoder, self.clock, self.notes, self.layout) = (decoder, clock, notes, layout)
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

    /// Creates a clock whose zero is at `origin`, where the log states that. A given start that `isDated` is that of
    /// the first reading. If not, its date is that of the origin. Throws ``Refusal`` when readings have no times, and
    /// no rate is given.
    init(
        _ layout: String, _ readings: [WireReading], _ origin: ClockOrigin?, hasTimes: Bool, _ options: TraceOptions,
        isDated: Bool = true
    ) throws(Refusal) {
        let firstTime = readings.lazy.compactMap(\.deviceTime).first ?? 0
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
        if options.sampleRate != nil { notes.append("\(.sampleRate()) was not used; the log has times") }
        if let origin {
            let zero = origin.time.nanosecondsSince1970
            let offset = UTCOffset(
                stated: origin.isLocal ? nil : 0, options,
                atLocalSecond: (zero &+ firstTime) / 1_000_000_000)
            (utcOffset, utcOffsetEvidence) = (Int(offset.seconds), offset.evidence)
            shift = zero &- offset.seconds * 1_000_000_000
            notes += offset.notes(options)
            if options.start != nil, isDated { notes.append("\(.start) was not used; the log has absolute times") }
        } else {
            (utcOffset, utcOffsetEvidence) = (nil, .header)
            shift = start &- firstTime
        }
        latest = firstTime &+ shift
    }

    func layout(of device: String) -> RecordingLayout {
        RecordingLayout(device: device, utcOffset: utcOffset, utcOffsetEvidence: utcOffsetEvidence)
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

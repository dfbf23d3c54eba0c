internal import Footfall
internal import Foundation

/// Reads the recordings of Axivity AX3 and AX6 (`.cwa`): a header, then sectors of samples.
struct AxivityReader: TraceReader, ~Copyable {
    private let device: String
    private var source: LineSource
    private var decoder: AxivityDecoder
    private var isFinished = false

    private static let headerSize = 1024
    private static let headerSignature = Array("MD".utf8) + [0xFC, 0x03]

    /// Whether the file begins with the header of such a recording, or with sectors where the header is missing.
    static func reads(_ source: borrowing LineSource) -> Bool {
        let bytes = source.bytes.span.extracting(source.unread)
        if bytes.has(headerSignature, at: 0) { return true }
        let starts = stride(
            from: 0, to: min(bytes.count, 8 * AxivitySector.size) - AxivitySector.size, by: AxivitySector.size)
        return starts.contains { start in
            if case .samples = AxivitySector.read(bytes.extracting(start..<start + AxivitySector.size)) { return true }
            return false
        }
    }

    /// Takes over a source whose opening is loaded.
    init(_ source: consuming LineSource, _ options: TraceOptions) {
        let device = AxivityReader.device(source)
        if device != nil { source.advance(to: source.unread.lowerBound + AxivityReader.headerSize) }
        self.device = device ?? "AX3 or AX6"
        decoder = AxivityDecoder(source, options)
        self.source = source
    }

    /// The device's model and number; nil where the header is missing.
    private static func device(_ source: borrowing LineSource) -> String? {
        let header = source.bytes.span.extracting(source.unread)
        guard header.count >= headerSize, header.has(headerSignature, at: 0) else { return nil }
        let low = UInt32(header.littleEndian(UInt16.self, at: 5))
        let high = UInt32(header.littleEndian(UInt16.self, at: 11))
        let model = header[4] == 0x64 ? "AX6" : "AX3"
        return "\(model) \(high == 0xFFFF ? low : (high << 16) | low)"
    }

    var layout: TraceLayout {
        TraceLayout(.axivity, of: source, .recording(decoder.layout(device: device)))
    }
    var notes: [String] { decoder.notes }
    var warnings: [TraceWarning] { decoder.tally.warnings }
    var progress: Double { source.progress }

    mutating func nextBatch() throws(TraceError) -> SampleBatch? {
        var columns = SampleColumns()
        while !isFinished, columns.room >= AxivitySector.mostSamples {
            guard try source.takeIn(AxivitySector.size) else {
                isFinished = true
                decoder.finish(source)
                break
            }
            decoder.read(source, into: &columns)
            source.advance(to: source.unread.lowerBound + AxivitySector.size)
        }
        return columns.batch()
    }
}

/// Decodes sectors in order, with the state between them.
struct AxivityDecoder: Sendable {
    private let zone: TimeZone
    private var clock = AxivityClock()
    private var sampleRate: Double?
    private var range: Double?
    /// How far the device's clock is ahead of UTC, in seconds: the zone's offset at the start of the recording, because the
    /// clock does not follow daylight saving.
    private var utcOffset: Int64?
    /// How many of the next samples have acceleration and rotation exchanged.
    private var swapped: Int
    private(set) var notes: [String] = []
    private(set) var tally = WarningCounts()

    init(_ source: borrowing LineSource, _ options: TraceOptions) {
        zone = options.timeZone
        let bytes = source.bytes.span
        let range = source.unread
        swapped = AxisSwap.sampleCount(bytes, range)
        for start in stride(
            from: range.lowerBound, through: range.upperBound - AxivitySector.size, by: AxivitySector.size)
        {
            if case .samples(let sector) = AxivitySector.read(bytes.extracting(start..<start + AxivitySector.size)) {
                learn(sector)
                break
            }
        }
        notes.append("the logger's clock states no zone; it was read as \(options.zoneName)")
        if swapped > 0 {
            notes.append(
                "acceleration and rotation are exchanged in the first \(swapped) samples; they were put in order")
        }
        notes += options.notesOnRecording
    }

    func layout(device: String) -> RecordingLayout {
        RecordingLayout(
            device: device, sampleRate: sampleRate, range: range, utcOffset: Int(utcOffset ?? 0),
            utcOffsetEvidence: zone == .gmt ? .assumption : .option)
    }

    private mutating func learn(_ sector: AxivitySector) {
        sampleRate = sector.hertz
        range = sector.range
        utcOffset = zone.offset(atLocalSecond: sector.clock / 1_000_000_000)
    }

    /// Decodes the next sector of `source`.
    mutating func read(_ source: borrowing LineSource, into columns: inout SampleColumns) {
        let bytes = source.bytes.span.extracting(source.unread.prefix(AxivitySector.size))
        switch AxivitySector.read(bytes) {
        case .bad(let kind): tally.note(kind, .byte(source.offset))
        case .other: break
        case .samples(let sector):
            if utcOffset == nil { learn(sector) }
            var line = clock.line(of: sector)
            line.time -= (utcOffset ?? 0) * 1_000_000_000
            let early = min(swapped, sector.count)
            if early > 0 { sector.decode(bytes, 0..<early, line, first: 0, into: &columns) }
            sector.decode(bytes, early..<sector.count, line, into: &columns)
            swapped -= early
        }
    }

    /// Ends the decoding; less than a sector is left.
    mutating func finish(_ source: borrowing LineSource) {
        if !source.unread.isEmpty { tally.note(.cutShort, nil) }
        if let finding = source.finding { tally.note(finding, nil) }
    }
}

internal import Footfall
internal import Foundation

/// Decodes the recordings of Axivity AX3 and AX6 (`.cwa`): a header, then sectors of samples.
struct AxivityDecoder: RecordingDecoder {
    static let mostSamples = AxivitySector.mostSamples
    private static let headerSize = 1024
    private static let headerSignature = Array("MD".utf8) + [0xFC, 0x03]

    private let device: String
    private let options: TraceOptions
    private var clock = AxivityClock()
    private var sampleRate: Double?
    private var range: Double?
    /// The offset at the start of the recording, because the clock does not follow daylight saving.
    private var utcOffset: UTCOffset
    /// The number of next samples with acceleration and rotation exchanged.
    private var swapped = 0
    private(set) var temperature: Float?
    private(set) var notes: [ParameterText] = []
    private var tally = WarningCounts()

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

    /// Takes the header from a source whose opening is loaded.
    init(_ source: inout LineSource, _ options: TraceOptions) {
        let device = AxivityDecoder.device(source)
        if device != nil { source.advance(to: source.unread.lowerBound + AxivityDecoder.headerSize) }
        self.device = device ?? "AX3 or AX6"
        self.options = options
        utcOffset = UTCOffset(options, atLocalSecond: 0)
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
        notes = utcOffset.notes(options)
        if swapped > 0 {
            notes.append(
                "acceleration and rotation are exchanged in the first \(swapped) samples; they were put in order")
        }
        notes += options.notesOnRecording
    }

    /// The device's model and number; nil if the header is missing.
    private static func device(_ source: borrowing LineSource) -> String? {
        let header = source.bytes.span.extracting(source.unread)
        guard header.count >= headerSize, header.has(headerSignature, at: 0) else { return nil }
        let low = UInt32(header.littleEndian(UInt16.self, at: 5))
        let high = UInt32(header.littleEndian(UInt16.self, at: 11))
        let model = header[4] == 0x64 ? "AX6" : "AX3"
        return "\(model) \(high == 0xFFFF ? low : (high << 16) | low)"
    }

    var layout: RecordingLayout {
        RecordingLayout(
            device: device, sampleRate: sampleRate, range: range, utcOffset: Int(utcOffset.seconds),
            utcOffsetEvidence: utcOffset.evidence)
    }
    var warnings: [TraceWarning] { tally.warnings }

    private mutating func learn(_ sector: AxivitySector) {
        sampleRate = sector.hertz
        range = sector.range
        utcOffset = UTCOffset(options, atLocalSecond: sector.clock / 1_000_000_000)
    }

    mutating func read(_ source: borrowing LineSource, into columns: inout SampleColumns) -> Int? {
        guard source.unread.count >= AxivitySector.size else { return nil }
        let bytes = source.bytes.span.extracting(source.unread.prefix(AxivitySector.size))
        switch AxivitySector.read(bytes) {
        case .bad(let kind): tally.note(kind, .byte(source.offset))
        case .other: break
        case .samples(let sector):
            if sampleRate == nil { learn(sector) }
            var line = clock.line(of: sector)
            line.time -= utcOffset.seconds * 1_000_000_000
            let early = min(swapped, sector.count)
            if early > 0 { sector.decode(bytes, 0..<early, line, first: 0, into: &columns) }
            sector.decode(bytes, early..<sector.count, line, into: &columns)
            swapped -= early
            temperature = sector.temperature
        }
        return AxivitySector.size
    }

    mutating func finish(_ source: borrowing LineSource) {
        if !source.unread.isEmpty { tally.note(.cutShort, nil) }
    }
}

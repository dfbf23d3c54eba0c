internal import Footfall
internal import Foundation

/// Decodes the recordings of GENEA, the forerunner of GENEActiv (`.bin`): lines of text, then pages of 341 chunks of
/// six bytes. The second byte of a chunk begins with its type: 0 is a sample of three 12-bit numbers, 2 is the time in
/// whole seconds. The format is known from the R package GGIRread and from a recording of 2010.
struct GENEADecoder: RecordingDecoder {
    /// The samples of a page, and those that wait for the next time.
    static let mostSamples = chunksPerPage + mostWaiting

    private static let signature = Array("GENEA/".utf8)
    private static let headerEnd = Array("\r\n\r\n".utf8)
    private static let (pageSize, chunkSize, chunksPerPage) = (2048, 6, 341)
    /// The most samples between two times: five seconds at 80 Hz.
    private static let mostWaiting = 400
    /// Counts per g before the calibration, and the gain that changes nothing.
    private static let (countsPerG, unitGain): (Float, Float) = (340, 8192)
    /// The bound of the numbers of a calibration, of 16 bits. A header with others is damaged.
    private static let largestNumber: Float = 65_536

    let layout: RecordingLayout
    let notes: [ParameterText]
    private let rate: Double
    private let utcOffset: UTCOffset
    /// For x, y and z: added to the counts, and g per count.
    private let (offset, scale): (SIMD4<Float>, SIMD4<Float>)
    private var waiting: [SIMD4<Float>] = []
    /// The byte of the first of them in the data.
    private var waitingOffset = 0
    /// The last time, in seconds since 1970 on the logger's clock.
    private var seconds: Int64?
    private var isFinished = false
    private(set) var tally = WarningCounts()

    /// Whether the file begins with the header of such a recording.
    static func reads(_ source: borrowing LineSource) -> Bool { source.starts(with: signature) }

    /// Takes the header from the opening of a source. Throws ``Refusal`` when it has no end or no sample rate.
    init(_ source: inout LineSource, _ options: TraceOptions) throws(Refusal) {
        let header = try GENEADecoder.header(source)
        var values: [Substring: Substring] = [:]
        for line in header.split(whereSeparator: \.isNewline) {
            let parts = line.split(separator: ":", maxSplits: 1)
            if parts.count == 2 { values[parts[0]] = parts[1] }
        }
        guard let rate = values["Sample-Rate"].flatMap({ Double($0.prefix { $0.isNumber || $0 == "." }) }),
            (1...1000).contains(rate)
        else { throw Refusal("a GENEA recording without its sample rate", remedy: "copy it again") }
        func numbers(_ key: Substring, _ usual: Float) -> SIMD4<Float> {
            let numbers = (values[key]?.split(separator: " ") ?? []).compactMap { Float($0) }
                .filter { abs($0) < GENEADecoder.largestNumber }
            return numbers.count == 3 ? SIMD4(numbers[0], numbers[1], numbers[2], 0) : SIMD4(repeating: usual)
        }
        offset = numbers("Accel-Offsets", 0)
        scale = numbers("Accel-Gains", GENEADecoder.unitGain) / (GENEADecoder.unitGain * GENEADecoder.countsPerG)
        self.rate = rate
        source.advance(to: source.unread.lowerBound + header.unicodeScalars.count)
        utcOffset = UTCOffset(options, atLocalSecond: GENEADecoder.firstTime(source) ?? 0)
        notes = utcOffset.notes(options) + options.notesOnRecording
        layout = RecordingLayout(
            device: "GENEA " + String(values["Serial-Number", default: ""]).printable.prefix(40), sampleRate: rate,
            range: 6, utcOffset: Int(utcOffset.seconds), utcOffsetEvidence: utcOffset.evidence)
    }

    /// The lines above the pages.
    private static func header(_ source: borrowing LineSource) throws(Refusal) -> String {
        let text = source.bytes.span.extracting(source.unread.prefix(1 << 14))
        guard let end = text.firstIndex(of: headerEnd) else {
            throw Refusal("a GENEA recording whose header has no end", remedy: "copy it again")
        }
        // Latin-1: a character per byte.
        return String(String.UnicodeScalarView((0..<end + headerEnd.count).map { Unicode.Scalar(text[$0]) }))
    }

    private static func firstTime(_ source: borrowing LineSource) -> Int64? {
        let pages = source.bytes.span.extracting(source.unread)
        return stride(from: 0, to: min(pageSize, pages.count) - chunkSize + 1, by: chunkSize)
            .first { pages[$0 + 1] >> 4 == 2 }.map { time(pages, $0) }
    }

    private static func time(_ bytes: Span<UInt8>, _ chunk: Int) -> Int64 {
        (2..<6).reduce(0) { $0 << 8 | Int64(bytes[chunk + $1]) }
    }

    mutating func read(_ source: borrowing LineSource, into columns: inout SampleColumns) -> Int? {
        let bytes = source.bytes.span.extracting(source.unread.prefix(GENEADecoder.pageSize))
        let isWhole = bytes.count == GENEADecoder.pageSize
        guard isWhole || isFinished, !bytes.isEmpty else {
            guard isFinished, !waiting.isEmpty else { return nil }
            settle(until: nil, into: &columns)
            return 0
        }
        if !isWhole { tally.note(.cutShort, nil) }
        let chunks = min(GENEADecoder.chunksPerPage, bytes.count / GENEADecoder.chunkSize)
        for chunk in stride(from: 0, to: chunks * GENEADecoder.chunkSize, by: GENEADecoder.chunkSize) {
            switch bytes[chunk + 1] >> 4 {
            case 0:
                if waiting.count == GENEADecoder.mostWaiting { settle(until: nil, into: &columns) }
                if waiting.isEmpty { waitingOffset = source.offset + chunk }
                waiting.append(acceleration(bytes, chunk))
            case 2: settle(until: GENEADecoder.time(bytes, chunk), into: &columns)
            case 4: break  // The voltage of the battery.
            default: tally.note(.damaged, .byte(source.offset + chunk))
            }
        }
        return bytes.count
    }

    /// Three 12-bit numbers. The x and z axes point the other way.
    private func acceleration(_ bytes: Span<UInt8>, _ chunk: Int) -> SIMD4<Float> {
        // They begin in the middle of the second byte.
        let counts = bytes.int12Vector(atHalfByte: chunk * 2 + 3) * SIMD4(-1, 1, -1, 0)
        return (counts + offset) * scale
    }

    /// Spreads the samples that wait evenly up to the next time; nil if it is unknown.
    private mutating func settle(until next: Int64?, into columns: inout SampleColumns) {
        defer { if let next { seconds = next } }
        guard !waiting.isEmpty, let first = seconds ?? next else {
            for _ in waiting { tally.note(.unreadableTime, .byte(waitingOffset)) }
            waiting.removeAll(keepingCapacity: true)
            return
        }
        let count = Double(waiting.count)
        let elapsed = next.map { Double($0 - first) } ?? 0
        // After a pause, the times come from the rate.
        let isSteady = elapsed > 0 && elapsed < 2 * count / rate + 1
        let period = (isSteady ? elapsed / count : 1 / rate) * 1e9
        let lead = seconds == nil ? -count * period : 0
        let start = (first - utcOffset.seconds) * 1_000_000_000 + Int64(clamping: lead)
        let values = waiting
        columns.append(values.count) { (start + Int64(clamping: Double($0) * period), values[$0]) }
        if next == nil { seconds = first + Int64(clamping: (count / rate).rounded()) }
        waiting.removeAll(keepingCapacity: true)
    }

    mutating func finish(_ source: borrowing LineSource) { isFinished = true }
}

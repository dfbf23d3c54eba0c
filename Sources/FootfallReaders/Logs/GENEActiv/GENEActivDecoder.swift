internal import Footfall
internal import Foundation

/// Decodes the recordings of GENEActiv loggers (`.bin`): lines of text, in which pages of 300 samples are written as
/// hexadecimal digits.
struct GENEActivDecoder: RecordingDecoder {
    static let mostSamples = PageClock.samplesPerPage
    /// Hexadecimal digits of a sample; the first nine are acceleration.
    private static let digitsPerSample = 12

    private let header: GENEActivHeader
    private let utcOffset: UTCOffset
    private var clock: PageClock
    private var page: GENEActivPage?
    private(set) var temperature: Float?
    private(set) var battery: Float?
    let notes: [ParameterText]
    private(set) var tally = WarningCounts()

    /// Whether the file begins with the lines of such a recording.
    static func reads(_ source: borrowing LineSource) -> Bool {
        let text = source.bytes.span.extracting(source.unread.prefix(1 << 14))
        return text.has(Array("Device Identity".utf8), at: 0) && text.firstIndex(of: GENEActivHeader.pageTitle) != nil
    }

    /// Takes the header from the opening of a source. Throws ``Refusal`` when what is needed to read samples
    /// is missing.
    init(_ source: inout LineSource, _ options: TraceOptions) throws(Refusal) {
        let length = source.bytes.span.extracting(source.unread).firstIndex(of: GENEActivHeader.pageTitle) ?? 0
        header = try GENEActivHeader(source.bytes.span.string(source.unread.prefix(length)))
        source.advance(to: source.unread.lowerBound + length)
        clock = PageClock(sampleRate: header.sampleRate)
        let pages = GENEActivPage.all(in: source)
        utcOffset = UTCOffset(
            stated: header.utcOffset, options, atLocalSecond: Int64(clamping: pages.first?.seconds ?? 0))
        notes = utcOffset.notes(options) + options.notesOnRecording
        // The pages behind a new line belong to a later part.
        for page in pages {
            guard clock.take(page: page.number, seconds: page.seconds) else { break }
        }
    }

    var layout: RecordingLayout {
        RecordingLayout(
            device: header.serialNumber.isEmpty ? "GENEActiv" : "GENEActiv \(header.serialNumber)",
            sampleRate: header.sampleRate, range: header.range, utcOffset: Int(utcOffset.seconds),
            utcOffsetEvidence: utcOffset.evidence, statedOffset: header.utcOffset.map(Int.init))
    }

    mutating func read(_ source: borrowing LineSource, into columns: inout SampleColumns) -> Int? {
        let text = source.bytes.span.extracting(source.unread)
        let found = text.firstIndex(of: ASCII.newline, in: 0..<text.count)
        guard let end = found ?? (source.isAtEnd || text.count > RowReader.longestLine ? text.count : nil),
            end > 0 || found != nil
        else { return nil }
        let line = text.trimmed(0..<end)
        if page != nil, GENEActivDecoder.holdsSamples(text.extracting(line)) {
            takeSamples(text.extracting(line), isCut: found == nil, at: source.offset, into: &columns)
        } else if text.extracting(line).has(GENEActivHeader.pageTitle, at: 0) {
            if page != nil { tally.note(.damaged, .byte(source.offset)) }
            page = GENEActivPage()
        } else {
            page?.take(text.extracting(line))
        }
        return min(end + 1, text.count)
    }

    /// Whether a line begins with the digits of a sample, as only lines of samples do.
    private static func holdsSamples(_ line: Span<UInt8>) -> Bool {
        line.count >= digitsPerSample && (0..<digitsPerSample).allSatisfy { line[$0].hexadecimal < 16 }
    }

    private mutating func takeSamples(
        _ digits: Span<UInt8>, isCut: Bool, at offset: Int, into columns: inout SampleColumns
    ) {
        defer { page = nil }
        guard let page, page.isComplete else {
            tally.note(.unreadableTime, .byte(offset))
            return
        }
        (temperature, battery) = (page.temperature, page.battery)
        let count = min(digits.count / GENEActivDecoder.digitsPerSample, PageClock.samplesPerPage)
        if count < PageClock.samplesPerPage {
            // The last page may end anywhere.
            if isCut { tally.note(.cutShort, nil) } else { tally.note(.damaged, .byte(offset)) }
        }
        if !clock.take(page: page.number, seconds: page.seconds) {
            clock.restart()
            _ = clock.take(page: page.number, seconds: page.seconds)
        }
        let span = clock.span(of: page.number)
        let start = Int64(clamping: (span.start * 1e9).rounded()) &- utcOffset.seconds * 1_000_000_000
        let period = span.length * 1e9 / Double(PageClock.samplesPerPage)
        let (gain, zero) = (header.gain, header.offset)
        var worst: UInt8 = 0
        columns.append(count) { index in
            let place = index * GENEActivDecoder.digitsPerSample
            func number(_ place: Int) -> Float {
                let (first, second, third) =
                    (digits[place].hexadecimal, digits[place + 1].hexadecimal, digits[place + 2].hexadecimal)
                worst |= first | second | third
                return Float((Int16(first) << 12 | Int16(second) << 8 | Int16(third) << 4) >> 4)
            }
            let units = SIMD4(number(place), number(place + 3), number(place + 6), 0)
            return (start &+ Int64(clamping: Double(index) * period), (units * 100 - zero) / gain)
        }
        if worst > 15 {
            // A wrong digit means damage; other samples of the page may be wrong too.
            columns.removeLast(count)
            tally.note(.damaged, .byte(offset))
        }
    }

    mutating func finish(_ source: borrowing LineSource) {
        if page != nil { tally.note(.cutShort, nil) }
    }
}

/// The values in the lines of a page before its samples.
struct GENEActivPage {
    private(set) var number = Int64.min
    /// The time of its first sample, in seconds since 1970 on the logger's clock.
    private(set) var seconds = Double.nan
    /// In °C; nil if the page does not state it.
    private(set) var temperature: Float?
    /// In V; nil if the page does not state it.
    private(set) var battery: Float?

    var isComplete: Bool { number > .min && seconds.isFinite }

    mutating func take(_ line: Span<UInt8>) {
        if let value = GENEActivPage.value(line, "sequence number:"), let number = Int64(line.string(value)),
            (0..<1 << 40).contains(number)
        {
            self.number = number
        } else if let value = GENEActivPage.value(line, "page time:"),
            let time = CivilTimeParser().read(line.extracting(value))?.nanoseconds
        {
            seconds = Double(time) * 1e-9
        } else if let value = GENEActivPage.value(line, "temperature:"),
            let number = DecimalNumber(line, value)?.double, abs(number) < 1000
        {
            temperature = Float(number)
        } else if let value = GENEActivPage.value(line, "battery voltage:"),
            let number = DecimalNumber(line, value)?.double, (0..<100).contains(number)
        {
            battery = Float(number)
        }
    }

    private static func value(_ line: Span<UInt8>, _ key: StaticString) -> Range<Int>? {
        guard line.hasLetters(key, at: 0) else { return nil }
        return line.trimmed(key.utf8CodeUnitCount..<line.count)
    }

    /// The pages in the opening of a source, without their samples.
    static func all(in source: borrowing LineSource) -> [GENEActivPage] {
        let text = source.bytes.span.extracting(source.unread)
        var pages: [GENEActivPage] = []
        for range in text.lines(in: text.indices) {
            let line = text.extracting(text.trimmed(range))
            if line.has(GENEActivHeader.pageTitle, at: 0) { pages.append(GENEActivPage()) }
            if !pages.isEmpty { pages[pages.count - 1].take(line) }
        }
        return pages.filter(\.isComplete)
    }
}

/// The content of the lines above the pages of a GENEActiv recording.
struct GENEActivHeader: Sendable {
    /// Units of 1/100 per g along x, y and z.
    let gain: SIMD4<Float>
    /// The offset that is subtracted from 100 times the units.
    let offset: SIMD4<Float>
    /// Samples per second, as set.
    let sampleRate: Double
    let serialNumber: String
    /// How far the logger's clock is ahead of UTC, in seconds.
    let utcOffset: Int64?
    /// The largest acceleration that can be measured, in g.
    let range: Double?

    /// The line that begins each page, and ends the header.
    static let pageTitle = Array("Recorded Data".utf8)

    /// Reads `Key:value` lines; values may be padded with blanks or zero bytes. Throws ``Refusal`` when what is needed
    /// to read samples is missing.
    init(_ text: String) throws(Refusal) {
        var values: [String: String] = [:]
        for line in text.split(whereSeparator: \.isNewline) {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { continue }
            values[parts[0].lowercased()] = String(parts[1].filter { $0 != "\0" })
        }
        func number(_ key: String) -> Double? {
            values[key].flatMap { $0.split(separator: " ").first }.flatMap { Double($0) }
        }
        var gain = SIMD4<Float>(repeating: 1)
        var offset = SIMD4<Float>()
        for (index, axis) in ["x", "y", "z"].enumerated() {
            guard let gains = number("\(axis) gain"), gains > 0, let offsets = number("\(axis) offset") else {
                throw Refusal(
                    "a GENEActiv recording without its calibration (\(axis) gain, \(axis) offset)",
                    remedy: "extract it again")
            }
            gain[index] = Float(gains)
            offset[index] = Float(offsets)
        }
        guard let rate = number("measurement frequency"), rate >= 1, rate <= 1000 else {
            throw Refusal("a GENEActiv recording without its measurement frequency", remedy: "extract it again")
        }
        self.gain = gain
        self.offset = offset
        sampleRate = rate
        serialNumber = String((values["device unique serial code"] ?? "").printable.prefix(40))
        utcOffset = values["time zone"].flatMap(GENEActivHeader.seconds)
        range = values["accelerometer range"].flatMap { $0.split(separator: " ").last }.flatMap { Double($0) }
    }

    /// The seconds in text such as `GMT +01:00`.
    private static func seconds(_ zone: String) -> Int64? {
        let text = zone.filter { !$0.isWhitespace }.lowercased()
        guard text.hasPrefix("gmt") || text.hasPrefix("utc") else { return nil }
        let parts = text.dropFirst(3).split { !$0.isNumber }.map { Int64($0) ?? 99 }
        guard let hours = parts.first else { return 0 }
        let minutes = parts.count > 1 ? parts[1] : 0
        guard hours <= 18, minutes < 60 else { return nil }
        return (hours * 3600 + minutes * 60) * (text.contains("-") ? -1 : 1)
    }
}

/// Computes the times of the pages of a GENEActiv recording. A page states the time of its first sample to half a
/// second. Pages follow each other without a pause, so their times are on a line: the least squares line through all
/// pages so far, and through all pages of the opening. After a few minutes the line moves by less than a sample. A page
/// off the line starts a new one: the logger paused, or its clock was set.
struct PageClock: Sendable {
    static let samplesPerPage = 300
    /// The largest distance of a page from the line, in seconds: twice the rounding of times.
    private static let largestError = 1.0
    /// The largest relative deviation of the real rate from the nominal one.
    private static let largestRateError = 0.02

    private var origin: (page: Int64, seconds: Double)?
    /// The pages of the line: their count, and the sums of their numbers and times since the first, squares and
    /// products.
    private var count = 0.0
    private var sumX = 0.0
    private var sumY = 0.0
    private var sumXX = 0.0
    private var sumXY = 0.0
    private var latest = Int64.min
    private var next: (page: Int64, seconds: Double)?
    /// The length of a page at the nominal rate, in seconds.
    private let usualLength: Double

    init(sampleRate: Double) { usualLength = Double(PageClock.samplesPerPage) / sampleRate }

    /// Adds a page to the line, unless it is part of it. False for a page off the line.
    mutating func take(page: Int64, seconds: Double) -> Bool {
        guard page > latest else { return true }
        if origin != nil, abs(seconds - start(of: page)) > PageClock.largestError { return false }
        let origin = self.origin ?? (page, seconds)
        self.origin = origin
        let (x, y) = (Double(page - origin.page), seconds - origin.seconds)
        count += 1
        sumX += x
        sumY += y
        sumXX += x * x
        sumXY += x * y
        latest = page
        return true
    }

    /// Starts a new line.
    mutating func restart() { self = PageClock(usualLength: usualLength) }

    private init(usualLength: Double) { self.usualLength = usualLength }

    /// The length of a page, in seconds.
    private var length: Double {
        let spread = count * sumXX - sumX * sumX
        guard spread > 0 else { return usualLength }
        let slope = (count * sumXY - sumX * sumY) / spread
        // Over a few pages, the rounding dominates.
        return abs(slope / usualLength - 1) < PageClock.largestRateError ? slope : usualLength
    }

    /// The start of a page, in seconds on the logger's clock, and its length. A page starts at the end of the page
    /// before it and ends on the line, so that times do not jump when the line moves.
    mutating func span(of page: Int64) -> (start: Double, length: Double) {
        let end = start(of: page + 1)
        var span = (start: start(of: page), length: length)
        if let next, next.page == page, abs((end - next.seconds) / length - 1) < 0.5 {
            span = (next.seconds, end - next.seconds)
        }
        next = (page + 1, span.start + span.length)
        return span
    }

    /// The start of a page on the line, in seconds on the logger's clock.
    private func start(of page: Int64) -> Double {
        guard let origin, count > 0 else { return 0 }
        let mean = (sumY - length * sumX) / count
        return origin.seconds + mean + length * Double(page - origin.page)
    }
}

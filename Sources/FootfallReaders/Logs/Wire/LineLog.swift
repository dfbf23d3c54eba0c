internal import Footfall

/// The layout of a log of lines that a program wrote, from its opening: what a serial monitor, a terminal program or a
/// logging library kept.
///
/// The learner of live streams finds the columns and the times. The unit, and whether the values are acceleration with
/// gravity, follow from the evidence that decides for tables.
struct LineLogOpening {
    let layout: TextLayout
    let decision: SensorDecision
    let clock: WireLogClock
    /// The options of the lines, with the unit.
    let text: TextLineOptions

    /// The most lines that show whether a program wrote them.
    private static let mostLines = 64
    /// The unit in which the opening is read, so that any number is a plausible acceleration. Powers of two keep values
    /// exact.
    private static let anyUnit = AccelerationScale.counts(perG: 0x1p24)

    /// Recognizes a log of lines; nil for a table or another file.
    ///
    /// - Throws: ``Refusal`` when the lines have no times and no rate is given, or are no acceleration with gravity.
    init?(_ source: borrowing LineSource, _ options: TraceOptions) throws(Refusal) {
        let bytes = source.bytes.span.extracting(source.unread)
        guard options.rows.isEmpty, let origin = Self.origin(of: bytes) else { return nil }
        var text = TextLineOptions(columns: options.columns, scale: Self.anyUnit, timeUnit: options.timeUnit)
        (text.coding, text.isFirstLineWhole) = (CountCoding(), true)
        var decoder = WireDecoder(.text, text: text)
        var readings: [WireReading] = []
        decoder.decode(bytes, into: &readings)
        if source.isAtEnd { decoder.finish(into: &readings) }
        guard let layout = decoder.textLayout, layout.isOfProgram, !readings.isEmpty else {
            // A table says more about JSON that it cannot read.
            if case .labeled = origin, !Self.isObject(bytes), options.columns == nil,
                let problem = decoder.quality.problem
            {
                throw Refusal(problem, remedy: "name the labels with \(.columns()), such as ax,ay,az")
            }
            return nil
        }
        self.layout = layout
        var clock = try WireLogClock(layout, readings, decoder.clockOrigin, options)
        self.clock = clock
        let samples = readings.map { reading in
            (
                time: Timestamp(nanosecondsSince1970: clock.nanoseconds(of: reading)),
                vector: SIMD3(reading.x, reading.y, reading.z) / Self.anyUnit.inG
            )
        }
        (text.scale, text.zero) = (options.unit, options.zero)
        decision = SensorDecision(layout, samples, text, fileName: options.fileName)
        if let refusal = decision.refusal {
            // Bare numbers may be a table, whose refusal names the columns.
            guard case .labeled = origin else { return nil }
            throw refusal
        }
        (text.scale, text.coding) = (decision.unit, decision.coding)
        self.text = text
    }

    /// What most of the first lines with numbers are; nil for the rows of a table.
    private static func origin(of bytes: Span<UInt8>) -> LineOrigin? {
        if isObject(bytes) { return .labeled }
        var (start, lines, above, labeled, program) = (0, 0, 0, 0, 0)
        // The braces of an object of JSON over several lines that are open.
        var depth = 0
        while lines < mostLines, start < bytes.count {
            let end = (start..<bytes.count).first { bytes[$0] == ASCII.newline || bytes[$0] == ASCII.carriageReturn }
            let line = (start..<min(end ?? bytes.count, start + RowReader.longestLine)).map { bytes[$0] }
            start = (end ?? bytes.count) + 1
            let wasOpen = depth > 0
            let first = line.first { !$0.isBlank }
            if wasOpen || first == UInt8(ascii: "{") {
                let change = line.count { $0 == UInt8(ascii: "{") } - line.count { $0 == UInt8(ascii: "}") }
                depth = max(0, depth + change)
            }
            if lines == 0, LineOrigin.isHeader(line) { return nil }
            guard line.contains(where: \.isDigit) else {
                above += 1
                if above > mostLines, lines == 0 { return nil }
                continue
            }
            lines += 1
            if wasOpen, first.map({ $0.isDigit || "\"-{[".utf8.contains($0) }) ?? false {
                labeled += 1
                continue
            }
            switch LineOrigin(line) {
            case .labeled: labeled += 1
            case .program: program += 1
            case .table: break
            }
        }
        if labeled * 2 > lines { return .labeled }
        return (labeled + program) * 2 > lines ? .program : nil
    }

    /// The bytes in which an object of JSON shows a key.
    private static let longestKey = 64

    /// Whether the text begins with an object of JSON, or a list of them.
    private static func isObject(_ bytes: Span<UInt8>) -> Bool {
        let head = (0..<min(longestKey, bytes.count)).map { bytes[$0] }.filter { !$0.isBlank && $0 != ASCII.newline }
        let object = [UInt8(ascii: "{"), ASCII.quote]
        return head.starts(with: object) || head.starts(with: [UInt8(ascii: "[")] + object)
    }

    /// Assumptions about the lines that a user should check.
    var notes: [ParameterText] {
        var notes = clock.notes + decision.notes
        if decision.evidence == .assumption {
            notes.append("the values fit gravity in no unit for certain; they were read in \(decision.unit)")
        }
        return notes
    }
}

extension WireLogClock {
    /// - Throws: ``Refusal`` when readings have no times, and no rate is given.
    init(
        _ layout: TextLayout, _ readings: [WireReading], _ origin: ClockOrigin?, _ options: TraceOptions
    ) throws(Refusal) {
        let first = readings.lazy.compactMap(\.deviceTime).first ?? 0
        var origin = origin
        var isDateMissing = false
        if origin == nil, layout.zero == .midnight {
            if let day = options.table.startDate?.start {
                origin = ClockOrigin(time: day, isLocal: true)
            } else {
                isDateMissing = true
            }
        }
        try self.init(
            layout: layout.axes, hasTimes: layout.hasTime, firstTime: first, origin: origin, options,
            isDated: layout.zero != .midnight)
        if isDateMissing { notes.append("the times of day have no date; give it with \(.start)") }
    }
}

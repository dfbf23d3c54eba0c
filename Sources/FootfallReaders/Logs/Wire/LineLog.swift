package import Footfall

/// Logs of lines that a program wrote: what a serial monitor, a terminal program or a logging library kept. The learner
/// of live streams finds the columns and the times. The unit, and whether the values are acceleration with gravity,
/// follow from the evidence that decides for tables.
extension WireLogDecoder {
    /// The most lines that show whether a program wrote them.
    private static let mostLines = 64
    /// The unit in which the opening is read, so that any number is a plausible acceleration. Powers of two keep values
    /// exact.
    private static let anyUnit = AccelerationScale.counts(perG: 0x1p24)

    /// Recognizes a log of lines; nil for a table or another file. Throws ``Refusal`` when the lines have no times and
    /// no rate is given, or are no acceleration with gravity.
    init?(lines source: borrowing LineSource, _ options: TraceOptions) throws(Refusal) {
        let bytes = source.bytes.span.extracting(source.unread)
        guard options.rows.isEmpty, let origin = Self.origin(of: bytes) else { return nil }
        var text = TextLineOptions(columns: options.columns, scale: Self.anyUnit, timeUnit: options.timeUnit)
        (text.coding, text.isFirstLineWhole) = (CountCoding(), true)
        var decoder = WireDecoder(.text, text: text)
        var readings: [WireReading] = []
        decoder.decode(bytes, into: &readings)
        if source.isAtEnd { decoder.finish(into: &readings) }
        guard let layout = decoder.textLayout, layout.isOfProgram, !readings.isEmpty else {
            // A table says more about JSON that it cannot read, and may have the columns of numbers that are given.
            if case .labeled = origin, !Self.isObject(bytes), !(options.columns?.isOfNumbers ?? false),
                let problem = decoder.quality.problem
            {
                throw Refusal(problem)
            }
            return nil
        }
        let clock = try WireLogClock(layout, readings, decoder.clockOrigin, options)
        var opening = clock
        let samples = readings.map { reading in
            (
                time: Timestamp(nanosecondsSince1970: opening.nanoseconds(of: reading)),
                vector: SIMD3(reading.x, reading.y, reading.z) / Self.anyUnit.inG
            )
        }
        (text.scale, text.zero) = (options.unit, options.zero)
        let decision = SensorDecision(layout, samples, text, fileName: options.fileName)
        if let refusal = decision.refusal {
            // Bare numbers may be a table, whose refusal names the columns.
            guard case .labeled = origin else { return nil }
            throw refusal.insisting(layout.axisColumns, decision.unit, decision.coding)
        }
        (text.scale, text.coding) = (decision.unit, decision.coding)
        var known = layout
        (known.scale, known.coding) = (decision.unit, decision.coding)
        var recording = clock.layout(of: "\(known) (unit \(decision.evidence.description))")
        recording.unitEvidence = decision.evidence
        recording.options = [.unit(known.scale)]
        if known.coding.zero != .zero { recording.options.append(.zero(known.coding)) }
        if !known.hasTime { recording.options.append(.sampleRate(options.sampleRate)) }
        let notes = clock.notes + decision.notes + (layout.remark.map { [$0] } ?? [])
        self.init(WireDecoder(.text, text: text), clock, notes: notes, recording)
    }

    /// What most of the first lines with numbers are; nil for the rows of a table.
    private static func origin(of bytes: Span<UInt8>) -> LineOrigin? {
        if isObject(bytes) { return .labeled }
        var (start, lines, labeled, program) = (0, 0, 0, 0)
        // The braces of an object of JSON over several lines that are open.
        var depth = 0
        while lines < mostLines, start < bytes.count {
            let end = (start..<bytes.count).first { bytes[$0] == ASCII.newline || bytes[$0] == ASCII.carriageReturn }
            let line = (start..<min(end ?? bytes.count, start + RowReader.longestLine)).map { bytes[$0] }
            start = (end ?? bytes.count) + 1
            let wasOpen = depth > 0
            let first = line.first { !$0.isBlank }
            if wasOpen || first == UInt8(ascii: "{") {
                depth = max(0, depth + line.openBraces)
            }
            if lines == 0, LineOrigin.isHeader(line) { return nil }
            if TextLine.isYAMLItem(Array(line.drop { $0.isBlank })) { continue }
            guard line.contains(where: \.isDigit) else { continue }
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
}

extension WireLogClock {
    /// Throws ``Refusal`` when readings have no times, and no rate is given.
    init(
        _ layout: TextLayout, _ readings: [WireReading], _ origin: ClockOrigin?, _ options: TraceOptions
    ) throws(Refusal) {
        var origin = origin
        var isDateMissing = false
        if origin == nil, layout.zero == .midnight {
            if let day = options.startDate?.start {
                origin = ClockOrigin(time: day, isLocal: true)
            } else {
                isDateMissing = true
            }
        }
        try self.init(
            layout.axes, readings, origin, hasTimes: layout.hasTime, options, isDated: layout.zero != .midnight)
        if isDateMissing { notes.append("the times of day have no date; give it with \(.start)") }
    }
}

extension SensorDecision {
    /// The decision for the values of lines that a program writes, in the unit of the lines and with their times, by
    /// the same evidence as for a table: what the caller states, and the name of the file, which may state the sensor.
    package init(
        _ layout: TextLayout, _ samples: [(time: Timestamp, vector: SIMD3<Float>)], _ options: TextLineOptions,
        fileName: String?
    ) {
        let length = samples.last.map { $0.time.seconds(since: samples[0].time) } ?? 0
        let second = length > 0 ? Int(clamping: (Double(samples.count) / length).rounded()) : GravityCheck.block
        let numbers = samples.map(\.vector)
        let counts = layout.stated == nil ? numbers.coding(second: second, options) : nil
        let search = CountSearch(numbers, second: second, zero: options.zero, scale: options.scale)
        let middle = layout.stated == nil ? search.numberWithoutGravity : nil
        func facts(_ counts: CountSearch.Finding?) -> Facts {
            let vectors = samples.map { counts?.coding.vector($0.vector) ?? $0.vector }
            var blocks = MotionBlocks()
            for (sample, vector) in zip(samples, vectors) { blocks.add(sample.time, SIMD3<Double>(vector)) }
            blocks.finish()
            let claim: SensorClaim =
                options.columns != nil ? .given : SensorClaim(axes: layout.titles, layout.titles, fileName: fileName)
            return Facts(
                claim: claim, option: options.scale, titled: layout.stated.map(AccelerationScale.unit),
                check: GravityCheck(vectors), counts: counts, isZeroGiven: options.zero != nil, blocks: blocks.blocks,
                middle: middle, mayHaveZero: layout.stated == nil && search.mayHaveZero)
        }
        self = SensorDecision.weighing(facts(nil), or: counts.map(facts)).decision
    }
}

/// Whether a line may be one that a program writes, not the row of a table.
package enum LineOrigin: Sendable {
    /// A program, which says what the numbers are.
    case labeled
    /// A program, or several sensors in one row of bare numbers.
    case program
    case table

    /// The fewest numbers in a row of several sensors: a quaternion and an acceleration.
    private static let several = 7

    package init(_ text: [UInt8]) {
        let object = Array("{\"".utf8)
        let isObject = text.indices.contains { text.span.has(object, at: $0) }
        let plain = text.filter { $0 != ASCII.quote }
        let line = TextLine(plain)
        let lead = line.fields.first.flatMap { first -> ColumnName? in
            if case .word = first.content { ColumnName(plain.span.string(first.range)) } else { nil }
        }
        if line.isLabeled || isObject || lead?.otherSensor != nil {
            self = .labeled
            return
        }
        let escape: UInt8 = 0x1B
        let isProgram =
            lead != nil || line.stamp != nil || line.fields.contains { $0.unit != nil } || TextLine.isBracketed(plain)
            || text.contains(escape)
            || NumberForm.isPossible(in: plain) || line.fields.count { $0.number != nil } >= Self.several
        self = isProgram ? .program : .table
    }

    /// The most titles that are compared, since each is compared with every other.
    private static let mostTitles = 64

    /// Whether a line has the titles of a table: names of axes between commas, semicolons or tabs.
    package static func isHeader(_ text: [UInt8]) -> Bool {
        let titles = text.filter { $0 != ASCII.quote }.split(whereSeparator: { ",;\t".utf8.contains($0) })
        guard (3...mostTitles).contains(titles.count), !text.contains(where: { ":=".utf8.contains($0) }) else {
            return false
        }
        return ColumnName.anyAxes(titles.map { ColumnName(String(decoding: $0, as: UTF8.self)) }) != nil
    }
}

extension [SIMD3<Float>] {
    /// How the numbers of lines stand for accelerations; nil for signed numbers of which 0 is 0 g. A sensor at rest may
    /// write the same numbers with and without a sign, so gravity in signed numbers has priority.
    func coding(second: Int = GravityCheck.block, _ options: TextLineOptions) -> CountSearch.Finding? {
        let found = CountSearch(self, second: second, zero: options.zero, scale: options.scale).find()
        guard let found, found.coding.span != nil else { return found }
        return GravityCheck(self).scale == nil ? found : nil
    }
}

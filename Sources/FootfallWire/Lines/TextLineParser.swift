internal import Footfall
internal import FootfallText

/// Parses lines of text: learns the layout from the first lines, then reads the others with it.
struct TextLineParser: StreamParser {
    /// In bytes.
    private static let longestLine = 1024
    /// The layout is learned after this many lines, and tried again after each further block of as many.
    private static let learningStep = 16
    /// The most lines that wait for a layout.
    private static let mostHeld = 256
    /// After this many consecutive misfits, the layout is learned again: the device has another configuration.
    private static let mostMisfits = 64

    private(set) var quality = WireQuality()
    private let options: TextLineOptions

    private var isFirstLine = true
    private var isTooLong = false
    private var cleaned: [UInt8] = []
    private var line = TextLine()

    private var header: [String] = []
    /// Lines that wait for a layout.
    private var held: [[UInt8]] = []
    private var learned: TextLayout?
    private var reader: TextReader?
    private var units = UnitWatch()
    private var misfits = 0

    init(_ options: TextLineOptions) {
        self.options = options
    }

    var layout: String? { learned?.description }
    var clockOrigin: ClockOrigin? { nil }

    mutating func reset() {
        isFirstLine = true
        isTooLong = false
        reader?.reset()
    }

    mutating func parse(_ bytes: Span<UInt8>, isEnd: Bool, into readings: inout [WireReading]) -> Int {
        var start = 0
        for position in bytes.indices where bytes[position] == ASCII.newline || bytes[position] == ASCII.carriageReturn
        {
            if isTooLong || position - start > Self.longestLine {
                refuse("a line of more than \(Self.longestLine) bytes")
            } else {
                read(bytes, start..<position, into: &readings)
            }
            (isTooLong, isFirstLine) = (false, false)
            start = position + 1
        }
        if isTooLong || bytes.count - start > Self.longestLine {
            isTooLong = true
            start = bytes.count
        }
        return start
    }

    /// Learns the layout from the lines that wait for it, however few.
    mutating func finish(into readings: inout [WireReading]) {
        if learned == nil, !held.isEmpty { learn(isLast: true, into: &readings) }
        let (before, held) = (readings.count, units.held.count)
        units.release(to: &readings)
        quality.readings += readings.count - before
        quality.refusedLines += held - (readings.count - before)
    }

    // MARK: Lines

    private mutating func read(_ bytes: Span<UInt8>, _ range: Range<Int>, into readings: inout [WireReading]) {
        guard clean(bytes, range) else { return isFirstLine ? skip(range) : refuse(bytes.string(range)) }
        guard !cleaned.isEmpty else { return }
        line.read(cleaned)
        if takeHeader() { return }
        // The port may open in the middle of the first line, so its numbers may be cut.
        guard !isFirstLine else { return skip(range) }
        if learned != nil { return use(into: &readings) }
        guard line.fields.contains(where: { $0.number != nil }) else { return refuse(bytes.string(range)) }
        held.append(cleaned)
        if held.count.isMultiple(of: Self.learningStep) { learn(isLast: false, into: &readings) }
    }

    /// Removes NUL bytes, terminal colors, quotes and a leading marker. Returns false when other control bytes show
    /// that the line is not text.
    private mutating func clean(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
        cleaned.removeAll(keepingCapacity: true)
        var position = range.lowerBound
        while position < range.upperBound {
            let byte = bytes[position]
            position += 1
            switch byte {
            case 0, ASCII.quote: break
            case 0x1B:
                guard position < range.upperBound, bytes[position] == UInt8(ascii: "[") else { return false }
                repeat { position += 1 } while position < range.upperBound && !bytes[position].isLetter
                position += 1
            case ASCII.tab, 0x20...0x7E, 0x80...0xFF: cleaned.append(byte)
            default: return false
            }
        }
        let isMarker: (UInt8) -> Bool = { " \t$#>".utf8.contains($0) }
        cleaned.removeFirst(cleaned.firstIndex { !isMarker($0) } ?? cleaned.count)
        return true
    }

    /// Stores the line as the header, if it is one. A different header means a different table.
    private mutating func takeHeader() -> Bool {
        guard !line.isLabeled, line.fields.allSatisfy({ $0.number == nil }) else { return false }
        // Titles may contain blanks where another character separates them.
        let marks = ",;\t".utf8
        let isSeparated = cleaned.contains { marks.contains($0) }
        let titles = cleaned.split { isSeparated ? marks.contains($0) : $0 == ASCII.space }
            .map { String(decoding: $0, as: UTF8.self).split(separator: " ").joined(separator: " ") }
            .filter { !$0.isEmpty }
        let isList =
            isSeparated && titles.count >= 3
            && titles.allSatisfy { !$0.contains(" ") && $0.utf8.first?.isLetter == true }
        guard ColumnName.haveAxes(titles.map { ColumnName($0) }) || (learned == nil && isList) else { return false }
        guard titles != header else { return true }
        header = titles
        refuseHeld()
        if learned != nil { clearLayout() }
        return true
    }

    private mutating func skip(_ range: Range<Int>) {
        quality.skippedBytes += range.count + 1
    }

    private mutating func refuse(_ line: String) {
        quality.refusedLines += 1
        quality.addExample(line)
    }

    private mutating func refuseHeld() {
        for line in held { refuse(String(decoding: line, as: UTF8.self)) }
        held.removeAll()
    }

    // MARK: Learning

    private mutating func learn(isLast: Bool, into readings: inout [WireReading]) {
        do throws(TextLearner.Failure) {
            let layout = try TextLearner(held, header: header, options, isLast: isLast).learn()
            learned = layout
            reader = TextReader(layout)
            quality.problem = nil
            let lines = held
            held.removeAll()
            for text in lines {
                line.read(text)
                cleaned = text
                use(into: &readings)
            }
            return
        } catch {
            if case .refused(let reason) = error { quality.problem = reason }
        }
        if held.count >= Self.mostHeld || (quality.problem != nil && held.count >= GravityCheck.block) { refuseHeld() }
    }

    private mutating func clearLayout() {
        learned = nil
        reader = nil
        misfits = 0
    }

    /// Reads the current line with the layout.
    private mutating func use(into readings: inout [WireReading]) {
        guard let outcome = reader?.read(line, cleaned) else { return }
        switch outcome {
        case .acceleration(let vector, let time):
            quality.frames += 1
            let isPlausible = PlausibleAcceleration.contains(vector)
            if !isPlausible { quality.addExample(String(decoding: cleaned, as: UTF8.self)) }
            append(WireReading(deviceTime: time, x: vector.x, y: vector.y, z: vector.z), to: &readings)
            if isPlausible { misfits = 0 }
        case .nothing:
            quality.frames += 1
        case .misfit:
            refuse(String(decoding: cleaned, as: UTF8.self))
            addMisfits(1)
        }
    }

    /// Appends a reading, unless its unit is uncertain. A unit that changed is learned again, unless it is given.
    private mutating func append(_ reading: WireReading, to readings: inout [WireReading]) {
        guard let scale = learned?.scale else { return }
        let (before, heldBefore) = (readings.count, units.held.count)
        let change = units.add(reading, in: scale, isGiven: options.scale != nil, to: &readings)
        quality.readings += readings.count - before
        let dropped = heldBefore + 1 - units.held.count - (readings.count - before)
        quality.refusedLines += dropped
        if let change {
            learned?.scale = change.new
            learned?.change = change
            reader?.change(to: change.new)
        }
        addMisfits(dropped)
    }

    private mutating func addMisfits(_ count: Int) {
        misfits += count
        guard misfits >= Self.mostMisfits else { return }
        clearLayout()
        header = []
    }

    // MARK: Recognition

    /// Whether the bytes are lines of text: three consecutive lines with equally many numbers, or labels of
    /// acceleration.
    static func recognizes(_ bytes: Span<UInt8>, _ options: TextLineOptions) -> Bool {
        var parser = TextLineParser(options)
        var readings: [WireReading] = []
        _ = parser.parse(bytes, isEnd: false, into: &readings)
        if parser.learned != nil { return true }
        var alike = 0
        var width = 0
        for line in parser.held.map({ TextLine($0) }) {
            let numbers = line.fields.count { $0.number != nil }
            alike = !line.isLabeled && numbers >= 3 && line.fields.count == width ? alike + 1 : 1
            width = line.fields.count
            if alike == 3 { return true }
        }
        return parser.held.count >= 3
            && TextLearner(parser.held, header: parser.header, options, isLast: false).hasAcceleration
    }
}

internal import Footfall

/// Parses lines of text: learns the layout from the first lines, then reads the others with it.
struct TextLineParser: StreamParser {
    /// In bytes: a line for one sample, and one with an object of JSON that holds many.
    private static let (longestLine, longestObject) = (1024, 1 << 14)
    /// The layout is learned after this many lines. If that fails, it is tried again after as many more.
    private static let learningStep = WireQuality.linesOfLayout
    /// The most lines that wait for a layout.
    private static let mostHeld = 256
    /// After this many consecutive misfits, the layout is learned again: the device has another configuration.
    private static let mostMisfits = 64
    /// The same for lines with labels that complete no vector, such as those of other sensors.
    private static let mostIdle = 1024

    private(set) var quality = WireQuality()
    private let options: TextLineOptions

    private var isFirstLine = true
    private var isTooLong = false
    /// The current line, cleaned, or one of the samples in it.
    private var part = JSONLine.Part(text: [])
    private var line = TextLine()

    private var header: [String] = []
    /// The line that names the sensor of the lines with one axis each that follow, such as `Accelerometer:`.
    private var heading: [UInt8] = []
    /// The first lines of an object of JSON whose end has not arrived.
    private var object: [UInt8] = []
    /// Nil once zero and scale are decided.
    private var doubtful: DoubtfulReadings?
    /// Lines that wait for a layout.
    private var held: [JSONLine.Part] = []
    private(set) var learned: TextLayout? {
        didSet { if learned?.isNear(shown) != true { shown = learned } }
    }
    /// The layout that ``layout`` states, from which the learned one differs by little.
    private var shown: TextLayout?
    private var reader: TextReader?
    private var units = UnitWatch()
    private var misfits = 0
    private var idle = 0

    init(_ options: TextLineOptions) {
        self.options = options
        isFirstLine = !options.isFirstLineWhole
    }

    var layout: String? { shown?.description }
    var clockOrigin: ClockOrigin? {
        switch learned?.zero {
        case .epoch: ClockOrigin(time: .epoch, isLocal: false)
        case .localEpoch: ClockOrigin(time: .epoch, isLocal: true)
        case .unknown, .midnight, nil: nil
        }
    }

    mutating func reset() {
        (isFirstLine, isTooLong, object) = (true, false, [])
        reader?.reset()
    }

    mutating func parse(_ bytes: Span<UInt8>, isEnd: Bool, into readings: inout [WireReading]) -> Int {
        var start = 0
        for position in bytes.indices where bytes[position] == ASCII.newline || bytes[position] == ASCII.carriageReturn
        {
            let longest = Self.longest(bytes, start..<position)
            if isTooLong || position - start > longest {
                refuse("a line of more than \(longest) bytes")
            } else {
                read(bytes, start..<position, into: &readings)
            }
            (isTooLong, isFirstLine) = (false, false)
            start = position + 1
        }
        if isTooLong || bytes.count - start > Self.longest(bytes, start..<bytes.count) {
            isTooLong = true
            start = bytes.count
        }
        return start
    }

    /// Learns the layout from the lines that wait for it, however few.
    mutating func finish(into readings: inout [WireReading]) {
        if !object.isEmpty { object = readList(into: &readings) }
        if learned == nil, !held.isEmpty { learn(isLast: true, into: &readings) }
        let (before, held) = (readings.count, units.held.count)
        units.release(to: &readings)
        quality.readings += readings.count - before
        quality.refusedLines += held - (readings.count - before)
    }

    /// Adds the lines that wait for a layout to a quality: as examples, once they are enough and have shown none.
    func addWaiting(to quality: inout WireQuality) {
        if held.count >= Self.learningStep {
            for part in held.prefix(2) { quality.addExample(String(decoding: part.text, as: UTF8.self)) }
        } else if held.count > self.quality.refusedLines {
            quality.waitingLines = held.count
        }
    }

    // MARK: Lines

    private static func longest(_ bytes: Span<UInt8>, _ line: Range<Int>) -> Int {
        line.prefix(longestLine).contains { bytes[$0] == UInt8(ascii: "{") } ? longestObject : longestLine
    }

    private mutating func read(_ bytes: Span<UInt8>, _ range: Range<Int>, into readings: inout [WireReading]) {
        guard clean(bytes, range) else { return isFirstLine ? skip(range) : refuse(bytes.string(range)) }
        guard part.text.contains(where: { $0 != ASCII.quote }) else { return }
        if TextLine.isYAMLItem(part.text) {
            quality.frames += 1
            return
        }
        if zip(part.text, part.text.dropFirst()).contains(where: { $0 == (UInt8(ascii: "{"), UInt8(ascii: "'")) }) {
            // Python prints a dictionary with apostrophes.
            part.text = part.text.map { $0 == UInt8(ascii: "'") ? ASCII.quote : $0 }
        }
        if joinObject(into: &readings) { return }
        if part.text.contains(UInt8(ascii: "{")), let parts = JSONLine.parts(part.text) {
            guard !isFirstLine else { return skip(range) }
            return read(parts, into: &readings)
        }
        part.text.removeAll { $0 == ASCII.quote }
        guard part.text.count <= Self.longestLine else { return refuse(part.text) }
        line.read(part.text, form: reader?.form)
        if takeHeader() || takeHeading() { return }
        // The port may open in the middle of the first line, so its numbers may be cut.
        guard !isFirstLine else { return skip(range) }
        readFields(into: &readings)
    }

    private mutating func read(_ parts: [JSONLine.Part], into readings: inout [WireReading]) {
        for part in parts {
            self.part = part
            line.read(part.text)
            readFields(into: &readings)
        }
    }

    /// Joins the lines of an object of JSON into one. Returns true while the object is incomplete, and for the brackets
    /// around a list of objects.
    private mutating func joinObject(into readings: inout [WireReading]) -> Bool {
        func isContent(_ byte: UInt8?) -> Bool { byte.map { "\"{}[]-tfn".utf8.contains($0) || $0.isDigit } ?? false }
        let (first, last) = (part.text.first, part.text.last { !$0.isBlank })
        if object.isEmpty {
            if part.text.allSatisfy({ "[], \t\r".utf8.contains($0) }) {
                quality.frames += 1
                return true
            }
            if first == UInt8(ascii: "["), last == UInt8(ascii: "{") { part.text.removeAll { "[ ".utf8.contains($0) } }
            guard part.text.first == UInt8(ascii: "{"),
                last == UInt8(ascii: "{") || last == ASCII.comma && part.text.openBraces > 0
            else { return false }
        } else if !isContent(first) || object.count + part.text.count > Self.longestObject {
            object = readList(into: &readings)
            if !isContent(first) { object = [] }
            if object.isEmpty { return joinObject(into: &readings) }
        }
        object += part.text
        guard object.openBraces <= 0 else { return true }
        part.text = object
        object = []
        return false
    }

    /// Reads the objects of a list, such as all samples of a document, out of an object whose end has not arrived.
    /// Returns the beginning of the next one.
    private mutating func readList(into readings: inout [WireReading]) -> [UInt8] {
        let (open, close) = (UInt8(ascii: "{"), UInt8(ascii: "}"))
        let list = object.indices.first { position in
            object[position] == UInt8(ascii: "[") && object[(position + 1)...].first { !$0.isBlank } == open
        }
        guard let list else {
            refuse(object)
            return []
        }
        let next = part
        var (start, depth) = (list + 1, 0)
        for position in object.indices[start...] {
            if object[position] == open {
                if depth == 0 { start = position }
                depth += 1
            } else if object[position] == close {
                depth -= 1
                guard depth == 0 else { continue }
                let element = Array(object[start...position])
                start = position + 1
                if let parts = JSONLine.parts(element) { read(parts, into: &readings) } else { refuse(element) }
            }
        }
        part = next
        return Array(object[start...].drop { $0.isBlank || $0 == ASCII.comma })
    }

    private mutating func readFields(into readings: inout [WireReading]) {
        if learned != nil { return use(into: &readings) }
        guard line.fields.contains(where: { $0.number != nil }) || NumberForm.isPossible(in: part.text)
        else { return refuse(part.text) }
        held.append(part)
        // No line of a file is late, so the layout is learned from as many lines as may wait.
        let step = options.isFirstLineWhole ? Self.mostHeld : Self.learningStep
        if held.count.isMultiple(of: step) { learn(isLast: false, into: &readings) }
    }

    /// Stores a line without NUL bytes, terminal colors and a leading marker as the part. Returns false when other
    /// control bytes show that the line is not text.
    private mutating func clean(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
        part = JSONLine.Part(text: [])
        part.text.reserveCapacity(range.count)
        var position = range.lowerBound
        while position < range.upperBound {
            let byte = bytes[position]
            position += 1
            switch byte {
            case 0: break
            case 0x1B:
                guard position < range.upperBound, bytes[position] == UInt8(ascii: "[") else { return false }
                repeat { position += 1 } while position < range.upperBound && !bytes[position].isLetter
                position += 1
            case ASCII.tab, 0x20...0x7E, 0x80...0xFF: part.text.append(byte)
            default: return false
            }
        }
        let isMarker: (UInt8) -> Bool = { " \t$#>".utf8.contains($0) }
        part.text.removeFirst(part.text.firstIndex { !isMarker($0) } ?? part.text.count)
        return true
    }

    /// Stores a line that names the sensor of the lines below it, and puts it before each of them.
    private mutating func takeHeading() -> Bool {
        if let range = line.heading ?? line.bareHeading(part.text) {
            let title = String(decoding: part.text[range], as: UTF8.self)
            let isSensor = SensorKind(title: title) != nil || ColumnName.quantity(ColumnName(title).plain) != nil
            heading = isSensor ? part.text[range] + [ASCII.colon, ASCII.space] : []
            if isSensor { quality.frames += 1 }
            return isSensor
        }
        if line.hasLetterLabels, !heading.isEmpty {
            part.text = heading + part.text
            line.read(part.text, form: reader?.form)
        } else if part.text.contains(where: { $0.isLetter || $0.isDigit }) {
            heading = []
        }
        return false
    }

    /// Stores the line as the header, if it is one. A different header means a different table.
    private mutating func takeHeader() -> Bool {
        guard !line.isLabeled, line.fields.allSatisfy({ $0.number == nil }), !NumberForm.isPossible(in: part.text)
        else { return false }
        // Titles may contain blanks where another character separates them.
        let marks = ",;\t".utf8
        let isSeparated = part.text.contains { marks.contains($0) }
        let titles = part.text.split { isSeparated ? marks.contains($0) : $0 == ASCII.space }
            .map { String(decoding: $0, as: UTF8.self).split(separator: " ").joined(separator: " ") }
            .filter { !$0.isEmpty }
        let isWord: (String) -> Bool = { !$0.contains(" ") && $0.utf8.first?.isLetter == true }
        let isList = learned == nil && isSeparated && titles.count >= 3 && titles.allSatisfy(isWord)
        guard ColumnName.anyAxes(titles.map { ColumnName($0) }) != nil || isList else { return false }
        guard titles != header else { return true }
        header = titles
        refuseHeld()
        if learned != nil { clearLayout() }
        return true
    }

    private mutating func skip(_ range: Range<Int>) { quality.skippedBytes += range.count + 1 }

    private mutating func refuse(_ line: String) {
        quality.refusedLines += 1
        quality.addExample(line)
    }

    private mutating func refuse(_ line: [UInt8]) { refuse(String(decoding: line, as: UTF8.self)) }

    private mutating func refuseHeld() {
        for part in held { refuse(part.text) }
        held.removeAll()
    }

    // MARK: Learning

    private mutating func learn(isLast: Bool, into readings: inout [WireReading]) {
        do throws(TextLearner.Failure) {
            let layout = try TextLearner(held, header: header, options, isLast: isLast).learn()
            learned = layout
            reader = TextReader(layout)
            // A reader of files weighs all of a log.
            let isKnown = options.isFirstLineWhole || options.scale != nil || options.zero != nil
            doubtful = isKnown || layout.coding.span != nil ? nil : DoubtfulReadings()
            quality.problem = layout.remark
            let parts = held
            held.removeAll()
            for part in parts {
                line.read(part.text, form: layout.form)
                self.part = part
                use(into: &readings)
                // Messages among the lines that show a layout are no sign of another one.
                (misfits, idle) = (0, 0)
            }
            return
        } catch {
            if case .refused(let reason) = error { quality.problem = reason }
        }
        if held.count >= Self.mostHeld || (quality.problem != nil && held.count >= GravityCheck.block) { refuseHeld() }
    }

    private mutating func clearLayout() { (learned, reader, misfits, idle) = (nil, nil, 0, 0) }

    /// Reads the current line with the layout.
    private mutating func use(into readings: inout [WireReading]) {
        guard let outcome = reader?.read(line, part) else { return }
        switch outcome {
        case .acceleration(let vector, let time):
            quality.frames += 1
            let isPlausible = PlausibleAcceleration.contains(vector)
            if !isPlausible { quality.addExample(String(decoding: part.text, as: UTF8.self)) }
            doubt(vector, at: time)
            append(WireReading(deviceTime: time, x: vector.x, y: vector.y, z: vector.z), to: &readings)
            if isPlausible { (misfits, idle) = (0, 0) }
        case .nothing:
            quality.frames += 1
            idle += 1
            if idle >= Self.mostIdle { clearLayout() }
        case .misfit:
            refuse(part.text)
            addMisfits(1)
        }
    }

    /// Finds an assumed zero and scale again, or the reason to refuse a log of the same lines.
    private mutating func doubt(_ vector: SIMD3<Float>, at time: Int64?) {
        guard doubtful != nil, var layout = learned else { return }
        let number = vector / layout.scale.inG + layout.coding.zero
        // Rounding may leave a little less than the least number, 0.
        let kept = number.replacing(with: SIMD3<Float>.zero, where: number .< 0 .& number .> -0.01)
        guard doubtful?.add(kept, at: time) == true, let found = doubtful else { return }
        let refusal = found.refusal(layout, options)
        quality.problem = refusal?.explanation ?? layout.remark
        if refusal != nil {
            layout.isUnitAssumed = true
        } else if layout.isUnitAssumed, !layout.coding.isPlain, let counts = found.numbers.coding(options) {
            (layout.coding, layout.scale) = (counts.coding, counts.scale)
            layout.isUnitAssumed = counts.evidence == .assumption
            reader?.change(to: layout.scale, layout.coding)
        }
        if found.areComplete || !layout.isUnitAssumed { doubtful = nil }
        learned = layout
    }

    /// Appends a reading, unless its unit is uncertain. A unit that changed is learned again, unless it is given.
    private mutating func append(_ reading: WireReading, to readings: inout [WireReading]) {
        guard let layout = learned else { return }
        let (before, heldBefore) = (readings.count, units.held.count)
        let change = units.add(reading, in: layout.scale, isGiven: options.scale != nil, to: &readings)
        quality.readings += readings.count - before
        let dropped = heldBefore + 1 - units.held.count - (readings.count - before)
        quality.refusedLines += dropped
        if let change {
            learned?.scale = change.new
            learned?.change = change
            reader?.change(to: change.new, layout.coding)
            doubtful = doubtful.map { _ in DoubtfulReadings() }
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

    /// Whether the lines so far are readings: three consecutive lines with equally many numbers, or labels of
    /// acceleration.
    var isRecognized: Bool {
        if learned != nil { return true }
        var (alike, width) = (0, 0)
        for part in held {
            let line = TextLine(part.text)
            let numbers = line.fields.count { $0.number != nil }
            let isRow = !line.isLabeled && numbers >= 3 || NumberForm.isPossible(in: part.text)
            alike = isRow && line.fields.count == width ? alike + 1 : 1
            width = line.fields.count
            if alike == 3 { return true }
        }
        return held.count >= 3 && TextLearner(held, header: header, options, isLast: false).labels.hasAcceleration
    }
}

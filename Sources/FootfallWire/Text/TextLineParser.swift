internal import Footfall

/// Reads lines of text: learns from the first ones what stands where and in which unit, then reads by what it learnt.
struct TextLineParser: Sendable {
    /// The longest line that is read.
    static let longestLine = 1024
    /// Lines after which learning is tried, and after so many more again.
    private static let learningStep = 16
    /// Lines that are kept for learning. Those beyond have waited in vain.
    private static let mostHeld = 256
    /// Lines in a row that fit no more, after which everything is learnt anew: the device was set up differently.
    private static let mostStrangers = 64
    /// How much of a refused line is shown.
    private static let longestExample = 80

    private(set) var quality = WireQuality()
    private let options: TextLineOptions

    private var isFirstLine = true
    private var isTooLong = false
    private var cleaned: [UInt8] = []
    private var line = TextLine()

    private var header: [String] = []
    private var held: [[UInt8]] = []
    private var learnt: TextLayout?
    private var reader: TextReader?
    private var strangers = 0

    init(_ options: TextLineOptions) {
        self.options = options
    }

    /// What was understood, in one line.
    var layout: String? { learnt?.description }

    /// Forgets what belongs to a line before a disconnection.
    mutating func reset() {
        isFirstLine = true
        isTooLong = false
        reader?.reset()
    }

    /// Reads the whole lines in `bytes`, and returns how many bytes are done with.
    mutating func parse(_ bytes: Span<UInt8>, into readings: inout [WireReading]) -> Int {
        var start = 0
        for position in bytes.indices where Self.isLineEnd(bytes[position]) {
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

    /// Ends the stream: learns from what there is.
    mutating func finish(into readings: inout [WireReading]) {
        if learnt == nil, !held.isEmpty { learn(isLast: true, into: &readings) }
    }

    private static func isLineEnd(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
    }

    // MARK: Lines

    private mutating func read(_ bytes: Span<UInt8>, _ range: Range<Int>, into readings: inout [WireReading]) {
        guard clean(bytes, range) else { return isFirstLine ? skip(range) : refuse(bytes, range) }
        guard !cleaned.isEmpty else { return }
        line.read(cleaned)
        if takeHeader() { return }
        // The port may have been opened in the middle of the first line; its numbers may be cut.
        guard !isFirstLine else { return skip(range) }
        if learnt != nil { return use(bytes, range, into: &readings) }
        guard line.fields.contains(where: { $0.number != nil }) else { return refuse(bytes, range) }
        held.append(cleaned)
        if held.count.isMultiple(of: Self.learningStep) { learn(isLast: false, into: &readings) }
    }

    /// Takes away what is not said by the line itself: NUL bytes, terminal colours, quotes, a marker at its beginning.
    /// Returns false when other control bytes show that this is no text.
    private mutating func clean(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
        cleaned.removeAll(keepingCapacity: true)
        var position = range.lowerBound
        while position < range.upperBound {
            let byte = bytes[position]
            position += 1
            switch byte {
            case 0, UInt8(ascii: "\""): break
            case 0x1B:
                guard position < range.upperBound, bytes[position] == UInt8(ascii: "[") else { return false }
                repeat { position += 1 } while position < range.upperBound && !bytes[position].isLetter
                position += 1
            case UInt8(ascii: "\t"), 0x20...0x7E, 0x80...0xFF: cleaned.append(byte)
            default: return false
            }
        }
        let isMarker: (UInt8) -> Bool = { " \t$#>".utf8.contains($0) }
        cleaned.removeFirst(cleaned.firstIndex { !isMarker($0) } ?? cleaned.count)
        return true
    }

    /// Takes the line as a header, if it is one. Another header than the one before means another table.
    private mutating func takeHeader() -> Bool {
        guard !line.isLabelled, line.fields.allSatisfy({ $0.number == nil }) else { return false }
        let titles = TextHeader(cleaned)
        guard titles.hasAxes || (learnt == nil && titles.isList) else { return false }
        guard titles.titles != header else { return true }
        header = titles.titles
        giveUpHeld()
        if learnt != nil { forget() }
        return true
    }

    private mutating func skip(_ range: Range<Int>) {
        quality.skippedBytes += range.count + 1
    }

    private mutating func refuse(_ bytes: Span<UInt8>, _ range: Range<Int>) {
        refuse(bytes.string(range.prefix(Self.longestExample)))
    }

    private mutating func refuse(_ example: String) {
        quality.refusedLines += 1
        quality.refusedExample = String(
            String.UnicodeScalarView(example.unicodeScalars.map { $0.value < 0x20 ? "\u{FFFD}" : $0 }))
    }

    /// Gives up the lines that were kept for learning.
    private mutating func giveUpHeld() {
        guard let last = held.last else { return }
        quality.refusedLines += held.count - 1
        refuse(last.span, 0..<last.count)
        held.removeAll()
    }

    // MARK: Learning

    private mutating func learn(isLast: Bool, into readings: inout [WireReading]) {
        switch TextLearner(held, header: header, options, isLast: isLast).learn() {
        case .learnt(let layout):
            learnt = layout
            reader = TextReader(layout)
            quality.problem = nil
            let lines = held
            held.removeAll()
            for text in lines {
                line.read(text)
                cleaned = text
                use(text.span, 0..<text.count, into: &readings)
            }
            return
        case .unclear: break
        case .refused(let reason): quality.problem = reason
        }
        if held.count >= Self.mostHeld || (quality.problem != nil && held.count >= ScaleFinder.enough) {
            giveUpHeld()
        }
    }

    private mutating func forget() {
        learnt = nil
        reader = nil
        strangers = 0
    }

    // MARK: Reading

    private mutating func use(_ bytes: Span<UInt8>, _ range: Range<Int>, into readings: inout [WireReading]) {
        guard let outcome = reader?.read(line, cleaned) else { return }
        switch outcome {
        case .reading(let reading):
            quality.frames += 1
            quality.readings += 1
            readings.append(reading)
            strangers = 0
        case .nothing:
            quality.frames += 1
        case .stranger:
            refuse(bytes, range)
            strangers += 1
            if strangers == Self.mostStrangers {
                forget()
                header = []
            }
        }
    }

    // MARK: Recognition

    /// Whether these are lines of text that hold numbers: three in a row that look alike, or labels of acceleration.
    static func looksLikeText(_ bytes: Span<UInt8>, _ options: TextLineOptions) -> Bool {
        var parser = TextLineParser(options)
        var readings: [WireReading] = []
        _ = parser.parse(bytes, into: &readings)
        if parser.learnt != nil { return true }
        var line = TextLine()
        var alike = 0
        var width = 0
        for text in parser.held {
            line.read(text)
            let numbers = line.fields.count { $0.number != nil }
            alike = !line.isLabelled && numbers >= 3 && line.fields.count == width ? alike + 1 : 1
            width = line.fields.count
            if alike == 3, numbers >= 3 { return true }
        }
        let learner = TextLearner(parser.held, header: parser.header, options, isLast: false)
        return parser.held.count >= 3 && learner.speaksOfAcceleration
    }
}

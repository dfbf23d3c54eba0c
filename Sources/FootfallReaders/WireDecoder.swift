internal import Footfall

/// Decodes the bytes of a wire protocol into readings.
///
/// Bytes may arrive in pieces of any size. The size does not change the result. After damaged bytes the decoder
/// resynchronizes at the next valid frame. A frame with a wrong checksum gives no reading.
///
/// ```swift
/// var decoder = WireDecoder()
/// var readings: [WireReading] = []
/// for bytes in pieces {
///     decoder.decode(bytes, into: &readings)
/// }
/// decoder.finish(into: &readings)
/// ```
///
/// The decoder keeps the bytes until it recognizes the protocol and, for text, the layout of the lines. Then it returns
/// their readings together.
public struct WireDecoder: Sendable {
    /// The protocol, given or recognized; nil until it is recognized.
    public private(set) var recognized: WireProtocol?

    private let options: TextLineOptions
    private var recognizer = WireRecognizer()
    private var parser: (any StreamParser)?
    /// Bytes of an incomplete frame, or all bytes before recognition.
    private var pending: [UInt8] = []
    private var datagramStart = 0
    private var received = 0
    /// Bytes dropped before recognition and at disconnections.
    private var dropped = 0
    private var gravity = GravityWatch()

    /// Creates a decoder.
    ///
    /// - Parameters:
    ///   - wire: The protocol; nil to recognize it from the bytes.
    ///   - text: The options for lines of text.
    public init(_ wire: WireProtocol? = nil, text: TextLineOptions = TextLineOptions()) {
        recognized = wire
        options = text
        parser = wire.map { Self.parser(of: $0, text) }
    }

    private static func parser(of wire: WireProtocol, _ text: TextLineOptions) -> any StreamParser {
        switch wire {
        case .text: TextLineParser(text)
        case .witmotion: WitMotionParser()
        case .xsens: XsensParser()
        case .ximu3: XIMU3Parser()
        case .mavlink: MAVLinkParser()
        }
    }

    /// Decodes bytes and appends the readings they complete.
    public mutating func decode(_ bytes: [UInt8], into readings: inout [WireReading]) {
        decode(bytes.span, into: &readings)
    }

    /// Decodes bytes and appends the readings they complete.
    public mutating func decode(_ bytes: Span<UInt8>, into readings: inout [WireReading]) {
        received &+= bytes.count
        var position = 0
        while recognized == nil, position < bytes.count {
            let end = min(bytes.count, position + max(1, recognizer.nextCount - pending.count))
            keep(bytes, position..<end)
            position = end
            if pending.count >= recognizer.nextCount { recognize(isEnd: false) }
        }
        keep(bytes, position..<bytes.count)
        parse(isEnd: false, into: &readings)
    }

    /// Ends a datagram. A line of text and a frame end with it.
    public mutating func endDatagram(into readings: inout [WireReading]) {
        guard recognized != nil else {
            // The next datagram must not continue a line of text.
            let isText = pending[datagramStart...].allSatisfy { (0x20..<0x80).contains($0) || (9...13).contains($0) }
            if isText, let last = pending[datagramStart...].last, last != ASCII.newline {
                pending.append(ASCII.newline)
            }
            datagramStart = pending.count
            return
        }
        endLine()
        parse(isEnd: recognized == .witmotion, into: &readings)
    }

    /// Ends the stream and appends the readings of the complete frames that remain.
    public mutating func finish(into readings: inout [WireReading]) {
        if recognized == nil { recognize(isEnd: true) }
        endLine()
        parse(isEnd: true, into: &readings)
        let count = readings.count
        parser?.finish(into: &readings)
        check(readings[count...])
    }

    /// Drops an incomplete frame after a disconnection. The protocol and the layout stay known.
    public mutating func reset() {
        dropped &+= pending.count
        pending.removeAll(keepingCapacity: true)
        datagramStart = 0
        recognizer = WireRecognizer()
        parser?.reset()
    }

    private mutating func keep(_ bytes: Span<UInt8>, _ range: Range<Int>) {
        bytes.extracting(range).withUnsafeBufferPointer { pending.append(contentsOf: $0) }
    }

    private mutating func endLine() {
        if !pending.isEmpty, recognized == .text || recognized == .ximu3 { pending.append(ASCII.newline) }
    }

    private mutating func recognize(isEnd: Bool) {
        let bytes = pending
        recognized = recognizer.recognize(bytes.span, options, isEnd: isEnd)
        parser = recognized.map { Self.parser(of: $0, options) }
        guard recognized == nil, pending.count >= WireRecognizer.capacity else { return }
        let half = WireRecognizer.capacity / 2
        dropped &+= half
        pending.removeFirst(half)
        datagramStart = max(0, datagramStart - half)
        recognizer.dropHalf()
    }

    private mutating func parse(isEnd: Bool, into readings: inout [WireReading]) {
        guard parser != nil else { return }
        let count = readings.count
        // Moved out of the decoder for exclusive access to the parser.
        var bytes: [UInt8] = []
        swap(&bytes, &pending)
        bytes.removeFirst(parser?.parse(bytes.span, isEnd: isEnd, into: &readings) ?? 0)
        pending = bytes
        check(readings[count...])
    }

    private mutating func check(_ readings: ArraySlice<WireReading>) {
        for reading in readings { gravity.add(reading.vector) }
    }

    /// The layout of lines of text; nil until it is known, and for another protocol.
    package var textLayout: TextLayout? { (parser as? TextLineParser)?.learned }

    /// Whether the unit of the readings is assumed.
    package var isUnitAssumed: Bool { textLayout?.isUnitAssumed ?? false }

    /// The detected layout of the stream in one line; nil until it is known.
    public var layout: String? { parser?.layout }

    /// The moment at which the device's clock showed zero; nil until the stream states it.
    public var clockOrigin: ClockOrigin? { parser?.clockOrigin }

    /// The counts of valid and damaged input so far.
    public var quality: WireQuality {
        var quality = parser?.quality ?? WireQuality()
        quality.bytes = received
        quality.skippedBytes += dropped
        (parser as? TextLineParser)?.addWaiting(to: &quality)
        if recognized == nil { addExamples(to: &quality) }
        quality.problem = quality.problem ?? gravity.problem
        return quality
    }
}

extension WireDecoder {
    /// The longest part of the unrecognized bytes in which examples of lines are found.
    private static let longestOpening = 2048

    /// Adds the first whole lines of the bytes before recognition, if these are text and enough to be recognized, or
    /// states that no line ends.
    private func addExamples(to quality: inout WireQuality) {
        let opening = pending.prefix(Self.longestOpening)
        let isText = opening.allSatisfy { (0x20..<0x7F).contains($0) || (9...13).contains($0) || $0 == 0x1B }
        guard isText else { return }
        let lines = opening.split(whereSeparator: { $0 == ASCII.newline || $0 == ASCII.carriageReturn })
        if lines.first?.count == Self.longestOpening {
            quality.problem = "text arrives in which no line ends; end each reading as a line, such as with println"
        }
        recognizer.lines?.addWaiting(to: &quality)
        guard quality.waitingLines == 0 else { return }
        // The port may open in the middle of the first line.
        for line in lines.dropFirst() {
            quality.addExample(String(decoding: line, as: UTF8.self))
        }
    }

    /// A decoder of a MAVLink telemetry log (`.tlog`): MAVLink frames, each after its time of reception in µs since
    /// 1970.
    ///
    /// The device time of its readings is wall time, in nanoseconds since 1970. Intervals are those of the device's
    /// clock.
    public static func telemetryLog() -> WireDecoder {
        var decoder = WireDecoder(.mavlink)
        decoder.parser = MAVLinkParser(isLog: true)
        return decoder
    }

    /// Whether a file with this opening is a MAVLink telemetry log.
    ///
    /// It is one if the opening holds two valid frames, each after a time of this century, and few other bytes.
    public static func isTelemetryLog(_ opening: [UInt8]) -> Bool {
        let parser = MAVLinkParser(isLog: true).tried(on: opening.span, isEnd: true)
        return parser.datedFrames >= 2 && parser.quality.skippedBytes <= max(300, opening.count / 10)
    }
}

/// Recognizes the protocol of a stream from its first bytes. The parser of each protocol tries the bytes. A stronger
/// checksum needs fewer frames: two MAVLink or Xsens messages with a valid checksum, three consecutive WitMotion frames
/// with a sum of eight bits, two x-IMU3 messages of the right length, or three similar lines of text.
struct WireRecognizer: Sendable {
    /// The most bytes that wait for recognition: five seconds at 115,200 baud.
    static let capacity = 1 << 16
    /// The number of bytes at the next attempt. It does not depend on the size of received pieces.
    private(set) var nextCount = 64
    /// Reads each line once, since learning from lines of unknown kinds is slow.
    private(set) var lines: TextLineParser?
    /// The number of bytes that `lines` has read.
    private var linesEnd = 0

    mutating func recognize(_ bytes: Span<UInt8>, _ text: TextLineOptions, isEnd: Bool) -> WireProtocol? {
        nextCount += max(64, nextCount / 8)
        let fewest = isEnd ? 1 : 2
        if MAVLinkParser().tried(on: bytes, isEnd: isEnd).quality.frames >= fewest { return .mavlink }
        if XsensParser().tried(on: bytes, isEnd: isEnd).quality.frames >= fewest { return .xsens }
        if WitMotionParser().tried(on: bytes, isEnd: isEnd).longestRun >= 3 { return .witmotion }
        if XIMU3Parser().tried(on: bytes, isEnd: isEnd).inertialMessages >= fewest { return .ximu3 }
        var readings: [WireReading] = []
        var parser = lines ?? TextLineParser(text)
        linesEnd += parser.parse(bytes.extracting(linesEnd...), isEnd: false, into: &readings)
        lines = parser
        return parser.isRecognized ? .text : nil
    }

    /// Restarts the count after the decoder drops half of the bytes.
    mutating func dropHalf() {
        nextCount = WireRecognizer.capacity / 2 + WireRecognizer.capacity / 16
        linesEnd = max(0, linesEnd - WireRecognizer.capacity / 2)
    }
}

/// A protocol by which sensors send acceleration over a serial line or a socket, or write it to a raw log.
public enum WireProtocol: String, CaseIterable, Sendable {
    /// Lines of text: bare numbers, `label:value`, a header with columns.
    case text
    /// WitMotion's frames, which begin with 0x55.
    case witmotion
    /// Xsens MTData2 messages.
    case xsens
    /// Messages of the x-io x-IMU3, binary or text.
    case ximu3
    /// MAVLink 1 and 2.
    case mavlink
}

extension WireProtocol: CustomStringConvertible {
    /// The name of the protocol for a person.
    public var description: String {
        switch self {
        case .text: "text lines"
        case .witmotion: "WitMotion"
        case .xsens: "Xsens MTData2"
        case .ximu3: "x-IMU3"
        case .mavlink: "MAVLink"
        }
    }
}

/// Checks that the readings of a stream still contain gravity.
struct GravityWatch: Sendable {
    /// The problem of the last block of readings; nil when there is none.
    private(set) var problem: ParameterText?
    private var magnitudes: [Float] = []

    mutating func add(_ vector: SIMD3<Float>) {
        magnitudes.append(vector.length)
        guard magnitudes.count == GravityCheck.block, let median = magnitudes.upperMedian() else { return }
        magnitudes.removeAll(keepingCapacity: true)
        if GravityCheck.usualMedian.contains(median) {
            problem = nil
        } else if median < GravityCheck.usualMedian.lowerBound {
            problem =
                "gravity is missing (the median |a| is \(GravityCheck.text(median)) g); "
                + "steps need acceleration with gravity"
        } else {
            problem = "the median |a| is \(GravityCheck.text(median)) g, more than a wearer's; check the unit"
        }
    }
}

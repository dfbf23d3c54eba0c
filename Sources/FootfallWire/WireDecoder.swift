/// Turns the bytes of a wire protocol into readings.
///
/// Bytes may arrive in pieces of any size; how they are cut changes nothing. After garbage the decoder finds the next
/// good frame by itself, and a reading is never made of a frame whose checksum does not fit.
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
/// Where the protocol has to be recognised, or the unit of text lines learnt, the first readings come all at once, as soon
/// as that is done.
public struct WireDecoder: Sendable {
    /// The protocol: the one that was asked for, or the one that was recognised from what arrived; nil until then.
    public private(set) var recognized: WireProtocol?

    /// Bytes that were not yet enough for a frame, or for recognising a protocol.
    private var pending: [UInt8] = []
    private var datagramStart = 0
    private var received = 0
    private var givenUp = 0
    private var gravity = GravityWatch()
    private var recognizer = WireRecognizer()
    private let options: TextLineOptions

    private var text: TextLineParser
    private var witmotion = WitMotionParser()
    private var xsens = XsensParser()
    private var ximu3 = XIMU3Parser()
    private var mavlink = MAVLinkParser()

    /// Creates a decoder.
    ///
    /// - Parameters:
    ///   - wire: The protocol; nil to recognise it from what arrives.
    ///   - text: What is known beforehand about lines of text.
    public init(_ wire: WireProtocol? = nil, text: TextLineOptions = TextLineOptions()) {
        recognized = wire
        options = text
        self.text = TextLineParser(text)
    }

    /// Takes bytes in and appends the readings they complete.
    public mutating func decode(_ bytes: [UInt8], into readings: inout [WireReading]) {
        decode(bytes.span, into: &readings)
    }

    /// Takes bytes in and appends the readings they complete.
    public mutating func decode(_ bytes: Span<UInt8>, into readings: inout [WireReading]) {
        received &+= bytes.count
        var position = 0
        while recognized == nil, position < bytes.count {
            let end = min(bytes.count, position + max(1, recognizer.nextLook - pending.count))
            keep(bytes, position..<end)
            position = end
            if pending.count >= recognizer.nextLook { recognize(isEnd: false) }
        }
        keep(bytes, position..<bytes.count)
        if recognized != nil { drain(isEnd: false, into: &readings) }
    }

    /// Ends a datagram, which is the end of a line of text and of a frame, too.
    public mutating func endDatagram(into readings: inout [WireReading]) {
        guard let wire = recognized else {
            // A line that the next datagram must not continue. What is no text does not miss it.
            let isText = pending[datagramStart...].allSatisfy { (0x20..<0x80).contains($0) || (9...13).contains($0) }
            if isText, let last = pending[datagramStart...].last, last != UInt8(ascii: "\n") {
                pending.append(UInt8(ascii: "\n"))
            }
            datagramStart = pending.count
            return
        }
        if !pending.isEmpty, wire == .text || wire == .ximu3 { pending.append(UInt8(ascii: "\n")) }
        drain(isEnd: wire == .witmotion, into: &readings)
    }

    /// Ends the stream: uses what still waits, as far as it is whole.
    public mutating func finish(into readings: inout [WireReading]) {
        if recognized == nil { recognize(isEnd: true) }
        guard let wire = recognized else { return }
        if !pending.isEmpty, wire == .text || wire == .ximu3 { pending.append(UInt8(ascii: "\n")) }
        drain(isEnd: true, into: &readings)
        if wire == .text { text.finish(into: &readings) }
    }

    /// Starts over after a disconnection: drops what was not yet a whole frame, and keeps what was learnt.
    public mutating func reset() {
        givenUp &+= pending.count
        pending.removeAll(keepingCapacity: true)
        datagramStart = 0
        recognizer = WireRecognizer()
        text.reset()
        witmotion.reset()
        ximu3.reset()
        mavlink.reset()
    }

    private mutating func keep(_ bytes: Span<UInt8>, _ range: Range<Int>) {
        bytes.extracting(range).withUnsafeBufferPointer { pending.append(contentsOf: $0) }
    }

    private mutating func recognize(isEnd: Bool) {
        let bytes = pending
        recognized = recognizer.look(bytes.span, options, isEnd: isEnd)
        guard recognized == nil, pending.count >= WireRecognizer.most else { return }
        givenUp &+= WireRecognizer.most / 2
        pending.removeFirst(WireRecognizer.most / 2)
        datagramStart = max(0, datagramStart - WireRecognizer.most / 2)
        recognizer.giveUpHalf()
    }

    private mutating func drain(isEnd: Bool, into readings: inout [WireReading]) {
        // Taken out of the decoder, so that the parser may change while it reads.
        var waiting: [UInt8] = []
        swap(&waiting, &pending)
        let firstNew = readings.count
        let used =
            switch recognized {
            case .text: text.parse(waiting.span, into: &readings)
            case .witmotion: witmotion.parse(waiting.span, isEnd: isEnd, into: &readings)
            case .xsens: xsens.parse(waiting.span, isEnd: isEnd, into: &readings)
            case .ximu3: ximu3.parse(waiting.span, into: &readings)
            case .mavlink: mavlink.parse(waiting.span, isEnd: isEnd, into: &readings)
            case nil: 0
            }
        waiting.removeFirst(used)
        pending = waiting
        for reading in readings[firstNew...] { gravity.add(reading.vector) }
    }

    /// What was understood of the stream, in one line; nil until it was.
    public var layout: String? {
        switch recognized {
        case .text: text.layout
        case .witmotion: witmotion.layout
        case .xsens: xsens.layout
        case .ximu3: ximu3.layout
        case .mavlink: mavlink.layout
        case nil: nil
        }
    }

    /// Where the device's clock showed zero, if the protocol tells it; nil until it has.
    public var clockOrigin: ClockOrigin? {
        switch recognized {
        case .witmotion: witmotion.clockOrigin
        case .xsens: xsens.clockOrigin
        case .ximu3: ximu3.clockOrigin
        case .mavlink: mavlink.clockOrigin
        case .text, nil: nil
        }
    }

    /// What became of the bytes so far.
    public var quality: WireQuality {
        var quality =
            switch recognized {
            case .text: text.quality
            case .witmotion: witmotion.quality
            case .xsens: xsens.quality
            case .ximu3: ximu3.quality
            case .mavlink: mavlink.quality
            case nil: WireQuality()
            }
        quality.bytes = received
        quality.skippedBytes += givenUp
        quality.problem = quality.problem ?? gravity.problem
        return quality
    }
}

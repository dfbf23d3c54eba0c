/// Turns the bytes of a wire protocol into readings.
///
/// Bytes may arrive in pieces of any size; how they are cut changes nothing. After garbage the decoder finds the next
/// good frame by itself, and a reading is never made of a frame whose checksum does not fit.
public struct WireDecoder: Sendable {
    /// The protocol: the one that was asked for, or the one that was recognised from what arrived; nil until then.
    public private(set) var recognized: WireProtocol?

    /// Bytes that were not yet enough for a frame, or for recognising a protocol.
    private var pending: [UInt8] = []
    private var received = 0
    private var text: TextLineParser

    /// Creates a decoder.
    ///
    /// - Parameters:
    ///   - wire: The protocol; nil to recognise it from what arrives.
    ///   - text: What is known beforehand about lines of text.
    public init(_ wire: WireProtocol? = nil, text: TextLineOptions = TextLineOptions()) {
        recognized = wire ?? .text
        self.text = TextLineParser(text)
    }

    /// Takes bytes in and appends the readings they complete.
    public mutating func decode(_ bytes: Span<UInt8>, into readings: inout [WireReading]) {
        received &+= bytes.count
        pending.reserveCapacity(pending.count + bytes.count)
        for index in bytes.indices { pending.append(bytes[index]) }
        drain(into: &readings)
    }

    /// Takes bytes in and appends the readings they complete.
    public mutating func decode(_ bytes: [UInt8], into readings: inout [WireReading]) {
        decode(bytes.span, into: &readings)
    }

    /// Ends a datagram, which is the end of a line, too.
    public mutating func endDatagram(into readings: inout [WireReading]) {
        guard let last = pending.last, last != UInt8(ascii: "\n") else { return }
        pending.append(UInt8(ascii: "\n"))
        drain(into: &readings)
    }

    /// Ends the stream: what still waits is used, as far as it is whole.
    public mutating func finish(into readings: inout [WireReading]) {
        endDatagram(into: &readings)
        pending.removeAll()
    }

    /// Starts over after a disconnection: drops what was not yet a whole frame, and keeps what was learnt.
    public mutating func reset() {
        pending.removeAll(keepingCapacity: true)
        text.reset()
    }

    private mutating func drain(into readings: inout [WireReading]) {
        var waiting: [UInt8] = []
        swap(&waiting, &pending)
        waiting.removeFirst(text.parse(waiting.span, into: &readings))
        pending = waiting
    }

    /// What was understood of the stream, in one line; nil until it was.
    public var layout: String? { text.layout }

    /// Where the device's clock showed zero, if the protocol tells it; nil until it has.
    public var clockOrigin: ClockOrigin? { nil }

    /// What became of the bytes so far.
    public var quality: WireQuality {
        var quality = text.quality
        quality.bytes = received
        return quality
    }
}

internal import Footfall

/// Decodes the JSON of Movesense sensors: packets of acceleration in m/s², `ArrayAcc`, with the time of their first
/// sample in milliseconds of the sensor's clock, `Timestamp`. The samples of a packet are spread evenly up to the next
/// one. Source: Movesense API, `/Meas/Acc` and `/Meas/IMU`, and a recording.
struct MovesenseDecoder: RecordingDecoder {
    static let mostSamples = 1024

    private static let (packetKey, timeKey) = (Array("ArrayAcc".utf8), Array("Timestamp".utf8))
    private static let axisKeys = ["x", "y", "z"].map { Array($0.utf8) }
    /// The longest packet in bytes: 1024 samples of three sensors.
    private static let longestPacket = 1 << 18
    /// The longest time between two packets that belong together, in nanoseconds.
    private static let longestInterval: Int64 = 2_000_000_000

    /// A packet that waits for the time of the next one.
    private struct Packet {
        /// Nanoseconds of the sensor's clock.
        var time: Int64
        /// In g.
        var vectors: [SIMD4<Float>]
    }

    let layout = RecordingLayout(device: "Movesense", utcOffsetEvidence: .header)
    let notes: [ParameterText]
    private let start: Int64
    private var zero: Int64?
    private var waiting: Packet?
    /// Nanoseconds between samples; nil before the second packet.
    private var period: Double?
    private var isFinished = false
    private(set) var tally = WarningCounts()

    /// Whether the text is JSON with such packets.
    static func reads(_ source: borrowing LineSource) -> Bool {
        let bytes = source.bytes.span.extracting(source.unread)
        return JSONDocument.opens(bytes, bytes.indices) == true
            && bytes.firstIndex(of: [ASCII.quote] + packetKey + [ASCII.quote]) != nil
    }

    init(_ options: TraceOptions) {
        start = (options.start ?? .epoch).nanosecondsSince1970
        var unused = options
        unused.start = nil
        notes = unused.notesOnRecording
    }

    mutating func read(_ source: borrowing LineSource, into columns: inout SampleColumns) -> Int? {
        if isFinished {
            guard let last = waiting else { return nil }
            waiting = nil
            append(last, until: nil, to: &columns)
            return 0
        }
        let bytes = source.bytes.span.extracting(source.unread)
        guard let object = MovesenseDecoder.packet(in: bytes) else {
            guard bytes.count > MovesenseDecoder.longestPacket else { return nil }
            // What is longer is no packet; the end may be the beginning of one.
            return bytes.count - MovesenseDecoder.longestPacket / 2
        }
        guard let packet = MovesenseDecoder.packet(bytes, object), packet.vectors.count <= Self.mostSamples else {
            tally.note(.damaged, .byte(source.offset + object.lowerBound))
            return object.upperBound
        }
        if let waiting { append(waiting, until: packet.time, to: &columns) }
        waiting = packet
        return object.upperBound
    }

    mutating func finish(_ source: borrowing LineSource) {
        isFinished = true
        let rest = source.bytes.span.extracting(source.unread)
        if rest.firstIndex(of: Self.packetKey) != nil { tally.note(.cutShort, nil) }
    }

    private mutating func append(_ packet: Packet, until next: Int64?, to columns: inout SampleColumns) {
        guard !packet.vectors.isEmpty else { return }
        let interval = next.map { $0 &- packet.time } ?? 0
        if interval > 0, interval <= Self.longestInterval || period == nil {
            period = Double(min(interval, Self.longestInterval)) / Double(packet.vectors.count)
        }
        let (first, period) = (zero ?? packet.time, period ?? 0)
        zero = first
        let time = start &+ packet.time &- first
        columns.append(packet.vectors.count) { (time &+ Int64(clamping: Double($0) * period), packet.vectors[$0]) }
    }

    // MARK: JSON

    /// The first whole object with acceleration; nil if there is none.
    private static func packet(in bytes: Span<UInt8>) -> Range<Int>? {
        var starts: [Int] = []
        var position = 0
        var marked: Int?
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "{"): starts.append(position)
            case UInt8(ascii: "}"):
                let start = starts.popLast()
                if let start, start == marked { return start..<position + 1 }
            case ASCII.quote:
                guard let end = bytes.firstIndex(of: ASCII.quote, in: position + 1..<bytes.count) else { return nil }
                if end - position - 1 == packetKey.count, bytes.has(packetKey, at: position + 1) {
                    marked = starts.last
                }
                position = end
            default: break
            }
            position += 1
        }
        return nil
    }

    /// The time and the samples of the packet in `range`; nil if one of them cannot be read.
    private static func packet(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Packet? {
        guard let time = number(of: timeKey, bytes, range).flatMap({ $0.nanoseconds(power: 6) }),
            let key = bytes.position(of: packetKey, in: range),
            let end = bytes.firstIndex(of: UInt8(ascii: "]"), in: key..<range.upperBound)
        else { return nil }
        var (vectors, position) = ([SIMD4<Float>](), key)
        while let open = bytes.firstIndex(of: UInt8(ascii: "{"), in: position..<end) {
            guard let close = bytes.firstIndex(of: UInt8(ascii: "}"), in: open..<end) else { return nil }
            let axes = axisKeys.compactMap { number(of: $0, bytes, open..<close).map { Float($0.double) } }
            guard axes.count == 3 else { return nil }
            let vector = SIMD4(axes[0], axes[1], axes[2], 0) * AccelerationUnit.metresPerSecondSquared.inG
            guard PlausibleAcceleration.contains(SIMD3(vector.x, vector.y, vector.z)) else { return nil }
            vectors.append(vector)
            position = close + 1
        }
        return Packet(time: time, vectors: vectors)
    }

    private static func number(of key: [UInt8], _ bytes: Span<UInt8>, _ range: Range<Int>) -> DecimalNumber? {
        guard let name = bytes.position(of: [ASCII.quote] + key + [ASCII.quote], in: range),
            let colon = bytes.firstIndex(of: ASCII.colon, in: name..<range.upperBound)
        else { return nil }
        var start = colon + 1
        while start < range.upperBound, bytes[start].isBlank || bytes[start] == ASCII.newline { start += 1 }
        var end = start
        while end < range.upperBound, ![ASCII.comma, ASCII.newline, UInt8(ascii: "}")].contains(bytes[end]) { end += 1 }
        guard let number = DecimalNumber(bytes, bytes.trimmed(start..<end)), number.isFinite else { return nil }
        return number
    }
}

extension Span<UInt8> {
    fileprivate func position(of text: [UInt8], in range: Range<Int>) -> Int? {
        extracting(range).firstIndex(of: text).map { $0 + range.lowerBound }
    }
}

internal import CZlib
internal import Footfall

/// Decodes the recordings of Parmay Matrix (`.bin`): 512 bytes of remarks, a header of 12 bytes, then packets with a
/// checksum. A packet has its first and last time in seconds since 1970, and the counts of its samples: acceleration
/// and rotation as three 16-bit numbers, temperature and heart rate. Its samples are spread evenly. The format is known
/// from the R package GGIRread and from a recording.
struct MatrixDecoder: RecordingDecoder {
    static let mostSamples = 1024

    private static let signature = Array("MDTC".utf8)
    private static let packetSignature = Array("MDTCPACK".utf8)
    private static let (headerStart, headerSize, packetHeaderSize) = (512, 12, 36)
    /// The largest packet, in bytes. It must fit the buffer.
    private static let largestPacket = 1 << 18
    /// The sample rates of the device, in Hz.
    private static let rates = [12.5, 25, 50, 100]

    /// The rest of a packet whose header was read.
    private struct Packet {
        var samples: Int
        var next = 0
        /// In nanoseconds since 1970.
        var start: Int64
        var period: Double
        /// The bytes behind the acceleration.
        var tail: Int
    }

    let layout: RecordingLayout
    let notes: [ParameterText]
    private let scale: Float
    private var packet: Packet?
    private(set) var tally = WarningCounts()

    /// Whether the file has the header of such a recording.
    static func reads(_ source: borrowing LineSource) -> Bool {
        source.bytes.span.extracting(source.unread).has(signature, at: headerStart)
    }

    /// Takes the header from the opening of a source. Throws ``Refusal`` when the range is missing, or there
    /// is no packet with acceleration.
    init(_ source: inout LineSource, _ options: TraceOptions) throws(Refusal) {
        layout = try MatrixDecoder.layout(source)
        scale = Float(layout.range ?? 0) / 32768
        notes = options.notesOnRecording
        source.advance(to: source.unread.lowerBound + MatrixDecoder.headerStart + MatrixDecoder.headerSize)
    }

    private static func layout(_ source: borrowing LineSource) throws(Refusal) -> RecordingLayout {
        let bytes = source.bytes.span.extracting(source.unread)
        let first = headerStart + headerSize
        guard bytes.count >= first + packetHeaderSize else {
            throw Refusal("a Parmay Matrix recording without samples", remedy: "copy it again")
        }
        let range = bytes.littleEndian(Int16.self, at: headerStart + 8)
        guard (1...64).contains(range) else {
            throw Refusal("a Parmay Matrix recording without its range", remedy: "copy it again")
        }
        let seconds = Double(bytes.unsigned(first + 16) - bytes.unsigned(first + 12))
        let observed = Double(bytes.unsigned(first + 20)) / max(1, seconds)
        return RecordingLayout(
            device: "Parmay Matrix", sampleRate: rates.min { abs($0 - observed) < abs($1 - observed) },
            range: Double(range), utcOffset: 0, utcOffsetEvidence: .header)
    }

    mutating func read(_ source: borrowing LineSource, into columns: inout SampleColumns) -> Int? {
        let bytes = source.bytes.span.extracting(source.unread)
        if let packet { return read(packet, bytes, into: &columns) }
        guard bytes.count >= MatrixDecoder.packetHeaderSize else { return nil }
        guard bytes.has(MatrixDecoder.packetSignature, at: 0) else { return skip(bytes, source.offset) }
        let counts = (0..<4).map { bytes.unsigned(20 + 4 * $0) }
        let size = MatrixDecoder.packetHeaderSize + 6 * (counts[0] + counts[1]) + 4 * (counts[2] + counts[3])
        guard size <= MatrixDecoder.largestPacket else { return skip(bytes, source.offset) }
        guard bytes.count >= size else { return nil }
        let (start, end) = (bytes.unsigned(12), bytes.unsigned(16))
        guard MatrixDecoder.checksum(bytes.extracting(12..<size)) == bytes.unsigned(8), end >= start else {
            return skip(bytes, source.offset)
        }
        guard counts[0] > 0 else { return size }
        let rate = layout.sampleRate ?? MatrixDecoder.rates[0]
        let seconds = end > start ? Double(end - start) : Double(counts[0]) / rate
        packet = Packet(
            samples: counts[0], start: Int64(start) * 1_000_000_000, period: seconds * 1e9 / Double(counts[0]),
            tail: size - MatrixDecoder.packetHeaderSize - 6 * counts[0])
        return MatrixDecoder.packetHeaderSize
    }

    private mutating func read(_ packet: Packet, _ bytes: Span<UInt8>, into columns: inout SampleColumns) -> Int {
        let count = min(packet.samples - packet.next, columns.room)
        let scale = scale
        columns.append(count) { index in
            func number(_ axis: Int) -> Float {
                Float(bytes.littleEndian(Int16.self, at: 6 * index + 2 * axis)) * scale
            }
            let time = packet.start + Int64(clamping: Double(packet.next + index) * packet.period)
            return (time, SIMD4(number(0), number(1), number(2), 0))
        }
        let isLast = packet.next + count == packet.samples
        self.packet = isLast ? nil : packet
        self.packet?.next += count
        return 6 * count + (isLast ? packet.tail : 0)
    }

    /// Notes a damaged packet, and returns how many bytes precede the next signature.
    private mutating func skip(_ bytes: Span<UInt8>, _ offset: Int) -> Int {
        tally.note(.damaged, .byte(offset))
        let rest = bytes.extracting(1..<bytes.count)
        return rest.firstIndex(of: MatrixDecoder.packetSignature).map { $0 + 1 }
            ?? max(1, bytes.count - MatrixDecoder.packetSignature.count)
    }

    private static func checksum(_ bytes: Span<UInt8>) -> Int {
        bytes.withUnsafeBufferPointer { Int(crc32(0, $0.baseAddress, uInt($0.count))) }
    }

    mutating func finish(_ source: borrowing LineSource) {
        if !source.unread.isEmpty { tally.note(.cutShort, nil) }
    }
}

extension Span<UInt8> {
    fileprivate func unsigned(_ offset: Int) -> Int { Int(littleEndian(UInt32.self, at: offset)) }
}

/// A parser of frames that begin with a marker and are verified by a checksum or by the bytes after them.
protocol FrameParser: StreamParser {
    /// Reads the frame at `position`, if one begins there. The result is ``FrameSearch/partial`` while too few bytes
    /// have arrived to decide, unless `isEnd` is true. Once enough have arrived, further bytes do not change it.
    mutating func readFrame(
        _ bytes: Span<UInt8>, at position: Int, isEnd: Bool, into readings: inout [WireReading]
    ) -> FrameSearch

    /// Counts a byte at which no frame begins.
    mutating func skip(_ byte: UInt8)
}

/// What lies at a position in the bytes.
enum FrameSearch {
    /// A valid frame of this many bytes.
    case whole(Int)
    /// Too few bytes to decide.
    case partial
    /// No frame begins at the position.
    case none
}

extension FrameParser {
    /// Reads frames. Where no frame begins, it skips one byte only, so that a false marker never hides a valid frame.
    mutating func parse(_ bytes: Span<UInt8>, isEnd: Bool, into readings: inout [WireReading]) -> Int {
        var position = 0
        while position < bytes.count {
            switch readFrame(bytes, at: position, isEnd: isEnd, into: &readings) {
            case .whole(let length): position += length
            case .partial where !isEnd: return position
            case .partial, .none:
                skip(bytes[position])
                position += 1
            }
        }
        return position
    }
}

/// Selects one of several kinds of message that carry acceleration. The first kind to arrive is used. After every
/// ``block`` messages, a kind that is at least 1.5 times as frequent replaces it. So a kind that stops is also
/// replaced.
struct KindChoice: Sendable {
    /// The number of messages between two comparisons.
    static let block = 64

    private(set) var chosen: UInt32?
    private var counts: [UInt32: Int] = [:]
    private var total = 0

    /// Counts a message of this kind and returns whether to use it.
    mutating func takes(_ kind: UInt32) -> Bool {
        if chosen == nil { chosen = kind }
        counts[kind, default: 0] += 1
        total += 1
        if total == KindChoice.block { compare() }
        return kind == chosen
    }

    private mutating func compare() {
        // Of equally frequent kinds, the lowest number is chosen, so that the choice does not depend on hashing.
        let frequent = counts.max { ($0.value, $1.key) < ($1.value, $0.key) }
        let used = chosen.flatMap { counts[$0] } ?? 0
        if let frequent, frequent.value * 2 >= used * 3 { chosen = frequent.key }
        counts.removeAll(keepingCapacity: true)
        total = 0
    }
}

/// A parser of one protocol. Its caller keeps the bytes of an incomplete frame.
protocol StreamParser: Sendable {
    /// The counts so far.
    var quality: WireQuality { get }
    /// The detected layout in one line; nil until it is known.
    var layout: String? { get }
    /// The moment at which the device's clock showed zero; nil until the stream states it.
    var clockOrigin: ClockOrigin? { get }

    /// Reads the complete frames or lines in `bytes`, which may end the stream, and returns the number of bytes read.
    mutating func parse(_ bytes: Span<UInt8>, isEnd: Bool, into readings: inout [WireReading]) -> Int
    /// Ends the stream after the last call of ``parse(_:isEnd:into:)``.
    mutating func finish(into readings: inout [WireReading])
    /// Clears the state of an incomplete frame after a disconnection.
    mutating func reset()
}

extension StreamParser {
    mutating func finish(into readings: inout [WireReading]) {}
    mutating func reset() {}

    /// The parser after the first bytes of a stream, which show whether it is of this protocol.
    func tried(on bytes: Span<UInt8>, isEnd: Bool) -> Self {
        var (parser, readings) = (self, [WireReading]())
        _ = parser.parse(bytes, isEnd: isEnd, into: &readings)
        return parser
    }
}

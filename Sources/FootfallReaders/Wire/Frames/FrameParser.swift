/// A parser of frames that begin with a marker and are verified by a checksum or by the bytes after them.
protocol FrameParser: StreamParser {
    /// Reads the frame at `position`, if one begins there.
    ///
    /// The result is ``FrameSearch/partial`` while too few bytes have arrived to decide, unless `isEnd` is true. Once
    /// enough have arrived, further bytes do not change it.
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
            case .whole(let length):
                position += length
            case .partial where !isEnd:
                return position
            case .partial, .none:
                skip(bytes[position])
                position += 1
            }
        }
        return position
    }
}

/// A reader of a protocol whose frames begin with a marker and prove themselves, by a checksum or by what follows.
protocol FrameParser: Sendable {
    /// What became of the bytes.
    var quality: WireQuality { get }

    /// Reads the frame that begins at `position`, if one does.
    ///
    /// The answer may depend on the bytes from `position` on, never on how many there happen to be: where more are
    /// needed it is ``FrameSearch/partial``, unless `isEnd` says that there will be none.
    mutating func readFrame(
        _ bytes: Span<UInt8>, at position: Int, isEnd: Bool, into readings: inout [WireReading]
    ) -> FrameSearch

    /// Takes note of a byte with which no frame begins.
    mutating func skip(_ byte: UInt8)
}

/// Whether a frame begins at a place.
enum FrameSearch {
    /// A frame of this many bytes, and it was used.
    case whole(Int)
    /// Too few bytes to tell.
    case partial
    /// No frame.
    case none
}

extension FrameParser {
    /// Reads the frames in `bytes`, and returns how many bytes are done with. Where no frame begins, one byte is skipped,
    /// so that no good frame is lost inside what only looked like one.
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

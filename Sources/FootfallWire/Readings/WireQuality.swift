/// Counts of what a decoder found in the bytes of a stream.
public struct WireQuality: Hashable, Sendable {
    /// Bytes received.
    public var bytes = 0
    /// Valid frames, or lines of text, with or without acceleration.
    public var frames = 0
    /// Readings from these frames.
    public var readings = 0
    /// Frames with a wrong checksum, length or content.
    public var damagedFrames = 0
    /// Bytes outside all frames. One run of them at the start is normal, because a port seldom opens between two frames.
    public var skippedBytes = 0
    /// Lines of text that do not fit the layout of the stream: cut, damaged, or messages for a person.
    public var refusedLines = 0
    /// The latest refused line, at most 80 characters of it.
    public var refusedExample: String?
    /// The reason why readings are missing or doubtful, such as acceleration without gravity or in no known unit; nil when
    /// there is none.
    public var problem: String?

    /// Creates the quality of an empty stream.
    public init() {}
}

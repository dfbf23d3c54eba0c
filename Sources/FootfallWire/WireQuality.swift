/// What became of the bytes that came over a wire.
public struct WireQuality: Hashable, Sendable {
    /// Bytes taken in.
    public var bytes = 0
    /// Good frames, or lines of text, with or without acceleration.
    public var frames = 0
    /// Readings made of them.
    public var readings = 0
    /// Frames whose checksum, length or contents do not fit.
    public var damagedFrames = 0
    /// Bytes that belong to no frame. A single run of them at the start is normal: one rarely opens a port between frames.
    public var skippedBytes = 0
    /// Lines of text that look like no line of this stream: cut, damaged, or said by a person.
    public var refusedLines = 0
    /// The latest refused line, at most 80 characters of it.
    public var refusedExample: String?
    /// Why no readings come, or why they are doubtful: acceleration without gravity, or in no known unit. Nil when all is
    /// well.
    public var problem: String?

    /// Creates the quality of a stream of which nothing has come yet.
    public init() {}
}

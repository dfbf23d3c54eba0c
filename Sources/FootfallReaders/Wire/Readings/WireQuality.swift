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
    /// Bytes outside all frames. One run of them at the start is normal, because a port seldom opens between two
    /// frames.
    public var skippedBytes = 0
    /// Lines of text that do not fit the layout of the stream: cut, damaged, or messages for a person.
    public var refusedLines = 0
    /// The first two lines that could not be read, at most 80 characters of each. Lines with a digit have priority over
    /// others, such as the greeting of a device.
    public var refusedExamples: [String] = []
    /// The reason why readings are missing or doubtful, such as acceleration without gravity or in no known unit; nil
    /// when there is none.
    public var problem: ParameterText?

    /// Creates the quality of an empty stream.
    public init() {}

    private static let (mostExamples, longestExample) = (2, 80)

    mutating func addExample(_ line: String) {
        func hasDigit(_ line: String) -> Bool { line.utf8.contains(where: \.isDigit) }
        let example = String(line.replacing("\t", with: " ").printable.prefix(Self.longestExample))
        if refusedExamples.count < Self.mostExamples {
            refusedExamples.append(example)
        } else if hasDigit(example), let place = refusedExamples.firstIndex(where: { !hasDigit($0) }) {
            refusedExamples.remove(at: place)
            refusedExamples.append(example)
        }
    }
}

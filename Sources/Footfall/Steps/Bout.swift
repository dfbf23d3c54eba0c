/// Consecutive steps without a break longer than the bout gap.
public struct Bout: Hashable, Sendable {
    /// The bout gap by default, in seconds.
    public static let defaultGap = 10.0

    /// From the first step to the last one.
    public let range: Range<Timestamp>
    /// The number of steps, including the last one.
    public let steps: Int

    /// Creates a bout.
    ///
    /// - Parameters:
    ///   - range: From the first step to the last one.
    ///   - steps: The number of steps, including the last one.
    public init(range: Range<Timestamp>, steps: Int) { (self.range, self.steps) = (range, steps) }

    /// The time from the first step to the last one, in seconds.
    public var duration: Double { range.seconds }
    /// Steps per minute from the first step to the last one; nil for a single step.
    public var cadence: Double? { duration > 0 ? Double(steps - 1) / duration * 60 : nil }
}

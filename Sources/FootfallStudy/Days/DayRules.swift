public import FootfallMeasures

/// The rules of the measures of days.
public struct DayRules: Sendable {
    /// The wear of a valid day, in seconds.
    public var leastWear: Double
    /// Nil for none: no set suits all wearers and placements.
    public var cutPoints: IntensityCutPoints?
    /// The rule of bouts of moderate to vigorous activity.
    public var bouts: BoutRule
    /// The parts of the day that have measures of their own.
    public var parts: [DayPart]

    /// Creates rules.
    ///
    /// - Parameters:
    ///   - leastWear: The wear of a valid day, in seconds.
    ///   - cutPoints: The cut points of intensity; nil for none.
    ///   - bouts: The rule of bouts of moderate to vigorous activity.
    ///   - parts: The parts of the day that have measures of their own.
    public init(
        leastWear: Double = DayMeasures.leastWear, cutPoints: IntensityCutPoints? = nil, bouts: BoutRule = .whole,
        parts: [DayPart] = []
    ) {
        (self.leastWear, self.cutPoints, self.bouts, self.parts) = (leastWear, cutPoints, bouts, parts)
    }
}

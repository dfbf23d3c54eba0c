public import FootfallMeasures

/// The rules of the measures of days.
public struct DayRules: Sendable {
    /// The wear of a valid day, in seconds.
    public var leastWear: Double
    /// Nil for none: no set suits all wearers and placements.
    public var cutPoints: IntensityCutPoints?
    /// The rule of bouts of moderate to vigorous activity.
    public var bouts: BoutRule

    /// Creates rules.
    ///
    /// - Parameters:
    ///   - leastWear: The wear of a valid day, in seconds.
    ///   - cutPoints: The cut points of intensity; nil for none.
    ///   - bouts: The rule of bouts of moderate to vigorous activity.
    public init(
        leastWear: Double = DayMeasures.leastWear, cutPoints: IntensityCutPoints? = nil, bouts: BoutRule = .whole
    ) {
        (self.leastWear, self.cutPoints, self.bouts) = (leastWear, cutPoints, bouts)
    }
}

/// A band of cadence, in steps per minute.
///
/// The bands and their names are those of C. Tudor-Locke et al., Patterns of adult stepping cadence in the 2005–2006
/// NHANES, Preventive Medicine 53, 2011, pages 178–181.
public enum CadenceBand: String, CaseIterable, Hashable, Sendable {
    /// 0 steps per minute: no movement on foot.
    case zero
    /// 1–19 steps per minute: incidental movement.
    case incidental
    /// 20–39 steps per minute: sporadic movement.
    case sporadic
    /// 40–59 steps per minute: purposeful steps.
    case purposeful
    /// 60–79 steps per minute: slow walking.
    case slow
    /// 80–99 steps per minute: medium walking.
    case medium
    /// 100–119 steps per minute: brisk walking.
    case brisk
    /// 120 steps per minute or more: faster locomotion.
    case faster

    /// The cadences of the band, in steps per minute. The last band has no upper bound.
    public var cadences: ClosedRange<Int> {
        switch self {
        case .zero: 0...0
        case .incidental: 1...19
        case .sporadic: 20...39
        case .purposeful: 40...59
        case .slow: 60...79
        case .medium: 80...99
        case .brisk: 100...119
        case .faster: 120...Int.max
        }
    }
}

public import Footfall

/// The cadence measures of a time range, usually one day, from its steps.
///
/// The cadence of a minute is the number of its steps. Minutes are those of the UTC clock. A minute counts when samples
/// cover at least ``leastMinuteCoverage`` of it. Its steps are never scaled up, so a partly covered minute can only
/// lower a measure. A measure that the covered minutes cannot support is nil.
///
/// ```swift
/// let day = CadenceMeasures(steps: steps, covered: [covered], in: range)
/// print(day.peakCadence(minutes: 30) ?? .nan, "steps/min")
/// print(day.minutes(in: .brisk), "minutes of brisk walking")
/// ```
public struct CadenceMeasures: Hashable, Sendable {
    /// The seconds of a minute that samples must cover for the minute to count: 30, as in stepcount.
    public static let leastMinuteCoverage = 30.0

    /// The longest time in seconds from one step to the next while walking: 1.5.
    ///
    /// It is half the longest stride, 3 s, of F. Kluge et al., Consensus based framework for digital mobility
    /// monitoring, PLoS ONE 16(8), 2021.
    public static let longestStepInterval = 1.5

    /// The cadence of moderate intensity, in steps per minute: 100, about 3 metabolic equivalents.
    ///
    /// C. Tudor-Locke et al., Walking cadence (steps/min) and intensity in 21–40 year olds: CADENCE-adults,
    /// International Journal of Behavioral Nutrition and Physical Activity 16:8, 2019.
    public static let moderateCadence = 100

    /// The cadence of vigorous intensity, in steps per minute: 130, about 6 metabolic equivalents. The source is that
    /// of ``moderateCadence``.
    public static let vigorousCadence = 130

    /// The time range of the measures.
    public let range: Range<Timestamp>
    /// The time of each step in the range, in ascending order.
    public let stepTimes: [Timestamp]
    /// The part of the range, in seconds, that samples cover.
    public let coverage: Double
    /// The cadence of each minute that counts, in steps per minute, in ascending order.
    public let minuteCadences: [Int]
    /// The cadence of each step while walking, in steps per minute, in ascending order.
    private let stepCadences: [Double]

    /// Computes the measures of a range.
    ///
    /// - Parameters:
    ///   - steps: The times of the steps, in any order. Those outside the range do not count.
    ///   - covered: The time ranges with samples, in any order. They may overlap and reach beyond the range.
    ///   - range: The time range. For a day, it starts at midnight in the zone of the wearer.
    /// - Complexity: O(*n* log *n*) in the number of steps and of time ranges, and linear in the covered minutes.
    public init(
        steps: some Sequence<Timestamp>, covered: some Sequence<Range<Timestamp>>, in range: Range<Timestamp>
    ) {
        self.range = range
        let times = steps.filter(range.contains).sorted()
        stepTimes = times
        let parts = covered.map { $0.clamped(to: range) }.union()
        coverage = parts.reduce(0) { $0 + $1.seconds }
        let counts = times.reduce(into: [:]) { $0[$1.minute, default: 0] += 1 }
        minuteCadences = parts.secondsByMinute().filter { $0.value >= Self.leastMinuteCoverage }
            .map { counts[$0.key] ?? 0 }.sorted()
        stepCadences = zip(times, times.dropFirst()).map { $1.seconds(since: $0) }
            .filter { $0 > 0 && $0 <= Self.longestStepInterval }.map { 60 / $0 }.sorted()
    }

    /// The number of steps in the range, in minutes that count and in others.
    public var steps: Int { stepTimes.count }

    /// The mean cadence of the minutes with the highest cadence, in steps per minute. The minutes need not be adjacent.
    ///
    /// The peak 1-, 30- and 60-minute cadence of C. Tudor-Locke et al., Peak stepping cadence in free-living adults:
    /// 2005–2006 NHANES, Journal of Physical Activity and Health 9, 2012, pages 1125–1129.
    ///
    /// - Parameter minutes: The number of minutes: 1, 30 or 60 in the literature.
    /// - Returns: Nil where fewer minutes count, or where `minutes` is not positive.
    public func peakCadence(minutes: Int) -> Double? {
        guard minutes > 0, minutes <= minuteCadences.count else { return nil }
        return Double(minuteCadences.suffix(minutes).reduce(0, +)) / Double(minutes)
    }

    /// The number of minutes with a cadence in a band.
    public func minutes(in band: CadenceBand) -> Int { cadences(in: band.cadences).count }

    /// The number of steps in the minutes with a cadence in a band.
    public func steps(in band: CadenceBand) -> Int { cadences(in: band.cadences).reduce(0, +) }

    /// The number of minutes with at least a cadence, in steps per minute.
    public func minutes(atLeast cadence: Int) -> Int { cadences(in: cadence...Int.max).count }

    /// The number of steps in the minutes with at least a cadence, in steps per minute.
    public func steps(atLeast cadence: Int) -> Int { cadences(in: cadence...Int.max).reduce(0, +) }

    /// A quantile of the cadence while walking, in steps per minute.
    ///
    /// Each step has the cadence of the time since the step before: 60 s divided by it. A step counts when that time is
    /// at most ``longestStepInterval``. Between two values the quantile is interpolated linearly.
    ///
    /// - Parameter probability: 0…1; 0.5 for the median.
    /// - Returns: Nil where no two steps follow each other while walking, or for a probability outside 0…1.
    public func cadenceQuantile(_ probability: Double) -> Double? { stepCadences.sortedQuantile(probability) }

    /// The standard deviation of the cadence while walking, in steps per minute, over the steps of
    /// ``cadenceQuantile(_:)``; nil for fewer than two.
    public var cadenceDeviation: Double? { stepCadences.standardDeviation }

    /// The time by which a share of the steps of the range was made: the time of the step that completes the share.
    ///
    /// - Parameter share: More than 0, at most 1; 0.5 for half of the steps.
    /// - Returns: Nil without a step, or for a share outside its range.
    public func time(ofShare share: Double) -> Timestamp? {
        guard !stepTimes.isEmpty, share > 0, share <= 1 else { return nil }
        // 0.07 × 100 is 7.000000000000001: rounding errors must not add a step.
        let needed = Int(clamping: (share * Double(steps) - 1e-9).rounded(.up))
        return stepTimes[max(0, needed - 1)]
    }

    private func cadences(in range: ClosedRange<Int>) -> some Collection<Int> {
        minuteCadences.lazy.filter(range.contains)
    }
}

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

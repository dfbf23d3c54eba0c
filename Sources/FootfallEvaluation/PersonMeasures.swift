public import Footfall
internal import FootfallMeasures

/// The detected steps and activities of a group of recordings, by person. They need no ground truth.
///
/// Recordings of one person resemble each other, so a thousand false steps of one wearer are one error and not a
/// thousand. Intervals are therefore taken over people.
public struct PersonMeasures: Hashable, Sendable {
    /// What is detected in the recordings of one person.
    public struct Detected: Hashable, Sendable {
        /// The number of detected steps.
        public private(set) var steps: Int
        /// The time covered by samples, in seconds.
        public private(set) var seconds: Double
        /// The detected time of each activity, in seconds.
        public private(set) var activitySeconds: [Activity: Double] = [:]
        /// The part of it with medium or high confidence.
        public private(set) var confidentSeconds: [Activity: Double] = [:]

        init(_ run: AnalyzerRun) {
            steps = run.steps
            seconds = run.coverage
            for segment in run.segments {
                activitySeconds[segment.activity, default: 0] += segment.range.seconds
                guard segment.confidence >= .medium else { continue }
                confidentSeconds[segment.activity, default: 0] += segment.range.seconds
            }
        }

        mutating func merge(_ other: Detected) {
            steps += other.steps
            seconds += other.seconds
            activitySeconds.merge(other.activitySeconds, uniquingKeysWith: +)
            confidentSeconds.merge(other.confidentSeconds, uniquingKeysWith: +)
        }

        /// Steps per hour; 0 without time.
        public var stepsPerHour: Double { seconds > 0 ? Double(steps) / seconds * 3600 : 0 }
    }

    /// What is detected, by name of the person.
    public private(set) var people: [String: Detected] = [:]

    /// Adds the result of a recording of a person.
    public mutating func add(_ run: AnalyzerRun, of person: String) { merge(person, Detected(run)) }

    /// Adds the measures of other recordings.
    public mutating func merge(_ other: PersonMeasures) {
        for (person, detected) in other.people { merge(person, detected) }
    }

    private mutating func merge(_ person: String, _ detected: Detected) {
        if people[person]?.merge(detected) == nil { people[person] = detected }
    }

    /// The time covered by samples, in seconds.
    public var seconds: Double { sorted.reduce(0) { $0 + $1.value.seconds } }

    /// All detected steps.
    public var steps: Int { people.values.reduce(0) { $0 + $1.steps } }

    /// Detected steps per hour, over the time of all people; nil without time.
    public var stepsPerHour: Double? { Self.perHour(sorted.map(\.value)) }

    /// The 95 % interval of ``stepsPerHour`` over people like these, by the bootstrap; nil with fewer than two people.
    ///
    /// The random draws of people are seeded, so equal results have equal intervals. With few people the interval is
    /// too narrow.
    public var stepsPerHourInterval: ClosedRange<Double>? {
        Bootstrap.interval(over: sorted.map(\.value), of: Self.perHour)
    }

    /// The share of the time that is detected as an activity, 0…1; nil without time.
    ///
    /// - Parameters:
    ///   - activity: The activity.
    ///   - isConfident: Whether only medium and high confidence count.
    public func share(of activity: Activity, isConfident: Bool = false) -> Double? {
        let total = seconds
        guard total > 0 else { return nil }
        return sorted.reduce(0) {
            $0 + ((isConfident ? $1.value.confidentSeconds : $1.value.activitySeconds)[activity] ?? 0)
        } / total
    }

    /// The people with the most steps per hour, the worst first; those without steps are left out.
    public func worst(_ count: Int) -> [(person: String, detected: Detected)] {
        sorted.filter { $0.value.steps > 0 }.sorted { $0.value.stepsPerHour > $1.value.stepsPerHour }
            .prefix(count).map { ($0.key, $0.value) }
    }

    /// By name, so that sums and samples are the same each time.
    private var sorted: [(key: String, value: Detected)] { people.sorted { $0.key < $1.key } }

    private static func perHour(_ people: [Detected]) -> Double? {
        let seconds = people.reduce(0) { $0 + $1.seconds }
        return seconds > 0 ? people.reduce(0) { $0 + Double($1.steps) } / seconds * 3600 : nil
    }
}

/// Confidence intervals for people like those of the recordings, by the bootstrap: people are drawn with replacement.
/// Recordings of one person resemble each other, so people are drawn and not recordings. The random numbers have a
/// fixed seed, so equal results have equal intervals. With few people an interval is too narrow (B. Efron and R.
/// Tibshirani, An Introduction to the Bootstrap, 1993).
enum Bootstrap {
    /// The number of samples of people from which an interval is computed.
    static let resamplings = 1000

    /// The 2.5 % and 97.5 % quantiles of an estimate over samples of people; nil with fewer than two people.
    static func interval<Person>(
        over people: [Person], of estimate: ([Person]) -> Double?
    ) -> ClosedRange<Double>? {
        guard people.count > 1 else { return nil }
        var random = Draws()
        let estimates = (0..<resamplings).compactMap { _ in
            estimate(people.map { _ in people[Int.random(in: people.indices, using: &random)] })
        }.sorted()
        guard let low = estimates.sortedQuantile(0.025), let high = estimates.sortedQuantile(0.975) else { return nil }
        return low...high
    }

    /// The generator SplitMix64 (Steele, Lea and Flood, OOPSLA 2014).
    private struct Draws: RandomNumberGenerator {
        private var state: UInt64 = 0

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
            return mixed ^ (mixed >> 31)
        }
    }
}

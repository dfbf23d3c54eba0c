internal import Footfall
internal import FootfallMeasures

/// Detected steps compared with the ground truth: counts, times, and false steps where there are none.
public struct StepMeasures: Hashable, Sendable {
    /// A detected step matches a true one within this many seconds.
    public static let tolerance = 0.25
    /// Recordings with fewer true steps have no percentage error: one step more or less decides it.
    public static let fewestSteps = 20

    /// The number of recordings with a known number of steps.
    public private(set) var recordings = 0
    /// The counts of recordings with at least ``fewestSteps``, and their agreement.
    public private(set) var counts = CountAgreement()
    /// The steps of each minute, where they are known.
    public private(set) var minutes = CountAgreement()

    /// True steps with a detected step within ``tolerance``.
    public private(set) var matched = 0
    /// Detected steps without a true step within ``tolerance``.
    public private(set) var spurious = 0
    /// True steps without a detected step within ``tolerance``.
    public private(set) var missed = 0
    private var timeErrors: [Double] = []

    /// Steps detected in recordings without a true step.
    public private(set) var falseSteps = FalseSteps()

    /// Creates empty measures.
    public init() {}

    /// Adds a recording with a known number of steps.
    ///
    /// - Parameters:
    ///   - detected: The number of detected steps.
    ///   - truth: The number of true steps.
    ///   - seconds: The time covered by samples.
    ///   - subject: The person, for ``errorBySubject`` and intervals over people.
    ///   - recording: The recording, for a comparison with another counter.
    public mutating func add(
        detected: Int, true truth: Int, seconds: Double, subject: String, recording: String = ""
    ) {
        recordings += 1
        if truth == 0 {
            falseSteps.merge(FalseSteps(count: detected, seconds: seconds))
        } else if truth >= Self.fewestSteps {
            counts.add(true: Double(truth), counted: Double(detected), person: subject, recording: recording)
        }
    }

    /// Adds a recording with known step times, both in seconds and in order.
    ///
    /// Each true step takes the earliest detected step within ``tolerance`` that no earlier true step has taken.
    public mutating func add(detected: [Double], true truth: [Double]) {
        var next = detected.startIndex
        var found = 0
        for time in truth {
            while next < detected.endIndex, detected[next] < time - Self.tolerance { next += 1 }
            guard next < detected.endIndex, detected[next] <= time + Self.tolerance else { continue }
            timeErrors.append(detected[next] - time)
            found += 1
            next += 1
        }
        matched += found
        spurious += detected.count - found
        missed += truth.count - found
    }

    /// Adds the minutes of a recording.
    ///
    /// With step times, these are all minutes from the first to the last step of either; with counts, those of the
    /// truth.
    mutating func add(detected: MinuteCounts, true truth: MinuteCounts, areTimes: Bool, subject: String) {
        var minutes = truth.steps.keys.sorted()
        let keys = minutes + detected.steps.keys
        if areTimes, let first = keys.min(), let last = keys.max() { minutes = Array(first...last) }
        for minute in minutes {
            self.minutes.add(true: truth.steps[minute] ?? 0, counted: detected.steps[minute] ?? 0, person: subject)
        }
    }

    /// Adds the measures of other recordings.
    public mutating func merge(_ other: StepMeasures) {
        recordings += other.recordings
        counts.merge(other.counts)
        minutes.merge(other.minutes)
        matched += other.matched
        spurious += other.spurious
        missed += other.missed
        timeErrors += other.timeErrors
        falseSteps.merge(other.falseSteps)
    }

    /// The mean over recordings of the absolute percentage error of the count (MAPE), in %; nil without recordings.
    public var meanAbsolutePercentageError: Double? { counts.meanAbsolutePercentageError }

    /// The mean over subjects of each subject's MAPE, in %; nil without recordings. Each subject has the same weight.
    public var errorBySubject: Double? {
        // Sorted, so that the sum has the same last bits each time.
        Dictionary(grouping: counts.pairs, by: \.person).sorted { $0.key < $1.key }
            .compactMap { $0.value.compactMap(\.percentageError).map(abs).mean }.mean
    }

    /// True steps in recordings with at least ``fewestSteps``.
    public var trueSteps: Int { Int(clamping: counts.pairs.reduce(0) { $0 + $1.truth }) }

    /// Detected steps in recordings with at least ``fewestSteps``.
    public var detectedSteps: Int { Int(clamping: counts.pairs.reduce(0) { $0 + $1.counted }) }

    /// Detected steps divided by true steps, over all recordings; nil without true steps.
    public var bias: Double? { trueSteps > 0 ? Double(detectedSteps) / Double(trueSteps) : nil }

    /// The harmonic mean of precision and recall of single steps; nil without known step times.
    public var timeF1: Double? {
        let total = 2 * matched + spurious + missed
        return total > 0 ? 2 * Double(matched) / Double(total) : nil
    }

    /// The share of the true steps that are detected, 0…1; nil without known step times.
    public var sensitivity: Double? { Self.share(of: matched, and: missed) }

    /// The share of the detected steps that are true, 0…1; nil without detected steps beside known times.
    public var precision: Double? { Self.share(of: matched, and: spurious) }

    private static func share(of part: Int, and rest: Int) -> Double? {
        part + rest > 0 ? Double(part) / Double(part + rest) : nil
    }

    /// The mean time error of matched steps, in seconds; positive if they are detected late. Nil without matched steps.
    public var meanTimeError: Double? { timeErrors.mean }

    /// The standard deviation of the time errors of matched steps, in seconds.
    public var timeErrorDeviation: Double? { timeErrors.standardDeviation }

    /// The mean absolute time error of matched steps, in seconds.
    public var meanAbsoluteTimeError: Double? { timeErrors.map(abs).mean }

    /// The median absolute time error of matched steps, in seconds; nil without matched steps.
    public var medianTimeError: Double? { timeErrors.map(abs).upperMedian() }
}

/// Steps detected where no step was taken.
public struct FalseSteps: Hashable, Sendable {
    /// The number of detected steps.
    public private(set) var count: Int
    /// The time without a true step, in seconds covered by samples.
    public private(set) var seconds: Double

    /// Creates a count over a time in seconds.
    public init(count: Int = 0, seconds: Double = 0) {
        self.count = count
        self.seconds = seconds
    }

    /// Adds the false steps of other recordings.
    public mutating func merge(_ other: FalseSteps) {
        count += other.count
        seconds += other.seconds
    }

    /// False steps per hour; nil without time.
    public var perHour: Double? { seconds > 0 ? Double(count) / seconds * 3600 : nil }

    /// The upper end of the one-sided 95 % confidence interval of ``perHour``, as if steps were independent; nil
    /// without time.
    ///
    /// The bound of a Poisson mean by Garwood (Biometrika 28, 1936). Without a false step it is three divided by the
    /// hours.
    public var upperBoundPerHour: Double? {
        guard seconds > 0 else { return nil }
        return Distribution.poissonUpperBound(count: count, probability: 0.95).map { $0 / seconds * 3600 }
    }
}

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
    /// The recordings with at least ``fewestSteps``, in the order in which they were added.
    private var counts: [CountedRecording] = []

    /// True steps with a detected step within ``tolerance``.
    public private(set) var matched = 0
    /// Detected steps without a true step within ``tolerance``.
    public private(set) var spurious = 0
    /// True steps without a detected step within ``tolerance``.
    public private(set) var missed = 0
    private var timeErrors: [Double] = []

    /// Steps detected in recordings without a true step.
    public private(set) var falseSteps = FalseSteps()

    private struct CountedRecording: Hashable {
        let person: String
        let truth: Int
        let detected: Int

        /// The absolute error in percent of the true steps.
        var percentageError: Double { 100 * abs(Double(detected - truth)) / Double(truth) }
    }

    /// Creates empty measures.
    public init() {}

    /// Adds a recording with a known number of steps.
    ///
    /// - Parameters:
    ///   - detected: The number of detected steps.
    ///   - truth: The number of true steps.
    ///   - seconds: The time covered by samples.
    ///   - subject: The person, for ``errorBySubject`` and the interval over people.
    public mutating func add(detected: Int, true truth: Int, seconds: Double, subject: String) {
        recordings += 1
        if truth == 0 {
            falseSteps.merge(FalseSteps(count: detected, seconds: seconds))
        } else if truth >= Self.fewestSteps {
            counts.append(CountedRecording(person: subject, truth: truth, detected: detected))
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

    /// Adds the measures of other recordings.
    public mutating func merge(_ other: StepMeasures) {
        recordings += other.recordings
        counts += other.counts
        matched += other.matched
        spurious += other.spurious
        missed += other.missed
        timeErrors += other.timeErrors
        falseSteps.merge(other.falseSteps)
    }

    /// The mean over recordings of the absolute percentage error of the count (MAPE), in %; nil without recordings.
    public var meanAbsolutePercentageError: Double? { counts.map(\.percentageError).mean }

    /// The 95 % interval of ``meanAbsolutePercentageError`` over people like these, by a seeded bootstrap; nil with
    /// fewer than two people.
    public var meanAbsolutePercentageErrorInterval: ClosedRange<Double>? {
        Bootstrap.interval(over: errorsOfPeople) { $0.flatMap(\.self).mean }
    }

    /// The mean over subjects of each subject's MAPE, in %; nil without recordings. Each subject has the same weight.
    public var errorBySubject: Double? { errorsOfPeople.compactMap(\.mean).mean }

    /// The percentage errors of each person, by name: sorted, so that a sum has the same last bits each time.
    private var errorsOfPeople: [[Double]] {
        Dictionary(grouping: counts, by: \.person).sorted { $0.key < $1.key }.map { $0.value.map(\.percentageError) }
    }

    /// True steps in recordings with at least ``fewestSteps``.
    public var trueSteps: Int { counts.reduce(0) { $0 + $1.truth } }

    /// Detected steps in recordings with at least ``fewestSteps``.
    public var detectedSteps: Int { counts.reduce(0) { $0 + $1.detected } }

    /// Detected steps divided by true steps, over the recordings with at least ``fewestSteps``; nil without one.
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
        return GSL.poissonUpperBound(count: count, probability: 0.95).map { $0 / seconds * 3600 }
    }
}

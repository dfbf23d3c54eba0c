/// How a step count, and the times of the steps, compare with the truth.
struct StepMeasures {
    /// Strikes that are found within this many seconds of the truth are right.
    static let tolerance = 0.25
    /// Recordings with fewer true steps than this say nothing about a percentage.
    static let fewestSteps = 20

    private(set) var trueSteps = 0
    private(set) var countedSteps = 0
    private var percentageErrors: [Double] = []
    /// The percentage errors of each subject's recordings.
    private var errorsBySubject: [String: [Double]] = [:]

    private(set) var matched = 0
    private(set) var spurious = 0
    private(set) var missed = 0
    private var timeErrors: [Double] = []

    private(set) var stepFreeSeconds = 0.0
    private(set) var falseSteps = 0

    /// Adds a recording with a known number of steps.
    mutating func add(counted: Int, true truth: Int, seconds: Double, subject: String) {
        if truth == 0 {
            stepFreeSeconds += seconds
            falseSteps += counted
        } else if truth >= Self.fewestSteps {
            trueSteps += truth
            countedSteps += counted
            let error = 100 * abs(Double(counted - truth)) / Double(truth)
            percentageErrors.append(error)
            errorsBySubject[subject, default: []].append(error)
        }
    }

    /// Adds a recording whose step times are known, in seconds, both sorted.
    ///
    /// Each true strike takes the earliest counted one within ``tolerance`` that no earlier strike has taken.
    mutating func add(counted: [Double], true truth: [Double]) {
        var next = counted.startIndex
        var found = 0
        for time in truth {
            while next < counted.endIndex, counted[next] < time - Self.tolerance { next += 1 }
            guard next < counted.endIndex, counted[next] <= time + Self.tolerance else { continue }
            timeErrors.append(counted[next] - time)
            found += 1
            next += 1
        }
        matched += found
        spurious += counted.count - found
        missed += truth.count - found
    }

    /// Adds all that another measure counted.
    mutating func merge(_ other: StepMeasures) {
        trueSteps += other.trueSteps
        countedSteps += other.countedSteps
        percentageErrors += other.percentageErrors
        errorsBySubject.merge(other.errorsBySubject) { $0 + $1 }
        matched += other.matched
        spurious += other.spurious
        missed += other.missed
        timeErrors += other.timeErrors
        stepFreeSeconds += other.stepFreeSeconds
        falseSteps += other.falseSteps
    }

    /// The mean absolute percentage error of the counts, in %; nil without recordings.
    var meanAbsolutePercentageError: Double? { percentageErrors.mean }

    /// The mean over subjects of each one's mean absolute percentage error, in %: nobody counts for more who recorded more.
    var errorBySubject: Double? {
        // In a fixed order, so that the sum is always the same to the last bit.
        errorsBySubject.sorted { $0.key < $1.key }.compactMap(\.value.mean).mean
    }

    /// All counted steps as a share of all true ones.
    var bias: Double? {
        trueSteps > 0 ? Double(countedSteps) / Double(trueSteps) : nil
    }

    /// The harmonic mean of precision and recall of the strikes.
    var timeF1: Double? {
        let total = 2 * matched + spurious + missed
        return total > 0 ? 2 * Double(matched) / Double(total) : nil
    }

    /// The median distance from a true strike to its counterpart, in seconds.
    var medianTimeError: Double? {
        let sorted = timeErrors.map(abs).sorted()
        return sorted.isEmpty ? nil : sorted[sorted.count / 2]
    }

    /// Steps counted per hour of recordings without a step.
    var falseStepsPerHour: Double? {
        stepFreeSeconds > 0 ? Double(falseSteps) / stepFreeSeconds * 3600 : nil
    }
}

extension [Double] {
    /// The mean; nil when there is nothing to take it of.
    fileprivate var mean: Double? {
        isEmpty ? nil : reduce(0, +) / Double(count)
    }
}

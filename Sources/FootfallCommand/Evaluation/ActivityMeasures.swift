import Footfall

/// How activities, second by second, compare with the truth.
struct ActivityMeasures {
    /// The classes whose mean F1 is the headline figure.
    static let classes: [Activity] = [.stationary, .walking, .running, .automotive]

    /// Seconds by true activity (first key) and answer (second key; nil where there was no answer).
    private(set) var confusion: [Activity: [Activity?: Int]] = [:]
    private(set) var trueSegments = 0
    private(set) var answeredSegments = 0
    private var byConfidence: [Confidence: (right: Int, all: Int)] = [:]
    /// How far, in seconds, an answered start or end is from each true one; infinite where there is none.
    private var changeErrors: [Activity: [Double]] = [:]

    /// Adds a second whose true activity is known.
    mutating func add(_ truth: Activity, answer: Segment?) {
        guard truth != .unknown else { return }
        confusion[truth, default: [:]][answer?.activity, default: 0] += 1
        // “Unknown” claims nothing, so it is neither right nor wrong.
        if let answer, answer.activity != .unknown {
            byConfidence[answer.confidence, default: (0, 0)].all += 1
            if answer.activity == truth { byConfidence[answer.confidence, default: (0, 0)].right += 1 }
        }
    }

    /// Adds the number of segments in the truth and in the answer over the same time.
    mutating func addSegments(true truth: Int, answered: Int) {
        trueSegments += truth
        answeredSegments += answered
    }

    /// Adds the moments when an activity began, or ended, and those when it was said to.
    mutating func addChanges(of activity: Activity, at truth: [Timestamp], answered: [Timestamp]) {
        for time in truth {
            let error = answered.map { abs($0.seconds(since: time)) }.min() ?? .infinity
            changeErrors[activity, default: []].append(error)
        }
    }

    /// Adds all that another measure counted.
    mutating func merge(_ other: ActivityMeasures) {
        for (truth, row) in other.confusion {
            for (answer, count) in row { confusion[truth, default: [:]][answer, default: 0] += count }
        }
        for (confidence, counts) in other.byConfidence {
            byConfidence[confidence, default: (0, 0)].right += counts.right
            byConfidence[confidence, default: (0, 0)].all += counts.all
        }
        addSegments(true: other.trueSegments, answered: other.answeredSegments)
        changeErrors.merge(other.changeErrors) { $0 + $1 }
    }

    /// Seconds whose true activity is this.
    func seconds(of activity: Activity) -> Int {
        confusion[activity]?.values.reduce(0, +) ?? 0
    }

    /// The share of all seconds that are answered right.
    var rightShare: Double? {
        let all = confusion.values.reduce(0) { $0 + $1.values.reduce(0, +) }
        let right = confusion.reduce(0) { $0 + ($1.value[$1.key] ?? 0) }
        return all > 0 ? Double(right) / Double(all) : nil
    }

    /// Whether an answer is wrong. “Unknown” and no answer claim nothing, so they are not.
    static func isWrong(_ answer: Activity?, for truth: Activity) -> Bool {
        answer != nil && answer != .unknown && answer != truth
    }

    /// The commonest wrong answer and what it was given for; nil when none is wrong.
    var commonestError: (truth: Activity, answer: Activity, seconds: Int)? {
        var worst: (truth: Activity, answer: Activity, seconds: Int)?
        for truth in Activity.allCases {
            for answer in Activity.allCases where Self.isWrong(answer, for: truth) {
                let seconds = confusion[truth]?[answer] ?? 0
                if seconds > worst?.seconds ?? 0 { worst = (truth, answer, seconds) }
            }
        }
        return worst
    }

    /// The share of an activity's seconds that are answered with it.
    func recall(_ activity: Activity) -> Double? {
        let all = seconds(of: activity)
        return all > 0 ? Double(confusion[activity]?[activity] ?? 0) / Double(all) : nil
    }

    /// The share of the seconds answered with an activity that are it.
    func precision(_ activity: Activity) -> Double? {
        let answered = confusion.values.reduce(0) { $0 + ($1[activity] ?? 0) }
        return answered > 0 ? Double(confusion[activity]?[activity] ?? 0) / Double(answered) : nil
    }

    /// The harmonic mean of precision and recall; 0 when the activity was there and never found.
    func f1(_ activity: Activity) -> Double? {
        guard let recall = recall(activity) else { return nil }
        guard let precision = precision(activity), precision + recall > 0 else { return 0 }
        return 2 * precision * recall / (precision + recall)
    }

    /// The mean F1 of those of ``classes`` that occur in the truth.
    var macroF1: Double? {
        let scores = Self.classes.compactMap(f1)
        return scores.isEmpty ? nil : scores.reduce(0, +) / Double(scores.count)
    }

    /// The share of the seconds answered with “unknown” or not at all.
    var unknownShare: Double? {
        let all = confusion.values.reduce(0) { $0 + $1.values.reduce(0, +) }
        let unknown = confusion.values.reduce(0) { $0 + ($1[.unknown] ?? 0) + ($1[nil] ?? 0) }
        return all > 0 ? Double(unknown) / Double(all) : nil
    }

    /// Answered segments per true segment.
    var fragmentation: Double? {
        trueSegments > 0 ? Double(answeredSegments) / Double(trueSegments) : nil
    }

    /// How many starts and ends an activity has in the midst of recordings.
    func changes(of activity: Activity) -> Int { changeErrors[activity]?.count ?? 0 }

    /// How far an answered start or end is from a true one, in seconds: a quantile of the distances; nil without any, or
    /// where that many were not answered at all.
    func changeError(of activity: Activity, quantile: Double = 0.5) -> Double? {
        let sorted = (changeErrors[activity] ?? []).sorted()
        guard let last = sorted.indices.last else { return nil }
        let error = sorted[Int((Double(last) * quantile).rounded())]
        return error.isFinite ? error : nil
    }

    /// The share of the seconds answered with a confidence that are right.
    func accuracy(at confidence: Confidence) -> Double? {
        byConfidence[confidence].map { Double($0.right) / Double($0.all) }
    }
}

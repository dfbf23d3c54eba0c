public import Footfall
internal import FootfallMeasures

/// Detected activities compared with labels.
public struct ActivityMeasures: Hashable, Sendable {
    /// True and detected activity of each second.
    public private(set) var confusion = ConfusionMatrix()
    /// How often each confidence is right.
    public private(set) var calibration = CalibrationMeasures()
    /// Time errors of the starts and ends of activities.
    public private(set) var boundaries = BoundaryMeasures()
    private var trueIntervals = 0
    private var detectedSegments = 0

    /// Creates empty measures.
    public init() {}

    /// Compares segments with labels at the first labeled moment of every second and at the boundaries of activities.
    ///
    /// - Parameters:
    ///   - segments: The detected segments, in order and without overlap.
    ///   - labels: The ground truth.
    public init(of segments: [Segment], against labels: ActivityLabels) {
        var index = 0
        for second in labels.seconds {
            while index < segments.count, segments[index].range.upperBound <= second.time { index += 1 }
            let isCovered = index < segments.count && segments[index].range.contains(second.time)
            add(second.activity, detected: isCovered ? segments[index] : nil)
        }
        trueIntervals = labels.intervals.count
        detectedSegments = segments.count
        for activity in Activity.allCases where activity != .unknown {
            let detected = segments.filter { $0.activity == activity }.map(\.range)
            let (starts, ends) = labels.boundaries(of: activity)
            boundaries.add(activity, true: starts, detected: detected.map(\.lowerBound))
            boundaries.add(activity, true: ends, detected: detected.map(\.upperBound))
        }
    }

    /// Adds one second: its true activity, and the detected segment if there is one.
    public mutating func add(_ truth: Activity, detected segment: Segment?) {
        confusion.add(truth, detected: segment?.activity)
        if let segment { calibration.add(truth, detected: segment) }
    }

    /// Adds the measures of other recordings.
    public mutating func merge(_ other: ActivityMeasures) {
        confusion.merge(other.confusion)
        calibration.merge(other.calibration)
        boundaries.merge(other.boundaries)
        trueIntervals += other.trueIntervals
        detectedSegments += other.detectedSegments
    }

    /// Detected segments per labeled interval; nil without labels.
    public var fragmentation: Double? { trueIntervals > 0 ? Double(detectedSegments) / Double(trueIntervals) : nil }
}

/// How often the activity is right at each confidence.
public struct CalibrationMeasures: Hashable, Sendable {
    private var correct: [Confidence: Int] = [:]
    private var total: [Confidence: Int] = [:]

    /// Adds one second. It does not count if the true or the detected activity is unknown.
    public mutating func add(_ truth: Activity, detected segment: Segment) {
        guard truth != .unknown, segment.activity != .unknown else { return }
        total[segment.confidence, default: 0] += 1
        if segment.activity == truth { correct[segment.confidence, default: 0] += 1 }
    }

    /// Adds the measures of other recordings.
    public mutating func merge(_ other: CalibrationMeasures) {
        correct.merge(other.correct, uniquingKeysWith: +)
        total.merge(other.total, uniquingKeysWith: +)
    }

    /// The share of the seconds with this confidence whose activity is right, 0…1; nil without such seconds.
    public func accuracy(at confidence: Confidence) -> Double? {
        total[confidence].map { Double(correct[confidence] ?? 0) / Double($0) }
    }
}

/// Time errors of the starts and ends of activities.
public struct BoundaryMeasures: Hashable, Sendable {
    /// Seconds from each true boundary to the nearest detected one; infinite if none was detected.
    private var errors: [Activity: [Double]] = [:]

    /// Creates empty measures.
    public init() {}

    /// Adds the true and detected starts, or ends, of an activity in one recording.
    public mutating func add(_ activity: Activity, true truth: [Timestamp], detected: [Timestamp]) {
        for time in truth {
            let error = detected.map { abs($0.seconds(since: time)) }.min() ?? .infinity
            errors[activity, default: []].append(error)
        }
    }

    /// Adds the measures of other recordings.
    public mutating func merge(_ other: BoundaryMeasures) { errors.merge(other.errors, uniquingKeysWith: +) }

    /// The number of true starts and ends of an activity.
    public func count(of activity: Activity) -> Int { errors[activity]?.count ?? 0 }

    /// A quantile, 0…1, of the distances in seconds from each true boundary to the nearest detected one; nil without a
    /// boundary, or if that share of the boundaries was not detected.
    public func error(of activity: Activity, quantile: Double = 0.5) -> Double? {
        let sorted = (errors[activity] ?? []).sorted()
        guard let last = sorted.indices.last else { return nil }
        let error = sorted[Int(clamping: (Double(last) * min(max(quantile, 0), 1)).rounded())]
        return error.isFinite ? error : nil
    }
}

/// Seconds by true and detected activity.
public struct ConfusionMatrix: Hashable, Sendable {
    /// The activities whose mean F1 is ``macroF1``.
    public static let macroActivities: [Activity] = [.stationary, .walking, .running, .automotive]

    private var rows: [Activity: [Activity?: Int]] = [:]

    /// Adds one second; `detected` is nil if no segment covers it. Seconds with an unknown true activity do not
    /// count.
    public mutating func add(_ truth: Activity, detected: Activity?) {
        if truth != .unknown { rows[truth, default: [:]][detected, default: 0] += 1 }
    }

    /// Adds another matrix.
    public mutating func merge(_ other: ConfusionMatrix) {
        rows.merge(other.rows) { $0.merging($1, uniquingKeysWith: +) }
    }

    /// Seconds with a true and a detected activity; `detected` is nil for seconds without a segment.
    public func seconds(of truth: Activity, detectedAs detected: Activity?) -> Int { rows[truth]?[detected] ?? 0 }

    /// Seconds with a true activity.
    public func seconds(of truth: Activity) -> Int { rows[truth]?.values.reduce(0, +) ?? 0 }

    /// The share of an activity's seconds that are detected as it, 0…1; nil without such seconds.
    public func recall(_ activity: Activity) -> Double? {
        ratio(seconds(of: activity, detectedAs: activity), seconds(of: activity))
    }

    /// The share of the seconds detected as an activity that are it, 0…1; nil without such seconds.
    public func precision(_ activity: Activity) -> Double? {
        ratio(seconds(of: activity, detectedAs: activity), detectedSeconds(activity))
    }

    /// The harmonic mean of precision and recall; 0 if the activity is never detected, nil if it does not occur.
    public func f1(_ activity: Activity) -> Double? {
        guard let recall = recall(activity) else { return nil }
        guard let precision = precision(activity), precision + recall > 0 else { return 0 }
        return 2 * precision * recall / (precision + recall)
    }

    /// The mean F1 of those ``macroActivities`` that occur; nil if none does.
    public var macroF1: Double? { Self.macroActivities.compactMap(f1).mean }

    /// The share of all seconds that are detected right, 0…1; nil without seconds.
    public var accuracy: Double? {
        ratio(Activity.allCases.reduce(0) { $0 + seconds(of: $1, detectedAs: $1) }, total)
    }

    /// The mean recall of the activities that occur; nil if none does.
    public var balancedAccuracy: Double? { Activity.allCases.compactMap(recall).mean }

    /// Cohen's kappa: the agreement beyond that of chance (J. Cohen, Educational and Psychological Measurement 20,
    /// 1960). Unknown and no segment are one answer, which is never right. Nil without seconds, or if chance agrees on
    /// all of them.
    public var kappa: Double? {
        guard let accuracy, total > 0 else { return nil }
        let chance =
            Activity.allCases.reduce(0.0) { sum, activity in
                sum + Double(seconds(of: activity)) * Double(detectedSeconds(activity))
            } / (Double(total) * Double(total))
        return chance < 1 ? (accuracy - chance) / (1 - chance) : nil
    }

    /// The share of an activity's seconds that are detected as `detected`, 0…1; nil without such seconds.
    public func rate(of truth: Activity, detectedAs detected: Activity?) -> Double? {
        ratio(seconds(of: truth, detectedAs: detected), seconds(of: truth))
    }

    /// The share of all seconds that are detected as unknown or not covered by a segment, 0…1; nil without seconds.
    public var unknownShare: Double? { ratio(detectedSeconds(.unknown) + detectedSeconds(nil), total) }

    /// Seconds detected as another activity. Unknown and no segment do not count as wrong.
    public var wrongSeconds: Int { confusions.reduce(0) { $0 + $1.seconds } }

    /// The most frequent wrong activity; nil if none is wrong.
    public var commonestConfusion: (truth: Activity, detected: Activity, seconds: Int)? {
        confusions.max { $0.seconds < $1.seconds }
    }

    private var confusions: [(truth: Activity, detected: Activity, seconds: Int)] {
        Activity.allCases.flatMap { truth in
            Activity.allCases.filter { $0 != .unknown && $0 != truth }
                .map { (truth, $0, seconds(of: truth, detectedAs: $0)) }
        }.filter { $0.seconds > 0 }
    }

    private var total: Int { Activity.allCases.reduce(0) { $0 + seconds(of: $1) } }

    private func detectedSeconds(_ detected: Activity?) -> Int { rows.values.reduce(0) { $0 + ($1[detected] ?? 0) } }

    private func ratio(_ part: Int, _ whole: Int) -> Double? { whole > 0 ? Double(part) / Double(whole) : nil }
}

/// Provisional activities compared with labels: what a live display shows before the events settle.
///
/// Every second is compared after each of ``delays``, or at the end of the recording if that comes first. A second
/// whose age skips a delay, because samples are missing, is not compared after it.
public struct LiveMeasures: Hashable, Sendable {
    /// Seconds from the end of a second to its comparison.
    public static let delays = [0, 5, 10, 30]

    /// True and provisional activity of each second, one matrix per delay.
    public private(set) var confusion = delays.map { _ in ConfusionMatrix() }
    /// The longest time, in seconds, from a sample to the event that settles it.
    public private(set) var longestSettlingTime = 0.0

    /// Adds the measures of other recordings.
    public mutating func merge(_ other: LiveMeasures) {
        for index in confusion.indices { confusion[index].merge(other.confusion[index]) }
        longestSettlingTime = max(longestSettlingTime, other.longestSettlingTime)
    }

    mutating func add(_ label: Activity, after age: Int64, isLast: Bool, detected: Activity?) {
        for (index, delay) in Self.delays.enumerated() where delay == age || isLast && delay > age {
            confusion[index].add(label, detected: detected)
        }
    }

    mutating func addSettlingTime(_ seconds: Double) { longestSettlingTime = max(longestSettlingTime, seconds) }
}

/// Compares the provisional and settled segments of one recording with its labels, second by second.
struct LiveComparison: Sendable {
    private(set) var measures = LiveMeasures()
    private var pending: ArraySlice<ActivityLabels.Second>
    /// Settled segments that end less than ``memory`` seconds ago.
    private var settled: [Segment] = []
    /// The end of what has settled, gaps included.
    private var settledUntil: Timestamp?
    private var latest: Timestamp?

    /// Segments settle within a minute; the longest delay adds half a minute.
    private static let memory = 120.0

    init(against labels: ActivityLabels) { pending = labels.seconds[...] }

    /// Whether a batch begins another second than the samples before it.
    func isNewSecond(_ time: Timestamp) -> Bool { latest.map { $0.second != time.second } ?? false }

    /// Adds the events that samples of one second settle.
    mutating func settle(_ events: [MotionEvent], start: Timestamp?, latest: Timestamp) {
        settled += events.segments
        // A step and a span of non-wear end within a segment.
        settledUntil = events.map(\.end).max().map { Swift.max($0, settledUntil ?? $0) } ?? settledUntil ?? start
        if let settledUntil { measures.addSettlingTime(latest.seconds(since: settledUntil)) }
        settled.removeAll { latest.seconds(since: $0.range.upperBound) > Self.memory }
        self.latest = latest
    }

    /// Compares the labels of the last seconds with the settled and the given segments.
    mutating func compare(_ events: [MotionEvent], isLast: Bool = false) {
        guard let now = latest?.second else { return }
        let segments = settled + events.segments
        let longest = Int64(LiveMeasures.delays.max() ?? 0)
        pending = pending.drop { now - $0.time.second > longest }
        for second in pending.prefix(while: { $0.time.second <= now }) {
            measures.add(
                second.activity, after: now - second.time.second, isLast: isLast,
                detected: segments.first { $0.range.contains(second.time) }?.activity)
        }
    }
}

extension [MotionEvent] {
    var segments: [Segment] { compactMap { if case .segment(let segment) = $0 { segment } else { nil } } }
}

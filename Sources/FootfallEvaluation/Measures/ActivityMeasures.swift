public import Footfall

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
    public var fragmentation: Double? {
        trueIntervals > 0 ? Double(detectedSegments) / Double(trueIntervals) : nil
    }
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

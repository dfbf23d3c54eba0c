public import Footfall
public import Foundation

/// The true activities of a recording over time.
public struct ActivityLabels: Sendable {
    /// The activity at the first labeled moment of one whole second.
    public struct Second: Hashable, Sendable {
        /// The first labeled moment.
        public let time: Timestamp
        /// The true activity.
        public let activity: Activity
    }

    /// A span with one activity.
    public struct Interval: Hashable, Sendable {
        /// From the first moment with this label to the first one without it.
        public internal(set) var range: Range<Timestamp>
        /// The true activity.
        public let activity: Activity
    }

    /// One label per second; seconds without a label are missing.
    public private(set) var seconds: [Second] = []
    /// Spans of equal labels, in order. What has no label is in none of them.
    public private(set) var intervals: [Interval] = []
    /// Whether the last of them goes on to the next label.
    private var isOpen = false

    /// The longest interval of a file, in seconds: a month. Each of its seconds is kept.
    private static let longest = 31 * 86_400.0

    /// Creates empty labels.
    public init() {}

    /// Reads the columns `time`, in seconds since 1970, and `label` of a recording. A row without a time is skipped,
    /// and the first second without a known label ends an interval.
    ///
    /// - Throws: ``EvaluationError`` when the file cannot be read or lacks a column.
    public init(recording url: URL) throws(EvaluationError) {
        let table = try TruthTable(
            contentsOf: url, columns: ["time", "label"],
            use: "Without true_steps in the manifest, and a .labels.csv or .truth.json beside it, it needs both.")
        while try table.next() {
            guard let time = table.number(0).flatMap(Timestamp.init(secondsSince1970:)) else { continue }
            if let activity = Activity(rawValue: table.text(1)) {
                append(activity, at: time)
            } else if seconds.last?.time.second != time.second {
                end(at: time)
            }
        }
    }

    /// Reads the `.truth.json` of a simulation that starts at 1970-01-01T00:00:00Z, the default.
    ///
    /// - Throws: ``EvaluationError`` when the file cannot be read or holds something else.
    public init(simulation url: URL) throws(EvaluationError) {
        struct Truth: Decodable {
            struct Segment: Decodable {
                let offset: Double
                let duration: Double
                let activity: Activity
            }

            let segments: [Segment]
        }
        let data = try EvaluationError.data(of: url)
        guard let truth = try? JSONDecoder().decode(Truth.self, from: data) else {
            throw EvaluationError(.malformed, url, "not the ground truth of a simulation")
        }
        for segment in truth.segments {
            append(segment.activity, from: segment.offset, to: segment.offset + segment.duration)
        }
    }

    /// Reads intervals: the columns `start` and `end`, in seconds since 1970, and `label`, in order of time.
    ///
    /// - Throws: ``EvaluationError`` when the file cannot be read, lacks a column or has an interval of more than 31
    ///   days.
    public init(intervals url: URL) throws(EvaluationError) {
        let table = try TruthTable(
            contentsOf: url, columns: ["start", "end", "label"],
            use: "It needs start, end and label for an activity from start to end.")
        while try table.next() {
            guard let start = table.number(0), let end = table.number(1),
                let activity = Activity(rawValue: table.text(2))
            else { continue }
            // A start or end that is no number makes no interval.
            if end - start > Self.longest {
                throw EvaluationError(.malformed, url, "an interval of more than 31 days, from \(start) to \(end)")
            }
            append(activity, from: start, to: end)
        }
    }

    /// Appends a label for each second of an interval.
    private mutating func append(_ activity: Activity, from start: Double, to end: Double) {
        var time = start
        while time < end, let moment = Timestamp(secondsSince1970: time) {
            append(activity, at: moment)
            time = time.rounded(.down) + 1
        }
        if let moment = Timestamp(secondsSince1970: end) { self.end(at: moment) }
    }

    /// Ends the last interval at a moment without a label.
    private mutating func end(at time: Timestamp) {
        if isOpen, let start = intervals.last?.range.lowerBound {
            intervals[intervals.count - 1].range = start..<max(time, start)
        }
        isOpen = false
    }

    /// Appends the label of a moment; moments come in order of time.
    public mutating func append(_ activity: Activity, at time: Timestamp) {
        if seconds.last?.time.second != time.second {
            seconds.append(Second(time: time, activity: activity))
        }
        end(at: time)
        if intervals.last?.activity != activity || intervals.last?.range.upperBound != time {
            intervals.append(Interval(range: time..<time, activity: activity))
        }
        isOpen = true
    }

    /// The moments within the recording at which an activity starts and ends, between two labels.
    ///
    /// An interval of unknown activity between two intervals of this activity, such as a turn during a walk, belongs to
    /// it.
    public func boundaries(of activity: Activity) -> (starts: [Timestamp], ends: [Timestamp]) {
        var (starts, ends): ([Timestamp], [Timestamp]) = ([], [])
        for (index, interval) in intervals.enumerated() where interval.activity == activity {
            if isChange(index), !isInterruption(index - 1, of: activity) { starts.append(interval.range.lowerBound) }
            if isChange(index + 1), !isInterruption(index + 1, of: activity) { ends.append(interval.range.upperBound) }
        }
        return (starts, ends)
    }

    /// Whether an interval follows the one before without a gap.
    private func isChange(_ index: Int) -> Bool {
        index > 0 && index < intervals.count
            && intervals[index - 1].range.upperBound == intervals[index].range.lowerBound
    }

    private func isInterruption(_ index: Int, of activity: Activity) -> Bool {
        intervals[index].activity == .unknown && index > 0 && index + 1 < intervals.count
            && intervals[index - 1].activity == activity && intervals[index + 1].activity == activity
    }
}

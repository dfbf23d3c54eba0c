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
        /// From the first moment with this label to the first one with the next label.
        public internal(set) var range: Range<Timestamp>
        /// The true activity.
        public let activity: Activity
    }

    /// One label per second; seconds without a label are missing.
    public private(set) var seconds: [Second] = []
    /// Spans of equal labels, in order and without gaps.
    public private(set) var intervals: [Interval] = []

    /// Creates empty labels.
    public init() {}

    /// Reads the columns `time`, in seconds since 1970, and `label` of a recording. Rows without either are skipped.
    ///
    /// - Throws: ``EvaluationError`` when the file cannot be read or lacks a column.
    public init(recording url: URL) throws(EvaluationError) {
        let table = try TruthTable(contentsOf: url, columns: ["time", "label"])
        guard table.has(0), table.has(1) else {
            throw Manifest.error(url, "no time and label columns, and no .truth.json beside it")
        }
        while try table.next() {
            guard let time = table.number(0).flatMap(Timestamp.init(secondsSince1970:)),
                let activity = Activity(rawValue: table.text(1))
            else { continue }
            append(activity, at: time)
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
    /// - Throws: ``EvaluationError`` when the file cannot be read or lacks a column.
    public init(intervals url: URL) throws(EvaluationError) {
        let table = try TruthTable(contentsOf: url, columns: ["start", "end", "label"])
        guard table.has(0), table.has(1), table.has(2) else {
            throw EvaluationError(.malformed, url, "no columns start, end and label, for an activity from start to end")
        }
        while try table.next() {
            guard let start = table.number(0), let end = table.number(1),
                let activity = Activity(rawValue: table.text(2))
            else { continue }
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
    }

    /// Appends the label of a moment; moments come in order of time.
    public mutating func append(_ activity: Activity, at time: Timestamp) {
        if seconds.last?.time.second != time.second {
            seconds.append(Second(time: time, activity: activity))
        }
        if let last = intervals.last {
            intervals[intervals.count - 1].range = last.range.lowerBound..<max(time, last.range.lowerBound)
        }
        if intervals.last?.activity != activity {
            intervals.append(Interval(range: time..<time, activity: activity))
        }
    }

    /// The moments within the recording at which an activity starts and ends.
    ///
    /// An interval of unknown activity between two intervals of this activity, such as a turn during a walk, belongs to
    /// it.
    public func boundaries(of activity: Activity) -> (starts: [Timestamp], ends: [Timestamp]) {
        var (starts, ends): ([Timestamp], [Timestamp]) = ([], [])
        for (index, interval) in intervals.enumerated() where interval.activity == activity {
            if index > 0, !isInterruption(index - 1, of: activity) { starts.append(interval.range.lowerBound) }
            if index + 1 < intervals.count, !isInterruption(index + 1, of: activity) {
                ends.append(interval.range.upperBound)
            }
        }
        return (starts, ends)
    }

    private func isInterruption(_ index: Int, of activity: Activity) -> Bool {
        intervals[index].activity == .unknown && index > 0 && index + 1 < intervals.count
            && intervals[index - 1].activity == activity && intervals[index + 1].activity == activity
    }
}

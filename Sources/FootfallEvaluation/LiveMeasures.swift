import Footfall

/// Provisional activities compared with labels: what a live display shows before the events settle.
///
/// Every second is compared after each of ``delays``, or at the end of the recording if that comes first.
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
    private var latest: Timestamp?

    /// Segments settle within a minute; the longest delay adds half a minute.
    private static let memory = 120.0

    init(against labels: ActivityLabels) { pending = labels.seconds[...] }

    /// Whether a batch begins another second than the samples before it.
    func isNewSecond(_ time: Timestamp) -> Bool { latest.map { $0.wholeSecond != time.wholeSecond } ?? false }

    /// Adds the events that samples of one second settle.
    mutating func settle(_ events: [MotionEvent], start: Timestamp?, latest: Timestamp) {
        settled += events.segments
        if let settledUntil = settled.last?.range.upperBound ?? start {
            measures.addSettlingTime(latest.seconds(since: settledUntil))
        }
        settled.removeAll { latest.seconds(since: $0.range.upperBound) > Self.memory }
        self.latest = latest
    }

    /// Compares the labels of the last seconds with the settled and the given segments.
    mutating func compare(_ events: [MotionEvent], isLast: Bool = false) {
        guard let now = latest?.wholeSecond else { return }
        let segments = settled + events.segments
        let longest = Int64(LiveMeasures.delays.max() ?? 0)
        pending = pending.drop { now - $0.time.wholeSecond > longest }
        for second in pending.prefix(while: { $0.time.wholeSecond <= now }) {
            measures.add(
                second.activity, after: now - second.time.wholeSecond, isLast: isLast,
                detected: segments.first { $0.range.contains(second.time) }?.activity)
        }
    }
}

extension [MotionEvent] {
    var segments: [Segment] { compactMap { if case .segment(let segment) = $0 { segment } else { nil } } }
}

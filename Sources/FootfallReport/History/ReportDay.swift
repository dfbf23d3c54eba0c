public import Footfall
public import Foundation

/// A span of time, such as an hour or a day, and what a history says about it.
public struct ReportBucket: Sendable {
    /// From when to when.
    public var range: Range<Timestamp>
    /// The clock the wearer went by.
    public var timeZone: TimeZone
    /// The number of steps.
    public var steps: Int
    /// How much of the range is covered by samples, in seconds. Without any, nothing is known: no data is not zero.
    public var coverage: Double
    /// The seconds of each activity; they add up to the coverage.
    public var durations: [Activity: Double]
    /// Steps a minute while walking; nil when nobody walked, or when it is not of interest.
    public var walkingCadence: Double?

    /// Creates a span of time and what is known of it.
    public init(
        range: Range<Timestamp>, timeZone: TimeZone, steps: Int, coverage: Double, durations: [Activity: Double],
        walkingCadence: Double? = nil
    ) {
        self.range = range
        self.timeZone = timeZone
        self.steps = steps
        self.coverage = coverage
        self.durations = durations
        self.walkingCadence = walkingCadence
    }

    /// Whether anything is known.
    var isKnown: Bool { coverage > 0 || steps > 0 }

    /// Seconds of walking and running.
    var onFoot: Double { (durations[.walking] ?? 0) + (durations[.running] ?? 0) }

    /// Its beginning, as the clock shows it.
    var start: LocalTime { LocalTime(range.lowerBound, in: timeZone) }

    /// Its last moment, as the clock shows it: a day ends on its own date.
    var last: LocalTime { LocalTime(range.upperBound.advanced(bySeconds: -1e-9), in: timeZone) }

    /// The steps in a cell of a table.
    var stepsCell: String { isKnown ? String(steps) : "no data" }
}

/// A day of a report, or the part of it that was asked about.
public struct ReportDay: Sendable {
    /// A span of one activity.
    public typealias Span = (range: Range<Timestamp>, activity: Activity)

    /// The day as a whole.
    public var total: ReportBucket
    /// What it is made of: the hours, or shorter spans where ``HistoryReport/minutesPerBar(for:)`` asks for them.
    public var bars: [ReportBucket]
    /// What was done when: in order, apart from each other. Time in none of them is not covered.
    public var spans: [Span]

    /// Creates a day.
    public init(total: ReportBucket, bars: [ReportBucket], spans: [Span]) {
        self.total = total
        self.bars = bars
        self.spans = spans
    }

    /// From midnight to midnight, whatever part of it was asked about.
    var whole: Range<Timestamp> {
        let day = total.timeZone.day(of: total.range.lowerBound)
        return min(day.lowerBound, total.range.lowerBound)..<max(day.upperBound, total.range.upperBound)
    }

    /// The hours of the day, where it is not 24 hours long.
    var unusualHours: Int? {
        let hours = Int((total.timeZone.day(of: total.range.lowerBound).seconds / 3600).rounded())
        return hours == 24 || hours == 0 ? nil : hours
    }
}

/// Consecutive steps without a break.
public struct ReportBout: Sendable {
    /// From the first step to the last one.
    public var range: Range<Timestamp>
    /// The number of steps.
    public var steps: Int
    /// Steps a minute; nil for a single step.
    public var cadence: Double?

    /// Creates a bout.
    public init(range: Range<Timestamp>, steps: Int, cadence: Double?) {
        self.range = range
        self.steps = steps
        self.cadence = cadence
    }
}

extension Sequence<Range<Timestamp>> {
    /// The parts of a range that none of these spans covers.
    ///
    /// - Precondition: The spans are in order and apart from each other.
    func gaps(in range: Range<Timestamp>) -> [Range<Timestamp>] {
        var gaps: [Range<Timestamp>] = []
        var end = range.lowerBound
        for span in self {
            if end < span.lowerBound { gaps.append(end..<Swift.min(span.lowerBound, range.upperBound)) }
            end = Swift.max(end, span.upperBound)
            if end >= range.upperBound { return gaps }
        }
        if end < range.upperBound { gaps.append(end..<range.upperBound) }
        return gaps
    }
}

public import Footfall
public import Foundation

/// A report of a range of a history: a web page that needs nothing else, and a picture of its days.
///
/// The page is one file without scripts and without a reference to anything outside of it. It follows the reader's
/// light or dark theme, can be printed, read on a small screen, gone through with a keyboard and read aloud: below each
/// picture stands a table of its numbers. The same values give the same bytes.
public struct HistoryReport: Sendable {
    /// What was asked, and of whom.
    public struct Subject: Sendable {
        /// What the history is called.
        public var history: String
        /// Whose motion it is; nil where a history is empty and nobody was named.
        public var source: String?
        /// From when to when.
        public var range: Range<Timestamp>
        /// The clock that the ends of the range are shown on.
        public var timeZone: TimeZone
        /// What there is of the source; nil when nothing is.
        public var kept: Range<Timestamp>?
        /// Whether the range begins before what the history remembers.
        public var isTruncated: Bool
        /// The version of Footfall that answered.
        public var version: String

        /// Creates a subject.
        public init(
            history: String, source: String?, range: Range<Timestamp>, timeZone: TimeZone, kept: Range<Timestamp>?,
            isTruncated: Bool, version: String
        ) {
            self.history = history
            self.source = source
            self.range = range
            self.timeZone = timeZone
            self.kept = kept
            self.isTruncated = isTruncated
            self.version = version
        }
    }

    let subject: Subject
    let total: ReportBucket
    let days: [ReportDay]
    let bouts: [ReportBout]
    let stepTimes: [Timestamp]

    /// Creates a report.
    ///
    /// - Parameters:
    ///   - subject: What was asked.
    ///   - total: What is known of the range as a whole.
    ///   - days: The days of which anything is known, in order. Others are told as what they are: without data.
    ///   - bouts: The bouts of the range, in order.
    ///   - stepTimes: The times of its steps, in order.
    public init(
        _ subject: Subject, total: ReportBucket, days: [ReportDay], bouts: [ReportBout], stepTimes: [Timestamp]
    ) {
        self.subject = subject
        self.total = total
        self.days = days
        self.bouts = bouts
        self.stepTimes = stepTimes
    }

    /// The minutes that each bar of ``ReportDay/bars`` should stand for: 60, or fewer where the days together are so
    /// short that hours would show nothing.
    ///
    /// - Parameter days: The ranges of the days.
    public static func minutesPerBar(for days: [Range<Timestamp>]) -> Int {
        DayScale.minutesPerBar(days)
    }

    /// The report as a web page: HTML that is also well-formed XML.
    public var html: String { ReportPage(self).html }

    /// The days alone, as an SVG document: steps and activities under one clock. It follows the light or dark theme of
    /// whoever looks at it, and stands on a ground of its own.
    public var svg: String { DaysFigure(self).svg }

    // MARK: What all parts of it share

    /// Everything that was done, in order.
    var spans: [ReportDay.Span] { days.flatMap(\.spans) }

    /// Time without samples within a range.
    func gaps(in range: Range<Timestamp>) -> [Range<Timestamp>] { spans.lazy.map(\.range).gaps(in: range) }

    /// The activities that occur, in the order of `Activity.allCases`.
    var activities: [Activity] { Activity.allCases.filter { total.durations[$0] != nil } }

    /// From the first to the last day of which anything is known.
    var known: Range<Timestamp>? {
        guard let first = days.first, let last = days.last else { return nil }
        return first.total.range.lowerBound..<max(first.total.range.lowerBound, last.total.range.upperBound)
    }

    /// The range in a few words: `Monday 2026-11-16`, `2026-11-16 to 2026-11-22`.
    var period: String {
        let (first, last) = (total.start, LocalTime(lastMoment, in: days.last?.total.timeZone ?? subject.timeZone))
        return first.date == last.date ? first.day : "\(first.date) to \(last.date)"
    }

    private var lastMoment: Timestamp {
        max(subject.range.lowerBound, subject.range.upperBound.advanced(bySeconds: -1e-9))
    }
}

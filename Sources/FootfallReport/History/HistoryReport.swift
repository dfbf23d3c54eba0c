internal import Footfall
public import FootfallHistory
internal import FootfallMeasures
public import Foundation

/// A report of a range of a history: a self-contained web page, and a picture of its days.
///
/// The page is one file without scripts and external references. It follows the reader's light or dark theme, fits
/// small screens and paper, and works with a keyboard and a screen reader: a table below each picture holds its
/// numbers. The same history gives the same bytes.
///
/// ```swift
/// let report = try HistoryReport(of: history, in: week, from: "wrist")
/// try Data(report.html.utf8).write(to: page)
/// ```
public struct HistoryReport: Sendable {
    let name: String
    let generator: String
    let source: String?
    let range: Range<Timestamp>
    /// From the oldest to the newest time of the source; nil in an empty history.
    let kept: Range<Timestamp>?
    let isTruncated: Bool
    let clock: WallClock
    let total: ReportBucket
    /// The days with data, in order. Those of more than a month have no details.
    let days: [ReportDay]
    let bouts: [Bout]
    let cadences: CadenceDistribution
    /// The covered time: spans in order that neither overlap nor touch.
    private let covered: [Range<Timestamp>]
    /// The marks of the range, with the steps of their parts in it.
    let marks: [MarkedSteps]
    /// The steps of a day that the wearer aims at; nil without a goal.
    let goal: Int?

    /// Creates a report of a range of a history, all of it from one state of the history.
    ///
    /// - Parameters:
    ///   - history: The history.
    ///   - range: The range.
    ///   - source: The source; nil, the default, for the only one.
    ///   - timeZone: The zone of times and days; nil, the default, for the wearer's.
    ///   - name: The name of the history on the page; nil, the default, for the file's name.
    ///   - generator: The program on the page, such as `Footfall 1.0`.
    ///   - goal: The steps of a day that the wearer aims at, more than 0; nil, the default, for none.
    /// - Throws: `HistoryError`.
    /// - Complexity: Linear in the steps and segments in the range, and O(log *n*) for each of its days. The memory is
    ///   that of a month with all details, and of the bouts and gaps of a longer range.
    public init(
        of history: MotionHistory, in range: some TimeRange, from source: String? = nil, timeZone: TimeZone? = nil,
        name: String? = nil, generator: String = "Footfall", goal: Int? = nil
    ) throws {
        self = try history.read {
            try HistoryReport(
                of: $0.source(source), in: range, timeZone: timeZone, name: name, generator: generator, goal: goal)
        }
    }

    /// Creates a report of a range of a snapshot, see ``init(of:in:from:timeZone:name:generator:goal:)``.
    ///
    /// - Throws: `HistoryError`.
    public init(
        of source: SourceSnapshot, in range: some TimeRange, timeZone: TimeZone? = nil, name: String? = nil,
        generator: String = "Footfall", goal: Int? = nil
    ) throws {
        let clock = WallClock(zone: timeZone, changes: try source.timeZones())
        let total = try source.steps(in: range)
        let ranges = try source.steps(in: range, by: .day, calendar: clock.calendar)
            .filter { $0.coverage > 0 || $0.count > 0 }.map(\.range)
        let bar = ranges.count <= Self.mostDays ? CalendarBucket.minutes(DayScale.minutesPerBar(ranges)) : nil
        var days: [ReportDay] = []
        var bouts: [Bout] = []
        var cadences = CadenceDistribution()
        var covered: [Range<Timestamp>] = []
        for day in ranges {
            // A cadence at midnight needs the steps on both sides.
            let margin = CadenceDistribution.margin
            let near = day.lowerBound.advanced(bySeconds: -margin)..<day.upperBound.advanced(bySeconds: margin)
            let times = try source.stepTimes(in: near.clamped(to: total.range))
            let summary = try source.summary(of: day)
            cadences.add(times, of: day, summary.segments)
            for time in times where day.contains(time) { bouts.add(time) }
            for segment in summary.segments { covered.join(segment.clippedRange) }
            days.append(try ReportDay(summary, times, by: bar, of: source, clock))
        }
        self.name = name ?? source.url?.lastPathComponent ?? "history"
        self.generator = generator
        self.source = source.name
        self.range = range.timestamps
        kept = try source.keptRange
        isTruncated = total.isTruncated
        self.clock = clock
        self.total = ReportBucket(days.map(\.total), in: total.range, clock)
        (self.days, self.bouts, self.cadences, self.covered) = (days, bouts, cadences, covered)
        marks = try source.markedSteps(in: range)
        self.goal = goal.flatMap { $0 > 0 ? $0 : nil }
    }

    /// The report as a web page: HTML that is also well-formed XML.
    public var html: String { ReportPage(self).html }

    /// The days as an SVG document: steps and activities on one time axis, on a background of the reader's theme.
    public var svg: String { DaysFigure(self).svg }

    // MARK: Derived values

    /// The most days with data of which each has a picture of its hours: those of a month.
    private static let mostDays = 31

    /// Whether the days have details. Longer reports have weeks or months instead.
    var hasDetails: Bool { days.count <= Self.mostDays }

    /// The mean of the days with data.
    var stepsPerDay: Int { (total.steps + days.count / 2) / max(1, days.count) }

    func gaps(in range: Range<Timestamp>) -> [Range<Timestamp>] { covered.gaps(in: range) }

    /// The activities that occur, in the order of `Activity.allCases`.
    var activities: [Activity] { Activity.allCases.filter { total.durations[$0] != nil } }

    var legend: [(name: String, fill: String)] {
        activities.map { ($0.rawValue, Palette.color(of: $0)) } + [("no data", Palette.gapFill)]
    }

    /// From the first to the last day with data.
    var known: Range<Timestamp>? {
        guard let first = days.first, let last = days.last else { return nil }
        return first.total.range.lowerBound..<max(first.total.range.lowerBound, last.total.range.upperBound)
    }

    var heading: String { source.map { "Steps and activities of \($0)" } ?? "Steps and activities" }

    /// The dates of the range: `Mon 16 November 2026`, `Mon 16 November to Sun 22 November 2026`.
    var period: String { dates(of: range) }

    func dates(of range: Range<Timestamp>) -> String {
        let first = clock.local(range.lowerBound)
        let last = clock.local(max(range.lowerBound, range.upperBound.advanced(bySeconds: -1e-9)))
        if first.date == last.date { return first.fullDay }
        let isOneYear = first.date.prefix(4) == last.date.prefix(4)
        return "\(isOneYear ? first.dayAndMonth : first.fullDay) to \(last.fullDay)"
    }
}

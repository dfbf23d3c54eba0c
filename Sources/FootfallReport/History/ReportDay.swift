internal import Footfall
internal import FootfallHistory
internal import FootfallMeasures
internal import FootfallTables
internal import Foundation

/// Totals of a span of time, such as an hour or a day.
struct ReportBucket: Sendable {
    let range: Range<Timestamp>
    /// The zone at the start of the span.
    let timeZone: TimeZone
    let steps: Int
    /// The covered time in seconds.
    let coverage: Double
    /// The seconds of each activity that occurs. They add up to the coverage.
    let durations: [Activity: Double]
    /// The seconds of non-wear, a part of those of `unknown`.
    let nonWear: Double
    /// The pace of walking; empty for bars.
    let walking: Pace

    init(
        _ count: StepCount, _ durations: [Activity: Double], nonWear: Double, _ clock: WallClock, walking: Pace = Pace()
    ) {
        range = count.range
        timeZone = clock.zone(at: count.range.lowerBound)
        (steps, coverage) = (count.count, count.coverage)
        (self.durations, self.nonWear, self.walking) = (durations, nonWear, walking)
    }

    /// The total of parts that hold all data of a range.
    init(_ parts: some Collection<ReportBucket>, in range: Range<Timestamp>, _ clock: WallClock) {
        self.range = range
        timeZone = clock.zone(at: range.lowerBound)
        steps = parts.reduce(0) { $0 + $1.steps }
        coverage = parts.reduce(0) { $0 + $1.coverage }
        durations = parts.reduce(into: [:]) { $0.merge($1.durations, uniquingKeysWith: +) }
        nonWear = parts.reduce(0) { $0 + $1.nonWear }
        walking = parts.reduce(into: Pace()) { $0.add($1.walking) }
    }

    var onFoot: Double { (durations[.walking] ?? 0) + (durations[.running] ?? 0) }

    var start: LocalTime { LocalTime(range.lowerBound, in: timeZone) }

    var covered: String { NumberText.percentage(coverage, of: range.seconds, space: "\u{A0}") }

    var stepsCell: String { coverage > 0 || steps > 0 ? NumberText.count(steps) : "no data" }
}

/// A day of a report, or the part of it in the requested range.
struct ReportDay: Sendable {
    let total: ReportBucket
    /// The hours, or shorter buckets for a short range, see ``DayScale``; empty without details.
    let bars: [ReportBucket]
    /// The segments, in order. Their clipped ranges are the covered time. Empty without details.
    let segments: [RecordedSegment]
    /// The measures of cadence, without non-wear; nil without details.
    let cadence: CadenceMeasures?
    /// The mean of the 30 minutes with the most steps; nil for a day with fewer minutes.
    let peakCadence: Double?

    /// The minutes of the peak cadence that studies report most.
    static let peakMinutes = 30

    /// Measures a day. `stepTimes` has its steps, and maybe others. The bars have the length of a bucket; nil without
    /// details.
    init(
        _ summary: MotionSummary, _ stepTimes: [Timestamp], by bucket: CalendarBucket?, of source: SourceSnapshot,
        _ clock: WallClock
    ) throws {
        total = ReportBucket(
            summary.steps, summary.durations, nonWear: summary.nonWear, clock, walking: summary.walking)
        let worn = summary.segments.filter { $0.reason != .notWorn }.map(\.clippedRange)
        let cadence = CadenceMeasures(steps: stepTimes, covered: worn, in: summary.range)
        peakCadence = cadence.peakCadence(minutes: Self.peakMinutes)
        guard let bucket else {
            (bars, segments, self.cadence) = ([], [], nil)
            return
        }
        let counts = try source.steps(in: summary.range, by: bucket, calendar: clock.calendar)
        let durations = try source.durations(in: counts.map(\.range))
        bars = zip(counts, durations).map { count, durations in
            ReportBucket(count, durations, nonWear: summary.segments.nonWear(in: count.range), clock)
        }
        (segments, self.cadence) = (summary.segments, cadence)
    }

    func minutes(in band: CadenceBand) -> Int { cadence?.minutes(in: band) ?? 0 }

    /// The whole day from midnight to midnight.
    var whole: Range<Timestamp> { total.timeZone.day(around: total.range) }

    /// The length of the day in hours, if it is not 24. A clock may change by half an hour.
    var unusualHours: Double? {
        let hours = (total.timeZone.day(of: total.range.lowerBound).seconds / 1800).rounded() / 2
        return hours == 24 || hours == 0 ? nil : hours
    }

    /// `Mon 16 November 2026: 15,206 steps, 100 % covered`
    var heading: String { "\(total.start.fullDay): \(summary)" }

    /// `15,206 steps, 100 % covered`, with the length of an unusual day.
    var summary: String {
        // A recording up to midnight ends one sample before it.
        let isWhole = whole.seconds - total.range.seconds < 60
        let part = isWhole ? "" : " of \(NumberText.unbrokenDuration(total.range.seconds))"
        let hours = unusualHours.map { ", a day of \($0.formatted(decimals: 1, atLeast: 0)) hours" } ?? ""
        return "\(NumberText.steps(total.steps)), \(total.covered)\(part) covered\(hours)"
    }
}

/// The steps of a range by cadence, in bins of five steps per minute.
struct CadenceDistribution {
    /// The width of a bin in steps per minute.
    static let binWidth = 5
    /// The least range of the axis: the cadences of walking.
    private static let usual = 80...140
    /// The ends of the axis are multiples of this.
    static let labelWidth = 20

    struct Bin {
        var cadence: Int
        var walking = 0
        var running = 0
        /// Steps outside walking and running.
        var other = 0

        var steps: Int { walking + running + other }
        /// `100 to 105`
        var name: String { "\(cadence) to \(cadence + CadenceDistribution.binWidth)" }
    }

    /// Steps farther apart than this, in seconds, do not change each other's cadence. It exceeds half the window of
    /// 6 s.
    static let margin = 4.0
    /// The greatest cadence of a bin of its own.
    private static let most = 1000

    /// The bins from 0 on. Those before and after all others may be empty.
    private(set) var bins = (0..<usual.upperBound / binWidth).map { Bin(cadence: $0 * binWidth) }
    /// The number of steps with each whole cadence.
    private var counts = Array(repeating: 0, count: most + 1)
    /// The number of steps without a cadence, because no other step is close.
    private(set) var isolated = 0

    /// Counts the steps of a day. `stepTimes` has those within ``margin`` of it, too; both lists are in order.
    mutating func add(_ stepTimes: [Timestamp], of day: Range<Timestamp>, _ segments: [RecordedSegment]) {
        let cadences = stepTimes.map { Step(time: $0) }.cadences().filter { day.contains($0.time) }
        isolated += stepTimes.count(where: day.contains) - cadences.count
        var rest = segments[...]
        for cadence in cadences {
            rest = rest.drop { $0.clippedRange.upperBound <= cadence.time }
            let segment = rest.first.flatMap { $0.clippedRange.contains(cadence.time) ? $0 : nil }
            let value = min(cadence.stepsPerMinute, Double(Self.most))
            counts[Int(clamping: value.rounded())] += 1
            let index = Int(clamping: value / Double(Self.binWidth))
            while index >= bins.count { bins.append(Bin(cadence: bins.count * Self.binWidth)) }
            switch segment?.activity {
            case .walking: bins[index].walking += 1
            case .running: bins[index].running += 1
            default: bins[index].other += 1
            }
        }
    }

    /// The upper median of the cadence, rounded; nil without cadences.
    var median: Int? {
        var rest = counts.reduce(0, +) / 2
        return counts.firstIndex { count in
            rest -= count
            return rest < 0
        }
    }

    /// The bins of the axis: those of walking, and all that have steps.
    var shown: ArraySlice<Bin> {
        let first = bins.firstIndex { $0.steps > 0 || $0.cadence >= Self.usual.lowerBound } ?? 0
        return bins[first...]
    }

    /// The cadences of the axis, from one label to another.
    var range: Range<Int> {
        let low = shown.first?.cadence ?? Self.usual.lowerBound
        let high = (shown.last?.cadence ?? Self.usual.upperBound) + Self.binWidth
        return low / Self.labelWidth * Self.labelWidth..<(high + Self.labelWidth - 1) / Self.labelWidth
            * Self.labelWidth
    }
}

/// The bouts within a range of lengths.
struct BoutClass {
    /// The range of lengths in seconds.
    let seconds: Range<Double>
    let bouts: Int
    let steps: Int
    /// The time in the bouts, in seconds.
    let time: Double

    /// The limits of the classes in seconds.
    private static let bounds: [Double] = [0, 10, 30, 60, 120, 300, 600, 1800, .infinity]

    static func classes(_ bouts: [Bout]) -> [BoutClass] {
        zip(bounds, bounds.dropFirst()).map { low, high in
            let own = bouts.filter { (low..<high).contains($0.duration) }
            return BoutClass(
                seconds: low..<high, bouts: own.count, steps: own.reduce(0) { $0 + $1.steps },
                time: own.reduce(0) { $0 + $1.duration })
        }
    }

    /// `under 10 s`, `10 s to 30 s`, `30 min and more`
    var name: String {
        let (low, high) = (Self.short(seconds.lowerBound), Self.short(seconds.upperBound))
        if seconds.lowerBound == 0 { return "under \(high)" }
        return seconds.upperBound == .infinity ? "\(low) and more" : "\(low) to \(high)"
    }

    /// `10 s`, `5 min`
    static func short(_ seconds: Double) -> String {
        seconds < 60 ? "\(Int(clamping: seconds)) s" : "\(Int(clamping: seconds / 60)) min"
    }
}

extension CadenceBand {
    /// The bands with steps, from slow to fast.
    static let moving = allCases.filter { $0 != .zero }

    /// `1–19`, `120 and more`
    var cadenceText: String { text("–", more: " and more") }

    /// The darker, the faster.
    var color: String { Palette.bands[Self.moving.firstIndex(of: self) ?? 0] }
}

/// The days with data of a week or a month of a long report.
struct ReportPeriod {
    enum Unit: String {
        case week
        case month

        /// A text that the days of a period share.
        fileprivate func key(of day: LocalTime) -> String {
            switch self {
            // 1 January 1970 was a Thursday, weeks start on Monday.
            case .week:
                String((Int64(day.secondsSince1970) + 3 * 86400).flooredQuotientAndRemainder(by: 7 * 86400).quotient)
            case .month: String(day.date.prefix(7))
            }
        }
    }

    /// The longest time, in days, that is shown in weeks: a year.
    private static let mostDaysOfWeeks = 371.0

    let unit: Unit
    /// From the first to the last day with data.
    let total: ReportBucket
    /// The starts of the first and of the last day with data, each by its own clock.
    private let (first, last): (LocalTime, LocalTime)
    let days: Int

    static func all(of report: HistoryReport) -> [ReportPeriod] {
        let unit = (report.known?.seconds ?? 0) <= mostDaysOfWeeks * 86400 ? Unit.week : .month
        var rest = report.days.map(\.total)[...]
        var periods: [ReportPeriod] = []
        while let first = rest.first {
            let days = rest.prefix { unit.key(of: $0.start) == unit.key(of: first.start) }
            let range = first.range.lowerBound..<rest[days.endIndex - 1].range.upperBound
            let total = ReportBucket(days, in: range, report.clock)
            periods.append(
                ReportPeriod(
                    unit: unit, total: total, first: first.start, last: rest[days.endIndex - 1].start, days: days.count)
            )
            rest = rest[days.endIndex...]
        }
        return periods
    }

    var stepsPerDay: Int { (total.steps + days / 2) / days }

    /// `November 2026`; of a week its first and last day with data, `16 Nov to 22 Nov`.
    var name: String {
        guard unit == .week else { return first.monthAndYear }
        return last.date == first.date ? last.shortDate : "\(first.shortDate) to \(last.shortDate)"
    }

    /// `6 days with data`
    var dayCount: String { "\(NumberText.count(days, "day")) with data" }
}

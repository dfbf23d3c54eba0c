internal import Footfall
internal import FootfallAnswers
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
    /// The seconds in which the sensor was not worn, a part of those of `unknown`.
    let nonWear: Double
    /// Steps per minute of walking; nil without walking, and for bars.
    let walkingCadence: Double?

    init(
        _ count: StepCount, _ durations: [Activity: Double], nonWear: Double, _ clock: WallClock,
        walkingCadence: Double? = nil
    ) {
        range = count.range
        timeZone = clock.zone(at: count.range.lowerBound)
        steps = count.count
        coverage = count.coverage
        self.durations = durations
        self.nonWear = nonWear
        self.walkingCadence = walkingCadence
    }

    init(_ summary: MotionSummary, _ clock: WallClock) {
        self.init(
            summary.steps, summary.durations, nonWear: summary.nonWear, clock, walkingCadence: summary.walkingCadence)
    }

    var onFoot: Double { (durations[.walking] ?? 0) + (durations[.running] ?? 0) }

    var start: LocalTime { LocalTime(range.lowerBound, in: timeZone) }

    var covered: String { NumberText.percentage(coverage, of: range.seconds, space: "\u{A0}") }

    var stepsCell: String { coverage > 0 || steps > 0 ? NumberText.count(steps) : "no data" }
}

/// A day of a report, or the part of it in the requested range.
struct ReportDay: Sendable {
    let total: ReportBucket
    /// The hours, or shorter buckets for a short range, see ``DayScale``.
    let bars: [ReportBucket]
    /// The segments, in order. Their clipped ranges are the covered time.
    let segments: [RecordedSegment]
    /// The measures of cadence. Time in which the sensor was not worn does not count.
    let cadence: CadenceMeasures

    init(_ range: Range<Timestamp>, by bucket: CalendarBucket, of source: SourceSnapshot, _ clock: WallClock) throws {
        let summary = try source.summary(of: range)
        let counts = try source.steps(in: range, by: bucket, calendar: clock.calendar)
        let durations = try source.durations(in: counts.map(\.range))
        total = ReportBucket(summary, clock)
        bars = zip(counts, durations).map { count, durations in
            ReportBucket(count, durations, nonWear: summary.segments.nonWear(in: count.range), clock)
        }
        segments = summary.segments
        let worn = segments.filter { $0.reason != .notWorn }.map(\.clippedRange)
        cadence = CadenceMeasures(steps: try source.stepTimes(in: range), covered: worn, in: range)
    }

    /// The whole day from midnight to midnight.
    var whole: Range<Timestamp> {
        let day = total.timeZone.day(of: total.range.lowerBound)
        return min(day.lowerBound, total.range.lowerBound)..<max(day.upperBound, total.range.upperBound)
    }

    /// The length of the day in hours, if it is not 24.
    var unusualHours: Int? {
        let hours = Int(clamping: (total.timeZone.day(of: total.range.lowerBound).seconds / 3600).rounded())
        return hours == 24 || hours == 0 ? nil : hours
    }

    /// `Mon 16 November 2026: 15,206 steps, 100 % covered`
    var heading: String { "\(total.start.fullDay): \(summary)" }

    /// `15,206 steps, 100 % covered`, with the length of an unusual day.
    var summary: String {
        // A recording up to midnight ends one sample before it.
        let isWhole = whole.seconds - total.range.seconds < 60
        let part = isWhole ? "" : " of \(NumberText.unbrokenDuration(total.range.seconds))"
        let hours = unusualHours.map { ", a day of \($0) hours" } ?? ""
        return "\(NumberText.steps(total.steps)), \(total.covered)\(part) covered\(hours)"
    }
}

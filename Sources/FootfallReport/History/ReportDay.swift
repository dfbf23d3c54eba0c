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

    private(set) var bins: [Bin] = []
    /// The upper median of the cadence; nil without cadences.
    private(set) var median: Int?
    /// The number of steps without a cadence, because no other step is close.
    private(set) var isolated: Int

    /// Counts the steps of segments, both in order.
    init(_ stepTimes: [Timestamp], _ segments: [RecordedSegment]) {
        let cadences = stepTimes.map { Step(time: $0) }.cadences()
        isolated = stepTimes.count - cadences.count
        guard !cadences.isEmpty else { return }
        func bin(_ cadence: Double) -> Int { Int(clamping: min(cadence, 1000) / Double(Self.binWidth)) }
        let values = cadences.map(\.stepsPerMinute).sorted()
        median = values.upperMedian().map { Int(clamping: $0.rounded()) }
        let lowest = min(bin(values[0]), Self.usual.lowerBound / Self.binWidth)
        let highest = max(bin(values[values.count - 1]), Self.usual.upperBound / Self.binWidth - 1)
        bins = (lowest...highest).map { Bin(cadence: $0 * Self.binWidth) }
        var rest = segments[...]
        for cadence in cadences {
            rest = rest.drop { $0.clippedRange.upperBound <= cadence.time }
            let segment = rest.first.flatMap { $0.clippedRange.contains(cadence.time) ? $0 : nil }
            let index = bin(cadence.stepsPerMinute) - lowest
            switch segment?.activity {
            case .walking: bins[index].walking += 1
            case .running: bins[index].running += 1
            default: bins[index].other += 1
            }
        }
    }

    /// The cadences of the axis, from one label to another.
    var range: Range<Int> {
        let low = bins.first?.cadence ?? Self.usual.lowerBound
        let high = (bins.last?.cadence ?? Self.usual.upperBound) + Self.binWidth
        return low / Self.labelWidth * Self.labelWidth..<(high + Self.labelWidth - 1) / Self.labelWidth
            * Self.labelWidth
    }
}

/// The bouts within a range of lengths.
struct BoutClass {
    /// The range of lengths in seconds.
    let seconds: Range<Double>
    private(set) var bouts = 0
    private(set) var steps = 0
    private(set) var time = 0.0

    /// The limits of the classes in seconds.
    private static let bounds: [Double] = [0, 10, 30, 60, 120, 300, 600, 1800, .infinity]

    static func classes(_ bouts: [Bout]) -> [BoutClass] {
        var classes = zip(bounds, bounds.dropFirst()).map { BoutClass(seconds: $0..<$1) }
        for bout in bouts {
            guard let index = classes.firstIndex(where: { $0.seconds.contains(bout.duration) }) else { continue }
            classes[index].bouts += 1
            classes[index].steps += bout.steps
            classes[index].time += bout.duration
        }
        return classes
    }

    private init(seconds: Range<Double>) { self.seconds = seconds }

    /// `under 10 s`, `10 s to 30 s`, `30 min and more`
    var name: String {
        if seconds.lowerBound == 0 { return "under \(Self.short(seconds.upperBound))" }
        if seconds.upperBound == .infinity { return "\(Self.short(seconds.lowerBound)) and more" }
        return "\(Self.short(seconds.lowerBound)) to \(Self.short(seconds.upperBound))"
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
    var cadenceText: String {
        self == .faster ? "\(cadences.lowerBound) and more" : "\(cadences.lowerBound)–\(cadences.upperBound)"
    }

    /// The darker, the faster.
    var color: String { Palette.bands[Self.moving.firstIndex(of: self) ?? 0] }
}

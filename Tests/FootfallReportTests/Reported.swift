import Footfall
import FootfallReport
import Foundation
import Testing

/// Values such as a history would give, made for a report.
struct Reported {
    var zone = TimeZone.gmt
    var source: String? = "wrist"
    var history = "steps.sqlite"
    var range: Range<Timestamp>
    var spans: [ReportDay.Span] = []
    var stepTimes: [Timestamp] = []

    static func time(_ month: Int, _ day: Int, _ hour: Int = 0, _ minute: Int = 0) throws -> Timestamp {
        try #require(Timestamp(year: 2026, month: month, day: day, hour: hour, minute: minute))
    }

    /// Adds something that was done for so many minutes, with steps evenly through it.
    mutating func add(_ activity: Activity, at start: Timestamp, minutes: Double, cadence: Double = 0) {
        spans.append((start..<start.advanced(bySeconds: minutes * 60), activity))
        guard cadence > 0 else { return }
        stepTimes += (0..<Int(minutes * cadence)).map { start.advanced(bySeconds: (Double($0) + 0.5) * 60 / cadence) }
    }

    /// Covers a span with rest, and a walk of half an hour at 100 steps a minute in the middle of it.
    mutating func add(day: Range<Timestamp>) {
        let start = day.lowerBound.advanced(bySeconds: day.seconds / 2 - 900)
        add(.stationary, at: day.lowerBound, minutes: start.seconds(since: day.lowerBound) / 60)
        add(.walking, at: start, minutes: 30, cadence: 100)
        add(
            .stationary, at: start.advanced(bySeconds: 1800), minutes: day.upperBound.seconds(since: start) / 60 - 30)
    }

    var report: HistoryReport {
        get throws {
            let days = try cut(range, by: .day).filter { day in spans.contains { $0.range.overlaps(day) } }
            let minutes = HistoryReport.minutesPerBar(for: days)
            return HistoryReport(
                HistoryReport.Subject(
                    history: history, source: source, range: range, timeZone: zone,
                    kept: spans.first.map { $0.range.lowerBound..<(spans.last?.range.upperBound ?? range.upperBound) },
                    isTruncated: false, version: "1.2.3"),
                total: bucket(range),
                days: try days.map { day in
                    ReportDay(
                        total: bucket(day),
                        bars: try (minutes == 60 ? cut(day, by: .hour) : pieces(day, minutes)).map(bucket),
                        spans: spans.filter { $0.range.overlaps(day) }.map { ($0.range.clamped(to: day), $0.activity) })
                },
                bouts: bouts, stepTimes: stepTimes.filter(range.contains))
        }
    }

    var page: WebPage {
        get throws { WebPage(try report.html) }
    }

    private func bucket(_ range: Range<Timestamp>) -> ReportBucket {
        var durations: [Activity: Double] = [:]
        for span in spans where span.range.overlaps(range) {
            durations[span.activity, default: 0] += span.range.clamped(to: range).seconds
        }
        let steps =
            stepTimes.partitioningIndex { $0 >= range.upperBound }
            - stepTimes.partitioningIndex { $0 >= range.lowerBound }
        return ReportBucket(
            range: range, timeZone: zone, steps: steps, coverage: durations.values.reduce(0, +), durations: durations,
            walkingCadence: durations[.walking].map { Double(steps) / $0 * 60 })
    }

    private var bouts: [ReportBout] {
        var bouts: [ReportBout] = []
        for time in stepTimes where range.contains(time) {
            if let last = bouts.last, time.seconds(since: last.range.upperBound) <= 10 {
                bouts[bouts.count - 1] = ReportBout(
                    range: last.range.lowerBound..<time, steps: last.steps + 1, cadence: 100)
            } else {
                bouts.append(ReportBout(range: time..<time, steps: 1, cadence: nil))
            }
        }
        return bouts
    }

    /// Cuts a range at each full hour or midnight of the zone.
    private func cut(_ range: Range<Timestamp>, by unit: Calendar.Component) throws -> [Range<Timestamp>] {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        var parts: [Range<Timestamp>] = []
        var start = range.lowerBound
        while start < range.upperBound {
            let date = Date(timeIntervalSince1970: start.seconds(since: .epoch))
            let bucket = try #require(calendar.dateInterval(of: unit, for: date))
            let next = try #require(Timestamp(secondsSince1970: bucket.end.timeIntervalSince1970))
            let end = min(range.upperBound, next)
            parts.append(start..<end)
            start = end
        }
        return parts
    }

    private func pieces(_ range: Range<Timestamp>, _ minutes: Int) -> [Range<Timestamp>] {
        stride(from: 0, to: range.seconds, by: Double(minutes * 60)).map { offset in
            range.lowerBound.advanced(
                bySeconds: offset)..<min(
                    range.upperBound, range.lowerBound.advanced(bySeconds: offset + Double(minutes * 60)))
        }
    }
}

extension [Timestamp] {
    /// The first place from which on a condition holds.
    fileprivate func partitioningIndex(_ holds: (Timestamp) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if holds(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}

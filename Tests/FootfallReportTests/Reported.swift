import Footfall
import FootfallHistory
import FootfallReport
import Foundation
import Testing

/// A history of activities with steps, and the report of a range of it.
struct Reported {
    var zone = TimeZone.gmt
    var source = "wrist"
    var name = "steps.sqlite"
    var goal: Int?
    var retention = Retention.forever
    var range: Range<Timestamp>
    var spans: [(range: Range<Timestamp>, activity: Activity)] = []
    var stepTimes: [Timestamp] = []
    var marks: [(text: String, range: Range<Timestamp>)] = []

    static func time(_ month: Int, _ day: Int, _ hour: Int = 0, _ minute: Int = 0) throws -> Timestamp {
        try #require(Timestamp(year: 2026, month: month, day: day, hour: hour, minute: minute))
    }

    /// Adds minutes of an activity with evenly spaced steps.
    mutating func add(_ activity: Activity, at start: Timestamp, minutes: Double, cadence: Double = 0) {
        spans.append((start..<start.advanced(bySeconds: minutes * 60), activity))
        guard cadence > 0 else { return }
        stepTimes += (0..<Int(minutes * cadence)).map { start.advanced(bySeconds: (Double($0) + 0.5) * 60 / cadence) }
    }

    /// Covers a range with rest, and its middle with a walk of half an hour at 100 steps per minute.
    mutating func add(day: Range<Timestamp>) {
        let start = day.lowerBound.advanced(bySeconds: day.seconds / 2 - 900)
        add(.stationary, at: day.lowerBound, minutes: start.seconds(since: day.lowerBound) / 60)
        add(.walking, at: start, minutes: 30, cadence: 100)
        add(
            .stationary, at: start.advanced(bySeconds: 1800), minutes: day.upperBound.seconds(since: start) / 60 - 30)
    }

    var report: HistoryReport {
        get throws {
            let history = try MotionHistory.inMemory(retention: retention, acceptsFuture: true)
            if !spans.isEmpty { try history.record(events, from: source, timeZone: zone) }
            for mark in marks { try history.mark(mark.text, in: mark.range) }
            return try HistoryReport(
                of: history, in: range, from: spans.isEmpty ? nil : source, name: name, generator: "Footfall 1.2.3",
                goal: goal)
        }
    }

    var page: WebPage {
        get throws { WebPage(try report.html) }
    }

    /// Each segment after its steps.
    private var events: [MotionEvent] {
        var steps = stepTimes[...]
        return spans.flatMap { range, activity -> [MotionEvent] in
            let own = steps.prefix { $0 < range.upperBound }
            steps = steps.dropFirst(own.count)
            let segment = Segment(range: range, flags: activity.flags, probability: 0.9, steps: own.count)
            return own.map { .step(Step(time: $0)) } + [.segment(segment)]
        }
    }
}

extension Activity {
    fileprivate var flags: ActivityFlags {
        switch self {
        case .stationary: .stationary
        case .walking: .walking
        case .running: .running
        case .automotive: .automotive
        case .cycling: .cycling
        case .unknown: .unknown
        }
    }
}

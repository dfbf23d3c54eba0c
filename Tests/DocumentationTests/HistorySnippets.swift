import Footfall
import FootfallHistory
import FootfallReaders
import FootfallReport
import FootfallSimulator
import Foundation
import TestSupport
import Testing

@Suite("Snippets of the history")
struct HistorySnippets: Snippets {
    let printed = Printed()

    /// A walk of five minutes that ends now, as events.
    private func walk() throws -> [MotionEvent] {
        let start = Timestamp(Date.now).advanced(bySeconds: -300)
        return try Simulation(.walk, seed: 3, sensor: SensorModel(sampleRate: 25, start: start)).events
    }

    /// The hour around the walk.
    private var hour: DateInterval { DateInterval(start: .now - 3_000, duration: 3_600) }

    @Test("a history records events and counts steps")
    func recording() throws {
        let folder = try Folder()
        let (file, events, today) = (folder.url.appending(path: "steps.sqlite"), try walk(), hour)
        let history = try MotionHistory(at: file)
        try history.record(events, from: "wrist")

        let steps = try history.steps(in: today, from: "wrist")
        print(steps.count, steps.coverage, steps.isTruncated)
        #expect((530...560).contains(steps.count))
    }

    @Test("the example in the comment of MotionHistory")
    func commented() throws {
        let folder = try Folder()
        let (url, today) = (folder.url.appending(path: "steps.sqlite"), hour)
        let start = Timestamp(Date.now).advanced(bySeconds: -300)
        let batches = try Simulation(.walk, seed: 3, sensor: SensorModel(sampleRate: 25, start: start))
        let history = try MotionHistory(at: url)
        var analyzer = MotionAnalyzer()
        for batch in batches {
            try history.record(analyzer.analyze(batch), from: "wrist")
        }
        try history.record(analyzer.finish(), from: "wrist")

        let steps = try history.steps(in: today, from: "wrist")
        print(steps.count, steps.coverage, steps.isTruncated)
        #expect((530...560).contains(steps.count))
    }

    @Test("a history is queried for a day")
    func asking() async throws {
        let folder = try Folder()
        let (file, day) = (folder.url.appending(path: "steps.sqlite"), hour)
        try MotionHistory(at: file).record(walk(), from: "pocket")

        let history = try MotionHistory(reading: file)
        do {
            let now = Date.now
            let today = DateInterval(start: Calendar.current.startOfDay(for: now), end: now)
            let steps = try history.steps(in: today)
            print("\(steps.count) steps, \(steps.coverage) s of it covered")
            if steps.isTruncated { print("part of the range is older than what is kept") }
        }
        for hour in try history.steps(in: day, by: .hour) {
            print(hour.interval.start, hour.count, hour.coverage)
        }
        let runs = try history.steps(in: day, where: .activity(.running))
        #expect(runs.count == 0 && runs.coverage > 295)

        let onFoot: SegmentFilter = .activity(.walking, .running) && .duration(atLeast: 60)
        for segment in try history.activities(in: day, where: onFoot) {
            print(segment.interval, segment.activity, segment.confidence, segment.steps)
        }
        let summary = try history.summary(of: day)
        for (activity, seconds) in summary.durations { print(activity, seconds) }
        print(summary.longestBout?.steps ?? 0, summary.walkingCadence ?? 0)
        print("\(try history.coverage(in: day).fraction * 100) % of it covered")
        #expect(printed.lines.contains { $0.contains("walking") && $0.contains("high") })
        #expect(printed.lines.last?.hasPrefix("8.3") == true)
    }

    @Test("the queries in the comments of the history")
    func commentedQuestions() throws {
        let history = try MotionHistory.inMemory()
        try history.record(walk(), from: "pocket")
        let (day, week) = (Range(hour), Range(hour))
        let hours = try history.steps(in: day, by: .hour)
        let durations = try history.durations(in: hours.map(\.range))
        #expect(!hours.isEmpty && durations.count == hours.count)
        let run = try history.steps(in: week, where: .activity(.running))
        #expect(run.count == 0 && run.coverage > 295)
        let walks =
            try history.activities(in: week, where: .activity(.walking, .running) && .duration(atLeast: 60))
        #expect(walks.count == 1)
    }

    @Test("marks have the steps of their time")
    func marking() throws {
        let history = try MotionHistory.inMemory()
        try history.record(walk(), from: "pocket")
        let (day, walk) = (hour, DateInterval(start: .now - 250, duration: 200))
        try history.mark("with the pram", in: walk)
        try history.mark("lap", at: .now)
        for mark in try history.marks(in: day) {
            print(mark.text, mark.interval, try history.steps(in: mark.range).count)
        }
        #expect(printed.lines.count == 2 && printed.lines.first?.hasPrefix("with the pram") == true)
    }

    @Test("queries and a report of one state of the history")
    func snapshots() throws {
        let history = try MotionHistory.inMemory()
        try history.record(walk(), from: "wrist")
        let (range, week) = (hour, hour)
        let (total, days) = try history.read { snapshot in
            let wrist = try snapshot.source("wrist")
            return (try wrist.steps(in: range), try wrist.steps(in: range, by: .day))
        }
        #expect(total.count > 500 && days.reduce(0) { $0 + $1.count } == total.count)

        let folder = try Folder()
        let page = folder.url.appending(path: "week.html")
        let report = try HistoryReport(of: history, in: week, from: "wrist")
        try Data(report.html.utf8).write(to: page)
        #expect(try folder.text("week.html").contains("Steps and activities of wrist"))
    }

    @Test("updates follow new events")
    func following() async throws {
        let history = try MotionHistory.inMemory()
        let (day, today, events) = (hour, Range(hour), try walk())
        try history.record(events, from: "pocket")
        func show(_ summary: MotionSummary) { print(summary.steps.count) }
        func show(_ walks: [Bout]) { print(walks.count) }
        let summary = try await history.answer { try $0.source("pocket").summary(of: day) }
        #expect(summary.steps.count > 500)

        let tasks = [
            Task {
                for try await steps in history.stepUpdates(in: day, from: "pocket") {
                    print(steps.count)
                }
            },
            Task {
                for try await walks in history.updates({ try $0.source("pocket").bouts(in: day) }) { show(walks) }
            },
            Task {
                for try await _ in history.revisions() { show(try history.summary(of: today)) }
            },
        ]
        #expect(try await eventually { printed.lines.count >= 3 })
        for task in tasks { task.cancel() }
    }
}

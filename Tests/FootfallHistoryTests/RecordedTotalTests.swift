import Footfall
import FootfallHistory
import Foundation
import TestSupport
import Testing

@Suite("The total of everything recorded")
struct RecordedTotalTests {
    private static let day: Int64 = 86400

    /// A minute of walking, with 120 steps, on a day.
    private static func walk(on number: Int64) -> [MotionEvent] {
        Recordings.walk(number * day..<number * day + 60)
    }

    @Test("grows with each step, and does not fall when steps are removed or the history is opened again")
    func growth() throws {
        let folder = try Folder()
        func open(_ retention: Retention? = nil) throws -> MotionHistory {
            try MotionHistory(at: folder.history, retention: retention)
        }
        func expect(_ history: MotionHistory, steps: Int, kept: Int, _ place: SourceLocation = #_sourceLocation) throws
        {
            let total = try history.recordedTotal(of: "wrist")
            #expect(total.steps == steps && total.coverage == Double(steps) / 2, "\(total)", sourceLocation: place)
            #expect(try history.steps(in: Timestamp.supported).count == kept, sourceLocation: place)
        }
        var history = try open()
        for number in 1...20 {
            try history.record(Self.walk(on: Int64(number)), from: "wrist")
            // The retention keeps seven days and the newest walk.
            try expect(history, steps: 120 * number, kept: 120 * min(number, 7))
            if number % 5 == 0 {
                history.close()
                history = try open()
            }
        }
        // The same again, a part of it, less, and what is older than the retention add nothing.
        try history.record(Self.walk(on: 20), from: "wrist")
        try history.record(Self.walk(on: 18).prefix(22), from: "wrist")
        try history.record(Self.walk(on: 1), from: "wrist")
        try expect(history, steps: 2400, kept: 840)
        try history.record(Recordings.rest(19 * Self.day..<19 * Self.day + 60), from: "wrist")
        try expect(history, steps: 2400, kept: 720)
        try history.delete(in: Range.seconds(16 * Self.day..<19 * Self.day), from: "wrist")
        try expect(history, steps: 2400, kept: 360)
        // A longer walk adds what it has beyond the one before.
        try history.record(Recordings.walk(20 * Self.day - 10..<20 * Self.day + 70), from: "wrist")
        try expect(history, steps: 2440, kept: 400)
        history.close()
        history = try open(.days(1))
        try expect(history, steps: 2440, kept: 160)
        try history.copy(to: folder.url.appending(path: "copy"))
        try expect(try MotionHistory(reading: folder.url.appending(path: "copy")), steps: 2440, kept: 160)
        #expect(throws: HistoryError.self) { try history.recordedTotal(of: "ankle") }
    }

    @Test("starts again with a source that was deleted as a whole, and only then")
    func deletion() throws {
        let history = try MotionHistory.inMemory(acceptsFuture: true)
        try history.record(Self.walk(on: 1), from: "wrist")
        try history.delete(in: Range.seconds(0..<Self.day + 30), from: "wrist")
        #expect(try history.recordedTotal(of: "wrist").steps == 120)
        try history.delete(in: Timestamp.supported, from: "wrist")
        #expect(try history.sources().isEmpty)
        try history.record(Self.walk(on: 2).prefix(21), from: "wrist")
        #expect(try history.recordedTotal(of: "wrist").steps < 120)
    }

    @Test("never falls below itself or below what is kept, whatever is recorded")
    func randomRecordings() throws {
        var generator = SeededGenerator(seed: 20)
        let history = try MotionHistory.inMemory(retention: .days(1))
        var before = try history.recordedTotal()
        #expect(before.steps == 0 && before.coverage == 0)
        for _ in 0..<100 {
            let events = Recordings.random(in: 0..<200_000_000_000_000, using: &generator)
            try history.record(events, from: "wrist")
            if Int.random(in: 0..<5, using: &generator) == 0 {
                let start = Int64.random(in: 0..<200_000, using: &generator)
                try history.delete(in: Range.seconds(start..<start + 10_000))
            }
            let (total, kept) = (try history.recordedTotal(), try history.steps(in: Timestamp.supported))
            #expect(total.steps >= max(before.steps, kept.count))
            #expect(total.coverage >= max(before.coverage, kept.coverage))
            before = total
        }
    }

    @Test("of a file from before there were totals starts with what it holds")
    func earlierVersion() throws {
        let folder = try Folder()
        let stored = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Stored/version-2.history")
        let file = try folder.write("history.sqlite", Data(contentsOf: stored))
        #expect(try MotionHistory(reading: file).recordedTotal().steps == 218)
        let history = try MotionHistory(at: file)
        #expect(try history.recordedTotal().steps == 218)
        try history.record(Self.walk(on: 30), from: "wrist")
        #expect(try history.recordedTotal().steps == 338)
        #expect(try history.steps(in: Timestamp.supported).count == 120)
    }
}

import Footfall
import FootfallHistory
import Foundation
import TestSupport
import Testing

@Suite("A leap of the time")
struct LeapTests {
    private static let day: Int64 = 86400
    /// Seconds since 1970 of the wall clock in these tests, and of a wrong clock.
    private static let now: Int64 = 1_790_000_000
    private static let wrong: Int64 = 4_070_908_800
    private static let clock: @Sendable () -> Timestamp = { .second(now) }

    /// A walk on each of the seven days before now.
    private static func week() -> [MotionEvent] {
        stride(from: now - 7 * day + 3600, to: now, by: Int(day)).flatMap { Recordings.walk($0..<$0 + 3600) }
    }

    private func lines(of history: MotionHistory) throws -> [String] {
        var lines: [String] = []
        try history.exportLines { lines.append($0) }
        return lines
    }

    @Test("ahead of the wall clock is set aside and counted, and makes nothing old")
    func future() throws {
        let history = try MotionHistory.inMemory(clock: Self.clock)
        try history.record(Self.week(), from: "wrist")
        let before = try lines(of: history)
        let outcome = try history.record(Recordings.walk(Self.wrong..<Self.wrong + 10), from: "wrist")
        #expect(outcome.recorded == 0 && outcome.setAside == 22 && outcome.expired == 0)
        #expect(outcome.latestSetAside == .second(Self.wrong + 10))
        #expect(try lines(of: history) == before)
        #expect(try history.record(Recordings.walk(Self.wrong..<Self.wrong + 10), from: "ankle").setAside == 22)
        #expect(try history.sources().map(\.name) == ["wrist"], "a source of which nothing is kept")
        // A clock that is a few minutes off is normal.
        #expect(try history.record(Recordings.walk(Self.now..<Self.now + 600), from: "wrist").setAside == 0)
        #expect(try history.record(Recordings.walk(Self.now + 601..<Self.now + 620), from: "wrist").recorded == 0)
    }

    @Test("in an import is set aside as well")
    func imported() throws {
        let original = try MotionHistory.inMemory(clock: nil)
        try original.record(Recordings.walk(Self.wrong..<Self.wrong + 10), from: "wrist")
        let history = try MotionHistory.inMemory(clock: Self.clock)
        try history.record(Self.week(), from: "wrist")
        let before = try lines(of: history)
        #expect(try history.importLines(lines(of: original)).setAside == 22)
        #expect(try lines(of: history) == before)
    }

    @Test("that was accepted makes a week old; deleting it brings everything back, also what was recorded meanwhile")
    func deletion() throws {
        let folder = try Folder()
        var expected: [String] = []
        do {
            let history = try MotionHistory(at: folder.history, clock: nil)
            try history.record(Self.week(), from: "wrist", timeZone: .gmt)
            try history.record(Recordings.walk(Self.now..<Self.now + 100), from: "wrist")
            expected = try lines(of: history)
            try history.delete(in: Range.seconds(Self.now..<Self.now + 100), from: "wrist")
            try history.record(Recordings.walk(Self.wrong..<Self.wrong + 120), from: "wrist")
            #expect(try history.steps(in: Timestamp.supported).count == 240)
            #expect(try history.steps(in: Timestamp.supported).isTruncated)
        }
        // Other processes open the file meanwhile.
        for call in 0..<10 {
            let history = try MotionHistory(at: folder.history, clock: nil)
            let part = Self.now + Int64(call) * 10
            let outcome = try history.record(Recordings.walk(part..<part + 10), from: "wrist")
            #expect(outcome.expired > 0 && outcome.recorded == 0)
        }
        let history = try MotionHistory(at: folder.history, clock: nil)
        try history.delete(in: Range.seconds(Self.wrong - 100..<Self.wrong + 1000), from: "wrist")
        #expect(try lines(of: history) == expected)
        #expect(try history.steps(in: Range.seconds(Self.now - 7 * Self.day..<Self.now)).isTruncated == false)
    }

    @Test("is followed by a day in which the old rows stay in the file, and not by more")
    func bound() throws {
        for (hours, isBack) in [(Int64(23), true), (25, false)] {
            let history = try MotionHistory.inMemory(clock: nil)
            try history.record(Self.week(), from: "wrist")
            for hour in 0..<hours {
                let start = Self.wrong + hour * 3600
                try history.record(Recordings.walk(start..<start + 3600, pieces: 60), from: "wrist")
            }
            try history.delete(in: Range.seconds(Self.wrong..<Self.wrong + 30 * Self.day), from: "wrist")
            #expect(try history.sources().count == (isBack ? 1 : 0))
            #expect(try history.steps(in: Timestamp.supported).count == (isBack ? 7 * 7200 : 0))
        }
    }

    @Test("of a wearer who comes back after three weeks counts at once")
    func pause() throws {
        let history = try MotionHistory.inMemory(clock: Self.clock)
        try history.record(Recordings.walk(Self.now - 21 * Self.day..<Self.now - 21 * Self.day + 60), from: "wrist")
        #expect(try history.record(Recordings.walk(Self.now - 60..<Self.now), from: "wrist").recorded > 0)
        #expect(try history.steps(in: Timestamp.supported).count == 120)
    }

    @Test("is undone by a longer retention within a day")
    func longerRetention() throws {
        let folder = try Folder()
        do {
            let history = try MotionHistory(at: folder.history, clock: nil)
            try history.record(Self.week(), from: "wrist")
            try history.record(Recordings.walk(Self.wrong..<Self.wrong + 120), from: "wrist")
        }
        let history = try MotionHistory(at: folder.history, retention: .forever)
        #expect(try history.steps(in: Timestamp.supported).count == 7 * 7200 + 240)
    }

    @Test("of less than a minute of samples does not move the window, until they continue")
    func strayRows() throws {
        let history = try MotionHistory.inMemory(clock: nil)
        try history.record(Self.week(), from: "wrist")
        let stray = Self.now + 6 * Self.day
        func leap() throws -> RecordedLeap? { try history.read { try $0.source("wrist").leap() } }
        #expect(try leap() == nil)
        try history.record(Recordings.walk(stray..<stray + 20), from: "wrist")
        try history.record(Recordings.walk(stray + 7200..<stray + 7220), from: "wrist")
        #expect(try history.steps(in: Timestamp.supported).count == 7 * 7200 + 80)
        let found = try #require(try leap())
        #expect(found.start == .second(stray) && found.range.upperBound == .second(stray + 7220))
        #expect(found.steps > 5 * 7200)
        try history.record(Recordings.walk(stray + 7300..<stray + 7350), from: "wrist")
        #expect(try leap() == nil)
        #expect(try history.steps(in: Timestamp.supported).count < 2 * 7200)
    }
}

import Footfall
import FootfallHistory
import Foundation
import Testing

@Suite("Steps of filtered segments")
struct FilteredStepsTests {
    /// Ten minutes of walk, rest, run and walk, and a run of 90 seconds an hour later.
    private static func history() throws -> MotionHistory {
        let history = try MotionHistory.inMemory()
        let morning =
            Recordings.walk(0..<120) + Recordings.rest(120..<300) + Recordings.walk(300..<420, .running)
            + Recordings.walk(420..<600)
        try history.record(morning, from: "wrist", timeZone: .gmt)
        try history.record(Recordings.walk(4200..<4290, .running), from: "wrist")
        return history
    }

    @Test("the steps of each activity add up to all steps")
    func sum() throws {
        let history = try Self.history()
        for range in [0..<5000, 60..<360, 330..<4250, 4290..<4300] as [Range<Int64>] {
            let each = try Activity.allCases.map {
                try history.steps(in: Range.seconds(range), where: .activity($0)).count
            }
            #expect(try each.reduce(0, +) == history.steps(in: Range.seconds(range)).count)
        }
        #expect(try history.steps(in: Range.seconds(0..<5000), where: .activity(.running)).count == 420)
    }

    @Test("buckets add up to the filtered count, and the filter applies to whole segments")
    func buckets() throws {
        let history = try Self.history()
        let range = Range<Timestamp>.seconds(60..<4250)
        let long = SegmentFilter.activity(.running) && .duration(atLeast: 100)
        let minutes = try history.steps(in: range, by: .minutes(1), where: long)
        #expect(minutes.reduce(0) { $0 + $1.count } == 240)
        #expect(minutes.map(\.count).filter { $0 > 0 } == [120, 120])
        #expect(try minutes.map(\.range) == history.steps(in: range, by: .minutes(1)).map(\.range))
        #expect(try history.steps(in: range, by: .hour, where: .activity(.running)).map(\.count) == [240, 100])
    }

    @Test("no steps with coverage differ from no steps without coverage")
    func coverage() throws {
        let history = try Self.history()
        let rest = try history.steps(in: Range.seconds(120..<300), where: .activity(.running))
        #expect((rest.count, rest.coverage) == (0, 180))
        let nothing = try history.steps(in: Range.seconds(700..<800), where: .activity(.running))
        #expect((nothing.count, nothing.coverage) == (0, 0))
        #expect(
            try MotionHistory.inMemory().steps(in: Range.seconds(0..<10), by: .day, where: .all).map(\.count) == [0])
    }

    @Test("each time zone of a wearer has its start")
    func zones() throws {
        let history = try MotionHistory.inMemory()
        #expect(try history.timeZones().isEmpty)
        let zones = try ["Europe/Berlin", "America/New_York"].map { try #require(TimeZone(identifier: $0)) }
        try history.record(Recordings.walk(0..<60), from: "wrist", timeZone: zones[0])
        try history.record(Recordings.walk(7200..<7260), from: "wrist", timeZone: zones[1])
        #expect(try history.timeZones(of: "wrist").map(\.timeZone) == zones)
        #expect(try history.timeZones().map(\.since) == [Timestamp.supported.lowerBound, .second(7200)])
    }

    @Test("the revision increases with every change and only then")
    func revision() throws {
        let history = try MotionHistory.inMemory()
        let first = try history.revision
        try history.record(Recordings.walk(0..<60), from: "wrist")
        let second = try history.revision
        _ = try history.steps(in: Range.seconds(0..<60))
        #expect(try first < second && second == history.revision)
        try history.delete(in: Range.seconds(0..<10))
        #expect(try second < history.revision)
    }
}

import Footfall
import FootfallHistory
import Foundation
import TestSupport
import Testing

@Suite("Non-wear in a history")
struct NonWearTests {
    /// A walk, two hours at rest of which all but the last ten minutes are on a table, a phone in the hand, and a walk.
    private let events =
        Recordings.walk(0..<60) + Recordings.rest(60..<4000)
        + [.segment(Segment(range: .seconds(4000..<4010), flags: [], reason: .handled, probability: 0.75, steps: 0))]
        + Recordings.rest(4010..<7200)
        + [.nonWear(.seconds(70..<3800)), .nonWear(.seconds(3800..<6600))] + Recordings.walk(7200..<7260)

    private func recorded(_ events: [MotionEvent]) throws -> MotionHistory {
        let history = try MotionHistory.inMemory()
        try history.record(events, from: "wrist")
        return history
    }

    private func lines(_ history: MotionHistory) throws -> [String] {
        var lines: [String] = []
        try history.exportLines { lines.append($0) }
        return lines
    }

    @Test("is laid over the segments of an answer, and the rest of them stays")
    func overlay() throws {
        let history = try recorded(events)
        let segments = try history.activities(in: Timestamp.supported)
        #expect(segments.map(\.range) == [0..<60, 60..<70, 70..<6600, 6600..<7200, 7200..<7260].map { .seconds($0) })
        #expect(segments.map(\.reason) == [nil, nil, .notWorn, nil, nil])
        #expect(segments.map(\.activity) == [.walking, .stationary, .unknown, .stationary, .walking])
        #expect(segments.map(\.steps) == [120, 0, 0, 0, 120])
        #expect(segments.map(\.isOpen) == [false, false, false, false, true])
        let summary = try history.summary(of: Range.seconds(0..<7260))
        #expect(summary.nonWear == 6530 && summary.durations[.stationary] == 610 && summary.steps.coverage == 7260)
        let pieces = try history.pieces(in: Range.seconds(0..<7260))
        #expect(pieces.filter { $0.reason == .notWorn }.map(\.range) == [.seconds(70..<6600)])
        #expect(try history.check().problem == nil)
    }

    @Test("has its whole extent in the answer for any part of it", arguments: [100..<200, 3990..<4005, 4500..<4501])
    func parts(part: Range<Int64>) throws {
        let segment = try #require(try recorded(events).activities(in: Range.seconds(part)).first)
        #expect(segment.reason == .notWorn && segment.range == .seconds(70..<6600))
        #expect(segment.clippedRange == .seconds(part))
    }

    @Test("clips the segments beside it, also in answers for these alone")
    func neighbors() throws {
        let history = try recorded(events)
        #expect(try history.activities(in: Range.seconds(62..<65)).map(\.range) == [.seconds(60..<70)])
        #expect(try history.activities(in: Range.seconds(7000..<7100)).map(\.range) == [.seconds(6600..<7200)])
        let across = try history.activities(in: Range.seconds(65..<75))
        #expect(across.map(\.clippedRange) == [.seconds(65..<70), .seconds(70..<75)])
    }

    @Test("leaves the segments with steps as they are")
    func steps() throws {
        let history = try recorded(events + [.nonWear(.seconds(7190..<7250))])
        let last = try history.activities(in: Range.seconds(7000..<7260))
        #expect(last.map(\.range) == [6600..<7190, 7190..<7200, 7200..<7260].map { .seconds($0) })
        #expect(last.map(\.reason) == [nil, .notWorn, nil])
        #expect(last.last?.steps == 120)
    }

    @Test("does not depend on the division into calls", arguments: [1, 3, 50])
    func calls(size: Int) throws {
        let history = try MotionHistory.inMemory()
        for start in stride(from: 0, to: events.count, by: size) {
            try history.record(events[start..<min(start + size, events.count)], from: "wrist")
        }
        #expect(try lines(history) == lines(recorded(events)))
    }

    @Test("is replaced with the time that is recorded again, and deleted with it")
    func replaced() throws {
        let history = try recorded(events)
        let export = try lines(history)
        try history.record(events, from: "wrist")
        #expect(try lines(history) == export)

        try history.record(Recordings.walk(1000..<1060), from: "wrist")
        let unworn = { try history.activities(in: Timestamp.supported).filter { $0.reason == .notWorn }.map(\.range) }
        #expect(try unworn() == [.seconds(70..<1000), .seconds(1060..<6600)])
        try history.delete(in: Range.seconds(2000..<3000))
        #expect(try unworn() == [.seconds(70..<1000), .seconds(1060..<2000), .seconds(3000..<6600)])
        try history.record(Recordings.rest(2500..<3500), from: "wrist")
        #expect(try unworn() == [.seconds(70..<1000), .seconds(1060..<2000), .seconds(3500..<6600)])
        #expect(try history.check().problem == nil)
    }

    @Test("is exported, and imported again")
    func export() throws {
        let history = try recorded(events)
        let export = try lines(history)
        #expect(export.contains { $0.contains("nonWear") })
        let copy = try MotionHistory.inMemory()
        try copy.importLines(export)
        #expect(try lines(copy) == export)
        #expect(
            try copy.activities(in: Timestamp.supported) == history.activities(in: Timestamp.supported))
    }

    @Test("an export of an earlier version is imported")
    func earlierExport() throws {
        let copy = try MotionHistory.inMemory()
        try copy.importLines([
            #"{"retention":604800000000000,"version":2}"#,
            #"{"source":"wrist","zones":[{"name":"UTC","since":-9223372036854775808}]}"#,
            #"{"end":4000000000000,"flags":32,"probability":1,"reason":5,"start":0}"#, #"{"count":3}"#,
        ])
        #expect(try copy.activities(in: Timestamp.supported).map(\.reason) == [.notWorn])
    }

    @Test("ends with its retention and its source")
    func retention() throws {
        let history = try MotionHistory.inMemory(retention: Retention(seconds: 5000))
        try history.record(events, from: "wrist")
        #expect(try history.activities(in: Timestamp.supported).first?.clippedRange == .seconds(2260..<6600))
        try history.record(Recordings.rest(20_000..<20_100), from: "wrist")
        #expect(try history.activities(in: Timestamp.supported).map(\.reason) == [nil])
        #expect(try !lines(history).contains { $0.contains("nonWear") })
        #expect(try history.check().problem == nil)
        try history.delete(in: Timestamp.supported)
        #expect(try history.sources().isEmpty)
    }
}

import Footfall
import FootfallHistory
import Foundation
import TestSupport
import Testing

@Suite("The cost of an answer")
struct QueryCostTests {
    /// Two days of segments of ten seconds, walking and stationary by turns, each walk with two steps.
    private func history() throws -> MotionHistory {
        let history = try MotionHistory.inMemory()
        var events: [MotionEvent] = []
        for index in Int64(0)..<17_280 {
            let (start, isWalk) = (index * 10, index % 2 == 0)
            if isWalk { events += [.step(Step(time: .second(start + 1))), .step(Step(time: .second(start + 2)))] }
            events.append(
                .segment(
                    Segment(
                        range: .second(start)..<(.second(start + 10)), flags: isWalk ? .walking : .stationary,
                        probability: 0.9, steps: isWalk ? 2 : 0)))
        }
        try history.record(events, from: "wrist", timeZone: .gmt)
        return history
    }

    /// The estimated and the real number of rows of all, and the estimated time.
    private func rows(_ query: some HistoryQuery, _ history: MotionHistory) throws -> (Int, real: Int, Double) {
        try history.read { snapshot in
            let source = try snapshot.source()
            let range = try ResolvedRange(since: nil, until: nil, zone: nil, of: source)
            let cost = try query.cost(in: range, of: source)
            var count = 0
            try query.rows(in: range, of: source) { _ in count += 1 }
            return (cost.rows, count, cost.seconds)
        }
    }

    @Test("has the number of rows before the work, and grows with what is read")
    func estimate() throws {
        let history = try history()
        let activities = try rows(ActivitiesQuery(where: nil), history)
        #expect(activities.0 == activities.real && activities.real == 17_280)
        let minutes = try rows(StepsQuery(by: .minutes(1), where: nil), history)
        #expect(minutes.0 == minutes.real && minutes.real == 2880)
        let days = try rows(SummaryQuery(), history)
        #expect(days.0 == days.real && days.real == 2)
        // A filter has to read all segments, and only the answer shows its rows.
        let walks = try rows(ActivitiesQuery(where: .activity(.walking)), history)
        #expect(walks.0 == 0 && walks.real == 8640 && walks.2 > 0.5)
        let (total, filtered) = (StepsQuery(by: nil, where: nil), StepsQuery(by: nil, where: .activity(.walking)))
        #expect(try rows(total, history).2 < 0.001 && rows(filtered, history).2 > 0.5)
    }

    @Test("does not grow with steps that no answer reads one by one")
    func steps() throws {
        let history = try MotionHistory.inMemory()
        let steps = (Int64(0)..<100_000).map { MotionEvent.step(Step(time: .second($0))) }
        let walk = Segment(range: .second(0)..<(.second(100_000)), flags: .walking, probability: 0.9, steps: 100_000)
        try history.record(steps + [.segment(walk)], from: "wrist", timeZone: .gmt)
        #expect(try rows(SummaryQuery(), history).2 < 0.001 && rows(CoverageQuery(), history).2 < 0.001)
    }

    @Test("is not paid by an answer that is over, and the next one is whole")
    func end() throws {
        let history = try history()
        var checks = 0
        let isOver = {
            checks += 1
            return checks > 3
        }
        #expect(throws: CancellationError.self) {
            try history.read(until: isOver) { try $0.source().activities(in: Timestamp.supported) }
        }
        #expect(checks >= 4)
        #expect(try history.activities(in: Timestamp.supported).count == 17_280)
        let isNeverOver = { false }
        let count = try history.read(until: isNeverOver) { try $0.source().steps(in: Timestamp.supported).count }
        #expect(count == 17_280)
    }
}

import Footfall
import FootfallHistory
import Foundation
import TestSupport
import Testing

@Suite("Random recordings in random order")
struct RandomRecordingTests {
    private static let hour: Int64 = 3_600_000_000_000

    @Test("have the answers of the reference model", arguments: 0..<UInt64(18))
    func model(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let span = Self.hour * [-3, 20, 470_000][Int(seed % 3)]..<Self.hour * [3, 400, 470_900][Int(seed % 3)]
        let retention: Int64? = seed % 2 == 0 ? nil : Int64(span.count) / 3
        let history = try MotionHistory.inMemory(
            retention: retention.map { Retention(seconds: Double($0) / 1e9) } ?? .forever)
        var models = ["left": NaiveHistory(retention: retention), "right": NaiveHistory(retention: retention)]

        for _ in 0..<30 {
            let source = Bool.random(using: &generator) ? "left" : "right"
            let events = Recordings.random(in: span, using: &generator)
            try history.record(events, from: source)
            models[source]?.record(events)
            if Int.random(in: 0..<3, using: &generator) == 0 {
                try history.record(events, from: source)
            }
            if Int.random(in: 0..<10, using: &generator) == 0, let model = models[source], !model.isEmpty {
                let hole = Self.range(in: span, using: &generator)
                try history.delete(in: Range(hole), from: source)
                models[source]?.delete(hole)
                if models[source]?.isEmpty == true { models[source] = NaiveHistory(retention: retention) }
            }
            #expect(try history.check().problem == nil)
            for (name, model) in models where !model.isEmpty {
                // A recording into one source leaves the other as it is.
                for _ in 0..<(name == source ? 3 : 0) {
                    try compare(history, model, name, in: Self.range(in: span, using: &generator))
                }
                try compare(history, model, name, in: Timestamp.supported.bounds)
                try compareBuckets(history, model, name, in: Self.range(in: span, using: &generator))
            }
        }
        for (name, model) in models where !model.isEmpty { try comparePieces(history, model, name) }
    }

    private static func range(in span: Range<Int64>, using generator: inout SeededGenerator) -> Range<Int64> {
        let grid: Int64 = [1, 60_000_000_000, 3_600_000_000_000].randomElement(using: &generator) ?? 1
        let start = Int64.random(in: span, using: &generator).flooredToMultiple(of: grid)
        let end = Int64.random(in: span, using: &generator).flooredToMultiple(of: grid)
        return min(start, end)..<max(start, end)
    }

    private func compare(
        _ history: MotionHistory, _ model: NaiveHistory, _ source: String, in range: Range<Int64>
    ) throws {
        let answer = try history.steps(in: Range(range), from: source)
        #expect(answer.count == model.count(range))
        #expect(answer.coveredNanoseconds == model.covered(range))
        #expect(answer.isTruncated == model.isTruncated(range))
        let segments = try history.activities(in: Range(range), from: source).map {
            NaiveHistory.Answer(
                range: $0.range.bounds, clipped: $0.clippedRange.bounds, flags: $0.flags, reason: $0.reason,
                halts: $0.halts.map(\.bounds), steps: $0.steps, isOpen: $0.isOpen)
        }
        #expect(segments == model.segments(range))
        try compareBouts(history, source, in: Range(range))
        let coverage = try history.coverage(in: Range(range), from: source)
        #expect(abs(coverage.seconds - answer.coverage) < 1e-6)
        #expect(abs((coverage.covered + coverage.gaps).reduce(0) { $0 + $1.seconds } - Range(range).seconds) < 1e-3)
    }

    /// The bouts and the cadence of an answer are those of its steps.
    private func compareBouts(_ history: MotionHistory, _ source: String, in range: Range<Timestamp>) throws {
        let times = try history.stepTimes(in: range, from: source)
        let breaks = zip(times, times.dropFirst()).map { $1.seconds(since: $0) }
        let summary = try history.read { try $0.source(source).summary(of: range) }
        let bouts = try history.read { try $0.source(source).bouts(in: range) }
        #expect(bouts.reduce(0) { $0 + $1.steps } == times.count)
        #expect(bouts.count == breaks.count { $0 > Bout.defaultGap } + (times.isEmpty ? 0 : 1))
        #expect(bouts.map(\.duration).max() == summary.longestBout?.duration)
        let walks = summary.segments.filter { $0.activity == .walking }.map(\.clippedRange)
        var (intervals, seconds) = (0.0, 0.0)
        for (time, next) in zip(times, times.dropFirst()) where next.seconds(since: time) <= Bout.defaultGap {
            guard walks.contains(where: { $0.contains(time) && $0.contains(next) }) else { continue }
            (intervals, seconds) = (intervals + 1, seconds + next.seconds(since: time))
        }
        let cadence = seconds > 0 ? intervals / seconds * 60 : 0
        #expect(abs((summary.walkingCadence ?? 0) - cadence) <= 1e-6 * cadence)
    }

    /// Pieces cover all covered time. Each has the flags of the last recording of its time.
    private func comparePieces(_ history: MotionHistory, _ model: NaiveHistory, _ source: String) throws {
        let pieces = try history.pieces(in: Timestamp.supported, from: source)
        #expect(pieces.reduce(0) { $0 + Int64($1.range.bounds.count) } == model.covered(Timestamp.supported.bounds))
        for piece in pieces {
            let bounds = piece.range.bounds
            for moment in [bounds.lowerBound, bounds.upperBound - 1] {
                let known = try #require(model.piece(at: moment))
                #expect(piece.flags == known.flags && piece.reason == known.reason)
                #expect(piece.probability == known.probability)
            }
            #expect(piece.steps == model.count(bounds))
        }
    }

    /// Buckets tile their range and start at full hours of the calendar. Each has the steps of its own range.
    private func compareBuckets(
        _ history: MotionHistory, _ model: NaiveHistory, _ source: String, in range: Range<Int64>
    ) throws {
        var calendar = Calendar(identifier: .iso8601)
        calendar.timeZone = try #require(TimeZone(identifier: "America/New_York"))
        let isShort = Int64(range.count) <= 48 * Self.hour
        let buckets = try history.steps(in: Range(range), by: isShort ? .hour : .day, calendar: calendar, from: source)
        var end = range.lowerBound
        for bucket in buckets {
            let bounds = bucket.range.bounds
            #expect(bounds.lowerBound == end)
            end = bounds.upperBound
            if end < range.upperBound {
                let parts = calendar.dateComponents([.hour, .minute, .second], from: bucket.interval.end)
                #expect(parts.minute == 0 && parts.second == 0 && (isShort || parts.hour == 0))
            }
            #expect(bucket.count == model.count(bounds))
            #expect(bucket.coveredNanoseconds == model.covered(bounds))
        }
        #expect(end == range.upperBound || range.isEmpty)
    }
}

extension Int64 {
    fileprivate func flooredToMultiple(of grid: Int64) -> Int64 { self / grid * grid }
}

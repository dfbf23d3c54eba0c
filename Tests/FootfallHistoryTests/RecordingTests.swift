import Footfall
import FootfallHistory
import Foundation
import TestSupport
import Testing

@Suite("A recorded history")
struct RecordingTests {
    private func lines(of history: MotionHistory) throws -> [String] {
        var lines: [String] = []
        try history.exportLines { lines.append($0) }
        return lines
    }

    @Test("does not depend on the size of recordings or on repetitions")
    func portions() throws {
        var generator = SeededGenerator(seed: 3)
        for _ in 0..<20 {
            let events = Recordings.random(in: 0..<86_400_000_000_000, using: &generator)
            let whole = try MotionHistory.inMemory()
            try whole.record(events, from: "wrist", timeZone: .gmt)
            let pieces = try MotionHistory.inMemory()
            for _ in 0..<2 {
                for event in events { try pieces.record([event], from: "wrist", timeZone: .gmt) }
            }
            #expect(try lines(of: pieces) == lines(of: whole))
            #expect(try pieces.activities(in: Timestamp.supported) == whole.activities(in: Timestamp.supported))
        }
    }

    @Test("counts the steps that it removes, and not those that it repeats")
    func replaced() throws {
        func walk(_ steps: [Int64]) -> [MotionEvent] {
            let segment = Segment(
                range: .second(10)..<(.second(20)), flags: .walking, probability: 0.9, steps: steps.count)
            return steps.map { .step(Step(time: .second($0))) } + [.segment(segment)]
        }
        let history = try MotionHistory.inMemory()
        #expect(try history.record(walk([11, 12, 13]), from: "wrist").replaced == 0)
        #expect(try history.record(walk([11, 12, 13]), from: "wrist").replaced == 0)
        #expect(try history.record(walk([11, 14]), from: "wrist").replaced == 2)
        // Steps before their segment, in recordings of their own.
        for event in walk([15, 16]) {
            let outcome = try history.record([event], from: "wrist")
            if case .segment = event { #expect(outcome.replaced == 2) } else { #expect(outcome.replaced == 0) }
        }
        #expect(try history.record(walk([12]), from: "ankle").replaced == 0)
        #expect(try history.steps(in: Timestamp.supported, from: "wrist").count == 2)
    }

    @Test("is equal after an export and an import")
    func export() throws {
        var generator = SeededGenerator(seed: 4)
        let history = try MotionHistory.inMemory(retention: .days(1))
        for source in ["left", "right"] {
            for _ in 0..<20 {
                let events = Recordings.random(in: 0..<400_000_000_000_000, using: &generator)
                try history.record(events, from: source, timeZone: TimeZone(identifier: "Asia/Tokyo"))
            }
        }
        try history.record([.step(Step(time: .second(399_999)))], from: "left")
        let exported = try lines(of: history)
        let copy = try MotionHistory.inMemory(retention: .days(1))
        try copy.importLines(exported)
        #expect(try lines(of: copy) == exported)
        #expect(try copy.sources() == history.sources())
        for source in ["left", "right"] {
            #expect(
                try copy.activities(in: Timestamp.supported, from: source)
                    == history.activities(in: Timestamp.supported, from: source))
        }
        #expect(throws: HistoryError(.malformed(line: 3), at: nil)) {
            try copy.importLines(exported.prefix(2) + ["{\"start\":5}"])
        }
        #expect(try lines(of: copy) == exported)
    }

    @Test("is exported in parts, so that a slow reader does not make SQLite's log grow")
    func exportInParts() throws {
        let folder = try Folder()
        let history = try MotionHistory(at: folder.history)
        let events = Recordings.walk(0..<30000)
        try history.record(events, from: "wrist", timeZone: .gmt)
        let expected = try lines(of: history)
        let reader = try MotionHistory(reading: folder.history)
        var exported: [String] = []
        var largestLog = 0
        try reader.exportLines { line in
            exported.append(line)
            guard exported.count % 500 == 0 else { return }
            // Each time the same: this changes pages, but not the content.
            try history.record(events, from: "wrist")
            let log = try FileManager.default.attributesOfItem(atPath: folder.history.path + "-wal")
            largestLog = max(largestLog, (log[.size] as? Int) ?? 0)
        }
        #expect(exported == expected && exported.count > 6000)
        #expect((1..<12_000_000).contains(largestLog), "\(largestLog) bytes")
    }

    @Test("keeps another recording of the same time if it may not replace it")
    func occupied() throws {
        let history = try MotionHistory.inMemory()
        let walk = Recordings.walk(0..<60) + Recordings.rest(60..<120)
        for _ in 0..<2 { try history.record(walk, from: "wrist", replaces: false) }
        for event in walk { try history.record([event], from: "wrist", replaces: false) }
        let before = try lines(of: history)
        for other in [Recordings.walk(30..<90), Recordings.rest(60..<121, .automotive), Recordings.rest(-10..<1)] {
            #expect(throws: HistoryError(.occupied(source: "wrist"), at: nil)) {
                try history.record(other, from: "wrist", replaces: false)
            }
        }
        #expect(try lines(of: history) == before)
        try history.record(Recordings.walk(120..<180), from: "wrist", replaces: false)
        try history.record(Recordings.walk(0..<60), from: "ankle", replaces: false)
        #expect(try history.steps(in: Timestamp.supported, from: "wrist").count == 240)
    }

    @Test("replaces up to the end of its range, where the next step stays")
    func replacedEnd() throws {
        let history = try MotionHistory.inMemory()
        try history.record(Recordings.walk(0..<20), from: "wrist")
        try history.record(Recordings.walk(0..<10), from: "wrist")
        #expect(try history.steps(in: Range.seconds(0..<20)).count == 40)
        try history.record(Recordings.rest(5..<10), from: "wrist")
        #expect(try history.stepTimes(in: Range.seconds(8..<11)).first == .second(10))
        let steps = try history.steps(in: Range.seconds(0..<20))
        #expect(steps.count == 30 && steps.coverage == 20)
    }

    @Test("keeps seven days before its newest event, independent of the date")
    func retention() throws {
        let history = try MotionHistory.inMemory()
        let day: Int64 = 86400
        try history.record(Recordings.walk(0..<3600), from: "wrist")
        #expect(try history.steps(in: Range.seconds(-100..<3600)).isTruncated == false)
        try history.record(Recordings.walk(7 * day..<7 * day + 1800), from: "wrist")
        let whole = try history.steps(in: Range.seconds(0..<8 * day))
        #expect(whole.count == 7200)
        #expect(whole.isTruncated)
        #expect(try history.steps(in: Range.seconds(1800..<8 * day)).isTruncated == false)
        #expect(try history.activities(in: Timestamp.supported).first?.range == .seconds(0..<3600))
        #expect(try history.activities(in: Timestamp.supported).first?.clippedRange == .seconds(1800..<3600))
        let outcome = try history.record(Recordings.walk(0..<600), from: "wrist")
        #expect(outcome.recorded == 0)
        #expect(outcome.expired > 0)
        #expect(try history.steps(in: Range.seconds(0..<8 * day)) == whole)
    }

    @Test("keeps the truncation under a longer retention and accepts older recordings")
    func longerRetention() throws {
        let folder = try Folder()
        let day: Int64 = 86400
        do {
            let history = try MotionHistory(at: folder.history)
            try history.record(Recordings.walk(0..<3 * 3600, pieces: 60), from: "wrist")
            // Without a leap: what a leap made old would come back.
            try history.record(Recordings.rest(3 * 3600..<7 * day), from: "wrist")
            try history.record(Recordings.walk(7 * day..<7 * day + 3600), from: "wrist")
        }
        let history = try MotionHistory(at: folder.history, retention: .forever)
        #expect(try history.steps(in: Range.seconds(0..<3 * 3600)).count == 2 * 7200)
        #expect(try history.steps(in: Range.seconds(0..<3 * 3600)).coverage == 2 * 3600)
        try history.record(Recordings.walk(-600..<600), from: "wrist")
        #expect(try history.steps(in: Range.seconds(-600..<3 * 3600)).count == 2 * (7200 + 1200))
        #expect(try history.steps(in: Range.seconds(-600..<3600)).isTruncated)
        #expect(try history.retention == .forever)
    }

    @Test("of several sources needs the name of one in a query")
    func sources() throws {
        let history = try MotionHistory.inMemory()
        #expect(try history.steps(in: Timestamp.supported).count == 0)
        try history.record(Recordings.walk(0..<10), from: "wrist")
        #expect(try history.steps(in: Timestamp.supported).count == 20)
        try history.record(Recordings.walk(0..<20), from: "ankle")
        #expect(throws: HistoryError(.severalSources(["ankle", "wrist"]), at: nil)) {
            try history.steps(in: Timestamp.supported)
        }
        #expect(throws: HistoryError(.unknownSource("hip", known: ["ankle", "wrist"]), at: nil)) {
            try history.steps(in: Timestamp.supported, from: "hip")
        }
        try history.delete(in: Timestamp.supported, from: "ankle")
        #expect(try history.sources().map(\.name) == ["wrist"])
    }

    @Test("has no source whose name cannot be asked for", arguments: ["", String(repeating: "x", count: 257), "a\0b"])
    func names(name: String) throws {
        let history = try MotionHistory.inMemory()
        #expect(throws: HistoryError(.invalidSource, at: nil)) {
            try history.record(Recordings.walk(0..<10), from: name)
        }
        #expect(try history.sources().isEmpty)
    }

    @Test("can be filtered and sorted")
    func filters() throws {
        let history = try MotionHistory.inMemory()
        try history.record(
            Recordings.walk(0..<30) + Recordings.rest(30..<300) + Recordings.walk(300..<500)
                + Recordings.rest(500..<600, [.automotive, .stationary]), from: "wrist")
        let all = Timestamp.supported
        #expect(try history.activities(in: all).map(\.activity) == [.walking, .stationary, .walking, .automotive])
        #expect(
            try history.activities(in: all, where: .activity(.walking) && .duration(atLeast: 60)).map(\.range)
                == [.seconds(300..<500)])
        #expect(
            try history.activities(in: all, where: .flags(.stationary) || !.confidence(atLeast: .high), order: .reverse)
                .map(\.duration) == [100, 200, 270, 30])
        #expect(try history.activities(in: all).sorted(using: KeyPathComparator(\.duration)).first?.duration == 30)
        #expect(try history.activities(in: all).map(\.isOpen) == [false, false, false, true])
        let clipped = try history.activities(in: Range.seconds(400..<550))
        #expect(clipped.map(\.isClippedAtStart) == [true, false])
        #expect(clipped.map(\.isClippedAtEnd) == [false, true])
        #expect(clipped.map(\.steps) == [200, 0])
        #expect(try history.activity(at: .second(299))?.activity == .stationary)
    }

    @Test("has a summary of a range")
    func summary() throws {
        let history = try MotionHistory.inMemory()
        try history.record(
            Recordings.walk(0..<30) + Recordings.rest(30..<300) + Recordings.walk(300..<500), from: "wrist")
        let summary = try history.summary(of: Range.seconds(0..<1000))
        #expect(summary.steps.count == 460)
        #expect(summary.durations == [.walking: 230, .stationary: 270])
        #expect(summary.longestBout?.steps == 400)
        #expect(summary.walkingCadence == 120)
        #expect(summary.steps.coverage == 500)
    }

    @Test("has the cadence of the steps in bouts, not of their pauses and of the time of their segments")
    func pauses() throws {
        let history = try MotionHistory.inMemory()
        // 40 steps from 5 s to 24.5 s, in a minute of walking.
        let steps = (10..<50).map { MotionEvent.step(Step(time: Timestamp(nanosecondsSince1970: $0 * 500_000_000))) }
        let walk = Segment(range: .seconds(0..<60), flags: .walking, probability: 0.9, steps: 40)
        try history.record(steps + [.segment(walk)], from: "wrist")
        #expect(try history.summary(of: Range.seconds(0..<60)).walkingCadence == 120)
        #expect(try history.summary(of: Range.seconds(0..<5)).walkingCadence == nil)
        // A second walk after five seconds of rest, which the bout spans.
        try history.record(Recordings.rest(60..<65) + Recordings.walk(65..<70), from: "wrist")
        let more = (50..<120).map { MotionEvent.step(Step(time: Timestamp(nanosecondsSince1970: $0 * 500_000_000))) }
        let whole = Segment(range: .seconds(0..<60), flags: .walking, probability: 0.9, steps: 110)
        try history.record(steps + more + [.segment(whole)], from: "wrist")
        #expect(try history.summary(of: Range.seconds(0..<70)).walkingCadence == 120)
    }

    @Test("sends updates after each recording")
    func updates() async throws {
        let history = try MotionHistory.inMemory()
        var counts: [Int] = []
        for try await steps in history.stepUpdates(in: Timestamp.supported) {
            counts.append(steps.count)
            if counts.count == 4 { break }
            try history.record(Recordings.walk(0..<Int64(counts.count * 10)), from: "wrist")
        }
        #expect(counts == [0, 20, 40, 60])
    }

    @Test("counts each step once in adjacent date intervals")
    func dates() throws {
        let history = try MotionHistory.inMemory()
        let start: Int64 = 1_790_000_000
        try history.record(Recordings.walk(start..<start + 3600), from: "wrist")
        var generator = SeededGenerator(seed: 5)
        for _ in 0..<200 {
            let cuts = (0..<6).map { _ in
                Date(timeIntervalSince1970: Double(start) + Double(Int.random(in: 0...7200, using: &generator)) / 2)
            }.sorted()
            let parts = zip(cuts, cuts.dropFirst()).map { DateInterval(start: $0, end: $1) }
            let sum = try parts.reduce(0) { try $0 + history.steps(in: $1).count }
            #expect(try sum == history.steps(in: DateInterval(start: cuts[0], end: cuts[5])).count)
        }
        let far = DateInterval(start: .distantPast, end: .distantFuture)
        #expect(try history.steps(in: far).count == 7200)
    }
}

import Footfall
import FootfallHistory
import Foundation
import TestSupport
import Testing

@Suite("The recording of a stream")
struct LiveRecordingTests {
    private struct Unplugged: Error {}

    /// The events of a walk, five seconds in each element.
    private static func walk(_ range: Range<Int64>, then error: (any Error)? = nil) -> AsyncThrowingStream<
        [MotionEvent], any Error
    > {
        AsyncThrowingStream { continuation in
            for start in stride(from: range.lowerBound, to: range.upperBound, by: 5) {
                continuation.yield(Recordings.walk(start..<start + 5))
            }
            continuation.finish(throwing: error)
        }
    }

    private static func steps(_ history: MotionHistory) throws -> Int {
        try history.sources().isEmpty ? 0 : history.steps(in: Timestamp.supported).count
    }

    @Test("takes a transaction for 20 s of events")
    func transactions() async throws {
        let history = try MotionHistory.inMemory()
        let before = try history.revision
        let outcome = try await history.record(\.self, of: Self.walk(0..<100), from: "wrist")
        #expect(outcome.recorded == 220 && outcome.replaced == 0)
        #expect(try (4...6).contains(history.revision - before))
        #expect(try Self.steps(history) == 200)
    }

    @Test("has the events that wait in every answer, of this object and of a command")
    func waiting() async throws {
        let folder = try Folder()
        let history = try MotionHistory(at: folder.history)
        let reader = try MotionHistory(reading: folder.history)
        var sent = 0
        func expectAll() throws {
            sent += 10
            if sent < 30 {
                #expect(try Self.steps(reader) == 0)
                #expect(try Self.steps(MotionHistory.withWaiting(reading: folder.history)) == sent)
            } else {
                #expect(try Self.steps(history) == sent)
                #expect(try Self.steps(reader) == sent)
            }
        }
        try await history.record(\.self, of: Self.walk(0..<15), from: "wrist") { _ in try expectAll() }
        #expect(sent == 30)
        #expect(try Self.steps(history) == 30)
        #expect(!FileManager.default.fileExists(atPath: folder.history.path + "-live"))
    }

    @Test("records what came before an error of the stream")
    func failure() async throws {
        let history = try MotionHistory.inMemory()
        await #expect(throws: Unplugged.self) {
            try await history.record(\.self, of: Self.walk(0..<10, then: Unplugged()), from: "wrist")
        }
        #expect(try Self.steps(history) == 20)
    }

    @Test("leaves the events that wait to the next access when it does not end")
    func killed() throws {
        let folder = try Folder()
        do {
            let history = try MotionHistory(at: folder.history)
            let recording = try LiveRecording(into: history, from: "wrist", timeZone: .gmt)
            try recording.add(Recordings.walk(0..<5))
            history.close()
        }
        #expect(try Self.steps(MotionHistory(reading: folder.history)) == 10)
    }

    @Test("counts the steps that it replaces, and refuses to replace any where it may not")
    func replaced() async throws {
        let folder = try Folder()
        let history = try MotionHistory(at: folder.history)
        try history.record(Recordings.walk(0..<10), from: "wrist")
        let shifted = Recordings.walk(0..<10).compactMap { event -> MotionEvent? in
            guard case .step(let step) = event else { return event }
            return .step(Step(time: step.time.advanced(bySeconds: 0.1)))
        }
        let stream = AsyncStream { continuation in
            continuation.yield(shifted)
            continuation.finish()
        }
        let outcome = try await history.record(\.self, of: stream, from: "wrist")
        #expect(outcome.replaced == 20)
        let recording = try LiveRecording(into: history, from: "wrist", timeZone: nil) { _ in false }
        try recording.add(Recordings.walk(0..<10))
        let error = #expect(throws: HistoryError.self) { try recording.finish() }
        #expect(error?.reason == .occupied(source: "wrist"))
        history.close()
        // The next session has nothing to take over.
        #expect(try Self.steps(MotionHistory(reading: folder.history)) == 20)
    }
}

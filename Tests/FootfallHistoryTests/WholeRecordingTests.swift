import Footfall
import FootfallHistory
import Foundation
import Synchronization
import TestSupport
import Testing

/// Readers of a history, each on a thread of its own, which read all the time.
private final class Readers: Sendable {
    private let isOver = Atomic(false)
    private let running: Atomic<Int>
    private let failures = Mutex<[any Error]>([])

    init(_ count: Int, of url: URL) {
        running = Atomic(count)
        for _ in 0..<count { Thread.detachNewThread { self.read(url) } }
    }

    private func read(_ url: URL) {
        defer { running.subtract(1, ordering: .relaxed) }
        do {
            let reader = try MotionHistory(reading: url)
            while !isOver.load(ordering: .relaxed) {
                try reader.read { snapshot in
                    _ = try snapshot.sources()
                    // The transaction stays open for as long as a query takes.
                    usleep(10_000)
                }
            }
        } catch {
            failures.withLock { $0.append(error) }
        }
    }

    /// Ends the reading. Returns the errors.
    func end() -> [any Error] {
        isOver.store(true, ordering: .relaxed)
        #expect(blockUntil { running.load(ordering: .relaxed) == 0 })
        return failures.withLock { $0 }
    }
}

@Suite("A recording as a whole")
struct WholeRecordingTests {
    private func count(_ history: MotionHistory) throws -> Int { try history.steps(in: Timestamp.supported).count }

    @Test("changes nothing until it is complete, and nothing at all without its end")
    func whole() throws {
        let folder = try Folder()
        let history = try MotionHistory(at: folder.history)
        try history.record(Recordings.walk(0..<100), from: "wrist")
        let revision = try history.read { try $0.revision }
        var recording: WholeRecording? = WholeRecording(into: history)
        for start in stride(from: Int64(0), to: 1000, by: 10) {
            let rest = Recordings.rest(start..<start + 10)
            #expect(try recording?.record(rest, from: "wrist").recorded == 1)
        }
        #expect(try count(MotionHistory(reading: folder.history)) == 200)
        recording = nil
        #expect(try count(history) == 200)
        let second = WholeRecording(into: history)
        _ = try second.record(Recordings.rest(0..<50), from: "wrist")
        try second.commit()
        #expect(try count(history) == 100)
        #expect(try history.read { try $0.revision } == revision + 1)
        // The history records as before.
        #expect(try history.record(Recordings.walk(0..<50), from: "wrist").recorded > 0)
        #expect(try count(history) == 200 && history.check().problem == nil)
    }

    @Test("is undone when its history is closed")
    func closed() throws {
        let folder = try Folder()
        let history = try MotionHistory(at: folder.history)
        try history.record(Recordings.walk(0..<100), from: "wrist")
        let recording = WholeRecording(into: history)
        _ = try recording.record(Recordings.rest(0..<100), from: "wrist")
        history.close()
        #expect(throws: HistoryError.self) { try recording.commit() }
        #expect(try count(MotionHistory(reading: folder.history)) == 200)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["history.sqlite"])
    }

    @Test("does not make the log grow without bound while readers overlap all the time")
    func overlappingReaders() throws {
        let folder = try Folder()
        let history = try MotionHistory(at: folder.history, retention: .forever)
        let readers = Readers(3, of: folder.history)
        var largest = 0
        for call in 0..<Int64(1500) {
            try history.record(Recordings.walk(call * 100..<call * 100 + 100, pieces: 2), from: "wrist")
            let log = try? FileManager.default.attributesOfItem(atPath: folder.history.path + "-wal")
            largest = max(largest, log?[.size] as? Int ?? 0)
        }
        #expect(readers.end().isEmpty)
        #expect(largest > 1_000_000 && largest < 10_000_000, "\(largest)")
    }
}

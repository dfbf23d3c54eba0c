import Footfall
import FootfallHistory
import Foundation
import TestSupport
import Testing

@testable import HistoryRecorder

@Suite("A recording process", .serialized, .timeLimit(.minutes(60)))
struct KillTests {
    /// The contents of a history after each number of calls, without an interruption.
    private struct Uninterrupted {
        private let history: MotionHistory
        private var contents: [[String]]

        init() throws {
            history = try MotionHistory.inMemory()
            contents = [try KillTests.lines(of: history)]
        }

        mutating func after(_ calls: Int64) throws -> [String] {
            while contents.count <= calls {
                let call = Int64(contents.count - 1)
                try history.record(HistoryRecorder.events(of: call), from: "wrist", timeZone: .gmt)
                contents.append(try KillTests.lines(of: history))
            }
            return contents[Int(calls)]
        }
    }

    private static func lines(of history: MotionHistory) throws -> [String] {
        var lines: [String] = []
        try history.exportLines { lines.append($0) }
        return lines
    }

    @Test("that is killed loses at most the current call and damages nothing, in 100 trials")
    func kills() throws {
        var generator = SeededGenerator(seed: 7)
        var uninterrupted = try Uninterrupted()
        var survivors = 0
        for _ in 0..<100 {
            let folder = try Folder()
            let process = try RecordingProcess(folder.history, calls: 2000)
            // Some trials kill the process while it creates the history, the others while it records.
            var lines: [String] = []
            for _ in 0..<Int.random(in: 0..<20, using: &generator) { lines += [process.nextLine()].compactMap(\.self) }
            // For another moment of a call each time: the process runs meanwhile.
            usleep(.random(in: 0..<5000, using: &generator))
            process.kill()
            lines += process.remainingLines()
            let confirmed = lines.compactMap { Int64($0) }.last.map { $0 + 1 } ?? 0
            guard FileManager.default.fileExists(atPath: folder.history.path) else {
                #expect(confirmed == 0)
                continue
            }
            let found = try Self.lines(of: MotionHistory(reading: folder.history))
            let expected = try [uninterrupted.after(confirmed), uninterrupted.after(confirmed + 1)]
            #expect(expected.contains(found))
            survivors += confirmed > 0 ? 1 : 0
            // Recording continues from the last call.
            let history = try MotionHistory(at: folder.history)
            for call in max(0, confirmed - 1)..<confirmed + 2 {
                try history.record(HistoryRecorder.events(of: call), from: "wrist", timeZone: .gmt)
            }
            let complete = try uninterrupted.after(confirmed + 2)
            #expect(try Self.lines(of: history) == complete)
        }
        #expect(survivors > 50)
    }

    @Test("that runs out of space reports it, and its recorded calls remain")
    func fullDisk() throws {
        let folder = try Folder()
        let process = try RecordingProcess(folder.history, calls: 100_000, largestFileSize: 400_000)
        let lines = process.remainingLines()
        let confirmed = try #require(lines.compactMap { Int64($0) }.last) + 1
        #expect(lines.last?.contains("no space is left") == true)
        let uninterrupted = try MotionHistory.inMemory()
        func record(_ call: Int64, _ history: MotionHistory) throws {
            try history.record(HistoryRecorder.events(of: call), from: "wrist", timeZone: .gmt)
        }
        for call in 0..<confirmed { try record(call, uninterrupted) }
        let kept = try Self.lines(of: MotionHistory(reading: folder.history))
        #expect(try kept == Self.lines(of: uninterrupted))
        let history = try MotionHistory(at: folder.history)
        for recorded in [history, uninterrupted] { try record(confirmed, recorded) }
        #expect(try Self.lines(of: history) == Self.lines(of: uninterrupted))
    }

    @Test("locks out other writers with its name, admits readers, and releases the lock when it is killed")
    func writers() throws {
        let folder = try Folder()
        let process = try RecordingProcess(folder.history, calls: 3)
        while let line = process.nextLine(), line != "done" {}
        let writer = HistoryError.Writer(process: process.identifier, sources: ["wrist"])
        #expect(throws: HistoryError(.locked(by: writer), at: folder.history)) {
            try MotionHistory(at: folder.history)
        }
        #expect(try MotionHistory(reading: folder.history).steps(in: Timestamp.supported).count > 0)
        process.kill()
        _ = process.remainingLines()
        _ = try MotionHistory(at: folder.history)
    }

    @Test("that is killed leaves nothing beside the history once that is read")
    func leftovers() throws {
        let folder = try Folder()
        let process = try RecordingProcess(folder.history, calls: 3)
        while let line = process.nextLine(), line != "done" {}
        process.kill()
        _ = process.remainingLines()
        // The file of a live recording in which no event waits.
        try Data().write(to: URL(filePath: folder.history.path + "-live"))
        try MotionHistory(reading: folder.history).close()
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.history.deletingLastPathComponent().path)
        #expect(!names.contains { $0.hasPrefix(folder.history.lastPathComponent + "-") }, "\(names)")
    }

    @Test("shows two concurrent readers only whole calls")
    func readers() async throws {
        let folder = try Folder()
        // The process records until the end of the test, and no event expires.
        _ = try MotionHistory(at: folder.history, retention: .forever)
        let process = try RecordingProcess(folder.history, calls: .max)
        defer {
            process.kill()
            _ = process.remainingLines()
        }
        #expect(process.nextLine() == "open")
        let url = folder.history
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<2 {
                group.addTask {
                    let history = try MotionHistory(reading: url)
                    var last = 0
                    for _ in 0..<400 {
                        // Every five covered seconds have 40 steps. A call adds ten seconds.
                        let steps = try history.steps(in: Timestamp.supported)
                        #expect(steps.coveredNanoseconds == Int64(steps.count) * 125_000_000)
                        #expect(steps.count >= last)
                        last = steps.count
                    }
                    return last
                }
            }
            for try await _ in group {}
        }
    }

    @Test("sends updates to a reader in another process")
    func updates() async throws {
        let folder = try Folder()
        // The process records until the end of the test, and no event expires.
        _ = try MotionHistory(at: folder.history, retention: .forever)
        let process = try RecordingProcess(folder.history, calls: .max)
        defer {
            process.kill()
            _ = process.remainingLines()
        }
        #expect(process.nextLine() == "open")
        var counts: [Int] = []
        for try await steps in try MotionHistory(reading: folder.history).stepUpdates(in: Timestamp.supported) {
            counts.append(steps.count)
            if counts.count == 3 { break }
        }
        #expect(counts == counts.sorted() && Set(counts).count == 3)
    }
}

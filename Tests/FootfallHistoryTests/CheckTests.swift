import Footfall
import FootfallHistory
import Foundation
import GRDB
import TestSupport
import Testing

@Suite("A check of a history")
struct CheckTests {
    private let folder: Folder

    init() throws {
        folder = try Folder()
        let history = try MotionHistory(at: folder.history)
        for source in ["pocket", "wrist"] {
            try history.record(Recordings.walk(0..<3600) + Recordings.rest(3600..<7200), from: source)
        }
    }

    @Test("finds nothing in a sound history, and counts its sources and steps")
    func sound() throws {
        let check = try MotionHistory(reading: folder.history).check()
        #expect(check.problem == nil && check.sources == 2 && check.steps == 14400)
        // The stored file of the first release is sound, too.
        let stored = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Stored/version-2.history")
        let file = try folder.write("stored", Data(contentsOf: stored))
        #expect(try MotionHistory(reading: file).check().problem == nil)
    }

    @Test(
        "finds rows that contradict each other, and an export with an import repairs them",
        arguments: [
            (
                "UPDATE total SET steps = steps + 1 WHERE moment = (SELECT max(moment) FROM total)",
                "the sums do not match"
            ),
            ("UPDATE total SET covered = covered - 1", "the sums do not match"),
            ("DELETE FROM total", "the sums do not match"),
            ("DELETE FROM segment WHERE start = 0", "the segments do not match"),
            ("UPDATE segment SET flags = 1 WHERE start = 0", "the segments do not match"),
            ("UPDATE segment SET steps = steps + 1 WHERE start = 0", "the segments do not match"),
            ("UPDATE segment SET certainty = certainty / 2 WHERE start = 0", "the segments do not match"),
            ("UPDATE bout SET steps = steps + 1 WHERE start = 0", "the bouts do not match"),
            ("DELETE FROM bout WHERE source = 1", "the bouts do not match"),
            ("INSERT INTO step (source, time) VALUES (77, 5)", "rows without a source"),
        ])
    func derived(damage: String, problem: String) throws {
        let answers = try contents(of: folder.history)
        try DatabaseQueue(path: folder.history.path).write { try $0.execute(sql: damage) }
        let history = try MotionHistory(reading: folder.history)
        let found = try #require(try history.check().problem)
        #expect(found.text.contains(problem) && found.remedy.contains("export"))
        var lines: [String] = []
        try history.exportLines { lines.append($0) }
        let copy = try MotionHistory.inMemory()
        try copy.importLines(lines)
        #expect(try copy.check().problem == nil)
        #expect(lines == answers)
    }

    @Test(
        "finds recorded rows that no recording writes, and names the deletion of their time",
        arguments: [
            "UPDATE step SET time = 9000000000000000000 WHERE source = 2 AND time = 0",
            "UPDATE piece SET end = end + 1 WHERE source = 2 AND start = 5000000000",
            "UPDATE piece SET flags = 1 << 40 WHERE source = 2 AND start = 5000000000",
        ])
    func recorded(damage: String) throws {
        try DatabaseQueue(path: folder.history.path).write { try $0.execute(sql: damage) }
        let found = try #require(try MotionHistory(reading: folder.history).check().problem)
        #expect(found.remedy.contains("delete") && ["wrist", "pocket"].contains(found.source))
    }

    @Test("finds a damaged page anywhere in a file whose opening checks only a part")
    func pages() throws {
        do {
            let history = try MotionHistory(at: folder.history)
            try history.record(Recordings.walk(7200..<216_000, pieces: 60), from: "wrist")
        }
        var bytes = try Data(contentsOf: folder.history)
        #expect(bytes.count > 5_000_000)
        let middle = bytes.count / 2 / 4096 * 4096
        bytes.replaceSubrange(middle..<middle + 4096, with: Data(repeating: 0xA5, count: 4096))
        try bytes.write(to: folder.history)
        // The time to open does not grow with the file: pages elsewhere are not read.
        let start = Recordings.walk(250_000..<250_010)
        #expect(try MotionHistory(at: folder.history).record(start, from: "wrist").recorded > 0)
        let check = try MotionHistory(reading: folder.history).check()
        #expect(check.problem != nil)
        #expect(throws: HistoryError(.damaged, at: folder.history)) {
            try MotionHistory(reading: folder.history).stepTimes(in: Timestamp.supported, from: "wrist")
        }
    }

    private func contents(of file: URL) throws -> [String] {
        var lines: [String] = []
        try MotionHistory(reading: file).exportLines { lines.append($0) }
        return lines
    }
}

import Footfall
import FootfallHistory
import Foundation
import GRDB
import TestSupport
import Testing

@Suite("Damage and invalid imports", .timeLimit(.minutes(60)))
struct DamageTests {
    @Test("A history with flipped bits gives answers or an error, and never ends the process")
    func bitFlips() throws {
        let folder = try Folder()
        let copies = 200
        let tests = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        let run = try Run(
            tests.deletingLastPathComponent().appending(path: "HistoryRecorder"),
            ["--flip-bits", folder.url.path, "\(copies)"])
        let lines = run.output.split(separator: "\n").map(String.init)
        #expect(run.status == 0, "\(lines.last ?? "no copy") ended the process: \(run.errors.suffix(300))")
        #expect(lines.count == 2 * copies)
        for (copy, line) in zip(lines, lines.dropFirst()) where copy.hasPrefix("copy") {
            #expect(!line.contains("unexplained"), "\(copy): \(line)")
        }
        // Both kinds occur: some bits change no answer, and some are recognized as damage.
        #expect(lines.contains { $0.contains("answered") } && lines.contains { $0.contains("refused") })
    }

    /// Lines that look like an export. The last one has a value that no export contains.
    private static let invalidExports: [[String]] = [
        [
            #"{"version":1,"retention":604800000000000}"#,
            #"{"source":"a","zones":[],"forgottenBefore":9223372036854775807}"#,
        ],
        [#"{"version":1,"retention":-1}"#],
        [#"{"version":1}"#, #"{"source":"a","zones":[{"since":9223372036854775807,"name":"GMT"}]}"#],
        [
            #"{"version":1}"#,
            #"{"source":"a","zones":[{"since":5,"name":"GMT"},{"since":-9223372036854775808,"name":"GMT"}]}"#,
        ],
        [#"{"version":1}"#, #"{"source":"a","zones":[]}"#, #"{"steps":[9223372036854775807]}"#],
        [
            #"{"version":1}"#, #"{"source":"a","zones":[]}"#,
            #"{"start":-9223372036854775808,"end":60000000000,"flags":4,"probability":1}"#,
        ],
        [
            #"{"version":1}"#, #"{"source":"a","zones":[]}"#,
            #"{"start":0,"end":60000000000,"flags":4,"probability":1e30}"#,
        ],
    ]

    @Test("An export with a value out of range is refused, and the history stays usable", arguments: invalidExports)
    func invalidExport(lines: [String]) throws {
        let folder = try Folder()
        do {
            let history = try MotionHistory(at: folder.history)
            // A segment follows: the line with the value is at fault, not the one after it.
            let segment = #"{"start":0,"end":60000000000,"flags":4,"probability":1,"steps":[1000000000]}"#
            #expect(throws: HistoryError(.malformed(line: lines.count), at: folder.history)) {
                try history.importLines(lines + [segment])
            }
        }
        let history = try MotionHistory(at: folder.history)
        try history.record(Recordings.walk(0..<60), from: "a")
        #expect(try history.steps(in: Timestamp.supported).count == 120)
    }

    @Test("Damage that events that wait come upon is an error of the history")
    func damageBesideWaitingEvents() throws {
        let folder = try Folder()
        let history = try MotionHistory(at: folder.history)
        for start in [0, 10000] as [Int64] { try history.record(Recordings.rest(start..<start + 100), from: "a") }
        try DatabaseQueue(path: folder.history.path).write {
            try $0.execute(sql: "UPDATE piece SET flags = 1 << 40 WHERE start = 0")
        }
        let waiting = try #require(try WaitingEvents(of: history, from: "a", timeZone: .gmt))
        defer { waiting.remove() }
        let followed = FollowedHistory(try MotionHistory(reading: folder.history))
        func steps() throws -> Int { try followed.read { try $0.source("a").steps(in: Timestamp.supported).count } }
        waiting.add(Recordings.walk(20000..<20010))
        #expect(try steps() == 20)
        waiting.add(Recordings.walk(50..<60))
        #expect(throws: HistoryError(.damaged, at: folder.history)) { try steps() }
    }

    @Test("An import never moves the kept time beyond the newest event")
    func forgottenBeyondNewest() throws {
        let history = try MotionHistory.inMemory()
        try history.importLines([
            #"{"version":1,"retention":604800000000000}"#,
            #"{"source":"a","zones":[],"forgottenBefore":5000000000000000000}"#,
            #"{"start":0,"end":60000000000,"flags":4,"probability":1,"steps":[1000000000]}"#,
        ])
        #expect(try history.record(Recordings.walk(60..<120), from: "a").recorded > 0)
        #expect(try history.steps(in: Timestamp.supported).count == 120)
    }
}

import Footfall
import FootfallHistory
import Foundation
import TestSupport
import Testing

/// The folder `Stored` has a file of each earlier format version that stays readable.
@Suite("Files of earlier versions")
struct StoredVersionTests {
    /// The content of the stored file: the shipped trace `walk-wrist`, recorded in Berlin.
    private static let steps = 218
    private static let covered = 119.979

    private let folder: Folder

    init() throws { folder = try Folder() }

    /// A copy of the file of a version.
    private func file(_ version: Int) throws -> URL {
        let stored = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "Stored/version-\(version).history")
        return try folder.write("history.sqlite", Data(contentsOf: stored))
    }

    @Test("can be read, and readers follow their next recorder", arguments: [2, 6, 7])
    func reading(version: Int) throws {
        let file = try file(version)
        let history = try MotionHistory(reading: file)
        try expectStoredAnswers(history)
        #expect(try history.marks(in: Timestamp.supported).isEmpty)
        let next = Segment(range: .seconds(1000..<1010), flags: .stationary, probability: 0.9, steps: 0)
        try MotionHistory(at: file).record([.segment(next)], from: "wrist")
        #expect(try history.activities(in: next.range).map(\.activity) == [.stationary])
        #expect(try history.check().problem == nil)
        let copy = try MotionHistory.inMemory()
        var lines: [String] = []
        try history.exportLines { lines.append($0) }
        try copy.importLines(lines)
        try expectStoredAnswers(copy)
    }

    @Test("are converted to this version when they are marked", arguments: [2, 6, 7])
    func marking(version: Int) throws {
        let file = try file(version)
        let history = try MotionHistory(reading: file)
        try history.mark("barefoot", in: Range.seconds(10..<70))
        try expectStoredAnswers(history)
        #expect(try history.formatVersion > version)
        #expect(try history.marks(in: Timestamp.supported).map(\.text) == ["barefoot"])
        #expect(try history.check().problem == nil)
    }

    @Test("are converted to this version and accept recordings", arguments: [2, 6, 7])
    func writing(version: Int) throws {
        let file = try file(version)
        let history = try MotionHistory(at: file)
        try expectStoredAnswers(history)
        #expect(try history.formatVersion > version)
        let start = Timestamp(nanosecondsSince1970: 1_000_000_000_000)
        let next = Segment(
            range: start..<start.advanced(bySeconds: 10), flags: .stationary, probability: 0.9, steps: 0)
        try history.record([.segment(next)], from: "wrist")
        try expectStoredAnswers(history)
        #expect(try history.steps(in: Timestamp.supported).coverage > Self.covered + 9.9)
        let hour = start.advanced(bySeconds: -3590)..<next.range.upperBound
        try history.record([.nonWear(hour)], from: "wrist")
        #expect(try history.activities(in: next.range).map(\.reason) == [.notWorn])
        #expect(try history.check().problem == nil)
    }

    @Test("that no release wrote are refused and left unchanged", arguments: [1, 3, 4, 5])
    func unreleased(version: UInt8) throws {
        let file = try file(2)
        var bytes = try Data(contentsOf: file)
        bytes[63] = version  // the lowest byte of the user version in SQLite's header
        try bytes.write(to: file)
        let reading = try #require(throws: HistoryError.self) { try MotionHistory(reading: file) }
        let recording = try #require(throws: HistoryError.self) { try MotionHistory(at: file) }
        #expect(reading == recording && reading.description.contains("format \(version)"))
        #expect(try Data(contentsOf: file) == bytes)
    }

    private func expectStoredAnswers(_ history: MotionHistory) throws {
        let minutes = DateInterval(start: Date(timeIntervalSince1970: 0), duration: 120)
        let answer = try history.steps(in: minutes, from: "wrist")
        #expect(answer.count == Self.steps)
        #expect(abs(answer.coverage - Self.covered) < 1e-3)
        #expect(!answer.isTruncated)
        #expect(try history.activities(in: minutes).map(\.activity) == [.walking])
        #expect(try history.sources().map(\.timeZone.identifier) == ["Europe/Berlin"])
    }
}

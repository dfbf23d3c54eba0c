import Footfall
import FootfallHistory
import Foundation
import TestSupport
import Testing

/// The folder `Stored` has a file of each format version. All of them stay readable.
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

    @Test("can be read without conversion", arguments: 1...4)
    func reading(version: Int) throws {
        try expectStoredAnswers(MotionHistory(reading: file(version)))
    }

    @Test("are converted to this version and accept recordings", arguments: 1...4)
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
    }

    @Test("with forgotten steps give the same answers after the conversion, and count on")
    func forgotten() throws {
        let stored = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "Stored/version-4-forgotten.history")
        let file = try folder.write("forgotten.sqlite", Data(contentsOf: stored))
        // The walk of 1970-01-01 is forgotten, and its rows are still in the file. The other one began on 1970-01-09.
        func expectAnswers(_ history: MotionHistory, recorded: Int) throws {
            let all = try history.steps(in: Timestamp.supported)
            #expect(all.count == Self.steps && abs(all.coverage - Self.covered) < 1e-3 && all.isTruncated)
            let minutes = try history.steps(in: Range.seconds(691_200..<691_320), by: .minutes(1)).map(\.count)
            #expect(minutes == [109, 109])
            #expect(try history.recordedTotal().steps == recorded)
            #expect(try history.check().problem == nil)
        }
        try expectAnswers(MotionHistory(reading: file), recorded: 2 * Self.steps)
        let history = try MotionHistory(at: file)
        try expectAnswers(history, recorded: 2 * Self.steps)
        try history.record(Recordings.walk(700_000..<700_060), from: "wrist")
        #expect(try history.steps(in: Timestamp.supported).count == Self.steps + 120)
        #expect(try history.recordedTotal().steps == 2 * Self.steps + 120)
    }

    @Test("with a drive in pieces have one segment with halts after the conversion")
    func halts() throws {
        let stored = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "Stored/version-1-halt.history")
        let file = try folder.write("halt.sqlite", Data(contentsOf: stored))
        let before = try MotionHistory(reading: file)
        let coverage = try before.steps(in: Range.seconds(70..<290))
        #expect(try before.activities(in: Timestamp.supported).count == 5)

        let history = try MotionHistory(at: file)
        let segments = try history.activities(in: Timestamp.supported)
        #expect(segments.map(\.activity) == [.walking, .automotive, .stationary])
        #expect(segments.map(\.halts) == [[], [.seconds(120..<150)], []])
        #expect(segments.map(\.reason) == [nil, nil, nil])
        #expect(try history.steps(in: Range.seconds(70..<290)).coverage == coverage.coverage)
        #expect(try history.steps(in: Range.seconds(0..<300)).coverage == 300)
        try history.record(Recordings.rest(290..<400), from: "car")
        #expect(try history.activities(in: Timestamp.supported).last?.range == .seconds(240..<400))
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

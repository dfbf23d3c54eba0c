import Footfall
import FootfallHistory
import Foundation
import TestSupport
import Testing

@testable import HistoryRecorder

/// The files beside a history whose process was killed. SQLite puts a log into any file of the right name.
@Suite("The log of a killed writer", .serialized, .timeLimit(.minutes(60)))
struct CompanionTests {
    private static let calls = 60
    private let folder: Folder
    /// A history whose newest recordings are in its log, and its content.
    private let url: URL
    private let killed: [String]
    /// A closed history of the same identity with fewer recordings, and its content.
    private let backup: URL
    private let older: [String]

    init() throws {
        folder = try Folder()
        (url, backup) = (folder.history, folder.url.appending(path: "backup"))
        try Self.record(into: url, calls: 3)
        try FileManager.default.copyItem(at: url, to: backup)
        older = try Self.lines(backup)
        let process = try RecordingProcess(url, calls: Self.calls)
        while let line = process.nextLine(), line != "done" {}
        process.kill()
        _ = process.remainingLines()
        // Reading puts the log into the file, so the content comes from a copy of both.
        let copy = folder.url.appending(path: "expected")
        for suffix in ["", "-wal"] {
            try FileManager.default.copyItem(atPath: url.path + suffix, toPath: copy.path + suffix)
        }
        killed = try Self.lines(copy)
        #expect(killed.count > older.count && exists("history.sqlite-wal"))
    }

    private static func record(into url: URL, calls: Int64) throws {
        let history = try MotionHistory(at: url)
        for call in 0..<calls {
            try history.record(HistoryRecorder.events(of: call), from: "wrist", timeZone: .gmt)
        }
    }

    private static func lines(_ url: URL) throws -> [String] {
        let history = try MotionHistory(reading: url)
        defer { history.close() }
        #expect(try history.check().problem == nil)
        var lines: [String] = []
        try history.exportLines { lines.append($0) }
        return lines
    }

    private func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: folder.path(name)) }

    private func rename(_ old: URL, _ new: URL) throws { try #require(Foundation.rename(old.path, new.path) == 0) }

    /// Replaces the bytes of a file, as cp does.
    private func overwrite(_ url: URL, with other: URL) throws {
        let file = try FileHandle(forWritingTo: url)
        try file.truncate(atOffset: 0)
        try file.write(contentsOf: Data(contentsOf: other))
        try file.close()
    }

    @Test("belongs to its history: everything is there")
    func kept() throws {
        #expect(try MotionHistory(at: url).remarks.isEmpty)
        #expect(try Self.lines(url) == killed)
    }

    @Test("of a removed history does not go into the next one")
    func removed() throws {
        try FileManager.default.removeItem(at: url)
        let history = try MotionHistory(at: url)
        #expect(history.remarks.count == 1 && history.remarks[0].contains("history.sqlite-wal."), "\(history.remarks)")
        try history.record(Recordings.walk(0..<100), from: "pocket")
        history.close()
        let reader = try MotionHistory(reading: url)
        #expect(try reader.sources().map(\.name) == ["pocket"])
        #expect(try reader.steps(in: Timestamp.supported).count == 200)
        #expect(try reader.check().problem == nil)
    }

    @Test("does not go into an older state that takes its place, by cp or by mv", arguments: [true, false])
    func restored(isCopied: Bool) throws {
        if isCopied { try overwrite(url, with: backup) } else { try rename(backup, url) }
        // Reading and recording, each first.
        if isCopied { try MotionHistory(at: url).close() }
        #expect(try Self.lines(url) == older)
        #expect(try Self.lines(url) == older)
    }

    @Test("does not go into a state that went on by itself")
    func diverged() throws {
        let history = try MotionHistory(at: backup)
        for call in 0..<Int64(200) { try history.record(HistoryRecorder.events(of: call), from: "ankle") }
        history.close()
        let other = try Self.lines(backup)
        try overwrite(url, with: backup)
        #expect(try Self.lines(url) == other)
    }

    @Test("finds a history that was moved without it, also if another one took its place", arguments: [true, false])
    func moved(isReplaced: Bool) throws {
        let old = folder.url.appending(path: "old")
        try rename(url, old)
        if isReplaced {
            let next = try MotionHistory(at: url)
            try next.record(Recordings.walk(0..<100), from: "pocket")
            next.close()
            #expect(try MotionHistory(reading: url).sources().map(\.name) == ["pocket"])
        }
        #expect(try Self.lines(old) == killed)
        try MotionHistory(at: old).close()
        #expect(try Self.lines(old) == killed)
    }

    @Test("is found through another hard link", arguments: [true, false])
    func linked(isWritten: Bool) throws {
        let other = folder.url.appending(path: "link")
        #expect(link(url.path, other.path) == 0)
        if isWritten { try MotionHistory(at: other).close() }
        #expect(try Self.lines(other) == killed)
        #expect(try Self.lines(url) == killed)
    }

    @Test("that is missing is reported")
    func missing() throws {
        try FileManager.default.removeItem(atPath: url.path + "-wal")
        let history = try MotionHistory(at: url)
        #expect(history.remarks.count == 1 && history.remarks[0].contains("is gone"), "\(history.remarks)")
        #expect(try history.check().problem == nil)
    }

    @Test("of a file that a copy replaces goes with it, and its recorder prevents that")
    func replaced() throws {
        let draft = folder.url.appending(path: "draft")
        try MotionHistory(reading: backup).write(to: draft)
        let writer = try MotionHistory(at: backup)
        #expect(throws: HistoryError.self) { try HistoryFile.place(draft, at: backup, replaces: true) }
        writer.close()
        try HistoryFile.place(draft, at: url, replaces: true)
        #expect(!exists("history.sqlite-wal") && !exists("history.sqlite-shm"))
        #expect(try Self.lines(url) == older)
    }
}

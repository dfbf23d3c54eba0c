import Foundation
import TestSupport

/// A temporary history that the command recorded from shipped traces.
struct RecordedHistory: Sendable {
    let folder: Folder
    var path: String { folder.path("history.sqlite") }

    init() throws { folder = try Folder() }

    /// A history of one trace.
    init(_ trace: String, start: String, source: String = "wrist", tz: String = "UTC") throws {
        try self.init()
        try record(trace, start: start, source: source, tz: tz)
    }

    /// A new history of a walk of two minutes on 20 November 2026 from 08:00.
    static func walk() throws -> RecordedHistory {
        let history = try RecordedHistory()
        try FileManager.default.copyItem(atPath: walked.get().path, toPath: history.path)
        return history
    }

    /// The original of ``walk()``.
    private static let walked = Result { try RecordedHistory("walk-wrist", start: "2026-11-20T08:00:00Z") }

    /// A shared history for queries: standing, a walk, a drive, a walk, a run and sitting, on a Friday from 08:00.
    static let commute = Result { try RecordedHistory("commute", start: "2026-11-20T08:00:00Z") }

    /// Analyses a shipped trace with the given start and records it.
    @discardableResult
    func record(
        _ trace: String, start: String, source: String = "wrist", tz: String = "UTC", _ options: String...
    ) throws -> Run {
        let file = RecordedHistory.trace(trace)
        return try footfall(
            ["analyze", file, "--start", start, "--history", path, "--source", source, "--tz", tz, "-o", "json"]
                + options)
    }

    /// Runs `footfall query`.
    func query(_ arguments: String..., environment: [String: String] = [:]) throws -> Run {
        try query(arguments, environment: environment)
    }

    /// Runs `footfall query`.
    func query(_ arguments: [String], environment: [String: String] = [:]) throws -> Run {
        try footfall(["query"] + arguments + ["--history", path], environment: environment)
    }

    /// The records of `footfall query` in JSON.
    func records(_ arguments: String...) throws -> [[String: Any]] {
        try query(arguments + ["-o", "json"]).records()
    }

    /// Runs `footfall history`.
    func manage(_ arguments: String...) throws -> Run {
        try footfall(["history"] + arguments + ["--history", path])
    }

    /// The path of a shipped trace.
    static func trace(_ name: String) -> String { PackageFolder.trace(name).path }
}

extension [[String: Any]] {
    /// The integers of a key.
    func integers(_ key: String) -> [Int] { compactMap { $0[key] as? Int } }

    /// The strings of a key.
    func strings(_ key: String) -> [String] { compactMap { $0[key] as? String } }

    /// The numbers of a key.
    func numbers(_ key: String) -> [Double] { compactMap { $0[key] as? Double } }
}

import Footfall
import FootfallHistory
import Foundation

/// A folder of results: `traces.ndjson` with a line for each trace, and for each trace a folder of tables.
///
/// The line of a trace is written after its tables, so a trace that has one is done; that is how work that was cut short is
/// resumed.
struct ResultTables {
    private static let journalName = "traces.ndjson"

    private let folder: URL
    private let timeZone: TimeZone
    private let journal: FileHandle
    private let done: Set<String>

    /// Prepares the folder.
    ///
    /// - Parameters:
    ///   - folder: Is made where there is none.
    ///   - files: What is to be analysed; their names must lead to tables of their own.
    ///   - resumes: Whether what is done stays, or all begins anew.
    ///   - timeZone: Where hours and days begin.
    /// - Throws: `FileError`.
    init(in folder: URL, of files: [TraceFile], resumes: Bool, timeZone: TimeZone) throws {
        self.folder = folder
        self.timeZone = timeZone
        var owners: [String: String] = [:]
        for file in files {
            if let other = owners.updateValue(file.path, forKey: Self.subfolder(of: file.name)) {
                throw FileError(
                    path: file.path, problem: "its tables would take the place of those of \(other); rename one of them"
                )
            }
        }
        try Self.make(folder)
        let url = folder.appending(path: Self.journalName)
        do {
            let old = resumes ? (try? Data(contentsOf: url)) ?? Data() : Data()
            // A line without an end was cut off with the process that wrote it.
            let whole = old.prefix(through: old.lastIndex(of: UInt8(ascii: "\n")) ?? old.startIndex - 1)
            try Data(whole).write(to: url)
            done = Set(whole.split(separator: UInt8(ascii: "\n")).compactMap(Self.trace))
            journal = try FileHandle(forWritingTo: url)
            try journal.seekToEnd()
        } catch {
            throw FileError(error, path: url.path, isInput: false)
        }
    }

    /// Whether the results of a trace are complete.
    func isDone(_ file: TraceFile) -> Bool { done.contains(file.name) }

    /// Writes all there is to say about a trace, row by row: a long one has many.
    ///
    /// - Parameters:
    ///   - analysis: The trace.
    ///   - events: All that the analyzer said of it.
    /// - Throws: `FileError`, and `HistoryError` when there is no room for temporary files.
    func write(_ analysis: TraceAnalysis, _ events: EventSpool) throws {
        let target = folder.appending(path: Self.subfolder(of: analysis.name))
        try Self.make(target)
        let history = try MotionHistory.temporary(retention: .forever)
        try history.record(events, from: "trace", timeZone: timeZone)
        let start = analysis.quality.start ?? .epoch
        let range = start..<max(start, analysis.quality.end ?? start).advanced(bySeconds: 1e-9)
        try write("steps", to: target, ["time", "offset", "quality"]) { table in
            for step in events.steps { table.write(step.record(from: start)) }
        }
        try write("bouts", to: target, ["start", "end", "duration", "steps", "cadence"]) { table in
            for bout in try history.bouts(in: range) { table.write(bout.record) }
        }
        try write("activities", to: target, Segment.columns) { table in
            for segment in analysis.segments { table.write(segment.record(from: start)) }
        }
        // A clock that was set may have leapt over decades, which have many minutes.
        let days = try history.steps(in: range, by: .day).filter { $0.coverage > 0 }
        for (name, bucket) in [("minutes", CalendarBucket.minutes(1)), ("hours", .hour), ("days", .day)] {
            try write(name, to: target, Self.bucketColumns) { table in
                for day in days {
                    for row in try buckets(bucket, day.range, history, analysis.nonWear) { table.write(row) }
                }
            }
        }
        do {
            try journal.write(contentsOf: Data((JSONValue.object(analysis.record()).text + "\n").utf8))
        } catch {
            throw FileError(error, path: folder.appending(path: Self.journalName).path, isInput: false)
        }
    }

    private static func make(_ folder: URL) throws(FileError) {
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        } catch {
            guard FileManager.default.fileExists(atPath: folder.path) else {
                throw FileError(error, path: folder.path, isInput: false)
            }
            throw FileError(
                path: folder.path, problem: "is a file, not a folder for tables; name another", isInput: false)
        }
    }

    private static let bucketColumns: [String] =
        ["start", "end", "steps", "coverage"] + Activity.allCases.map(\.rawValue) + ["nonWear"]

    /// A record for each bucket.
    private func buckets(
        _ bucket: CalendarBucket, _ range: Range<Timestamp>, _ history: MotionHistory, _ nonWear: [Range<Timestamp>]
    ) throws -> [Record] {
        let counts = try history.steps(in: range, by: bucket)
        return zip(counts, try history.durations(in: counts.map(\.range))).map { count, durations in
            let unworn = nonWear.filter { $0.overlaps(count.range) }
                .reduce(0) { $0 + $1.clamped(to: count.range).seconds }
            return count.record + Activity.allCases.map { ($0.rawValue, .seconds(durations[$0] ?? 0)) }
                + [("nonWear", .seconds(unworn))]
        }
    }

    private func write(
        _ name: String, to target: URL, _ columns: [String], _ rows: (inout RecordWriter) throws -> Void
    ) throws {
        let draft = try TextDraft(of: target.appending(path: name + ".csv").path)
        var writer = RecordWriter(format: .csv, columns: columns, to: draft.add)
        try rows(&writer)
        try draft.finish()
    }

    /// Where the tables of a trace go: its name without what its name ends in, `.csv.gz` and the like.
    private static func subfolder(of name: String) -> String {
        var parts = name.split(separator: "/").map(String.init)
        guard let last = parts.popLast() else { return name }
        let stem = last.hasSuffix(".gz") ? String(last.dropLast(3)) : last
        let end = stem.lastIndex(of: ".").flatMap { $0 > stem.startIndex ? $0 : nil } ?? stem.endIndex
        return (parts + [String(stem[..<end])]).joined(separator: "/")
    }

    private static func trace(in line: Data) -> String? {
        (try? JSONSerialization.jsonObject(with: line) as? [String: Any])?["trace"] as? String
    }
}

extension Bout {
    fileprivate var record: Record {
        [
            ("start", .time(range.lowerBound)), ("end", .time(range.upperBound)), ("duration", .seconds(duration)),
            ("steps", .integer(steps)), ("cadence", cadence.map { .number($0, decimals: 1) } ?? .null),
        ]
    }
}

extension Step {
    /// The step as a record, with its time since `start`.
    fileprivate func record(from start: Timestamp) -> Record {
        [
            ("time", .time(time)), ("offset", .seconds(time.seconds(since: start))),
            ("quality", .number(Double(quality), decimals: 3)),
        ]
    }
}

package import Footfall
package import Foundation
internal import GRDB

/// The settled events of a live session that wait for their transaction, in a file beside the history. When a session
/// is killed, the next recording of any kind takes them over, see ``recover(beside:from:_:)``. The bytes are a
/// thousandth of those of a transaction. Each line is a record with a checksum that includes the identity of the
/// history, so events never go into another history, and damage costs the damaged records. The file has mode 0600.
package final class WaitingEvents: Sendable {
    /// A line of events.
    private struct Record: Codable, Sendable {
        var source: String
        var zone: String?
        var events: [ExportLine]
    }

    private let path: String
    /// Negative if the file cannot be written; then a killed session loses the events that wait.
    private let descriptor: Int32
    private let identity: Int64
    private let source: String
    private let zone: TimeZone?
    private let history: MotionHistory

    /// Starts an empty file beside a history that is open for recording; nil for a history in memory.
    package init?(of history: MotionHistory, from source: String, timeZone: TimeZone?) throws {
        guard let path = history.path else { return nil }
        (self.history, self.source, zone) = (history, source, timeZone)
        self.path = path + Companions.waiting
        identity = try history.readDatabase(HistoryRow.identity)
        descriptor = open(self.path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_APPEND | O_CLOEXEC, 0o600)
        restart(with: [])
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Appends events, without those that the history sets aside.
    package func add(_ events: [MotionEvent]) {
        let latest = history.latest
        let lines = events.filter { $0.end.nanosecondsSince1970 <= latest }.compactMap(ExportLine.init)
        if !lines.isEmpty { append(Record(source: source, zone: zone?.identifier, events: lines)) }
    }

    /// Removes the recorded events, all but these.
    package func restart(with events: [MotionEvent]) {
        guard descriptor >= 0, ftruncate(descriptor, 0) == 0 else { return }
        append(WaitingFile.Head(identity))
        add(events)
    }

    /// Removes the file.
    package func remove() { if descriptor >= 0 { unlink(path) } }

    private func append(_ value: some Encodable) {
        guard descriptor >= 0, let text = try? ExportLine.text(of: value) else { return }
        let line = WaitingFile.checksum(text, identity) + " " + text + "\n"
        // A full disk is reported by the transaction.
        _ = Array(line.utf8).withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    }

    // MARK: Recovery

    /// Records the events that killed sessions left, while no other writer is active. What is recorded is removed. A
    /// file with damaged records, and one of another history, gets another name. `origin` is the path under which the
    /// history was open before, if it was not closed. Returns what the user should know.
    static func recover(beside file: HistoryFile, from origin: String?, _ db: Database) throws -> [String] {
        let identity = try HistoryRow.identity(db)
        let own = file.path + Companions.waiting
        var remarks: [String] = []
        var status = stat()
        if lstat(own, &status) == 0, status.st_mode & S_IFMT == S_IFREG {
            let contents = Contents(at: own, identity)
            try contents.record(db)
            if contents.isWhole {
                unlink(own)
            } else {
                let name = Companions.freeName(Companions.waiting, of: file.path, contents.identity)
                guard rename(own, name) == 0 else {
                    throw HistoryError(HistoryFile.reason(forCode: errno), at: URL(filePath: own))
                }
                remarks.append("\(own): \(contents.problem) It is now \(name).")
            }
        }
        var others = [file.path, origin ?? file.path].flatMap { path in
            Companions.names(Companions.waiting, of: path, identity).prefix { access($0, F_OK) == 0 }
        }
        // The file of a history that was moved without it.
        if let origin, access(origin, F_OK) != 0 { others.append(origin + Companions.waiting) }
        for path in others {
            let contents = Contents(at: path, identity)
            guard !contents.records.isEmpty, contents.isWhole else { continue }
            try contents.record(db)
            unlink(path)
        }
        return remarks
    }

    /// The events beside a history that wait for their transaction, as they are at one moment.
    struct Moment: Sendable {
        private let contents: [Contents]
        /// The bytes of the events. They change with the events.
        var bytes: [Data] { contents.map(\.bytes) }

        /// Returns nil if no events wait.
        init?(beside file: HistoryFile) {
            guard let row = HistoryRow(ofFile: file.descriptor) else { return nil }
            let paths = Set([file.path, row.path ?? file.path]).map { $0 + Companions.waiting }.sorted()
            contents = paths.map { Contents(at: $0, row.identity) }.filter { !$0.records.isEmpty }
            guard !contents.isEmpty else { return nil }
        }

        /// Records the events, of which the database may have some.
        func record(_ db: Database) throws { for content in contents { try content.record(db) } }
    }

    /// The records of a file that a session left.
    private struct Contents: Sendable {
        /// The history in the first line; nil if that is damaged.
        private(set) var identity: Int64?
        private(set) var bytes = Data()
        private(set) var records: [Record] = []
        private var damaged = 0
        private let expected: Int64

        /// Reads the records of one history.
        init(at path: String, _ expected: Int64) {
            self.expected = expected
            let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
            guard descriptor >= 0 else { return }
            let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
            bytes = (try? file.readToEnd()) ?? Data()
            // A session that was killed may leave a line without an end.
            for (index, line) in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast()
                .enumerated()
            {
                if index == 0, let found = WaitingFile.identity(in: line) {
                    identity = found
                } else if let text = WaitingFile.text(of: line, expected),
                    let record = try? JSONDecoder().decode(Record.self, from: text)
                {
                    records.append(record)
                } else {
                    damaged += 1
                }
            }
        }

        /// Whether nothing remains to be recorded from the file. A session may have been killed before its first line.
        var isWhole: Bool { damaged == 0 && (identity ?? expected) == expected }

        /// The reason why something remains, as a sentence.
        var problem: String {
            if let identity, identity != expected {
                return "these events belong to another history, and are not recorded."
            }
            return "damaged records of a killed session: \(damaged); recorded ones: \(records.count)."
        }

        /// Records all events of each source in one transaction.
        func record(_ db: Database) throws {
            guard !records.isEmpty else { return }
            try db.inTransaction(.immediate) {
                for (source, records) in Dictionary(grouping: records, by: \.source) {
                    let events = records.flatMap(\.events).compactMap(\.events).joined()
                    // The session has compared the times with its clock.
                    _ = try Recorder.record(
                        events, latest: .max, from: source,
                        timeZone: records.last?.zone.flatMap(TimeZone.init(identifier:)), db)
                }
                try HistoryRow.stampNews(db)
                return .commit
            }
            // The events have to reach the disk before their file is removed.
            _ = try? db.checkpoint()
        }
    }
}

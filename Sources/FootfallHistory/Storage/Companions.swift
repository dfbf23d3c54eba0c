internal import FootfallReaders
internal import Foundation

/// The files beside a history, and whether they belong to it. A history that is moved, copied or replaced after a kill
/// leaves its companions behind. They never go into the file that takes its place, and are never deleted: they get
/// another name, under which their own history finds them.
package enum Companions {
    /// SQLite's log, its index of the log and its rollback journal; the events that wait; the note of a writer.
    static let log = "-wal"
    static let index = "-shm"
    static let rollback = "-journal"
    static let waiting = "-live"
    static let note = "-lock"
    package static let all = [log, index, rollback, waiting, note]

    /// Removes an unfinished file after its companions: a process that is killed meanwhile leaves a draft.
    package static func removeDraft(_ path: String) { for suffix in all + [""] { unlink(path + suffix) } }

    /// Makes sure that the log beside a file is that of the file. The caller excludes other writers. Returns what the
    /// user should know.
    static func settle(_ file: HistoryFile) throws -> [String] {
        guard let row = HistoryRow(ofFile: file.descriptor) else { return [] }
        let log = file.path + Self.log
        var remarks: [String] = []
        if let found = LogFile(at: log) {
            if found.follows(row) { return [] }
            remarks = try [setAside(Self.log, of: file.path, found.identity, file.url)]
        }
        guard let origin = row.path, access(log, F_OK) != 0 else { return remarks }
        for candidate in logs(of: row, besides: [origin, file.path]) {
            guard let found = LogFile(at: candidate), found.follows(row) else { continue }
            unlink(file.path + Self.index)
            guard rename(candidate, log) == 0 else {
                throw HistoryError(HistoryFile.reason(forCode: errno), at: file.url)
            }
            return remarks + ["\(file.path): its newest recordings were in \(candidate), and are part of it again."]
        }
        return remarks + [
            "\(file.path): it was not closed, and its log \(origin)\(Self.log) is gone. Unless another program put the log "
                + "into the file, the newest recordings are missing."
        ]
    }

    /// Where a log may be whose history has another name now.
    private static func logs(of row: HistoryRow, besides paths: [String]) -> [String] {
        let setAside = paths.flatMap { names(log, of: $0, row.identity).prefix { access($0, F_OK) == 0 } }
        // The log of a history that is still there belongs to that one.
        return (access(paths[0], F_OK) != 0 ? [paths[0] + log] : []) + setAside
    }

    /// Frees a path from the companions of a history that is not there any more, before another one takes its place.
    /// Returns what the user should know.
    static func clear(_ path: String, at url: URL) throws -> [String] {
        // Another process may still use the index, so the next history needs one of its own.
        unlink(path + index)
        var remarks: [String] = []
        for (suffix, identity) in [
            (log, LogFile(at: path + log)?.identity), (waiting, WaitingFile.identity(at: path + waiting)),
            (rollback, nil),
        ] {
            var status = stat()
            guard lstat(path + suffix, &status) == 0 else { continue }
            if status.st_size == 0 {
                unlink(path + suffix)
            } else {
                try remarks.append(setAside(suffix, of: path, identity, url))
            }
        }
        return remarks
    }

    /// Gives a companion of another history a name that no history uses.
    static func setAside(_ suffix: String, of path: String, _ identity: Int64?, _ url: URL) throws -> String {
        if suffix == log { unlink(path + index) }
        let name = freeName(suffix, of: path, identity)
        guard rename(path + suffix, name) == 0 else { throw HistoryError(HistoryFile.reason(forCode: errno), at: url) }
        return "\(path)\(suffix) belongs to another history or to an older state of this one, and is not used. "
            + "It is now \(name)."
    }

    /// The names under which companions of a path wait for their history.
    static func names(_ suffix: String, of path: String, _ identity: Int64?) -> some Sequence<String> {
        let name = path + suffix + "." + (identity.map { String(UInt64(bitPattern: $0), radix: 16) } ?? "other")
        return (1...Int.max).lazy.map { $0 == 1 ? name : "\(name)-\($0)" }
    }

    /// The first of these names that is free.
    static func freeName(_ suffix: String, of path: String, _ identity: Int64?) -> String {
        names(suffix, of: path, identity).first { access($0, F_OK) != 0 } ?? path + suffix
    }
}

/// The lines of the file in which events wait beside a history: a checksum, a space, and a value in JSON.
enum WaitingFile {
    /// The first line. It names the history, so that one of another name finds its file.
    struct Head: Codable {
        /// The identity in hexadecimal digits.
        private let history: String

        init(_ identity: Int64) { history = WaitingFile.hexadecimal(identity) }

        fileprivate var identity: Int64? { UInt64(history, radix: 16).map(Int64.init(bitPattern:)) }
    }

    private static let digits = 16

    /// The value of a line; nil if it is damaged, or if it belongs to another history.
    static func text(of line: Data, _ identity: Int64) -> Data? {
        let text = String(decoding: line.dropFirst(digits + 1), as: UTF8.self)
        return String(decoding: line.prefix(digits), as: UTF8.self) == checksum(text, identity) ? Data(text.utf8) : nil
    }

    /// The history in a first line; nil if it is damaged.
    static func identity(in line: Data) -> Int64? {
        guard let head = try? JSONDecoder().decode(Head.self, from: line.dropFirst(digits + 1)),
            let identity = head.identity, text(of: line, identity) != nil
        else { return nil }
        return identity
    }

    /// The history that a file belongs to; nil if that is unknown.
    static func identity(at path: String) -> Int64? {
        guard let data = FileManager.default.contents(atPath: path) else { return nil }
        return identity(in: Data(data.prefix { $0 != UInt8(ascii: "\n") }))
    }

    /// The hash of an identity and a text, in 16 digits.
    static func checksum(_ text: String, _ identity: Int64) -> String {
        var hash = FNVHash()
        hash.add(hexadecimal(identity).utf8)
        hash.add(text.utf8)
        let value = String(hash.value, radix: 16)
        return String(repeating: "0", count: digits - value.count) + value
    }

    private static func hexadecimal(_ value: Int64) -> String { String(UInt64(bitPattern: value), radix: 16) }
}

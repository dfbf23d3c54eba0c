import Footfall
import FootfallHistory
import Foundation

/// The settled events that wait for their transaction, in a file beside the history.
///
/// The file is an export of a history. When a session is killed, the next one imports it. The bytes are a thousandth of
/// those of a transaction. The file has mode 0600, and another file with its name stays untouched.
final class LiveJournal: Sendable {
    /// The beginning of a journal.
    private static let marker = "{\"live\":true,"

    private let path: String
    /// Negative if the journal cannot be written; then a killed session loses the events that wait.
    private let descriptor: Int32
    private let head: [UInt8]

    /// Starts an empty journal.
    init(at path: String, of source: String, _ zone: TimeZone?, _ retention: Retention) {
        self.path = path
        let nanoseconds = retention.duration.map { Int($0 / .nanoseconds(1)) }
        let zones = zone.map { zone -> JSONValue in
            .array([.object([("since", .integer(.min)), ("name", .string(zone.identifier))])])
        }
        let first: Record = [
            ("live", .bool(true)), ("version", .integer(1)), ("retention", nanoseconds.map { .integer($0) } ?? .null),
        ]
        let second: Record = [("source", .string(source)), ("zones", zones ?? .null)]
        head = Array("\(JSONValue.object(first).text)\n\(JSONValue.object(second).text)\n".utf8)
        descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_APPEND | O_CLOEXEC, 0o600)
        restart(with: [])
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Appends events.
    func add(_ events: [MotionEvent]) {
        let lines = events.compactMap { $0.exportRecord.map { JSONValue.object($0).text + "\n" } }.joined()
        // A full disk is reported by the transaction.
        if !lines.isEmpty { _ = OutputFile.write(Array(lines.utf8), to: descriptor) }
    }

    /// Removes the recorded events, all but these.
    func restart(with events: [MotionEvent]) {
        guard descriptor >= 0, ftruncate(descriptor, 0) == 0 else { return }
        _ = OutputFile.write(head, to: descriptor)
        add(events)
    }

    /// Removes the file.
    func remove() { if descriptor >= 0 { unlink(path) } }

    /// The lines of a journal that a killed session left; nil without one.
    static func lines(at path: String) -> [String]? {
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        let text = String(decoding: (try? file.readToEnd()) ?? Data(), as: UTF8.self)
        guard text.hasPrefix(marker) else { return nil }
        // A process that was killed may leave a line without an end.
        return text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
    }

    /// Records the lines of a journal, up to the first one that is damaged.
    static func recover(_ lines: [String], into history: MotionHistory) throws {
        do {
            try history.importLines(lines)
        } catch let error as HistoryError {
            guard case .malformed(let line) = error.reason, line > 1 else { throw error }
            try history.importLines(lines.prefix(line - 1))
        }
    }
}

extension MotionEvent {
    /// The event as a line of an export; nil for a gap.
    fileprivate var exportRecord: Record? {
        switch self {
        case .step(let step): [("steps", .array([.integer(Int(step.time.nanosecondsSince1970))]))]
        case .segment(let segment):
            [
                ("start", .integer(Int(segment.range.lowerBound.nanosecondsSince1970))),
                ("end", .integer(Int(segment.range.upperBound.nanosecondsSince1970))),
                ("flags", .integer(Int(segment.flags.rawValue))),
                ("reason", segment.reason.map { .integer(Int($0.rawValue)) } ?? .null),
                ("probability", .number(Double(segment.probability), decimals: 9)),
            ]
        case .gap: nil
        }
    }
}

import Footfall
import FootfallHistory
import FootfallReport
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
    private let head: [ExportLine]

    /// Starts an empty journal.
    init(at path: String, of source: String, _ zone: TimeZone?, _ retention: Retention) {
        self.path = path
        head = [ExportLine(retention: retention, live: true), ExportLine(source: source, zone: zone)]
        descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_APPEND | O_CLOEXEC, 0o600)
        restart(with: [])
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Appends events.
    func add(_ events: [MotionEvent]) {
        write(events.compactMap(ExportLine.init))
    }

    /// Removes the recorded events, all but these.
    func restart(with events: [MotionEvent]) {
        guard descriptor >= 0, ftruncate(descriptor, 0) == 0 else { return }
        write(head)
        add(events)
    }

    private func write(_ lines: [ExportLine]) {
        let text = lines.compactMap { try? $0.text + "\n" }.joined()
        // A full disk is reported by the transaction.
        if !text.isEmpty { _ = OutputFile.write(Array(text.utf8), to: descriptor) }
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

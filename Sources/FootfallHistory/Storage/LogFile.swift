internal import Foundation

/// SQLite's log beside a history (https://www.sqlite.org/fileformat2.html#the_write_ahead_log), read without SQLite.
///
/// SQLite puts a log into any file of the right name, also into another history or an older state, which damages or
/// replaces it. The stamps of its transactions show where it belongs, see ``HistoryRow``.
final class LogFile {
    private static let headerSize = 32
    private static let frameHeaderSize = 24

    private let descriptor: Int32
    private let header: [UInt8]

    /// Opens a log; nil if there is none, or none with a transaction.
    init?(at path: String) {
        descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        var header = [UInt8](repeating: 0, count: Self.headerSize)
        let isLog = descriptor >= 0 && pread(descriptor, &header, header.count, 0) == header.count
        self.header = header
        guard isLog, Self.number(header, 0) & ~1 == 0x377F_0682, (512...65536).contains(pageSize), frame(0) != nil
        else { return nil }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Whether a file in some state is the one that the log changes.
    ///
    /// The file has the state before the first transaction of the log. After a checkpoint it has the state after one of
    /// them. A log in which only other programs wrote has no stamps, and belongs to any file.
    func follows(_ row: HistoryRow) -> Bool {
        var isFirst = true
        var isFound = false
        forEachRow { stamped in
            isFound = stamped.stamp == row.stamp || isFirst && stamped.previous == row.stamp
            isFirst = false
            return !isFound
        }
        return isFound || isFirst
    }

    /// The identity of the history that the log belongs to; nil if it has none.
    var identity: Int64? {
        var identity: Int64?
        forEachRow {
            identity = $0.identity
            return false
        }
        return identity
    }

    private var pageSize: Int { Int(Self.number(header, 8)) }

    /// Passes the row of the table `history` of each complete transaction, until `body` returns false.
    private func forEachRow(_ body: (HistoryRow) -> Bool) {
        var position = 0
        var row: HistoryRow?
        while let (page, isLast) = frame(position) {
            if page == HistoryRow.page { row = self.row(position) ?? row }
            if isLast, let complete = row {
                guard body(complete) else { return }
                row = nil
            }
            position += 1
        }
    }

    private func offset(_ position: Int) -> Int { Self.headerSize + position * (Self.frameHeaderSize + pageSize) }

    /// The page of a frame, and whether it is the last one of its transaction; nil behind the end of the log. The salts
    /// of older frames, which the log has not overwritten yet, differ from those in the header.
    private func frame(_ position: Int) -> (page: Int, isLast: Bool)? {
        var bytes = [UInt8](repeating: 0, count: Self.frameHeaderSize)
        guard pread(descriptor, &bytes, bytes.count, off_t(offset(position))) == bytes.count,
            bytes[8..<16] == header[16..<24]
        else { return nil }
        return (Int(Self.number(bytes, 0)), Self.number(bytes, 4) != 0)
    }

    private func row(_ position: Int) -> HistoryRow? {
        var page = [UInt8](repeating: 0, count: pageSize)
        let start = off_t(offset(position) + Self.frameHeaderSize)
        guard pread(descriptor, &page, pageSize, start) == pageSize else { return nil }
        return HistoryRow(page: page)
    }

    private static func number(_ bytes: [UInt8], _ offset: Int) -> UInt32 {
        bytes[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }
}

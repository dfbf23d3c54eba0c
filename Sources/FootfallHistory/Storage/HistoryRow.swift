internal import Foundation
internal import GRDB

/// The row of the table `history`: which history a file is, and in which state. It connects a file with its companions.
/// Each transaction gives the history a new random stamp and keeps the stamp before it. So the first transaction of
/// SQLite's log names the state of the file that it changes, see ``LogFile``. SQLite itself does not check this: it
/// writes any log of the right name into a file.
struct HistoryRow: Equatable {
    /// A random number of the history and of its copies; 0 in files of earlier versions, as are the stamps.
    var identity: Int64 = 0
    /// A random number of the last transaction.
    var stamp: Int64 = 0
    /// The stamp of the transaction before.
    var previous: Int64 = 0
    /// The path under which the history was opened for recording; nil once it is closed. The newest transactions may be
    /// in the log beside this path.
    var path: String?

    // MARK: Changes

    /// Gives a transaction its stamp.
    static func stamp(_ db: Database) throws {
        try db.run("UPDATE history SET previous = stamp, stamp = random() WHERE id = 1")
    }

    /// Gives a transaction with news for other processes its stamp.
    static func stampNews(_ db: Database) throws {
        try db.run("UPDATE history SET revision = revision + 1, previous = stamp, stamp = random() WHERE id = 1")
    }

    /// Notes the path of an open history, or nil for one that is about to be closed.
    static func note(path: String?, _ db: Database) throws {
        try db.run("UPDATE history SET previous = stamp, stamp = random(), path = ? WHERE id = 1", [path])
    }

    /// Sets the retention of a history, without applying it.
    static func set(_ retention: Retention, _ db: Database) throws {
        try db.run("UPDATE history SET retention = ? WHERE id = 1", [retention.nanoseconds])
    }

    /// The identity of an open history.
    static func identity(_ db: Database) throws -> Int64 {
        try db.integer("SELECT identity FROM history WHERE id = 1") ?? 0
    }
}

extension HistoryRow {
    /// The page of the row. The table is the first one of each history.
    static let page = 2

    /// Reads the row of the file itself, without its log. Returns nil if the row is not where a history has it.
    init?(ofFile descriptor: Int32) {
        var size = [UInt8](repeating: 0, count: 2)
        guard pread(descriptor, &size, 2, 16) == 2 else { return nil }
        // The largest size does not fit into two bytes.
        let stored = Int(size[0]) << 8 | Int(size[1])
        let pageSize = stored == 1 ? 65536 : max(512, stored)
        var page = [UInt8](repeating: 0, count: pageSize)
        guard pread(descriptor, &page, pageSize, off_t(pageSize * (Self.page - 1))) == pageSize else { return nil }
        self.init(page: page)
    }

    /// Decodes a leaf page of a table with one row (https://www.sqlite.org/fileformat2.html#b_tree_pages).
    init?(page: [UInt8]) {
        guard page[0] == 13, page[3] == 0, page[4] == 1 else { return nil }
        var cell = RecordReader(rest: page.dropFirst(Int(page[8]) << 8 | Int(page[9])))
        guard cell.varint() != nil, cell.varint() == 1, let size = cell.varint(), (4...64).contains(size) else {
            return nil
        }
        var header = RecordReader(rest: cell.rest.prefix(size - 1))
        cell.rest = cell.rest.dropFirst(size - 1)
        var types: [Int] = []
        while let type = header.varint() { types.append(type) }
        // The columns are the id, the retention, the revision and, since version 3, those of this structure.
        let integers = types.prefix(6).map { cell.integer($0) }
        guard header.rest.isEmpty, types.count >= 3, types.prefix(6).allSatisfy(RecordReader.integerTypes.contains)
        else { return nil }
        guard types.count >= 7 else { return }
        guard let identity = integers[3], let stamp = integers[4], let previous = integers[5] else { return nil }
        (self.identity, self.stamp, self.previous) = (identity, stamp, previous)
        // The type of a text is odd, from 13 on. A long one is not in the page.
        let length = (types[6] - 13) / 2
        if types[6] >= 13, types[6] % 2 == 1, length <= cell.rest.count {
            path = String(decoding: cell.rest.prefix(length), as: UTF8.self)
        }
    }
}

/// Reads a record of SQLite (https://www.sqlite.org/fileformat2.html#record_format).
private struct RecordReader {
    /// The types of null and of integers.
    static let integerTypes: Set = [0, 1, 2, 3, 4, 5, 6, 8, 9]

    var rest: ArraySlice<UInt8>

    /// A number of seven bits per byte. None of those needed here has more than four bytes.
    mutating func varint() -> Int? {
        let count = rest.prefix { $0 >= 0x80 }.count + 1
        guard count <= min(4, rest.count) else { return nil }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count).reduce(0) { $0 << 7 | Int($1 & 0x7F) }
    }

    /// The value of a type; nil for null.
    mutating func integer(_ type: Int) -> Int64? {
        guard type != 0, type < 8 else { return type == 0 ? nil : Int64(type - 8) }
        let count = type < 5 ? type : type == 5 ? 6 : 8
        guard count <= rest.count else { return nil }
        defer { rest = rest.dropFirst(count) }
        let (value, unused) = (rest.prefix(count).reduce(0) { $0 << 8 | Int64($1) }, 64 - 8 * count)
        return (value << unused) >> unused
    }
}

/// SQLite's log beside a history (https://www.sqlite.org/fileformat2.html#the_write_ahead_log), read without SQLite.
/// SQLite writes a log into any file of the right name. In another history, or in an older state, this damages or
/// replaces the data. The stamps of its transactions show where a log belongs, see ``HistoryRow``.
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

    /// Whether the log changes the file with this row. The file has the state before the first transaction of the log.
    /// After a checkpoint it has the state after one of them. A log in which only other programs wrote has no stamps,
    /// and belongs to any file.
    func follows(_ row: HistoryRow) -> Bool {
        var isFirst = true
        for stamped in rows {
            if stamped.stamp == row.stamp || isFirst && stamped.previous == row.stamp { return true }
            isFirst = false
        }
        return isFirst
    }

    /// The identity of the history that the log belongs to; nil if it has none.
    var identity: Int64? { rows.next()?.identity }

    private var pageSize: Int { Int(Self.number(header, 8)) }

    /// The row of the table `history` of each complete transaction.
    private var rows: AnyIterator<HistoryRow> {
        var position = 0
        return AnyIterator {
            var row: HistoryRow?
            while let (page, isLast) = self.frame(position) {
                if page == HistoryRow.page { row = self.row(position) ?? row }
                position += 1
                if isLast, let row { return row }
            }
            return nil
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

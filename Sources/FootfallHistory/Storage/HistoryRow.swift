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
        let pageSize = Self.pageSize(Int(size[0]) << 8 | Int(size[1]))
        var page = [UInt8](repeating: 0, count: pageSize)
        guard pread(descriptor, &page, pageSize, off_t(pageSize * (Self.page - 1))) == pageSize else { return nil }
        self.init(page: page)
    }

    /// The number of bytes of a page; the largest does not fit into the header's two bytes.
    private static func pageSize(_ stored: Int) -> Int { stored == 1 ? 65536 : max(512, stored) }

    /// Decodes a leaf page of a table with one row (https://www.sqlite.org/fileformat2.html#b_tree_pages).
    init?(page: [UInt8]) {
        var reader = RecordReader(bytes: page)
        guard reader.number(1) == 13, reader.skip(2), reader.number(2) == 1, reader.skip(3),
            let cell = reader.number(2), reader.move(to: Int(cell)), reader.varint() != nil, reader.varint() == 1
        else { return nil }
        let start = reader.position
        guard let headerSize = reader.varint(), (4...64).contains(headerSize) else { return nil }
        var types: [Int] = []
        while reader.position < start + headerSize {
            guard let type = reader.varint() else { return nil }
            types.append(type)
        }
        // The columns are the id, the retention, the revision and, since version 3, those of this structure.
        guard types.count >= 3, reader.skipValues(types.prefix(3)) else { return nil }
        guard types.count >= 7 else { return }
        guard let identity = reader.integer(types[3]), let stamp = reader.integer(types[4]),
            let previous = reader.integer(types[5])
        else { return nil }
        (self.identity, self.stamp, self.previous) = (identity, stamp, previous)
        path = reader.text(types[6])
    }
}

/// Reads a record of SQLite (https://www.sqlite.org/fileformat2.html#record_format).
private struct RecordReader {
    let bytes: [UInt8]
    private(set) var position = 0

    mutating func move(to position: Int) -> Bool {
        self.position = position
        return position < bytes.count
    }

    mutating func skip(_ count: Int) -> Bool { move(to: position + count) }

    /// An unsigned number of some bytes, the highest first.
    mutating func number(_ count: Int) -> Int64? {
        guard position + count <= bytes.count else { return nil }
        defer { position += count }
        return bytes[position..<position + count].reduce(0) { $0 << 8 | Int64($1) }
    }

    /// A number of seven bits per byte. None of those needed here has more than four bytes.
    mutating func varint() -> Int? {
        var value = 0
        for _ in 0..<4 {
            guard let byte = number(1) else { return nil }
            value = value << 7 | Int(byte & 0x7F)
            if byte & 0x80 == 0 { return value }
        }
        return nil
    }

    /// The bytes of an integer, by its type; nil for another type.
    private static func size(_ type: Int) -> Int? {
        switch type {
        case 1...4: type
        case 5: 6
        case 6: 8
        case 0, 8, 9: 0
        default: nil
        }
    }

    mutating func skipValues(_ types: ArraySlice<Int>) -> Bool {
        types.allSatisfy { type in Self.size(type).map { skip($0) } ?? false }
    }

    mutating func integer(_ type: Int) -> Int64? {
        guard let size = Self.size(type), type != 0 else { return nil }
        guard size > 0 else { return type == 9 ? 1 : 0 }
        let unused = 64 - 8 * size
        return number(size).map { ($0 << unused) >> unused }
    }

    /// A text; nil for null, and for one that does not fit into the page.
    mutating func text(_ type: Int) -> String? {
        let count = (type - 13) / 2
        guard type >= 13, type % 2 == 1, position + count <= bytes.count else { return nil }
        return String(decoding: bytes[position..<position + count], as: UTF8.self)
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

public import Footfall
internal import FootfallReaders
public import Foundation
internal import GRDB

/// A text that the wearer gave to a moment or to a range, such as `lap` or `with the pram`.
///
/// A mark is no recording: it changes no answer, and a recording of the same time leaves it. Marks may overlap.
public struct Mark: Codable, Hashable, Sendable {
    /// The text.
    public let text: String
    /// The marked time. That of an open mark may still grow. It is empty while nothing is recorded after the mark.
    public let range: Range<Timestamp>
    /// Whether the mark has no end of its own. It then lasts until the next such mark of the source starts, without one
    /// to the newest sample.
    public let isOpen: Bool

    /// The marked time.
    public var interval: DateInterval { DateInterval(range) }

    /// The most Unicode scalars of a text, or of the name of a source. It fits into a parameter of the server.
    package static let longestText = 256

    /// Whether a text can be that of a mark, or the name of a source. SQLite ends a text at a NUL.
    package static func isValid(_ text: String) -> Bool {
        (1...longestText).contains(text.unicodeScalars.count) && !text.utf8.contains(0)
    }
}

/// A row of the table `mark`.
struct StoredMark {
    let start: Int64
    /// Nil for an open mark.
    let end: Int64?
    let text: String
}

/// The marks of one source. Two marks differ in the start or in the text.
struct MarkTable {
    let source: Int64

    /// The end of a row, where ?2 is the end of the data: its own one, the start of the next open mark, or ?2.
    private static let end = """
        coalesce(
            mark.end,
            (
                SELECT next.start FROM mark AS next
                WHERE next.source = mark.source AND next.start > mark.start AND next.end IS NULL
                ORDER BY next.start LIMIT 1
            ),
            max(mark.start, ?2))
        """

    /// Adds a mark. It replaces one of the same start and text.
    func add(_ mark: StoredMark, _ db: Database) throws {
        try db.run(
            "INSERT OR REPLACE INTO mark (source, start, end, text) VALUES (?, ?, ?, ?)",
            [source, mark.start, mark.end, mark.text])
    }

    /// The marks that overlap a range or are empty in it, in the order of their starts and texts. `newest` is the end
    /// of the data. Takes time linear in the marks of the source.
    func marks(in range: Range<Int64>, newest: Int64, _ db: Database) throws -> [Mark] {
        try db.rows(
            """
            SELECT start, \(Self.end), text, end IS NULL FROM mark
            WHERE source = ?1 AND start < ?4 AND (\(Self.end) > ?3 OR start >= ?3) ORDER BY start, text
            """, [source, newest, range.lowerBound, range.upperBound]
        ) { row in
            let (start, end) = (try row.moment(0), try row.moment(1))
            guard start <= end else { throw DatabaseError.damaged("a mark ends before its start") }
            return Mark(text: try row.text(2), range: Range(start..<end), isOpen: try row.integer(3) != 0)
        }
    }

    /// The rows of the marks that do not end before a moment.
    func rows(endingAfter moment: Int64, _ db: Database) throws -> [StoredMark] {
        try db.rows(
            "SELECT start, end, text FROM mark WHERE source = ?1 AND \(Self.end) > ?3 ORDER BY start, text",
            [source, Int64.max, moment]
        ) { row in
            let (start, end, text) = (try row.moment(0), try row.optionalInteger(1), try row.text(2))
            guard try start < end.map(StoredTime.checked) ?? StoredTime.end, Mark.isValid(text) else {
                throw DatabaseError.damaged("a mark has an invalid time or text")
            }
            return StoredMark(start: start, end: end, text: text)
        }
    }

    func remove(_ text: String, at start: Int64, _ db: Database) throws {
        try db.run("DELETE FROM mark WHERE source = ? AND start = ? AND text = ?", [source, start, text])
    }

    /// Removes the marks that lie within a range. `newest` is the end of the data.
    func remove(within range: Range<Int64>, newest: Int64, _ db: Database) throws {
        try db.run(
            "DELETE FROM mark WHERE source = ?1 AND start >= ?3 AND \(Self.end) <= ?4",
            [source, newest, range.lowerBound, range.upperBound])
    }

    /// Removes the marks that end before a moment. The last open mark ends with the data, so it stays.
    func purge(before moment: Int64, _ db: Database) throws {
        try db.run(
            "DELETE FROM mark WHERE source = ?1 AND start < ?3 AND \(Self.end) <= ?3", [source, Int64.max, moment])
    }
}

public import Footfall
internal import FootfallReaders
public import Foundation
internal import GRDB

/// One state of a history: all answers of a snapshot agree with each other, also while another process records.
///
/// A snapshot is valid inside the closure of ``MotionHistory/read(_:)``.
public struct HistorySnapshot {
    /// The file; nil for a history in memory.
    public let url: URL?
    let db: Database

    /// All sources, in the order of their names.
    ///
    /// - Throws: ``HistoryError``.
    /// - Complexity: O(log *n*) for each source.
    public func sources() throws -> [SourceInfo] {
        try SourceRow.all(db).compactMap { try SourceSnapshot(row: $0, history: self).info() }
    }

    /// One source: the named one or, without a name, the only one. In an empty history, a source without a name has
    /// empty answers.
    ///
    /// - Throws: ``HistoryError``, such as ``HistoryError/Reason/unknownSource(_:known:)`` and
    ///   ``HistoryError/Reason/severalSources(_:)``.
    public func source(_ name: String? = nil) throws -> SourceSnapshot {
        SourceSnapshot(row: try SourceRow.find(name, at: url, db), history: self)
    }

    /// How long the history keeps events.
    ///
    /// - Throws: ``HistoryError``.
    public var retention: Retention { get throws { try db.retention() } }

    /// The version of the file's format.
    ///
    /// - Throws: ``HistoryError``.
    public var formatVersion: Int { get throws { Int(try Schema.version(of: db)) } }

    /// A number that grows with every change by any process.
    ///
    /// - Throws: ``HistoryError``.
    /// - Complexity: O(1).
    public var revision: Int { get throws { Int(try db.integer("SELECT revision FROM history") ?? 0) } }
}

/// One source in one state of a history. All queries are defined here.
///
/// A snapshot is valid inside the closure of ``MotionHistory/read(_:)``.
public struct SourceSnapshot {
    /// Nil in an empty history. All answers are then empty.
    let row: SourceRow?
    let history: HistorySnapshot
    /// The extent, once it is read.
    private let extent = Extent()

    private final class Extent { var kept: Range<Timestamp>?? }

    init(row: SourceRow?, history: HistorySnapshot) { (self.row, self.history) = (row, history) }

    var db: Database { history.db }

    /// The name of the source; nil in an empty history.
    public var name: String? { row?.name }

    /// The file of the history; nil for a history in memory.
    public var url: URL? { history.url }

    /// From the oldest to the newest time in the history; nil if it holds nothing. A snapshot reads it once.
    ///
    /// - Throws: ``HistoryError``.
    /// - Complexity: O(log *n*).
    public var keptRange: Range<Timestamp>? {
        get throws {
            if let known = extent.kept { return known }
            let kept = try readKeptRange()
            extent.kept = .some(kept)
            return kept
        }
    }

    private func readKeptRange() throws -> Range<Timestamp>? {
        guard let row, let oldest = try row.oldest(from: row.keptFrom, db), let newest = try row.newest(db),
            oldest <= newest
        else { return nil }
        // The range includes a step at its end.
        let isStep = try db.integer("SELECT 1 FROM step WHERE source = ? AND time = ?", [row.id, newest]) != nil
        return Timestamp(nanosecondsSince1970: oldest)..<Timestamp(nanosecondsSince1970: isStep ? newest + 1 : newest)
    }

    /// The extent and the totals of the source; nil in an empty history.
    ///
    /// - Throws: ``HistoryError``.
    /// - Complexity: O(log *n*).
    public func info() throws -> SourceInfo? {
        guard let row else { return nil }
        let total = try steps(in: Timestamp.supported)
        return SourceInfo(
            name: row.name, timeZone: try timeZones().last?.timeZone ?? .gmt, keptRange: try keptRange,
            steps: total.count,
            coverage: total.coverage,
            forgottenBefore: row.forgottenBefore == .min
                ? nil : Timestamp(nanosecondsSince1970: row.forgottenBefore))
    }

    /// The wearer's time zones, in the order of time.
    ///
    /// - Throws: ``HistoryError``.
    /// - Complexity: Linear in the number of changes.
    public func timeZones() throws -> [ZoneChange] {
        guard let row else { return [] }
        return try ZoneTable(source: row.id).all(db).map { since, zone in
            let moment = Timestamp(nanosecondsSince1970: since)
            return ZoneChange(since: max(moment, Timestamp.supported.lowerBound), timeZone: zone)
        }
    }

    func keptPart(of range: Range<Timestamp>) -> Range<Int64> {
        let range = range.clamped(to: Timestamp.supported)
        let start = max(range.lowerBound.nanosecondsSince1970, row?.keptFrom ?? .min)
        return start..<max(start, range.upperBound.nanosecondsSince1970)
    }

    /// Whether the retention removed something from a range.
    func isTruncated(_ range: Range<Timestamp>) -> Bool {
        guard let row, !range.isEmpty else { return false }
        return range.lowerBound.nanosecondsSince1970 < row.forgottenBefore
    }
}

/// The contents of a history for one source.
public struct SourceInfo: Hashable, Sendable {
    /// The name.
    public let name: String
    /// The newest time zone of the source.
    public let timeZone: TimeZone
    /// From the oldest to the newest time in the history; nil if it holds nothing.
    public let keptRange: Range<Timestamp>?
    /// The number of steps in the history.
    public let steps: Int
    /// The covered time in the history, in seconds.
    public let coverage: TimeInterval
    /// The end of the time that the retention removed; nil if it removed nothing.
    public let forgottenBefore: Timestamp?

    /// The newest recorded time.
    public var newest: Timestamp? { keptRange?.upperBound }
}

/// What an answer takes, estimated before the work: the number of its rows, 0 where only the answer shows it, and the
/// time on a desktop computer of 2020, in seconds.
package typealias QueryCost = (rows: Int, seconds: Double)

extension SourceSnapshot {
    /// The time of a row or a segment, and of a step, in seconds: 20,160 minutes take a second, the three million steps
    /// of a year three.
    private static let (secondsPerRow, secondsPerStep) = (5e-5, 1e-6)

    /// The cost of an answer. `rows` is the number of its rows, if it is known. `range` is the range whose segments are
    /// read one by one, and its steps if `readsSteps`. Takes a few nanoseconds for each segment.
    func cost(rows: Int, reading range: Range<Timestamp>?, steps readsSteps: Bool = false) throws -> QueryCost {
        let read = rows + (try range.map(segmentCount) ?? 0)
        let steps = try range.map { readsSteps ? try self.steps(in: $0).count : 0 } ?? 0
        return (rows, Double(read) * Self.secondsPerRow + Double(steps) * Self.secondsPerStep)
    }

    /// The number of recorded segments that overlap a range.
    func segmentCount(in range: Range<Timestamp>) throws -> Int {
        let part = keptPart(of: range)
        guard let row else { return 0 }
        return Int(
            try db.integer(
                "SELECT count(*) FROM segment WHERE \(SpanTable.segment.overlap)",
                [row.id, part.lowerBound, part.upperBound]) ?? 0)
    }
}

public import Footfall
public import Foundation
internal import GRDB

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

    /// The part of a range that the retention keeps.
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

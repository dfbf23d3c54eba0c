public import Footfall
public import Foundation
internal import GRDB

/// Which parts of a range are known.
public struct Coverage: Hashable, Sendable {
    /// The range asked about.
    public let range: Range<Timestamp>
    /// The covered parts: in order, apart from each other.
    public let covered: [Range<Timestamp>]
    /// Whether the range begins before what the history remembers, see ``StepCount/isTruncated``.
    public let isTruncated: Bool

    /// The parts between, before and after the covered ones.
    public var gaps: [Range<Timestamp>] {
        var gaps: [Range<Timestamp>] = []
        var end = range.lowerBound
        for part in covered {
            if end < part.lowerBound { gaps.append(end..<part.lowerBound) }
            end = part.upperBound
        }
        if end < range.upperBound { gaps.append(end..<range.upperBound) }
        return gaps
    }

    /// The covered time in seconds.
    public var seconds: TimeInterval {
        Double(covered.reduce(0) { $0 + $1.nanoseconds }) / 1e9
    }

    /// The covered share of the range, 0…1; 0 for an empty range.
    public var fraction: Double { range.isEmpty ? 0 : seconds / range.seconds }

    /// The range asked about.
    public var interval: DateInterval { DateInterval(range) }
}

extension MotionHistory {
    /// Which parts of a range are covered by samples, and which are not.
    ///
    /// - Parameters:
    ///   - range: The range.
    ///   - source: Whose coverage; may be left out when there is only one source.
    /// - Throws: ``HistoryError``.
    /// - Complexity: Linear in the segments in the range. For the covered time alone,
    ///   ``steps(in:from:)-(Range<Timestamp>,_)`` is faster.
    public func coverage(in range: Range<Timestamp>, from source: String? = nil) throws -> Coverage {
        try read { db in try Inquiry(source, at: url, db).coverage(in: range, db) }
    }
}

extension Inquiry {
    func coverage(in range: Range<Timestamp>, _ db: Database) throws -> Coverage {
        let visible = visible(range)
        var covered: [Range<Timestamp>] = []
        guard let source, !visible.isEmpty else {
            return Coverage(range: range, covered: [], isTruncated: isTruncated(range))
        }
        let statement = """
            SELECT max(start, ?2), min(end, ?3) FROM segment
            WHERE source = ?1 AND start < ?3 AND end > ?2 AND start >= ifnull(
                (SELECT start FROM segment WHERE source = ?1 AND start <= ?2 ORDER BY start DESC LIMIT 1), ?2)
            ORDER BY start
            """
        let spans = try db.rows(statement, [source.id, visible.lowerBound, visible.upperBound]) { row in
            Timestamp(nanosecondsSince1970: row[0])..<Timestamp(nanosecondsSince1970: row[1])
        }
        for span in spans {
            if let last = covered.last, last.upperBound == span.lowerBound {
                covered[covered.count - 1] = last.lowerBound..<span.upperBound
            } else {
                covered.append(span)
            }
        }
        return Coverage(range: range, covered: covered, isTruncated: isTruncated(range))
    }
}

package import Footfall
internal import GRDB

/// What an answer takes, estimated before the work.
package struct QueryCost {
    /// The number of rows; 0 where only the answer shows it.
    package let rows: Int
    /// The time on a desktop computer of 2020, in seconds.
    package let seconds: Double
}

extension SourceSnapshot {
    /// The time of a row or a segment, and of a step, in seconds: 20,160 minutes take a second, the three million steps
    /// of a year three.
    private static let (secondsPerRow, secondsPerStep) = (5e-5, 1e-6)

    /// The cost of an answer.
    ///
    /// - Parameters:
    ///   - rows: The number of its rows, if it is known.
    ///   - range: The range whose segments and steps are read one by one; nil if they are not read.
    /// - Throws: ``HistoryError``.
    /// - Complexity: Linear in the segments of the range, a few nanoseconds each.
    package func cost(rows: Int, reading range: Range<Timestamp>? = nil) throws -> QueryCost {
        guard let range else { return QueryCost(rows: rows, seconds: Double(rows) * Self.secondsPerRow) }
        let (read, steps) = (try segmentCount(in: range), try steps(in: range).count)
        return QueryCost(
            rows: rows, seconds: Double(rows + read) * Self.secondsPerRow + Double(steps) * Self.secondsPerStep)
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

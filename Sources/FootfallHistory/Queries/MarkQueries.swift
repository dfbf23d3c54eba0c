package import Footfall
internal import FootfallReaders
package import FootfallTables
package import Foundation

extension SourceSnapshot {
    /// The marks that overlap a range, in the order of their starts.
    ///
    /// - Parameter range: The range. A mark that reaches out of it keeps its whole range.
    /// - Throws: ``HistoryError``.
    /// - Complexity: Linear in the marks of the source.
    public func marks(in range: some TimeRange) throws -> [Mark] {
        guard let row else { return [] }
        return try MarkTable(source: row.id).marks(
            in: keptPart(of: range.timestamps), newest: row.newest(db) ?? .min, db)
    }

    /// The marks that overlap a range, with the steps of their parts in it.
    package func markedSteps(in range: some TimeRange, where filter: SegmentFilter? = nil) throws -> [MarkedSteps] {
        try marks(in: range).map { mark in
            try MarkedSteps(mark: mark, steps: steps(in: mark.range.clamped(to: range.timestamps), where: filter))
        }
    }
}

extension MotionHistory {
    /// Sets a mark that the command or the server describes by texts. `since` is the start; nil for now. `until` is the
    /// end; nil for an open mark. `zone` is the zone of times that name none; nil for the wearer's. Throws
    /// `ResolvedRange.Empty`, and ``HistoryError``.
    package func mark(
        _ text: String, since: TimeExpression?, until: TimeExpression?, zone: TimeZone?, from source: String?
    ) throws -> Mark {
        let now = Date()
        let wearer = try timeZones(of: source).last?.timeZone ?? .gmt
        let ends = try ResolvedRange.ends(since, until, in: zone ?? wearer, now: now)
        let start = ends.since ?? Timestamp(now)
        guard let end = ends.until else { return try mark(text, at: start, from: source) }
        guard start < end else { throw ResolvedRange.Empty() }
        return try mark(text, in: start..<end, from: source)
    }
}

/// The steps of a range, mark by mark.
package struct MarkedStepsQuery: HistoryQuery {
    let filter: SegmentFilter?

    package init(where filter: SegmentFilter?) { self.filter = filter }

    package func cost(in range: ResolvedRange, of source: SourceSnapshot) throws -> QueryCost {
        // Steps without a filter are sums.
        try source.cost(rows: source.marks(in: range.range).count, reading: filter == nil ? nil : range.range)
    }

    package func rows(
        in range: ResolvedRange, of source: SourceSnapshot, _ take: (MarkedSteps) throws -> Void
    ) throws {
        try source.markedSteps(in: range.range, where: filter).forEach(take)
    }
}

/// The steps of a mark, in its part of the queried range.
package struct MarkedSteps: Hashable, Sendable {
    package let mark: Mark
    package let steps: StepCount
}

extension MarkedSteps: QueryRow {
    package var key: [String] { [mark.text, "\(mark.range.lowerBound)"] }
    package var range: Range<Timestamp> { steps.range }
    package var stepCount: Int { steps.count }
    package var isShrinking: Bool { steps.isTruncated }

    package static let table = Table<MarkedSteps>(
        "query steps --by mark", row: "a mark, in its part of the range",
        [TableField.ofStepCount.of { $0.steps }]
            + [
                .text("mark", "The text of the mark.") { $0.mark.text },
                .flag("open", "Whether the mark ends with the next open one or with the newest sample.") {
                    $0.mark.isOpen
                },
            ])
}

extension Mark {
    package static let table = Table<Mark>(
        "mark", row: "the mark",
        [
            .time("start", "The start of the mark.") { $0.range.lowerBound },
            .time("end", "The end of the mark, not included; so far, if it is open.") { $0.range.upperBound },
            .text("mark", "The text.") { $0.text },
            .flag("open", "Whether the mark ends with the next open one or with the newest sample.") { $0.isOpen },
        ])
}

public import Footfall
public import Foundation

// Each method answers one question, from a new snapshot. The parameter `source` is the name of the source. The default,
// nil, stands for the only source.
extension MotionHistory {
    /// The answer to a question, without blocking a thread of the caller's tasks.
    ///
    /// ```swift
    /// let summary = try await history.answer { try $0.source("pocket").summary(of: day) }
    /// ```
    ///
    /// - Parameter question: Queries of one snapshot, as in ``read(_:)``. It runs on another thread.
    /// - Throws: ``HistoryError``, and the errors of the question.
    public func answer<Answer: Sendable>(
        _ question: @escaping @Sendable (HistorySnapshot) throws -> Answer
    ) async throws -> Answer {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(with: Result { try self.read(question) }) }
        }
    }

    /// Counts the steps in a range, see ``SourceSnapshot/steps(in:where:)``. Throws ``HistoryError``.
    public func steps(
        in range: some TimeRange, from source: String? = nil, where filter: SegmentFilter? = nil
    ) throws -> StepCount {
        try read { try $0.source(source).steps(in: range, where: filter) }
    }

    /// Counts the steps in calendar buckets, see ``SourceSnapshot/steps(in:by:calendar:where:)``.
    /// Throws ``HistoryError``.
    public func steps(
        in range: some TimeRange, by bucket: CalendarBucket, calendar: Calendar? = nil, from source: String? = nil,
        where filter: SegmentFilter? = nil
    ) throws -> [StepCount] {
        try read { try $0.source(source).steps(in: range, by: bucket, calendar: calendar, where: filter) }
    }

    /// The steps and the covered time that were ever recorded, see ``SourceSnapshot/recordedTotal()``.
    /// Throws ``HistoryError``.
    public func recordedTotal(of source: String? = nil) throws -> RecordedTotal {
        try read { try $0.source(source).recordedTotal() }
    }

    /// The times of all steps in a range, see ``SourceSnapshot/stepTimes(in:)``. Throws ``HistoryError``.
    public func stepTimes(in range: some TimeRange, from source: String? = nil) throws -> [Timestamp] {
        try read { try $0.source(source).stepTimes(in: range) }
    }

    /// The bouts in a range, see ``SourceSnapshot/bouts(in:gap:)``. Throws ``HistoryError``.
    public func bouts(
        in range: some TimeRange, from source: String? = nil, gap: TimeInterval = Bout.defaultGap
    ) throws -> [Bout] {
        try read { try $0.source(source).bouts(in: range, gap: gap) }
    }

    /// The segments that overlap a range, see ``SourceSnapshot/activities(in:where:order:)``. Throws ``HistoryError``.
    public func activities(
        in range: some TimeRange, from source: String? = nil, where filter: SegmentFilter = .all,
        order: SortOrder = .forward
    ) throws -> [RecordedSegment] {
        try read { try $0.source(source).activities(in: range, where: filter, order: order) }
    }

    /// The segment at a moment, see ``SourceSnapshot/activity(at:)``. Throws ``HistoryError``.
    public func activity(at moment: Timestamp, from source: String? = nil) throws -> RecordedSegment? {
        try read { try $0.source(source).activity(at: moment) }
    }

    /// The pieces that overlap a range, see ``SourceSnapshot/pieces(in:)``. Throws ``HistoryError``.
    public func pieces(in range: some TimeRange, from source: String? = nil) throws -> [Segment] {
        try read { try $0.source(source).pieces(in: range) }
    }

    /// The covered and the uncovered parts of a range, see ``SourceSnapshot/coverage(in:)``. Throws ``HistoryError``.
    public func coverage(in range: some TimeRange, from source: String? = nil) throws -> Coverage {
        try read { try $0.source(source).coverage(in: range) }
    }

    /// The duration of each activity in each of many ranges, see ``SourceSnapshot/durations(in:)``.
    /// Throws ``HistoryError``.
    public func durations(
        in ranges: [Range<Timestamp>], from source: String? = nil
    ) throws -> [[Activity: TimeInterval]] {
        try read { try $0.source(source).durations(in: ranges) }
    }

    /// The marks that overlap a range, see ``SourceSnapshot/marks(in:)``. Throws ``HistoryError``.
    public func marks(in range: some TimeRange, from source: String? = nil) throws -> [Mark] {
        try read { try $0.source(source).marks(in: range) }
    }

    /// The totals of a range, see ``SourceSnapshot/summary(of:boutGap:)``. Throws ``HistoryError``.
    public func summary(
        of range: some TimeRange, from source: String? = nil, boutGap: TimeInterval = Bout.defaultGap
    ) throws -> MotionSummary {
        try read { try $0.source(source).summary(of: range, boutGap: boutGap) }
    }

    /// The wearer's time zones, see ``SourceSnapshot/timeZones()``. Throws ``HistoryError``.
    public func timeZones(of source: String? = nil) throws -> [ZoneChange] {
        try read { try $0.source(source).timeZones() }
    }

    /// All sources, see ``HistorySnapshot/sources()``. Throws ``HistoryError``.
    public func sources() throws -> [SourceInfo] { try read { try $0.sources() } }

    /// How long the history keeps events. Throws ``HistoryError``.
    public var retention: Retention { get throws { try read { try $0.retention } } }

    /// The version of the file's format. Throws ``HistoryError``.
    public var formatVersion: Int { get throws { try read { try $0.formatVersion } } }

    /// A number that grows with every change by any process, see ``HistorySnapshot/revision``. Throws ``HistoryError``.
    public var revision: Int { get throws { try read { try $0.revision } } }
}

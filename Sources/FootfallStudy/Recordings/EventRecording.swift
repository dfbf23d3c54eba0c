package import Footfall
package import FootfallHistory
package import FootfallReaders
package import Foundation

/// Records the events of a trace or a device as they come.
package struct EventRecording: Sendable {
    /// The events of a few hours. Fewer transactions are faster, and the events of one wait in memory.
    static let longTransaction = 4096
    private let name: String
    private let history: MotionHistory
    private let timeZone: TimeZone?
    private let hasStart: Bool
    private let remedy: ParameterText
    private let transactionLength: Int
    /// The transaction of the whole trace; nil if each part is recorded by itself.
    private let whole: WholeRecording?
    private var waiting: [MotionEvent] = []
    /// What was recorded so far.
    package private(set) var trace: RecordedTrace

    /// Starts a recording of one source.
    ///
    /// - Parameters:
    ///   - name: The trace or the device, for errors.
    ///   - hasStart: Whether the user has placed the trace in time. If not, and without absolute time of its own, it
    ///     does not replace another trace.
    ///   - remedy: What helps if it would replace another trace without a date.
    ///   - transactionLength: The number of events that wait for one transaction.
    ///   - isWhole: Whether nothing is recorded before ``finish()``.
    package init(
        of name: String, into history: MotionHistory, from source: String, timeZone: TimeZone?, hasStart: Bool,
        remedy: ParameterText,
        transactionLength: Int = longTransaction, isWhole: Bool = false
    ) {
        whole = isWhole ? WholeRecording(into: history) : nil
        (self.name, self.history, self.timeZone) = (name, history, timeZone)
        (self.hasStart, self.remedy, self.transactionLength) = (hasStart, remedy, transactionLength)
        trace = RecordedTrace(source: source)
    }

    /// Adds the next events.
    ///
    /// - Throws: `HistoryError`, and `TraceError` for a trace without absolute time that would replace another one.
    ///   Earlier transactions stay, unless the trace is recorded as a whole.
    package mutating func add(_ events: [MotionEvent]) throws {
        waiting += events
        if waiting.count >= transactionLength { try commit() }
    }

    /// Ends the recording: records the waiting events and, if nothing is recorded before, all others.
    ///
    /// - Throws: As ``add(_:)``.
    package mutating func finish() throws {
        try commit()
        try whole?.commit()
    }

    private func record(_ events: [MotionEvent], replaces: Bool) throws -> RecordingOutcome {
        if let whole {
            return try whole.record(events, from: trace.source, timeZone: timeZone, replaces: replaces)
        }
        return try history.record(events, from: trace.source, timeZone: timeZone, replaces: replaces)
    }

    /// Records the waiting events.
    ///
    /// - Throws: As ``add(_:)``.
    package mutating func commit() throws {
        let isUndated = waiting.first.map { $0.start < .endOfUndated } ?? false
        do {
            let outcome = try record(waiting, replaces: hasStart || !isUndated)
            trace.add(waiting, outcome)
        } catch let error as HistoryError {
            guard case .occupied(let source) = error.reason else { throw error }
            throw TraceError(
                .badData, path: name,
                problem: "has no date, and the history holds another trace without a date as \(source)",
                remedy: remedy)
        }
        waiting.removeAll(keepingCapacity: true)
    }
}

extension MotionHistory {
    /// The end of a source; nil for an unknown one.
    package func end(of source: String) throws -> Timestamp? {
        try read { try $0.sources().first { $0.name == source }?.keptRange?.upperBound }
    }
}

extension MotionEvent {
    fileprivate var start: Timestamp {
        switch self {
        case .step(let step): step.time
        case .segment(let segment): segment.range.lowerBound
        case .gap(let range), .nonWear(let range): range.lowerBound
        }
    }
}

/// The recording of one trace by a command.
package struct RecordedTrace: Sendable {
    package let source: String
    package private(set) var outcome = RecordingOutcome()
    package private(set) var steps = 0
    /// The time that the segments cover, in seconds.
    package private(set) var coverage = 0.0
    /// From the first start to the last end; nil without segments.
    package private(set) var range: Range<Timestamp>?

    package init(source: String) { self.source = source }

    mutating func add(_ events: [MotionEvent], _ outcome: RecordingOutcome) {
        self.outcome += outcome
        for event in events {
            switch event {
            case .step: steps += 1
            case .segment(let segment):
                coverage += segment.range.seconds
                let start = range?.lowerBound ?? segment.range.lowerBound
                range = start..<max(start, segment.range.upperBound)
            case .gap, .nonWear: break
            }
        }
    }

    package func overlaps(_ other: RecordedTrace) -> Bool {
        guard let range, let other = other.range else { return false }
        return range.overlaps(other)
    }
}

package import Footfall
package import FootfallHistory
package import FootfallReaders
package import Foundation

/// Records the events of a trace as they come, as a whole or not at all.
package struct EventRecording: Sendable {
    /// The events of a few hours. Fewer transactions are faster, and the events of one wait in memory.
    static let longTransaction = 4096
    private let name: String
    private let timeZone: TimeZone?
    private let hasStart: Bool
    private let remedy: ParameterText
    private let recording: WholeRecording
    private var waiting: [MotionEvent] = []
    /// What was recorded so far.
    package private(set) var trace: RecordedTrace

    /// Starts a recording of one source.
    ///
    /// - Parameters:
    ///   - name: The trace, for errors.
    ///   - hasStart: Whether the user has placed the trace in time. If not, and without absolute time of its own, it
    ///     does not replace another trace.
    ///   - remedy: What helps if it would replace another trace without a date.
    package init(
        of name: String, into history: MotionHistory, from source: String, timeZone: TimeZone?, hasStart: Bool,
        remedy: ParameterText
    ) {
        recording = WholeRecording(into: history)
        (self.name, self.timeZone, self.hasStart, self.remedy) = (name, timeZone, hasStart, remedy)
        trace = RecordedTrace(source: source)
    }

    /// Adds the next events. Throws `HistoryError`, and `TraceError` for a trace without absolute time that would
    /// replace another one.
    package mutating func add(_ events: [MotionEvent]) throws {
        waiting += events
        if waiting.count >= Self.longTransaction { try passOn() }
    }

    /// Ends the recording: all events are recorded.
    package mutating func finish() throws {
        try passOn()
        try recording.commit()
    }

    private mutating func passOn() throws {
        do {
            let replaces = hasStart || waiting.first?.isDated ?? true
            trace.outcome += try recording.record(
                waiting, from: trace.source, timeZone: timeZone, replaces: replaces)
            trace.add(waiting)
        } catch let error as HistoryError {
            throw error.ofUndatedTrace(name, remedy: remedy) ?? error
        }
        waiting.removeAll(keepingCapacity: true)
    }
}

extension HistoryError {
    /// The error of a trace without a date that would replace another one; nil for another reason.
    package func ofUndatedTrace(_ name: String, remedy: ParameterText) -> TraceError? {
        guard case .occupied(let source) = reason else { return nil }
        return TraceError(
            .badData, path: name,
            problem: "has no date, and the history holds another trace without a date as \(source)", remedy: remedy)
    }
}

extension MotionHistory {
    /// The end of a source; nil for an unknown one.
    package func end(of source: String) throws -> Timestamp? {
        try read { try $0.sources().first { $0.name == source }?.keptRange?.upperBound }
    }
}

/// The recording of one trace by a command.
package struct RecordedTrace: Sendable {
    package let source: String
    package var outcome = RecordingOutcome()
    package private(set) var steps = 0
    /// The time that the segments cover, in seconds.
    package private(set) var coverage = 0.0
    /// From the first start to the last end; nil without segments.
    package private(set) var range: Range<Timestamp>?

    package init(source: String) { self.source = source }

    /// Adds events, whose outcome is added to ``outcome``.
    package mutating func add(_ events: [MotionEvent]) {
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

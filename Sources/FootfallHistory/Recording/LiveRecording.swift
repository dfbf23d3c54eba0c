public import Footfall
public import Foundation
internal import Synchronization

extension MotionHistory {
    /// Records the settled events of a stream while it runs, such as those of a live device.
    ///
    /// ```swift
    /// try await history.record(\.events, of: LiveMotion(device), from: "wrist") { update in
    ///     print(update.steps, update.current?.activity ?? .unknown)
    /// }
    /// ```
    ///
    /// A transaction writes about five pages of 4 kB, however few its events are. One per second would write 20 kB/s,
    /// which wears out a memory card. So events wait up to 20 s for a transaction, in a file beside the history. When
    /// the process is killed, the next access to the history records them from there. Queries of this object record
    /// them first, so that every answer has them.
    ///
    /// The rules of ``record(_:from:timeZone:replaces:)`` hold. When the task is cancelled and the stream ends, or when
    /// the stream throws, all events before are recorded.
    ///
    /// - Parameters:
    ///   - events: The settled events of an element, in the order of a ``/Footfall/MotionAnalyzer``.
    ///   - updates: The stream. Events that wait are recorded when an element arrives, so it should have one a second.
    ///   - source: The name of the wearer or device.
    ///   - timeZone: The wearer's time zone. Nil, the default, stands for the zone before or, for a new source, for the
    ///     system's.
    ///   - body: Receives each element after its events are safe. An error ends the recording.
    /// - Returns: The numbers of recorded, replaced and dropped steps and segments.
    /// - Throws: ``HistoryError``, such as that of a full disk, and what the stream or `body` throws.
    @discardableResult
    public nonisolated(nonsending) func record<Updates: AsyncSequence>(
        _ events: (Updates.Element) -> [MotionEvent], of updates: Updates, from source: String,
        timeZone: TimeZone? = nil, then body: (Updates.Element) throws -> Void = { _ in }
    ) async throws -> RecordingOutcome {
        let recording = try LiveRecording(into: self, from: source, timeZone: timeZone)
        do {
            for try await update in updates {
                try recording.add(events(update))
                try body(update)
            }
        } catch {
            // After a failure of the history this fails, too. Then the events stay in their file.
            _ = try? recording.finish()
            throw error
        }
        return try recording.finish()
    }

    /// Records the events that wait in this process, before an answer. A failure is not that of the answer. The
    /// recording fails itself with its next transaction.
    func recordWaiting() {
        for recording in recordings.withLock({ $0.compactMap(\.recording) }) { try? recording.commit() }
    }
}

/// Records the settled events of one source as they come, several seconds in one transaction.
package final class LiveRecording: Sendable {
    /// A reference from a history, which the recording keeps alive.
    struct Reference: Sendable {
        weak var recording: LiveRecording?
    }

    private struct Contents {
        var waiting: [MotionEvent] = []
        /// The events since the last segment. A segment is recorded with the steps before it.
        var open: [MotionEvent] = []
        /// The end of the first waiting event, and when it arrived.
        var since: (event: Timestamp, host: ContinuousClock.Instant)?
        var outcome = RecordingOutcome()
    }

    /// The longest time that an event waits, in seconds of the device and of the host.
    private static let interval = 20.0

    /// The name of the wearer or device.
    package let source: String
    private let history: MotionHistory
    private let timeZone: TimeZone?
    private let replaces: @Sendable (MotionEvent) -> Bool
    /// Nil for a history in memory.
    private let journal: WaitingEvents?
    private let contents = Mutex(Contents())

    /// Starts a recording. `replaces` states whether a transaction that begins with an event may replace others of the
    /// same time, see ``MotionHistory/record(_:from:timeZone:replaces:)``.
    package init(
        into history: MotionHistory, from source: String, timeZone: TimeZone?,
        replaces: @escaping @Sendable (MotionEvent) -> Bool = { _ in true }
    ) throws {
        (self.history, self.source, self.timeZone, self.replaces) = (history, source, timeZone, replaces)
        journal = try WaitingEvents(of: history, from: source, timeZone: timeZone)
        history.recordings.withLock { recordings in
            recordings.removeAll { $0.recording == nil }
            recordings.append(Reference(recording: self))
        }
    }

    /// Adds events, and records all that wait when the first of them has waited long enough. Throws ``HistoryError``;
    /// earlier transactions stay.
    package func add(_ events: [MotionEvent]) throws {
        let now = ContinuousClock.now
        try contents.withLock { contents in
            journal?.add(events)
            contents.waiting += events
            for event in events {
                switch event {
                case .step: contents.open.append(event)
                case .segment: contents.open = []
                case .gap, .nonWear: break
                }
            }
            guard let newest = contents.waiting.last?.end else { return }
            let since = contents.since ?? (events.first?.end ?? newest, now)
            contents.since = since
            let waited = max(since.host.duration(to: now) / .seconds(1), abs(newest.seconds(since: since.event)))
            if waited >= Self.interval { try commit(&contents) }
        }
    }

    /// Records the waiting events, and ends the recording. Returns the numbers of the whole recording.
    package func finish() throws -> RecordingOutcome {
        try contents.withLock { contents in
            try commit(&contents)
            journal?.remove()
            return contents.outcome
        }
    }

    /// Ends the recording without the waiting events.
    package func discard() {
        contents.withLock { contents in
            contents.waiting = []
            journal?.remove()
        }
    }

    /// Records the waiting events.
    func commit() throws { try contents.withLock { try commit(&$0) } }

    private func commit(_ contents: inout Contents) throws {
        // Without events there is nothing to record, not even the name of the source.
        guard let first = contents.waiting.first else { return }
        do {
            contents.outcome += try history.record(
                contents.waiting, from: source, timeZone: timeZone, replaces: replaces(first))
        } catch let error as HistoryError {
            // Events that are refused now are refused in the next session, too.
            if case .occupied = error.reason { journal?.remove() }
            throw error
        }
        journal?.restart(with: contents.open)
        (contents.waiting, contents.since) = ([], nil)
    }
}

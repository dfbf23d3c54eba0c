import Footfall
import FootfallHistory
import FootfallLive
import FootfallReaders
import FootfallStudy
import Foundation

/// Records the settled events of a live device, several seconds in one transaction.
///
/// A transaction writes about five pages of 4 kB, however few its events are. One per second would write 20 kB/s, which
/// wears out a memory card. Events that wait are safe in ``WaitingEvents``.
struct LiveRecording: Sendable {
    /// The longest time that an event waits, in seconds of the device and of the host.
    private static let interval = 20.0

    private var recording: EventRecording
    /// Nil for a history in memory.
    private let journal: WaitingEvents?
    /// The events since the last segment. A segment is recorded with the steps before it.
    private var open: [MotionEvent] = []
    /// The times when the first waiting event arrived.
    private var since: (device: Timestamp?, host: ContinuousClock.Instant)?

    /// What was recorded so far.
    var trace: RecordedTrace { recording.trace }

    /// Starts a recording.
    ///
    /// - Throws: `HistoryError`.
    init(_ recording: EventRecording, of source: String, _ zone: TimeZone?, in history: MotionHistory) throws {
        self.recording = recording
        journal = try WaitingEvents(of: history, from: source, timeZone: zone)
    }

    /// Adds the events of an update.
    ///
    /// - Throws: `HistoryError`, and `TraceError` for a trace that would replace another one; earlier transactions
    ///   stay.
    mutating func add(_ update: LiveUpdate) throws {
        let now = ContinuousClock.now
        try recording.add(update.events)
        journal?.add(update.events)
        for event in update.events {
            switch event {
            case .step: open.append(event)
            case .segment: open = []
            case .gap, .nonWear: break
            }
        }
        guard since != nil || !update.events.isEmpty else { return }
        let since = since ?? (update.time, now)
        self.since = since
        let waited = since.host.duration(to: now) / .seconds(1)
        let replayed = since.device.flatMap { update.time?.seconds(since: $0) } ?? 0
        if max(waited, abs(replayed)) >= Self.interval { try commit() }
    }

    /// Records the waiting events, and ends the recording.
    ///
    /// - Throws: As ``add(_:)``.
    mutating func finish() throws {
        try commit()
        journal?.remove()
    }

    /// Ends the recording without the waiting events.
    mutating func discard() { journal?.remove() }

    private mutating func commit() throws {
        // Without events there is nothing to record, not even the name of the source.
        guard since != nil else { return }
        do {
            try recording.commit()
        } catch let error as TraceError {
            // The events are refused, now and in the next session.
            journal?.remove()
            throw error
        }
        journal?.restart(with: open)
        since = nil
    }
}

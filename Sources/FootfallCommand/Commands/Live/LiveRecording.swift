import Footfall
import FootfallDevices
import FootfallHistory
import FootfallTraces
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
    /// The segments of at least the last hours. Non-wear is known an hour after its start, and takes the place of segments.
    private var segments: [Segment] = []
    private var nonWear: [Range<Timestamp>] = []
    /// The end of the non-wear that is recorded.
    private var markedEnd = Timestamp.supported.lowerBound
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
    /// - Throws: `HistoryError`, and `TraceError` for a trace that would replace another one; earlier transactions stay.
    mutating func add(_ update: LiveUpdate) throws {
        let now = ContinuousClock.now
        try recording.add(update.events)
        journal?.add(update.events)
        nonWear = update.nonWear
        for event in update.events {
            if case .segment(let segment) = event {
                segments.join(segment)
                open = []
            } else {
                open.append(event)
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

    private mutating func commit() throws {
        // Without events there is nothing to record, not even the name of the source.
        guard since != nil else { return }
        do {
            try recording.record(marking: newNonWear())
        } catch let error as TraceError {
            // The events are refused, now and in the next session.
            journal?.remove()
            throw error
        }
        journal?.restart(with: open)
        since = nil
    }

    /// The segments with the new non-wear.
    private mutating func newNonWear() -> [Segment] {
        let marked = segments.marking(nonWear: nonWear.filter { $0.upperBound > markedEnd })
        if let unworn = marked.last(where: { $0.reason == .notWorn }) { markedEnd = unworn.range.upperBound }
        if let end = segments.last?.range.upperBound {
            segments.removeAll { $0.range.upperBound < end.advanced(bySeconds: -2 * SensorCheck.nonWearSeconds) }
        }
        return marked
    }
}

internal import Footfall
package import FootfallTables
internal import NIOCore
internal import Synchronization

/// The motion of a device as it happens, for the readers of a server.
///
/// The recorder publishes the live state and the settled events; each reader gets an update at most every 0.2 s, which
/// has all events since the one before. A reader that was away for a while names its last update, and gets the events
/// since then.
public final class LiveFeed: Sendable {
    /// The shortest time between two updates.
    static let interval = TimeAmount.milliseconds(200)
    /// The most settled events that are kept for readers who were away: those of about ten minutes on foot.
    private static let mostEvents = 2048
    /// The most streams at a time. The other connections are for queries.
    private static let mostStreams = 600

    /// A place in the feed: the number of the last change.
    struct Place: Equatable, Sendable {
        var change: Int
        /// Whether the reader has had an update.
        var isStarted: Bool
    }

    /// The samples of the device.
    package struct Signal: Sendable {
        /// Samples per second; nil in the first seconds, and without a signal.
        var rate: Double?
        /// The seconds since the last sample.
        var silence: Double
        /// The dropped samples since the start.
        var dropped: Int

        package init(rate: Double?, silence: Double, dropped: Int) {
            (self.rate, self.silence, self.dropped) = (rate, silence, dropped)
        }
    }

    private struct State {
        var change = 0
        var revision: Int?
        /// The live state as JSON.
        var live: String?
        /// The settled events as JSON, each with the number of its change.
        var events: [(change: Int, text: String)] = []
        var signal: Signal?
        var streams = 0
        /// The last text, which most readers share.
        var text: (after: Int, text: String) = (-1, "")
    }

    /// The name under which the device's motion is recorded; nil without a device.
    public let source: String?
    /// Tells the changes of this feed from those of an earlier one.
    private let session = String(UInt32.random(in: 0 ... .max), radix: 36)
    private let state = Mutex(State())
    /// The last seconds of the motion, for the page.
    package let trail = LiveTrail()

    /// Creates the feed of a device.
    ///
    /// - Parameter source: The name under which its motion is recorded.
    public init(source: String) { self.source = source }

    /// Creates a feed without a device, which only has the changes of a history.
    init() { source = nil }

    // MARK: The recorder

    /// Publishes the newest live state, events that were settled since the last one, and the samples.
    package func publish(_ live: Record?, settled events: [Record], _ signal: Signal? = nil) {
        let (live, events) = (live.map { JSONValue.object($0).text }, events.map { JSONValue.object($0).text })
        state.withLock { state in
            state.change += 1
            if let live { state.live = live }
            if let signal { state.signal = signal }
            state.events += events.map { (state.change, $0) }
            state.events.removeFirst(max(0, state.events.count - Self.mostEvents))
        }
    }

    func set(revision: Int) {
        state.withLock { state in
            guard state.revision != revision else { return }
            state.revision = revision
            state.change += 1
        }
    }

    // MARK: Readers

    var signal: Signal? { state.withLock(\.signal) }

    var hasStreams: Bool { state.withLock { $0.streams > 0 } }

    /// Counts a new stream. Returns false at the limit.
    func addStream() -> Bool {
        state.withLock { state in
            guard state.streams < Self.mostStreams else { return false }
            state.streams += 1
            return true
        }
    }

    func removeStream() { state.withLock { $0.streams -= 1 } }

    /// The place of an event id; for an unknown or missing one, that after all events so far.
    func place(of id: String?) -> Place {
        let parts = id?.split(separator: "-") ?? []
        let known = parts.count == 2 && parts[0] == session ? Int(parts[1]) : nil
        return state.withLock { state in
            Place(
                change: known.flatMap { (0...state.change).contains($0) ? $0 : nil } ?? state.change, isStarted: false)
        }
    }

    /// The changes after a place as a server-sent event, and the place of the newest; nil without changes.
    func update(after place: Place) -> (text: String, place: Place)? {
        state.withLock { state in
            guard state.change > place.change || !place.isStarted else { return nil }
            let next = Place(change: state.change, isStarted: true)
            if state.text.after == place.change, state.text.text.hasPrefix(id(of: state.change)) {
                return (state.text.text, next)
            }
            let events = state.events.drop { $0.change <= place.change }.map(\.text).joined(separator: ",")
            let revision = state.revision.map(String.init) ?? "null"
            let text =
                id(of: state.change) + "event: update\ndata: {\"revision\":\(revision),\"source\":"
                + "\(JSONValue.text(source).text),\"state\":\(state.live ?? "null"),\"events\":[\(events)]}\n\n"
            state.text = (place.change, text)
            return (text, next)
        }
    }

    private func id(of change: Int) -> String { "id: \(session)-\(change)\n" }
}

package import Footfall
internal import FootfallHistory
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
        /// The latest update and the change before it. Most readers get the same text.
        var latest: (after: Int, text: String) = (-1, "")
    }

    /// The name under which the device's motion is recorded; nil without a device.
    public let source: String?
    /// Distinguishes the changes of this feed from those of an earlier one.
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
            if state.latest.after == place.change, state.latest.text.hasPrefix(id(of: state.change)) {
                return (state.latest.text, next)
            }
            let events = state.events.drop { $0.change <= place.change }.map(\.text).joined(separator: ",")
            let revision = state.revision.map(String.init) ?? "null"
            let text =
                id(of: state.change) + "event: update\ndata: {\"revision\":\(revision),\"source\":"
                + "\(JSONValue.text(source).text),\"state\":\(state.live ?? "null"),\"events\":[\(events)]}\n\n"
            state.latest = (place.change, text)
            return (text, next)
        }
    }

    private func id(of change: Int) -> String { "id: \(session)-\(change)\n" }
}

/// The last seconds of a device's motion, for the pictures of the page: the magnitude of the acceleration, the steps,
/// and the cadence of the last minute. A sample of any rate costs one addition: the magnitudes are means of 0.04 s.
package final class LiveTrail: Sendable {
    /// The length of the picture of the acceleration, and that of the cadence, in seconds.
    private static let signalSeconds = 10
    private static let cadenceSeconds = 60
    /// The number of means in a second, and the length of each in nanoseconds.
    private static let cellsPerSecond = 25
    private static let cellLength: Int64 = 40_000_000
    /// The number of means in the picture.
    private static let cells = signalSeconds * cellsPerSecond

    private struct Cell {
        var index: Int64
        var sum: Float
        var count: Float
    }

    private struct State {
        var cells: [Cell] = []
        var settled: [Timestamp] = []
        var provisional: [Timestamp] = []
        var cadences: [(time: Timestamp, value: Double?)] = []
    }

    private let state = Mutex(State())

    package init() {}

    /// Adds samples in order of time. A sample up to a second older than the newest one is dropped. An older one starts
    /// the pictures again.
    package func add(_ batch: SampleBatch) {
        state.withLock { state in
            for sample in batch where Timestamp.supported.contains(sample.time) {
                let index = sample.time.nanosecondsSince1970 / Self.cellLength
                let square = sample.x * sample.x + sample.y * sample.y + sample.z * sample.z
                let magnitude = square.squareRoot()
                guard magnitude.isFinite else { continue }
                if let last = state.cells.last, last.index > index {
                    guard last.index - index > Self.cellsPerSecond else { continue }
                    state = State()
                }
                if state.cells.last?.index == index {
                    state.cells[state.cells.count - 1].sum += magnitude
                    state.cells[state.cells.count - 1].count += 1
                } else {
                    state.cells.append(Cell(index: index, sum: magnitude, count: 1))
                }
            }
            // The array is shortened once it is twice too long, so that each cell moves a few times at most.
            guard state.cells.count > 2 * Self.cells, let last = state.cells.last else { return }
            state.cells.removeAll { $0.index <= last.index - Int64(Self.cells) }
        }
    }

    /// Adds the steps and the cadence of an update: the events that were settled since the last one, all that are not
    /// settled yet, and the cadence in steps a minute, nil without steps, at the newest sample.
    package func add(settled: [MotionEvent], provisional: [MotionEvent], cadence: Double?, at time: Timestamp?) {
        guard let time else { return }
        state.withLock { state in
            let start = time.advanced(bySeconds: -Double(Self.cadenceSeconds))
            state.settled = (state.settled + Self.steps(settled)).filter { $0 > start }
            state.provisional = Self.steps(provisional)
            if let last = state.cadences.last, last.time > time { state.cadences = [] }
            if state.cadences.last?.time != time { state.cadences.append((time, cadence)) }
            state.cadences.removeAll { $0.time <= start }
        }
    }

    private static func steps(_ events: [MotionEvent]) -> [Timestamp] {
        events.compactMap { if case .step(let step) = $0 { step.time } else { nil } }
    }

    /// The pictures' numbers as JSON: the magnitudes in g from the oldest on, null without samples; the steps and the
    /// cadences in seconds before the newest sample.
    func json(of source: String?) -> String {
        let state = state.withLock(\.self)
        let newest = state.cells.last?.index ?? 0
        var magnitudes = [JSONValue](repeating: .null, count: state.cells.isEmpty ? 0 : Self.cells)
        for cell in state.cells where cell.index > newest - Int64(Self.cells) {
            magnitudes[Int(cell.index - newest) + Self.cells - 1] = .number(Double(cell.sum / cell.count), decimals: 3)
        }
        let end = Timestamp(nanosecondsSince1970: (newest + 1) * Self.cellLength)
        let signalStart = end.advanced(bySeconds: -Double(Self.signalSeconds))
        let steps = (state.settled + state.provisional).filter { $0 > signalStart }
        let cadences = state.cadences.filter { end.seconds(since: $0.time) < Double(Self.cadenceSeconds) }
        func age(_ time: Timestamp) -> JSONValue { .number(max(0, end.seconds(since: time)), decimals: 2) }
        return JSONValue.object([
            ("source", .text(source)), ("seconds", .integer(Self.signalSeconds)),
            ("rate", .integer(Self.cellsPerSecond)), ("magnitudes", .array(magnitudes)),
            ("steps", .array(steps.map(age))), ("cadenceSeconds", .integer(Self.cadenceSeconds)),
            ("cadences", .array(cadences.map { .array([age($0.time), .number($0.value, decimals: 1)]) })),
        ]).text + "\n"
    }
}

package import Footfall
internal import FootfallHistory
internal import FootfallTables
internal import Synchronization

/// The last seconds of a device's motion, for the pictures of the page: the magnitude of the acceleration, the steps,
/// and the cadence of the last minute.
///
/// A sample of any rate costs one addition: the magnitudes are means of 0.04 s.
package final class LiveTrail: Sendable {
    /// The length of the picture of the acceleration, and that of the cadence, in seconds.
    private static let signalSeconds = 10
    private static let cadenceSeconds = 60
    /// The means of a second, and the length of one in nanoseconds.
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

    /// Adds samples in order of time.
    ///
    /// A sample up to a second older than the newest one counts for nothing. After a longer step back only what follows
    /// counts.
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
            // The array is shortened now and then only, which moves each cell a few times at most.
            guard state.cells.count > 2 * Self.cells, let last = state.cells.last else { return }
            state.cells.removeAll { $0.index <= last.index - Int64(Self.cells) }
        }
    }

    /// Adds the steps and the cadence of an update.
    ///
    /// - Parameters:
    ///   - settled: The events that were settled since the last update.
    ///   - provisional: All events that are not settled yet.
    ///   - cadence: Steps per minute; nil without steps.
    ///   - time: The time of the newest sample.
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

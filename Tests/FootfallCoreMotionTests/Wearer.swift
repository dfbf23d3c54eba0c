import Footfall
import FootfallCoreMotion
import FootfallHistory
import FootfallLive
import FootfallReaders
import FootfallSimulator
import Foundation
import Synchronization
import TestSupport

/// A simulated wearer of a sensor.
struct Wearer {
    let batches: [SampleBatch]
    let start: Timestamp
    let end: Timestamp
    /// The events of an analysis of the batches.
    let events: [MotionEvent]

    /// Simulates a scenario.
    ///
    /// - Parameter start: The start; nil to end now.
    init(_ scenario: Scenario, from start: Timestamp? = nil, gaps: [Range<Double>] = []) throws {
        self.start = start ?? Timestamp(Date()).advanced(bySeconds: -scenario.duration)
        end = self.start.advanced(bySeconds: scenario.duration)
        let isErrand = scenario.name == Scenario.errand.name && gaps.isEmpty
        let shift = self.start.nanosecondsSince1970
        batches = try (isErrand ? Self.errand.get() : Self.simulate(scenario, gaps: gaps)).map { batch in
            let times = batch.times.map { Timestamp(nanosecondsSince1970: $0.nanosecondsSince1970 + shift) }
            return SampleBatch(times: times, x: batch.x, y: batch.y, z: batch.z)
        }
        events = batches.events
    }

    /// The errand from 1970 on, simulated once for all tests.
    private static let errand = Result { try simulate(.errand, gaps: []) }

    private static func simulate(_ scenario: Scenario, gaps: [Range<Double>]) throws -> [SampleBatch] {
        let sensor = SensorModel(sampleRate: 25, gaps: gaps)
        return Array(try Simulation(scenario, seed: 4, sensor: sensor, samplesPerBatch: 25))
    }

    /// A history of the events.
    func history(source: String = "default") throws -> MotionHistory {
        let history = try MotionHistory.inMemory()
        try history.record(events, from: source)
        return history
    }

    /// A device that sends all batches as fast as possible.
    var replay: ReplayDevice<AsyncStream<SampleBatch>> {
        let (stream, continuation) = AsyncStream.makeStream(of: SampleBatch.self)
        for batch in batches { continuation.yield(batch) }
        continuation.finish()
        return ReplayDevice("replay", stream, speed: nil)
    }

    /// The date so many seconds after the start.
    func date(_ seconds: Double) -> Date { Date(start.advanced(bySeconds: seconds)) }
}

extension Scenario {
    /// A minute of standing, a minute of walking, a minute of standing.
    static let errand = Scenario(
        name: "errand", scenes: [Scene(.standing, for: 60), Scene(.walking(), for: 60), Scene(.standing, for: 60)])
}

/// A device whose samples a test sends.
final class ManualDevice: MotionDevice {
    let name = "manual"
    private let stream: AsyncThrowingStream<SampleBatch, any Error>
    private let continuation: AsyncThrowingStream<SampleBatch, any Error>.Continuation

    init() {
        (stream, continuation) = AsyncThrowingStream.makeStream(of: SampleBatch.self)
    }

    func batches() -> AsyncThrowingStream<SampleBatch, any Error> { stream }

    func send(_ batches: some Sequence<SampleBatch>) {
        for batch in batches { continuation.yield(batch) }
    }

    func end(_ error: (any Error)? = nil) { continuation.finish(throwing: error) }
}

/// Records the values that handlers get.
final class Recorder<Value: Sendable>: Sendable {
    private let values = Mutex<[Value]>([])
    private let changes: AsyncStream<Void>
    private let change: AsyncStream<Void>.Continuation

    init() {
        (changes, change) = AsyncStream.makeStream(of: Void.self)
    }

    func add(_ value: Value) {
        values.withLock { $0.append(value) }
        change.yield()
    }

    var all: [Value] { values.withLock { $0 } }

    /// Waits until the values meet a condition.
    @discardableResult
    func wait(until condition: ([Value]) -> Bool) async -> [Value] {
        var changes = changes.makeAsyncIterator()
        while !condition(all), await changes.next() != nil {}
        return all
    }

    /// Waits for the first value.
    func first() async -> Value? { await wait { !$0.isEmpty }.first }
}

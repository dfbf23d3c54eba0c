import Footfall
import FootfallCoreMotion
import FootfallDevices
import FootfallHistory
import FootfallSimulator
import Foundation
import Synchronization

/// Somebody who is simulated, with a sensor.
struct Wearer {
    let batches: [SampleBatch]
    let truth: GroundTruth
    let start: Timestamp
    let end: Timestamp

    /// Somebody who does what a scenario says.
    ///
    /// - Parameter start: When; nil so that it ends now.
    init(_ scenario: Scenario, from start: Timestamp? = nil, gaps: [Range<Double>] = []) throws {
        let begin = start ?? Timestamp(Date()).advanced(bySeconds: -scenario.duration)
        let sensor = SensorModel(sampleRate: 25, gaps: gaps, start: begin)
        let simulation = try Simulation(scenario, seed: 4, sensor: sensor, samplesPerBatch: 25)
        batches = Array(simulation)
        truth = simulation.truth
        self.start = begin
        end = begin.advanced(bySeconds: scenario.duration)
    }

    /// A history that knows what an analysis found.
    func history(source: String = "default") throws -> MotionHistory {
        let history = try MotionHistory.inMemory()
        try history.record(events, from: source)
        return history
    }

    /// What an analysis finds.
    var events: [MotionEvent] {
        var analyzer = MotionAnalyzer()
        return batches.flatMap { analyzer.analyze($0) } + analyzer.finish()
    }

    /// All at once, as fast as can be.
    var replay: ReplayDevice<AsyncStream<SampleBatch>> {
        let (stream, continuation) = AsyncStream.makeStream(of: SampleBatch.self)
        for batch in batches { continuation.yield(batch) }
        continuation.finish()
        return ReplayDevice("replay", stream, speed: nil)
    }

    /// A moment of the simulation.
    func date(_ seconds: Double) -> Date { Date(start.advanced(bySeconds: seconds)) }
}

extension [MotionEvent] {
    var steps: [Step] { compactMap { if case .step(let step) = $0 { step } else { nil } } }
}

extension Scenario {
    /// A minute of standing, a minute of walking, a minute of standing.
    static let errand = Scenario(
        name: "errand", scenes: [Scene(.standing, for: 60), Scene(.walking(), for: 60), Scene(.standing, for: 60)])
}

/// A device that a test holds in its hands.
final class Hand: MotionDevice {
    let name = "hand"
    private let stream: AsyncThrowingStream<SampleBatch, any Error>
    private let continuation: AsyncThrowingStream<SampleBatch, any Error>.Continuation

    init() {
        (stream, continuation) = AsyncThrowingStream.makeStream(of: SampleBatch.self)
    }

    func batches() -> AsyncThrowingStream<SampleBatch, any Error> { stream }

    func give(_ batches: some Sequence<SampleBatch>) {
        for batch in batches { continuation.yield(batch) }
    }

    func end(_ error: (any Error)? = nil) { continuation.finish(throwing: error) }
}

/// What handlers were called with, to be waited for.
final class Heard<Value: Sendable>: Sendable {
    private let values = Mutex<[Value]>([])
    private let stream: AsyncStream<Void>
    private let bell: AsyncStream<Void>.Continuation

    init() {
        (stream, bell) = AsyncStream.makeStream(of: Void.self)
    }

    func add(_ value: Value) {
        values.withLock { $0.append(value) }
        bell.yield()
    }

    var all: [Value] { values.withLock { $0 } }

    /// Waits until the values are as they should be.
    @discardableResult
    func wait(until condition: ([Value]) -> Bool) async -> [Value] {
        var rings = stream.makeAsyncIterator()
        while !condition(all), await rings.next() != nil {}
        return all
    }

    /// Waits for the first value.
    func first() async -> Value? { await wait { !$0.isEmpty }.first }
}

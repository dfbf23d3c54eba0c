import Footfall
import FootfallDevices
import FootfallSimulator
import TestSupport

/// Batches as an asynchronous sequence.
struct Recorded: AsyncSequence, Sendable {
    var batches: [SampleBatch]

    struct Iterator: AsyncIteratorProtocol {
        var rest: ArraySlice<SampleBatch>
        mutating func next() async -> SampleBatch? { rest.popFirst() }
    }

    func makeAsyncIterator() -> Iterator { Iterator(rest: batches[...]) }

    /// What a scenario gives.
    static func scenario(_ name: String, seconds: Double? = nil, rate: Double = 50) throws -> Recorded {
        var scenario = try Scenario.named(name)
        if let seconds { scenario = scenario.lasting(seconds) }
        return Recorded(batches: Array(try Simulation(scenario, seed: 3, sensor: SensorModel(sampleRate: rate))))
    }

    /// The events that an analysis of the same samples settles.
    var events: [MotionEvent] { batches.events }

    /// The samples without those of some seconds since the start.
    func without(_ seconds: Range<Double>) -> Recorded {
        guard let start = batches.first?.times.first else { return self }
        return Recorded(
            batches: batches.map { batch in
                SampleBatch(batch.filter { !seconds.contains($0.time.seconds(since: start)) })
            })
    }
}

/// A device made of what it gives and how it ends.
struct Scripted: MotionDevice {
    var name = "scripted"
    var batchesToGive: [SampleBatch] = []
    var failure: (any Error)?
    var staysOpen = false

    func batches() -> AsyncThrowingStream<SampleBatch, any Error> {
        AsyncThrowingStream { continuation in
            for batch in batchesToGive { continuation.yield(batch) }
            if staysOpen {
                // Held, or the sequence would end with the last reference to its continuation.
                continuation.onTermination = { _ in _ = continuation }
            } else {
                continuation.finish(throwing: failure)
            }
        }
    }
}

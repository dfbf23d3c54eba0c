import Footfall
import FootfallLive
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

    /// Simulates a scenario.
    static func scenario(_ name: String, seconds: Double? = nil, rate: Double = 50) throws -> Recorded {
        var scenario = try Scenario.named(name)
        if let seconds { scenario = scenario.lasting(seconds) }
        return Recorded(batches: Array(try Simulation(scenario, seed: 3, sensor: SensorModel(sampleRate: rate))))
    }

    /// The events of an analysis of the samples.
    var events: [MotionEvent] { batches.events }

    /// Removes a range of seconds since the start.
    func without(_ seconds: Range<Double>) -> Recorded {
        guard let start = batches.first?.times.first else { return self }
        return Recorded(
            batches: batches.map { batch in
                SampleBatch(batch.filter { !seconds.contains($0.time.seconds(since: start)) })
            })
    }
}

/// A device with given samples and a given end.
struct Scripted: MotionDevice {
    var name = "scripted"
    var samples: [SampleBatch] = []
    var failure: (any Error)?
    var staysOpen = false

    func batches() -> AsyncThrowingStream<SampleBatch, any Error> {
        AsyncThrowingStream { continuation in
            for batch in samples { continuation.yield(batch) }
            if staysOpen {
                // The sequence would end with the last reference to its continuation.
                continuation.onTermination = { _ in _ = continuation }
            } else {
                continuation.finish(throwing: failure)
            }
        }
    }
}

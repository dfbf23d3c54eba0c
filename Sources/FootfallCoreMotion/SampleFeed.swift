internal import Footfall
internal import Foundation
internal import Synchronization

/// Sends the samples of a device to any number of readers, and keeps those that a recorder asks for.
final class SampleFeed: Sendable {
    private typealias Reader = AsyncThrowingStream<SampleBatch, any Error>.Continuation

    /// The batches that wait for a slow reader, which then misses older ones.
    private static let mostWaiting = 1024

    private struct Contents {
        var readers: [UUID: Reader] = [:]
        var end: Result<Void, any Error>?
        var newest: SampleBatch?
        var recorded: [SampleBatch] = []
        /// Seconds of samples that are still to be recorded.
        var remaining = 0.0
    }

    private let contents = Mutex(Contents())

    /// The rate of the newest samples in hertz; nil before there are two.
    var sampleRate: Double? {
        contents.withLock { $0.newest }.flatMap { batch in
            guard let first = batch.times.first, let last = batch.times.last, last > first else { return nil }
            return Double(batch.times.count - 1) / last.seconds(since: first)
        }
    }

    /// What was recorded, in the order of time.
    var recorded: [SampleBatch] { contents.withLock { $0.recorded } }

    /// Records samples from now on, for at least so many seconds.
    func record(seconds: Double) {
        contents.withLock { $0.remaining = max($0.remaining, seconds) }
    }

    func send(_ batch: SampleBatch) {
        guard let first = batch.times.first, let last = batch.times.last else { return }
        let readers = contents.withLock { contents in
            if contents.remaining > 0 {
                let previous = contents.recorded.last?.times.last
                contents.recorded.append(batch)
                contents.remaining -= max(0, last.seconds(since: previous ?? first))
            }
            contents.newest = batch
            return contents.readers.values
        }
        // Outside of the lock: `yield` waits for the cancellation of a reader, which takes the lock.
        for reader in readers { reader.yield(batch) }
    }

    func finish(throwing error: (any Error)? = nil) {
        let readers = contents.withLock { contents in
            contents.end = error.map { .failure($0) } ?? .success(())
            return contents.readers.values
        }
        for reader in readers { reader.finish(throwing: error) }
    }

    /// The batches from now on.
    func batches() -> AsyncThrowingStream<SampleBatch, any Error> {
        AsyncThrowingStream(bufferingPolicy: .bufferingNewest(Self.mostWaiting)) { continuation in
            contents.withLock { contents in
                if let end = contents.end { return continuation.finish(throwing: end.failure) }
                let id = UUID()
                contents.readers[id] = continuation
                continuation.onTermination = { [weak self] _ in
                    self?.contents.withLock { _ = $0.readers.removeValue(forKey: id) }
                }
            }
        }
    }
}

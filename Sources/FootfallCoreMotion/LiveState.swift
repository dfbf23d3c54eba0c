internal import Footfall
internal import FootfallHistory
internal import FootfallLive
internal import FootfallReaders
internal import Foundation
internal import Synchronization

/// The newest information about the wearer that the history does not contain.
struct LiveState: Sendable {
    /// Seconds without samples after which `LiveMotion` has settled everything.
    static let maximumSilence = 60.0

    /// The time of the newest sample.
    private(set) var time: Timestamp?
    /// The end of the settled segments, which are in the history; nil before the first one and without a device.
    private(set) var settledEnd: Timestamp?
    private(set) var provisionalSteps: [Timestamp] = []
    /// The current activity; nil when there is none yet.
    private(set) var activity: MotionActivity?
    /// Steps per minute.
    private(set) var cadence: Double?

    init() {}

    /// The state of a source that another process records.
    init(of source: String?, in history: MotionHistory) throws {
        time = try history.info(of: source)?.newest
        guard let time else { return }
        let newest = try history.activity(at: time.advanced(bySeconds: -1e-9), from: source)
        let isOld = Timestamp(Date()).seconds(since: time) > Self.maximumSilence * 2
        activity = isOld ? MotionActivity(since: time) : newest.flatMap { MotionActivity.activities(of: [$0]).last }
    }

    mutating func add(_ update: LiveUpdate) {
        time = update.time
        for case .segment(let segment) in update.events { settledEnd = segment.range.upperBound }
        provisionalSteps = update.provisional.compactMap { event in
            guard case .step(let step) = event, settledEnd.map({ step.time >= $0 }) ?? true else { return nil }
            return step.time
        }
        cadence = update.cadence
        activity =
            update.hasSignal ? update.current.map { MotionActivity($0) } : update.time.map { MotionActivity(since: $0) }
    }
}

/// Sends the newest live state to any number of readers.
///
/// A late reader gets the newest state at once, and the error of a device that has failed. The shared sequence of
/// swift-async-algorithms has neither.
final class LiveStateFeed: Sendable {
    private struct Contents {
        var state = LiveState()
        var end: Result<Void, any Error>?
        var readers: [UUID: AsyncThrowingStream<LiveState, any Error>.Continuation] = [:]
    }

    private let contents = Mutex(Contents())

    /// The time of the newest sample.
    var newest: Timestamp? { contents.withLock { $0.state.time } }

    func send(_ state: LiveState) {
        let readers = contents.withLock { contents in
            contents.state = state
            return contents.readers.values
        }
        // Outside of the lock: `yield` waits for the cancellation of a reader, which ends its stream and takes the
        // lock.
        for reader in readers { reader.yield(state) }
    }

    func finish(throwing error: (any Error)? = nil) {
        let readers = contents.withLock { contents in
            contents.end = error.map { .failure($0) } ?? .success(())
            return contents.readers.values
        }
        // Outside of the lock, too.
        for reader in readers { reader.finish(throwing: error) }
    }

    /// The newest state, at once and after each change.
    func states() -> AsyncThrowingStream<LiveState, any Error> {
        AsyncThrowingStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            contents.withLock { contents in
                continuation.yield(contents.state)
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

extension Result {
    /// The error; nil for a success.
    var failure: Failure? {
        if case .failure(let failure) = self { failure } else { nil }
    }
}

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

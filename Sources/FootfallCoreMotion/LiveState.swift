internal import Footfall
internal import FootfallHistory
internal import FootfallLive
internal import FootfallReaders
internal import Foundation
internal import Synchronization

/// The newest information about the wearer that the history does not contain.
struct LiveState: Sendable {
    /// The time of the first sample of the device.
    private(set) var start: Timestamp?
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
        time = try history.read { try $0.source(source).info() }?.newest
        guard let time else { return }
        let newest = try history.activity(at: time.advanced(bySeconds: -1e-9), from: source)
        let isOld = Timestamp(Date()).seconds(since: time) > LiveMotion.settlingSilence * 2
        activity = isOld ? MotionActivity(since: time) : newest.flatMap { MotionActivity.activities(of: [$0]).last }
    }

    mutating func add(_ update: LiveUpdate) {
        (start, time) = (start ?? update.quality.start, update.time)
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

/// Sends elements to any number of readers, and the end to late ones too. The shared sequence of swift-async-algorithms
/// gives a late reader neither the newest element nor the error of a device that has failed.
final class Feed<Element: Sendable>: Sendable {
    private struct Contents {
        var newest: Element?
        var end: Result<Void, any Error>?
        var readers: [UUID: AsyncThrowingStream<Element, any Error>.Continuation] = [:]
    }

    private let contents: Mutex<Contents>

    init(_ first: Element? = nil) { contents = Mutex(Contents(newest: first)) }

    var newest: Element? { contents.withLock(\.newest) }

    func send(_ element: Element) {
        let readers = contents.withLock { contents in
            contents.newest = element
            return contents.readers.values
        }
        // Outside of the lock: `yield` waits for the cancellation of a reader, which ends its stream and takes the
        // lock.
        for reader in readers { reader.yield(element) }
    }

    func finish(throwing error: (any Error)? = nil) {
        let readers = contents.withLock { contents in
            contents.end = error.map { .failure($0) } ?? .success(())
            return contents.readers.values
        }
        // Outside of the lock, too.
        for reader in readers { reader.finish(throwing: error) }
    }

    /// The elements from now on. `isNewestFirst` states whether the newest element so far comes first. `mostWaiting`
    /// are the elements that wait for a slow reader, which then misses older ones.
    func elements(isNewestFirst: Bool, mostWaiting: Int) -> AsyncThrowingStream<Element, any Error> {
        AsyncThrowingStream(bufferingPolicy: .bufferingNewest(mostWaiting)) { continuation in
            contents.withLock { contents in
                if isNewestFirst, let newest = contents.newest { continuation.yield(newest) }
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

/// The samples of a device that a recorder asks for.
final class RecordedSamples: Sendable {
    /// A batch, its number, and the seconds since the batch before it in the same recording.
    typealias Batch = (identifier: UInt64, samples: SampleBatch, seconds: Double)

    private struct Contents {
        var batches: [Batch] = []
        /// The seconds of all batches.
        var seconds = 0.0
        /// The seconds that are still to be recorded.
        var remaining = 0.0
        /// The newest sample of a recording that goes on.
        var newest: Timestamp?
    }

    private let contents = Mutex(Contents())

    /// What was recorded, in the order of time.
    var batches: [Batch] { contents.withLock { $0.batches } }

    /// Records samples from now on, for at least so many seconds.
    func record(seconds: Double) { contents.withLock { $0.remaining = max($0.remaining, seconds) } }

    func add(_ batch: SampleBatch) {
        guard let first = batch.times.first, let last = batch.times.last else { return }
        contents.withLock { contents in
            guard contents.remaining > 0 else { return }
            let seconds = max(0, last.seconds(since: contents.newest ?? first))
            contents.batches.append((contents.batches.last.map { $0.identifier + 1 } ?? 0, batch, seconds))
            contents.seconds += seconds
            contents.remaining -= seconds
            contents.newest = contents.remaining > 0 ? last : nil
            while let oldest = contents.batches.first,
                contents.seconds - oldest.seconds >= SensorRecorder.longestDuration
            {
                contents.seconds -= oldest.seconds
                contents.batches.removeFirst()
            }
        }
    }
}

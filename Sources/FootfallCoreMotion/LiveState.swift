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

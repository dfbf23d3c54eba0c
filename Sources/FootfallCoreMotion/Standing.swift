internal import Footfall
internal import FootfallDevices
internal import FootfallHistory
internal import Foundation
internal import Synchronization

/// How things stand with the wearer, besides what the history holds.
struct Standing: Sendable {
    /// Seconds after which what was last said of the wearer no longer holds; as much as waits to be settled.
    static let patience = 60.0

    /// When the newest sample was taken.
    private(set) var time: Timestamp?
    /// The end of what the device has settled, which is in the history; nil as long as there is nothing, or no device.
    private(set) var settledEnd: Timestamp?
    /// Steps that are not settled yet.
    private(set) var provisionalSteps: [Timestamp] = []
    /// What is being done, since when; nil when nothing is known.
    private(set) var activity: MotionActivity?
    /// Steps per minute.
    private(set) var cadence: Double?

    /// Nothing is known yet.
    init() {}

    /// How things stand according to a history that somebody else records.
    init(recordedBy source: String, in history: MotionHistory) throws {
        time = try history.sources().first { $0.name == source }?.newest
        guard let time else { return }
        let isOld = Timestamp(Date()).seconds(since: time) > Self.patience * 2
        let newest = try history.activity(at: time.advanced(bySeconds: -1e-9), from: source)
        activity = isOld ? MotionActivity(since: time) : newest.flatMap { MotionActivity.activities(of: [$0]).last }
    }

    /// Takes in what a device says.
    mutating func take(_ update: LiveUpdate) {
        time = update.time
        for case .segment(let segment) in update.events { settledEnd = segment.range.upperBound }
        provisionalSteps = update.provisional.compactMap { event in
            guard case .step(let step) = event, settledEnd.map({ step.time >= $0 }) ?? true else { return nil }
            return step.time
        }
        cadence = update.cadence
        let isSilent = update.silence >= .seconds(Self.patience)
        activity = isSilent ? update.time.map { MotionActivity(since: $0) } : update.current.map { MotionActivity($0) }
    }

    /// The time up to which the history is to be asked; from there on the provisional steps go on.
    var recordedEnd: Timestamp { settledEnd ?? Timestamp.supported.upperBound }
}

/// Tells everybody who listens how things stand.
final class Bulletin: Sendable {
    private struct Contents {
        var standing = Standing()
        var isOver = false
        var failure: (any Error)?
        var listeners: [Int: AsyncThrowingStream<Standing, any Error>.Continuation] = [:]
        var count = 0
    }

    private let contents = Mutex(Contents())

    /// When the newest sample was taken.
    var newest: Timestamp? { contents.withLock { $0.standing.time } }

    /// Says how things stand from now on.
    func post(_ standing: Standing) {
        let listeners = contents.withLock { contents in
            contents.standing = standing
            return contents.listeners.values
        }
        for listener in listeners { listener.yield(standing) }
    }

    /// Says that nothing will change any more, and why.
    func end(_ failure: (any Error)?) {
        let listeners = contents.withLock { contents in
            contents.isOver = true
            contents.failure = failure
            return contents.listeners.values
        }
        for listener in listeners { listener.finish(throwing: failure) }
    }

    /// How things stand now and whenever that changes.
    func standings() -> AsyncThrowingStream<Standing, any Error> {
        AsyncThrowingStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            contents.withLock { contents in
                continuation.yield(contents.standing)
                if contents.isOver { return continuation.finish(throwing: contents.failure) }
                contents.count += 1
                contents.listeners[contents.count] = continuation
                let number = contents.count
                continuation.onTermination = { [weak self] _ in
                    self?.contents.withLock { _ = $0.listeners.removeValue(forKey: number) }
                }
            }
        }
    }
}

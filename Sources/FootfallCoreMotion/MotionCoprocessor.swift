public import Footfall
public import FootfallDevices
public import FootfallHistory
internal import Foundation
internal import Synchronization

/// What stands behind the classes of this module, as the coprocessor of a phone does behind Core Motion's: a history
/// that knows what was, and a device that knows what is.
///
/// An iPhone has one of each, and Core Motion need not ask which. Here a program says so, once, before anything else:
///
/// ```swift
/// MotionCoprocessor.default = MotionCoprocessor(
///     history: try MotionHistory(at: file),
///     device: WireDevice(.serial(path: "/dev/ttyUSB0")),
///     stepLength: StepLength(heightMetres: 1.72))
/// ```
///
/// With a device, the coprocessor is at work from now until it is stopped or given up: whether anybody listens or not,
/// settled events go into the history, which must be open for writing. Without one, it watches a history that somebody
/// else records, such as `footfall live` in another process; live updates are then as late as what is settled, up to a
/// minute.
public final class MotionCoprocessor: Sendable {
    /// What was.
    public let history: MotionHistory
    /// The name of the wearer or device in the history.
    public let source: String
    /// How long steps are; nil when there are no distances and paces.
    public let stepLength: StepLength?
    /// Whether there is a device.
    let isLive: Bool
    /// How things stand with the device.
    private let bulletin: Bulletin
    private let work: Task<Void, Never>?

    private static let shared = Mutex<MotionCoprocessor?>(nil)

    /// The coprocessor of everything that is made without naming one; nil until it is set.
    public static var `default`: MotionCoprocessor? {
        get { shared.withLock { $0 } }
        set { shared.withLock { $0 = newValue } }
    }

    /// Creates a coprocessor and, when there is a device, starts it.
    ///
    /// - Parameters:
    ///   - history: What is asked, and what a device's motion is recorded in.
    ///   - source: The name of the wearer or device in the history.
    ///   - device: What delivers samples; nil to watch the history.
    ///   - stepLength: How long steps are, for distances and paces; nil for none.
    public init(
        history: MotionHistory, source: String = "default", device: (any MotionDevice)? = nil,
        stepLength: StepLength? = nil
    ) {
        self.history = history
        self.source = source
        self.stepLength = stepLength
        isLive = device != nil
        let bulletin = Bulletin()
        self.bulletin = bulletin
        work = device.map { device in
            Task { await MotionCoprocessor.record(device, in: history, source: source, bulletin) }
        }
    }

    deinit { work?.cancel() }

    /// Stops the device and waits until everything is settled and recorded. Updates end.
    public func stop() async {
        work?.cancel()
        await work?.value
    }

    private static func record(
        _ device: any MotionDevice, in history: MotionHistory, source: String, _ bulletin: Bulletin
    ) async {
        var standing = Standing()
        do {
            for try await update in LiveMotion(device) {
                if !update.events.isEmpty { try history.record(update.events, from: source) }
                standing.take(update)
                bulletin.post(standing)
            }
            bulletin.end(nil)
        } catch {
            bulletin.end(MotionError(error))
        }
    }

    // MARK: For the classes of this module

    /// How things stand now and whenever that changes. Who is slow misses some, but never the newest.
    func standings() -> AsyncThrowingStream<Standing, any Error> {
        isLive ? bulletin.standings() : watchHistory()
    }

    /// The moment up to which there can be anything: now, or the newest sample of a device that is ahead, as a quick
    /// replay is.
    var now: Timestamp {
        max(Timestamp(Date()), bulletin.newest ?? Timestamp.supported.lowerBound)
    }

    /// The moment at which something that is counted from now on begins: by the device's time, where there is one.
    var beginning: Timestamp { bulletin.newest ?? Timestamp(Date()) }

    /// The end of what is known already.
    var newest: Timestamp? {
        if let newest = bulletin.newest { return newest }
        let sources = try? ask(or: []) { try $0.sources() }
        return sources?.first { $0.name == source }?.newest
    }

    /// Asks the history. A source of which nothing has been recorded yet has nothing to say, which is not an error.
    func ask<Answer>(or nothing: Answer, _ question: (MotionHistory) throws -> Answer) throws(MotionError) -> Answer {
        do {
            return try question(history)
        } catch let error as HistoryError {
            if case .unknownSource = error.reason { return nothing }
            throw MotionError(error)
        } catch {
            throw MotionError(error)
        }
    }

    private func watchHistory() -> AsyncThrowingStream<Standing, any Error> {
        AsyncThrowingStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let task = Task { [history, source] in
                do {
                    for try await _ in history.revisions() {
                        continuation.yield(try Standing(recordedBy: source, in: history))
                    }
                    continuation.finish()
                } catch {
                    continuation.finish(throwing: MotionError(error))
                }
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }
}

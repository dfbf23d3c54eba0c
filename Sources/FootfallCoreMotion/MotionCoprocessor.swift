public import Footfall
public import FootfallHistory
public import FootfallLive
internal import FootfallReaders
internal import Foundation
internal import Synchronization

/// The counterpart of a phone's motion coprocessor: a history for the past and, optionally, a device for the present.
///
/// A phone has one coprocessor. A program sets ``default`` once, before it uses the other classes:
///
/// ```swift
/// MotionCoprocessor.default = MotionCoprocessor(
///     history: try MotionHistory(at: file),
///     device: WireDevice(.serial(path: "/dev/ttyUSB0")),
///     stepLength: StepLength(heightMetres: 1.72))
/// ```
///
/// With a device, the coprocessor records settled events until ``stop()`` or until it is released. The history must be
/// open for writing. Without a device, the coprocessor observes a history that another process records, such as
/// `footfall live`. Live updates then contain settled events only, up to a minute late.
public final class MotionCoprocessor: Sendable {
    /// The history.
    public let history: MotionHistory
    /// The name of the wearer or device in the history; nil for the only source in it.
    public let source: String?
    /// The step length; nil when there are no distances and paces.
    public let stepLength: StepLength?
    /// The samples of the device.
    let samples = Feed<SampleBatch>()
    let recorded = RecordedSamples()
    private let states = Feed(LiveState())
    private let recording: Task<Void, Never>?

    /// The batches that wait for a slow reader, who then misses older ones.
    static let mostBatches = 1024
    private static let shared = Mutex<MotionCoprocessor?>(nil)

    /// The coprocessor of every object that is created without one; nil until it is set.
    public static var `default`: MotionCoprocessor? {
        get { shared.withLock { $0 } }
        set { shared.withLock { $0 = newValue } }
    }

    /// Creates a coprocessor and starts its device.
    ///
    /// A source that the history does not contain is error ``MotionErrorCode/invalidParameter`` of each query and
    /// update, and so are several sources without a name. The name of a device may be new.
    ///
    /// - Parameters:
    ///   - history: The history that is queried, and that the device is recorded into.
    ///   - source: The name of the wearer or device in the history; nil for the only source in it. In an empty history
    ///     a device without a name is recorded as `default`.
    ///   - device: The origin of live samples; nil to observe the history.
    ///   - stepLength: The step length for distances and paces; nil for none.
    public init(
        history: MotionHistory, source: String? = nil, device: (any MotionDevice)? = nil, stepLength: StepLength? = nil
    ) {
        self.history = history
        self.stepLength = stepLength
        guard let device else {
            (self.source, recording) = (source, nil)
            return
        }
        let name = Result { try source ?? history.read { try $0.source().name } ?? "default" }
        self.source = try? name.get()
        recording = Task { [states, samples, recorded] in
            var state = LiveState()
            var motion = LiveMotion(device)
            motion.observer = { batch in
                guard !batch.isEmpty else { return }
                recorded.add(batch)
                samples.send(batch)
            }
            do {
                let name = try name.get()
                try await history.record(\.events, of: motion, from: name) { update in
                    state.add(update)
                    states.send(state)
                }
                states.finish()
                samples.finish()
            } catch {
                states.finish(throwing: MotionError(error))
                samples.finish(throwing: MotionError(error))
            }
        }
    }

    deinit { recording?.cancel() }

    /// Stops the device and waits until all events are settled and recorded. Updates end.
    public func stop() async {
        recording?.cancel()
        await recording?.value
    }

    // MARK: For the classes of this module

    var isLive: Bool { recording != nil }

    /// The live state, at once and after each change. A slow reader gets the newest state and misses others.
    func liveStates() -> AsyncThrowingStream<LiveState, any Error> {
        if isLive { return states.elements(isNewestFirst: true, mostWaiting: 1) }
        return CoprocessorAccess(self).updates(mostWaiting: 1) { coprocessor, yield in
            for try await _ in coprocessor.history.revisions() {
                yield(try LiveState(of: coprocessor.source, in: coprocessor.history))
            }
        }
    }

    /// The samples of the device from now on. Throws ``MotionError`` without a device.
    func deviceSamples() throws(MotionError) -> AsyncThrowingStream<SampleBatch, any Error> {
        guard isLive else {
            throw MotionError(.notAvailable, "The motion coprocessor has no device. Create it with one.")
        }
        return samples.elements(isNewestFirst: false, mostWaiting: Self.mostBatches)
    }

    /// The upper bound of queries: now, or the newest sample of a device that is ahead, as in a fast replay.
    var now: Timestamp { max(Timestamp(Date()), states.newest?.time ?? Timestamp.supported.lowerBound) }

    /// The start of what is counted from now on, on the clock of the device if there is one; nil before its first
    /// sample. A replay has a clock of its own.
    var beginning: Timestamp? { isLive ? states.newest?.time : Timestamp(Date()) }

    var newest: Timestamp? {
        states.newest?.time ?? (try? history.read { try $0.source(source).info() })?.newest
    }

    /// Queries the history. Returns `nothing` when nothing is recorded yet of the device.
    func query<Answer>(or nothing: Answer, _ question: (MotionHistory) throws -> Answer) throws(MotionError) -> Answer {
        do {
            return try question(history)
        } catch {
            if isLive, case .unknownSource = (error as? HistoryError)?.reason { return nothing }
            throw MotionError(error)
        }
    }
}

/// Whether the history may be read.
public enum AuthorizationStatus: Int, CaseIterable, Sendable {
    /// There is no ``MotionCoprocessor/default``.
    case notDetermined
    /// The system forbids it. Never occurs here.
    case restricted
    /// The history may not be read.
    case denied
    /// The history may be read.
    case authorized

    static var current: AuthorizationStatus {
        guard let coprocessor = MotionCoprocessor.default else { return .notDetermined }
        do {
            _ = try coprocessor.query(or: 0) { try $0.revision }
            return .authorized
        } catch {
            return error.code == .motionActivityNotAuthorized ? .denied : .authorized
        }
    }
}

/// The coprocessor of an object: its own, or the default one at the time of each call, which may be set later.
struct CoprocessorAccess: Sendable {
    private let own: MotionCoprocessor?

    init(_ own: MotionCoprocessor?) { self.own = own }

    /// The coprocessor. Throws ``MotionError`` when there is none.
    var coprocessor: MotionCoprocessor {
        get throws(MotionError) {
            guard let coprocessor = own ?? MotionCoprocessor.default else {
                throw MotionError(
                    .motionActivityNotAvailable, "There is no motion coprocessor. Set MotionCoprocessor.default first.")
            }
            return coprocessor
        }
    }

    /// A sequence of the elements that `work` yields, until `work` returns or throws, or the reader is cancelled. Its
    /// errors are ``MotionError``s.
    /// `mostWaiting` are the elements that wait for a slow reader, which then misses older ones.
    func updates<Update: Sendable>(
        mostWaiting: Int = .max,
        _ work: @escaping @Sendable (MotionCoprocessor, _ yield: (Update) -> Void) async throws -> Void
    ) -> AsyncThrowingStream<Update, any Error> {
        AsyncThrowingStream(bufferingPolicy: .bufferingNewest(mostWaiting)) { continuation in
            let task = Task {
                do {
                    try await work(coprocessor) { continuation.yield($0) }
                    continuation.finish()
                } catch {
                    continuation.finish(throwing: MotionError(error))
                }
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    /// The changes of activity that begin after this call, preceded by the current activity.
    func activityChanges() -> AsyncThrowingStream<MotionActivity, any Error> {
        let start = (try? coprocessor)?.newest
        return updates { coprocessor, yield in
            var changes = ActivityChanges(coprocessor, since: start)
            for try await state in coprocessor.liveStates() {
                for activity in try changes.next(state) { yield(activity) }
            }
        }
    }
}

extension MotionCoprocessor {
    /// The part of a range before now. Throws ``MotionError`` when the range ends before it starts.
    func range(from start: Date, to end: Date) throws(MotionError) -> Range<Timestamp> {
        guard start <= end else {
            throw MotionError(.invalidParameter, "The range ends, at \(end), before it starts, at \(start).")
        }
        let start = Timestamp(start)
        return start..<max(start, min(Timestamp(end), now))
    }
}

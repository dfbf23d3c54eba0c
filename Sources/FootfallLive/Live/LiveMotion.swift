public import Footfall
internal import Synchronization

/// The motion of a live device: its settled events and its current state.
///
/// ```swift
/// for try await update in LiveMotion(device) {
///     print(update.steps, update.current?.activity ?? .unknown, update.cadence ?? 0)
/// }
/// ```
///
/// `MotionHistory.record(_:of:from:timeZone:then:)` records the settled events of each update.
///
/// A ``/Footfall/MotionAnalyzer`` analyzes the samples, so the settled events are those of an analysis of a recording.
/// There is an update for every settled event, and at least one a second, also while the device is silent. After a
/// minute of silence all events are settled.
///
/// The sequence ends with the device, and when its task is cancelled. The last update settles all events. When the
/// device fails, the error follows the last update. At the end the device is closed and can be opened again.
public struct LiveMotion: AsyncSequence, Sendable {
    /// The silence in seconds after which all events are settled. The analyzer never waits longer for later samples.
    package static let settlingSilence = 60.0

    private let device: any MotionDevice
    /// The clock of the host; tests replace it.
    package var clock = HostClock()
    /// Receives each batch before its analysis.
    package var observer: (@Sendable (SampleBatch) -> Void)?

    /// The motion of a device, which starts with the first update.
    public init(_ device: any MotionDevice) { self.device = device }

    /// Starts the device and a new analysis.
    public func makeAsyncIterator() -> Iterator { Iterator(device, clock: clock, observer) }

    /// The updates of one analysis.
    public struct Iterator: AsyncIteratorProtocol {
        private let queue: LiveQueue
        private var signals: AsyncStream<Void>.Iterator
        private var analysis: LiveAnalysis
        private let observer: (@Sendable (SampleBatch) -> Void)?
        private var isOver = false
        private var failure: (any Error)?
        private let time = ContinuousClock()

        init(_ device: any MotionDevice, clock: HostClock, _ observer: (@Sendable (SampleBatch) -> Void)?) {
            self.observer = observer
            queue = LiveQueue(device)
            signals = queue.signals.makeAsyncIterator()
            analysis = LiveAnalysis(clock: clock, at: time.now)
        }

        /// The next update; nil at the end.
        ///
        /// - Throws: The error of the device, after the update that settles all events.
        public mutating func next() async throws -> LiveUpdate? {
            while !isOver {
                let isCancelled = await signals.next(isolation: #isolation) == nil
                let (batches, end) = queue.takeAll()
                if let observer { batches.forEach(observer) }
                var update = analysis.add(batches, at: time.now)
                if isCancelled || end != nil {
                    isOver = true
                    queue.stop()
                    if !isCancelled { failure = end?.failure }
                    let events = update?.events ?? []
                    update = analysis.finish()
                    update?.events.insert(contentsOf: events, at: 0)
                }
                if let update { return update }
            }
            await queue.waitForEnd()
            defer { failure = nil }
            if let failure { throw failure }
            return nil
        }
    }
}

extension Result {
    /// The error; nil for a success.
    package var failure: Failure? { if case .failure(let failure) = self { failure } else { nil } }
}

/// The batches of a device that wait for the analysis. The analysis takes all waiting batches at once and makes one
/// update of them. An `AsyncStream` of batches would need an update for each batch. In a fast replay, many of these
/// updates would combine new settled events with old provisional ones. The queue also waits until the device is closed,
/// which `merge` of swift-async-algorithms does not.
final class LiveQueue: Sendable {
    /// The interval between two signals of the timer, so that a silent device is checked, too.
    private static let interval = Duration.milliseconds(250)
    /// The number of waiting batches from which on the reader waits for the analysis, which bounds the memory.
    private static let capacity = 64

    /// A class, because a `Mutex` cannot be copied into the task that appends batches.
    private final class Contents: Sendable {
        let batches = Mutex<(waiting: [SampleBatch], end: Result<Void, any Error>?)>(([], nil))
    }

    /// A signal that batches wait, that the device has ended, or that a check is due.
    let signals: AsyncStream<Void>
    private let contents = Contents()
    private let space: AsyncStream<Void>.Continuation
    private let tasks: [Task<Void, Never>]

    init(_ device: some MotionDevice) {
        let (signals, signal) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let (spaces, space) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        (self.signals, self.space) = (signals, space)
        let reader = Task { [contents] in
            var spaces = spaces.makeAsyncIterator()
            let end: Result<Void, any Error>
            do {
                for try await batch in device.batches() {
                    let count = contents.batches.withLock { batches in
                        batches.waiting.append(batch)
                        return batches.waiting.count
                    }
                    signal.yield()
                    if count >= Self.capacity { await spaces.next() }
                }
                end = .success(())
            } catch {
                end = .failure(error)
            }
            contents.batches.withLock { $0.end = end }
            signal.yield()
        }
        let timer = Task {
            while (try? await Task.sleep(for: Self.interval, tolerance: Self.interval / 5)) != nil { signal.yield() }
        }
        tasks = [reader, timer]
    }

    deinit { stop() }

    func stop() {
        for task in tasks { task.cancel() }
        space.finish()
    }

    func waitForEnd() async {
        for task in tasks { await task.value }
    }

    /// Takes all waiting batches, and the end of the device if it has ended.
    func takeAll() -> ([SampleBatch], end: Result<Void, any Error>?) {
        defer { space.yield() }
        return contents.batches.withLock { batches in
            defer { batches.waiting.removeAll() }
            return (batches.waiting, batches.end)
        }
    }
}

/// The new events of a live device, and its current state.
public struct LiveUpdate: Sendable {
    /// The events that were settled since the last update, in order. They never change and can be stored.
    public internal(set) var events: [MotionEvent] = []
    /// The estimate of all events that are not settled yet, at most half a second old. Each update replaces it.
    public internal(set) var provisional: [MotionEvent] = []
    /// The number of settled steps since the start.
    public internal(set) var settledSteps = 0
    /// The number of all steps since the start, provisional ones included.
    public internal(set) var steps = 0
    /// The newest segment, from its start on; nil when there is none, and without a signal.
    public internal(set) var current: Segment?
    /// Steps per minute over the last steps; nil three seconds after the last one, and without a signal.
    public internal(set) var cadence: Double?
    /// The quality of the samples since the start, or since the host's clock was last set back. Dropped samples are
    /// counted since the start.
    public internal(set) var quality = SignalQuality()
    /// The check of the sensor over the same time: whether its values are clipped, or leave its range.
    public internal(set) var sensor = SensorCheck()
    /// Samples per second over the last seconds; nil in the first two, and without a signal.
    public internal(set) var sampleRate: Double?
    /// The time of the newest sample.
    public internal(set) var time: Timestamp?
    /// The seconds since the last usable sample arrived. A sample without a new time is not usable.
    public internal(set) var silence = 0.0

    /// The silence in seconds that ends the signal. Some devices send once a second, and an update follows within half
    /// a second, so a lost signal is reported within three.
    public static let longestSilence = 2.5

    /// Whether the device sends samples.
    public var hasSignal: Bool { silence < Self.longestSilence }

    /// The activity at this moment.
    package var activity: Activity { current?.activity ?? .unknown }
    /// The confidence in the activity; nil for an unknown one.
    package var confidence: Confidence? { activity == .unknown ? nil : current?.confidence }

    /// Creates an update without events.
    public init() {}
}

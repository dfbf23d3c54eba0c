/// The motion of a live device: its settled events as they come, and how things stand.
///
/// ```swift
/// for try await update in LiveMotion(device) {
///     try history.record(update.events, from: "wrist")
///     print(update.steps, update.current?.activity ?? .unknown, update.cadence ?? 0)
/// }
/// ```
///
/// There is one ``/Footfall/MotionAnalyzer`` behind it, so that settled events are those of an analysis of the same samples.
/// They are handed out at once; besides, there is an update at least every second or so, also while the device is silent.
/// After a minute of silence everything is settled.
///
/// The sequence ends with the device, and when its task is cancelled: a last update then settles all that waited. When the device
/// fails, that update comes first and the error after it. At the end the device has been let go, and may be opened anew.
public struct LiveMotion: AsyncSequence, Sendable {
    private let device: any MotionDevice
    private let clock: HostClock

    /// The motion of a device, which is started when the first update is asked for.
    public init(_ device: any MotionDevice) {
        self.init(device, clock: HostClock())
    }

    /// The motion of a device on a host with another clock.
    package init(_ device: any MotionDevice, clock: HostClock) {
        self.device = device
        self.clock = clock
    }

    /// Begins a new analysis.
    public func makeAsyncIterator() -> Iterator {
        Iterator(device, clock: clock)
    }

    /// The updates, one by one.
    public struct Iterator: AsyncIteratorProtocol {
        private let intake: Intake
        private var bell: AsyncStream<Void>.Iterator
        private var analysis: LiveAnalysis
        private var isOver = false
        private var failure: (any Error)?
        private let time = ContinuousClock()

        init(_ device: any MotionDevice, clock: HostClock) {
            intake = Intake(device)
            bell = intake.bell.makeAsyncIterator()
            analysis = LiveAnalysis(clock: clock, at: time.now)
        }

        /// The next update; nil at the end.
        ///
        /// - Throws: What the device throws, once all that came before is settled and told.
        public mutating func next() async throws -> LiveUpdate? {
            while !isOver {
                let isCancelled = await bell.next(isolation: #isolation) == nil
                let (batches, end) = intake.takeAll()
                var update = analysis.take(batches, at: time.now)
                if isCancelled || end != nil {
                    isOver = true
                    intake.stop()
                    if !isCancelled, case .failure(let error) = end { failure = error }
                    let events = update?.events ?? []
                    update = analysis.finish()
                    update?.events.insert(contentsOf: events, at: 0)
                }
                if let update { return update }
            }
            await intake.waitForEnd()
            defer { failure = nil }
            if let failure { throw failure }
            return nil
        }
    }
}

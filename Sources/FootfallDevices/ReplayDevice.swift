public import Footfall

/// A recording as a device: its samples come with their own times, as fast as they were taken, faster, or at once.
///
/// The settled events are those of an analysis of the recording.
public struct ReplayDevice<Batches: AsyncSequence & Sendable>: MotionDevice where Batches.Element == SampleBatch {
    /// What to call the device in messages.
    public let name: String
    private let recording: Batches
    private let speed: Double?

    /// The longest that samples are held back to be handed over together, in seconds on the wall.
    private static var longestWait: Double { 0.05 }

    /// Creates a device from a recording.
    ///
    /// - Parameters:
    ///   - name: What to call the device in messages.
    ///   - recording: The batches. They are pulled one by one as they are needed.
    ///   - speed: How many seconds of the recording pass in a second, more than 0; nil for as fast as can be.
    public init(_ name: String, _ recording: Batches, speed: Double? = 1) {
        self.name = name
        self.recording = recording
        self.speed = speed.flatMap { $0 > 0 && $0.isFinite ? $0 : nil }
    }

    /// The recording's batches, each when its last sample is due.
    public func batches() -> AsyncThrowingStream<SampleBatch, any Error> {
        let playback = Playback(recording.makeAsyncIterator(), speed: speed, longestWait: Self.longestWait)
        return AsyncThrowingStream { try await playback.next() }
    }

    /// Where a replay is.
    private actor Playback {
        private var iterator: Batches.AsyncIterator?
        private let speed: Double?
        private let longestWait: Double
        private let clock = ContinuousClock()
        /// A moment of the recording and when it was played.
        private var start: (time: Timestamp, instant: ContinuousClock.Instant)?
        private var waiting: ArraySlice<AccelerationSample> = []
        /// Seconds that nobody waits for; a duration of more might not be representable.
        private static var forever: Double { 1e9 }

        init(_ iterator: sending Batches.AsyncIterator, speed: Double?, longestWait: Double) {
            self.iterator = iterator
            self.speed = speed
            self.longestWait = longestWait
        }

        func next() async throws -> SampleBatch? {
            guard let speed else { return try await pull() }
            if waiting.isEmpty {
                guard let batch = try await pull() else { return nil }
                waiting = Array(batch)[...]
            }
            guard let first = waiting.first else { return SampleBatch() }
            // Where the recording steps back, it plays on from there.
            let isNew = start.map { first.time < $0.time } ?? true
            if isNew { start = (first.time, clock.now) }
            let due = first.time.advanced(bySeconds: longestWait * speed)
            let piece = waiting.prefix { $0.time >= first.time && $0.time < due }
            waiting = waiting.dropFirst(piece.count)
            if let start, let last = piece.last {
                let wait = max(0, last.time.seconds(since: start.time)) / speed
                let instant = start.instant + .seconds(min(wait, Self.forever))
                guard (try? await clock.sleep(until: instant, tolerance: .milliseconds(5))) != nil else { return nil }
                self.start = (last.time, instant)
            }
            return SampleBatch(piece)
        }

        private func pull() async throws -> SampleBatch? {
            // An iterator that waits is out of the actor's hands meanwhile.
            guard var iterator else { return nil }
            self.iterator = nil
            defer { self.iterator = iterator }
            return try await iterator.next(isolation: self)
        }
    }
}

public import Footfall

/// A recording that is played as a device, at its own speed, faster, or as fast as possible.
///
/// Samples keep their times. The settled events are those of an analysis of the recording.
public struct ReplayDevice<Recording: AsyncSequence & Sendable>: MotionDevice where Recording.Element == SampleBatch {
    /// The name of the device in messages.
    public let name: String
    private let recording: Recording
    private let speed: Double?

    /// Creates a device from a recording.
    ///
    /// - Parameters:
    ///   - name: The name of the device in messages.
    ///   - recording: The batches, which are read one by one when they are needed.
    ///   - speed: Seconds of the recording per second, more than 0; nil for as fast as possible.
    public init(_ name: String, _ recording: Recording, speed: Double? = 1) {
        self.name = name
        self.recording = recording
        self.speed = speed.flatMap { $0 > 0 && $0.isFinite ? $0 : nil }
    }

    /// The recording's batches, each when its last sample is due.
    public func batches() -> AsyncThrowingStream<SampleBatch, any Error> {
        let playback = Playback(recording.makeAsyncIterator(), speed: speed)
        return AsyncThrowingStream { try await playback.next() }
    }

    /// The position in a recording.
    private actor Playback {
        /// The longest delay of a sample that is returned with later ones, in seconds of the host.
        private static var longestDelay: Double { 0.05 }
        /// The longest wait in seconds. The duration of a longer one can overflow.
        private static var longestWait: Double { 1e9 }

        private var iterator: Recording.AsyncIterator?
        private let speed: Double?
        private let clock = ContinuousClock()
        /// A time of the recording and the instant at which it was played.
        private var start: (time: Timestamp, instant: ContinuousClock.Instant)?
        private var waiting: ArraySlice<AccelerationSample> = []
        private var isUnitAssumed = false

        init(_ iterator: sending Recording.AsyncIterator, speed: Double?) {
            self.iterator = iterator
            self.speed = speed
        }

        func next() async throws -> SampleBatch? {
            guard let speed else { return try await read() }
            if waiting.isEmpty {
                guard let batch = try await read() else { return nil }
                waiting = Array(batch)[...]
                isUnitAssumed = batch.isUnitAssumed
            }
            guard let first = waiting.first else { return SampleBatch() }
            // After a step back in the recording, playback continues from the earlier time.
            if start.map({ first.time < $0.time }) ?? true { start = (first.time, clock.now) }
            let due = first.time.advanced(bySeconds: Self.longestDelay * speed)
            let piece = waiting.prefix { $0.time >= first.time && $0.time < due }
            waiting = waiting.dropFirst(piece.count)
            if let start, let last = piece.last {
                let wait = max(0, last.time.seconds(since: start.time)) / speed
                let instant = start.instant + .seconds(min(wait, Self.longestWait))
                guard (try? await clock.sleep(until: instant, tolerance: .milliseconds(5))) != nil else { return nil }
                self.start = (last.time, instant)
            }
            var batch = SampleBatch(piece)
            batch.isUnitAssumed = isUnitAssumed
            return batch
        }

        private func read() async throws -> SampleBatch? {
            // The iterator leaves the actor while it waits, because the actor is reentrant.
            guard var iterator else { return nil }
            self.iterator = nil
            defer { self.iterator = iterator }
            return try await iterator.next(isolation: self)
        }
    }
}

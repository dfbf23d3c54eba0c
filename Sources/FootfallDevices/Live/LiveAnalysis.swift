internal import Footfall

/// Analyses the samples of a live device and decides when there is something to tell.
struct LiveAnalysis {
    /// The least time between two guesses about what is not settled: a guess costs as much as a few seconds of signal.
    private static let guessInterval = Duration.milliseconds(500)
    /// After so long without a sample, what waits is settled. The analyzer looks no further ahead than that.
    private static let pause = Duration.seconds(60)
    /// By how many nanoseconds the wall's clock must be set back for the analysis to begin anew.
    private static let setback: Int64 = 2_000_000_000

    private let clock: HostClock
    private var correction: Int64
    private var analyzer = MotionAnalyzer()
    private var update = LiveUpdate()
    private var rate = RecentRate()
    private var pace = RecentPace()
    /// The settled segments that the newest one may continue.
    private var recent: [Segment] = []
    /// Whether nothing waits, and whether the last guess has heard of the newest samples.
    private var isSettled = true
    private var isGuessed = true
    private var lastSample: ContinuousClock.Instant
    private var lastGuess: ContinuousClock.Instant?

    init(clock: HostClock, at now: ContinuousClock.Instant) {
        self.clock = clock
        correction = clock.correction
        lastSample = now
    }

    /// Takes the next batches, if any. Returns an update when there is something to tell.
    mutating func take(_ batches: [SampleBatch], at now: ContinuousClock.Instant) -> LiveUpdate? {
        var events: [MotionEvent] = []
        for batch in batches where !batch.isEmpty {
            beginAnewIfSetBack(before: batch, to: &events)
            rate.add(batch.times)
            events += analyzer.analyze(batch)
            update.time = batch.times.last
            lastSample = now
            (isSettled, isGuessed) = (false, false)
        }
        update.silence = lastSample.duration(to: now)
        if !isSettled, update.silence >= Self.pause {
            events += analyzer.finish()
            isSettled = true
        }
        let isDue = lastGuess.map { $0.duration(to: now) >= Self.guessInterval } ?? true
        guard !events.isEmpty || isDue else { return nil }
        if isDue { lastGuess = now }
        return makeUpdate(events, guess: isDue && !isGuessed)
    }

    /// Settles everything: the device has ended.
    mutating func finish() -> LiveUpdate {
        isSettled = true
        return makeUpdate(analyzer.finish(), guess: true)
    }

    /// When the clock on the wall was set back, an hour that has been is recorded once more, by the better clock: an analyzer
    /// that went on would drop it.
    private mutating func beginAnewIfSetBack(before batch: SampleBatch, to events: inout [MotionEvent]) {
        let newCorrection = clock.correction
        defer { correction = max(newCorrection, correction) }
        guard newCorrection < correction - Self.setback, let end = analyzer.quality.end, let first = batch.times.first,
            first < end
        else { return }
        correction = newCorrection
        events += analyzer.finish()
        analyzer = MotionAnalyzer()
        rate = RecentRate()
        pace = RecentPace()
        recent = []
    }

    private mutating func makeUpdate(_ events: [MotionEvent], guess: Bool) -> LiveUpdate {
        for event in events {
            switch event {
            case .step(let step):
                update.settledSteps += 1
                pace.add(step.time)
            case .segment(let segment): recent.join(segment)
            case .gap: recent = []
            }
        }
        recent = Array(recent.suffix(1))
        update.events = events
        if guess || isSettled {
            update.provisional = isSettled ? [] : analyzer.provisional
            isGuessed = true
        } else if let end = recent.last?.range.upperBound {
            // What has been settled since the last guess is no guess any more.
            update.provisional.removeAll { $0.end <= end }
        }
        var (segments, pace, steps) = (recent, pace, 0)
        for event in update.provisional {
            switch event {
            case .step(let step):
                steps += 1
                pace.add(step.time)
            case .segment(let segment): segments.join(segment)
            case .gap: segments = []
            }
        }
        update.steps = update.settledSteps + steps
        update.current = segments.last
        // Between two guesses the last steps are older than they seem.
        if guess { update.cadence = update.time.flatMap { pace.cadence(at: $0) } }
        if update.silence >= RecentPace.patience { update.cadence = nil }
        update.quality = analyzer.quality
        update.sampleRate = rate.hertz
        return update
    }
}

extension MotionEvent {
    /// When the event is over.
    fileprivate var end: Timestamp {
        switch self {
        case .step(let step): step.time
        case .segment(let segment): segment.range.upperBound
        case .gap(let range): range.upperBound
        }
    }
}

internal import Footfall

/// Analyzes the samples of a live device and decides when an update is due.
struct LiveAnalysis {
    /// The shortest time between two provisional estimates. Each costs as much as a few seconds of signal.
    private static let estimateInterval = Duration.milliseconds(500)

    private let clock: HostClock
    private var correction: Int64
    private var analyzer = MotionAnalyzer()
    private var update = LiveUpdate()
    /// The samples that analyses before the current one dropped.
    private var losses = SignalQuality()
    private var sampleRate = RecentSampleRate()
    private var cadence = RecentCadence()
    /// The last settled segment, which the next one may continue.
    private var last: [Segment] = []
    private var isSettled = true
    /// Whether the last estimate includes the newest samples.
    private var isEstimated = true
    private var lastSample: ContinuousClock.Instant
    private var lastEstimate: ContinuousClock.Instant?

    init(clock: HostClock, at now: ContinuousClock.Instant) {
        self.clock = clock
        correction = clock.correction
        lastSample = now
    }

    /// Analyzes batches, if there are any. Returns an update when one is due.
    mutating func add(_ batches: [SampleBatch], at now: ContinuousClock.Instant) -> LiveUpdate? {
        var events: [MotionEvent] = []
        for batch in batches where !batch.isEmpty {
            events += restartIfSetBack(before: batch)
            sampleRate.add(batch.times)
            let end = analyzer.quality.end
            events += analyzer.analyze(batch)
            update.time = batch.times.last
            if analyzer.quality.end != end { lastSample = now }
            (isSettled, isEstimated) = (false, false)
        }
        update.silence = lastSample.duration(to: now) / .seconds(1)
        if !isSettled, update.silence >= LiveMotion.settlingSilence {
            events += analyzer.finish()
            isSettled = true
        }
        let isDue = lastEstimate.map { $0.duration(to: now) >= Self.estimateInterval } ?? true
        guard !events.isEmpty || isDue else { return nil }
        if isDue { lastEstimate = now }
        return makeUpdate(events, estimating: isDue && !isEstimated)
    }

    mutating func finish() -> LiveUpdate {
        isSettled = true
        return makeUpdate(analyzer.finish(), estimating: true)
    }

    /// Restarts the analysis when the wall clock was set back, and returns the settled events. The analyzer would drop
    /// the samples of the repeated time.
    private mutating func restartIfSetBack(before batch: SampleBatch) -> [MotionEvent] {
        let newCorrection = clock.correction
        defer { correction = max(newCorrection, correction) }
        guard correction &- newCorrection > Timestamp.largestJump, let end = analyzer.quality.end,
            let first = batch.times.first, end.isSetBack(to: first)
        else { return [] }
        correction = newCorrection
        defer {
            analyzer = MotionAnalyzer()
            (sampleRate, cadence, last) = (RecentSampleRate(), RecentCadence(), [])
        }
        let events = analyzer.finish()
        losses.addLosses(of: analyzer.quality)
        return events
    }

    private mutating func makeUpdate(_ events: [MotionEvent], estimating: Bool) -> LiveUpdate {
        update.settledSteps += Self.add(events, to: &last, &cadence)
        last = last.suffix(1)
        update.events = events
        if estimating || isSettled {
            update.provisional = isSettled ? [] : analyzer.provisional
            isEstimated = true
        } else if let end = events.map(\.end).max() {
            // These events were settled after the last estimate. The newest may be a gap.
            update.provisional.removeAll { $0.end <= end }
        }
        var (segments, cadence) = (last, cadence)
        update.steps = update.settledSteps + Self.add(update.provisional, to: &segments, &cadence)
        update.current = segments.last
        // Between two estimates the newest steps are missing, which would end the cadence too early.
        if estimating { update.cadence = update.time.flatMap { cadence.stepsPerMinute(at: $0) } }
        update.quality = analyzer.quality
        update.quality.addLosses(of: losses)
        update.sensor = analyzer.sensor
        update.sampleRate = sampleRate.hertz
        if !update.hasSignal { (update.current, update.cadence, update.sampleRate) = (nil, nil, nil) }
        return update
    }

    /// Adds events to segments and a cadence. Returns the number of steps.
    private static func add(_ events: [MotionEvent], to segments: inout [Segment], _ cadence: inout RecentCadence)
        -> Int
    {
        var steps = 0
        for event in events {
            switch event {
            case .step(let step):
                steps += 1
                cadence.add(step.time)
            case .segment(let segment): segments.join(segment)
            case .gap: segments = []
            case .nonWear: break
            }
        }
        return steps
    }
}

struct RecentSampleRate {
    /// The number of whole seconds that are averaged.
    private static let window = 5

    private var counts: [(second: Int64, count: Int)] = []

    mutating func add(_ times: [Timestamp]) {
        for time in times {
            let second = time.nanosecondsSince1970 / 1_000_000_000
            if counts.last?.second == second {
                counts[counts.count - 1].count += 1
            } else {
                if counts.count > Self.window + 1 { counts.removeFirst() }
                counts.append((second, 1))
            }
        }
    }

    /// Samples per second over the whole seconds that have samples; nil when there is none. The first and the last
    /// second are incomplete.
    var hertz: Double? {
        let whole = counts.dropFirst().dropLast()
        return whole.isEmpty ? nil : Double(whole.reduce(0) { $0 + $1.count }) / Double(whole.count)
    }
}

struct RecentCadence {
    /// The number of steps that are averaged.
    private static let window = 8
    /// There is no cadence so many seconds after the last step.
    private static let longestPause = 3.0

    private var times: [Timestamp] = []

    mutating func add(_ time: Timestamp) {
        if let last = times.last, Self.isPause(from: last, to: time) { times.removeAll(keepingCapacity: true) }
        if times.count == Self.window { times.removeFirst() }
        times.append(time)
    }

    /// The cadence at a time; nil during a pause.
    func stepsPerMinute(at time: Timestamp) -> Double? {
        guard let first = times.first, let last = times.last, last > first, !Self.isPause(from: last, to: time)
        else { return nil }
        return 60 * Double(times.count - 1) / last.seconds(since: first)
    }

    private static func isPause(from last: Timestamp, to time: Timestamp) -> Bool {
        time.seconds(since: last) > longestPause
    }
}

/// Turns samples into steps, activities and gaps: the one pipeline for live and recorded input.
///
/// ```swift
/// var analyzer = MotionAnalyzer()
/// for batch in batches {
///     handle(analyzer.analyze(batch))
/// }
/// handle(analyzer.finish())
/// ```
///
/// Events are settled: they come in order of time and never change. A span of non-wear comes after the segments that it
/// overlays, directly after the one that contains its end. Steps are at least ``Step/shortestInterval`` apart. Once its
/// bout is confirmed, a step is settled within ten seconds of the initial contact. Any other second is settled within a
/// minute. The division of the samples into batches has no effect. Samples may come at 12.5 to 800 Hz, with jitter,
/// bursts, duplicates and gaps; ``quality`` counts the samples that are not usable. The state is about a minute of
/// signal, for an input of any length.
///
/// An analyzer is a value. A copy is cheap and continues independently.
public struct MotionAnalyzer: Sendable {
    /// The lowest sample rate, in Hz, with steps and activities. At lower rates gait is aliased.
    package static let lowestSampleRate = Double(StepDetector.lowestRate)

    private let stages = ContiguousSignal.Stages()
    private let recordsSeconds: Bool
    /// The settled seconds of the contiguous signals that ended, if they are recorded.
    private var seconds: [AnalyzedSecond] = []
    private var intake = SampleIntake()
    /// Samples with repaired times that are not analyzed yet.
    private var ready = SampleBatch()
    private var impulses = ImpulseFilter()
    /// Samples without impulses that are not analyzed yet.
    private var settled = SampleBatch()
    private var findings = SensorFindings()
    /// Spans of non-wear whose segments are not settled yet.
    private var unworn: [Range<Timestamp>] = []
    /// Whether samples so far had an assumed unit.
    private var isUnitAssumed = false
    /// The counts of the samples, from an intake.
    private var received = SignalQuality()
    /// The signal since the last gap.
    private var signal: ContiguousSignal?
    /// Sums over the contiguous signals that ended.
    private var coverage = 0.0
    private var gaps = 0
    private var start: Timestamp?
    private var end: Timestamp?
    private var lastContact: Timestamp?

    /// Creates an analyzer for one series of samples.
    ///
    /// - Parameter recordsSeconds: Whether to record what the stages compute for each second, see ``takeSeconds()``. It
    ///   changes no event.
    public init(recordsSeconds: Bool = false) { self.recordsSeconds = recordsSeconds }

    /// Analyzes the next samples and returns the events that they settle.
    ///
    /// - Complexity: Linear in the number of samples.
    public mutating func analyze(_ batch: SampleBatch) -> [MotionEvent] {
        var events: [MotionEvent] = []
        isUnitAssumed = isUnitAssumed || batch.isUnitAssumed
        var next = batch.startIndex
        while next < batch.endIndex {
            let run = intake.addRun(of: batch, from: &next, to: &ready, &findings)
            analyzeReady(&events)
            analyzeRepaired(batch, run, mayHaveImpulses: findings.mayHaveImpulses, &events)
            takeFindings()
        }
        received = intake.quality
        return settling(events)
    }

    /// Analyzes the next samples of an intake that other stages use too, and returns the events that they settle.
    ///
    /// Use either this function or ``analyze(_:)-(SampleBatch)``, not both. The samples of ``SampleIntake/finish()``
    /// settle everything.
    ///
    /// - Complexity: Linear in the number of samples.
    public mutating func analyze(_ samples: RepairedSamples) -> [MotionEvent] {
        var events: [MotionEvent] = []
        received = samples.quality
        isUnitAssumed = isUnitAssumed || samples.batch.isUnitAssumed
        unworn += samples.nonWear
        for (batch, positions) in samples.parts {
            analyzeRepaired(batch, positions, mayHaveImpulses: samples.mayHaveImpulses, &events)
        }
        if samples.endsSignal { endRepaired(to: &events) }
        return settling(events)
    }

    /// Settles all waiting events, because the series is over or pauses for long.
    ///
    /// Later samples start a new contiguous signal. Samples that are not later are dropped.
    public mutating func finish() -> [MotionEvent] {
        intake.finish(to: &ready, &findings)
        // Samples of an intake outside have their own counts.
        if intake.quality.samples > 0 { received = intake.quality }
        var events: [MotionEvent] = []
        analyzeReady(&events)
        takeFindings()
        endRepaired(to: &events)
        return settling(events)
    }

    /// Returns what the stages have computed for the seconds that were settled since the last call, in order of time.
    ///
    /// Take them after each batch, because they wait in memory. There are none unless the analyzer records them.
    public mutating func takeSeconds() -> [AnalyzedSecond] {
        defer { seconds = [] }
        return seconds + (signal?.takeSeconds() ?? [])
    }

    /// The best estimate now: the events that would follow if the input ended here.
    ///
    /// They are provisional, because later samples may change each of them. Show them, but do not store them.
    ///
    /// - Complexity: Constant, about the cost of analyzing a few seconds.
    public var provisional: [MotionEvent] {
        var copy = self
        return copy.finish()
    }

    /// Counts of the samples so far, and of those that could not be used.
    public var quality: SignalQuality {
        var quality = received
        quality.impulses = impulses.count
        quality.coverage = coverage + (signal.map { $0.end.seconds(since: $0.start) } ?? 0)
        quality.gaps = gaps
        quality.start = start
        quality.end = signal?.end ?? end
        return quality
    }

    /// The check of the sensor from all samples so far. It is empty if the samples come from an intake outside.
    public var sensor: SensorCheck { intake.sensor }

    private mutating func takeFindings() {
        unworn += findings.nonWear
        findings.nonWear.removeAll(keepingCapacity: true)
        findings.clipping.removeAll(keepingCapacity: true)
        findings.mayHaveImpulses = false
    }

    private mutating func analyzeReady(_ events: inout [MotionEvent]) {
        analyzeRepaired(ready, ready.indices, mayHaveImpulses: findings.mayHaveImpulses, &events)
        ready.removeAll()
    }

    /// Analyzes samples in strictly increasing order of time, and replaces impulses among them.
    private mutating func analyzeRepaired(
        _ samples: SampleBatch, _ positions: Range<Int>, mayHaveImpulses: Bool, _ events: inout [MotionEvent]
    ) {
        guard !positions.isEmpty else { return }
        let rest = impulses.add(samples, positions, mayHaveImpulses: mayHaveImpulses, to: &settled)
        analyzeSettled(&events)
        analyze(samples, rest, &events)
    }

    private mutating func endRepaired(to events: inout [MotionEvent]) {
        impulses.finish(to: &settled)
        analyzeSettled(&events)
        endSignal(to: &events)
    }

    private mutating func analyzeSettled(_ events: inout [MotionEvent]) {
        analyze(settled, settled.indices, &events)
        settled.removeAll()
    }

    /// Analyzes samples without impulses, in strictly increasing order of time.
    private mutating func analyze(_ samples: SampleBatch, _ positions: Range<Int>, _ events: inout [MotionEvent]) {
        var left = positions
        while !left.isEmpty {
            if signal == nil { startSignal(with: samples[left.removeFirst()], to: &events) }
            let next = signal?.add(samples, left, to: &events) ?? left.upperBound
            if next < left.upperBound { endSignal(to: &events) }
            left = next..<left.upperBound
        }
    }

    /// The events as they are returned.
    private mutating func settling(_ events: [MotionEvent]) -> [MotionEvent] {
        placingNonWear(in: isUnitAssumed ? events.map(\.inAssumedUnit) : events)
    }

    /// The events with each span of non-wear after the segment that contains its end. A span is known before that
    /// segment is settled, so its place does not depend on batches.
    private mutating func placingNonWear(in events: [MotionEvent]) -> [MotionEvent] {
        guard !unworn.isEmpty, !events.isEmpty else { return events }
        var placed: [MotionEvent] = []
        var spans = unworn[...]
        for event in events {
            placed.append(event)
            guard case .segment(let segment) = event else { continue }
            while let span = spans.first, span.upperBound <= segment.range.upperBound {
                placed.append(.nonWear(span))
                spans.removeFirst()
            }
        }
        unworn = Array(spans)
        return placed
    }

    private mutating func startSignal(with sample: AccelerationSample, to events: inout [MotionEvent]) {
        if let end {
            events.append(.gap(end..<sample.time))
            gaps += 1
        }
        let origin = start ?? sample.time
        start = origin
        signal = ContiguousSignal(
            sample, stages, origin: origin, after: lastContact, recordsSeconds: recordsSeconds)
    }

    private mutating func endSignal(to events: inout [MotionEvent]) {
        guard var ended = signal else { return }
        signal = nil
        ended.finish(to: &events)
        if recordsSeconds { seconds += ended.takeSeconds() }
        coverage += ended.end.seconds(since: ended.start)
        end = ended.end
        lastContact = ended.lastContact
    }
}

extension MotionEvent {
    /// The event with the confidence that samples in an assumed unit allow.
    fileprivate var inAssumedUnit: MotionEvent {
        if case .segment(let segment) = self { .segment(segment.inAssumedUnit) } else { self }
    }
}

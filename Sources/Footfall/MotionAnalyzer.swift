/// Turns samples into steps, activities and gaps: the one pipeline behind live and recorded input.
///
/// ```swift
/// var analyzer = MotionAnalyzer()
/// for batch in batches {
///     handle(analyzer.analyze(batch))
/// }
/// handle(analyzer.finish())
/// ```
///
/// Events are settled: they come in the order of time and are never taken back. A step is out within ten seconds of the
/// strike once its bout is confirmed, any other second within a minute. How the samples are cut into batches
/// changes nothing. Samples may come at 12.5 to 800 Hz, with jitter, bursts, duplicates and gaps; what cannot be used is
/// counted in ``quality``. The state is about a minute of signal, whatever the length of the input.
///
/// An analyzer is a value: a copy goes on by itself, and costs little.
public struct MotionAnalyzer: Sendable {
    private var straightener = SampleStraightener()
    private var stretch: Stretch?
    private var ready = SampleBatch()
    private var coverage = 0.0
    private var gaps = 0
    private var start: Timestamp?
    private var end: Timestamp?

    /// Creates an analyzer for one series of samples.
    public init() {}

    /// Takes the next samples and returns the events that they settle.
    ///
    /// - Complexity: Linear in the number of samples.
    public mutating func analyze(_ batch: SampleBatch) -> [MotionEvent] {
        straightener.add(batch, to: &ready)
        return advance()
    }

    /// Settles everything that still waits, because the series is over or pauses for long.
    ///
    /// Later samples begin a new stretch; ones that are not later are dropped.
    public mutating func finish() -> [MotionEvent] {
        straightener.finish(to: &ready)
        var events = advance()
        endStretch(to: &events)
        return events
    }

    /// The best guess now: the events that would follow if the input ended here.
    ///
    /// They are provisional: later samples may change every one of them, so they are to be shown and not kept.
    ///
    /// - Complexity: Constant, about that of analysing a few seconds.
    public var provisional: [MotionEvent] {
        var copy = self
        return copy.finish()
    }

    /// What was taken so far and what could not be used.
    public var quality: SignalQuality {
        var quality = straightener.quality
        quality.coverage = coverage + (stretch.map { $0.end.seconds(since: $0.start) } ?? 0)
        quality.gaps = gaps
        quality.start = start
        quality.end = stretch?.end ?? end
        return quality
    }

    private mutating func advance() -> [MotionEvent] {
        var events: [MotionEvent] = []
        var next = 0
        while next < ready.count {
            if stretch == nil {
                begin(with: ready[next], to: &events)
                next += 1
            }
            next = stretch?.add(ready, from: next, to: &events) ?? next
            if next < ready.count { endStretch(to: &events) }
        }
        ready.removeAll()
        return events
    }

    private mutating func begin(with sample: AccelerationSample, to events: inout [MotionEvent]) {
        let stretch = Stretch(sample)
        if let end {
            events.append(.gap(end..<stretch.start))
            gaps += 1
        }
        start = start ?? stretch.start
        self.stretch = stretch
    }

    private mutating func endStretch(to events: inout [MotionEvent]) {
        guard var stretch else { return }
        stretch.finish(to: &events)
        coverage += stretch.end.seconds(since: stretch.start)
        end = stretch.end
        self.stretch = nil
    }
}

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
    private var conditioner = SignalConditioner()
    private var recognizer = MotionRecognizer()
    /// What is on its way from the one to the other; kept for its memory.
    private var signal = EvenSignal()

    /// Creates an analyzer for one series of samples.
    public init() {}

    /// Takes the next samples and returns the events that they settle.
    ///
    /// - Complexity: Linear in the number of samples.
    public mutating func analyze(_ batch: SampleBatch) -> [MotionEvent] {
        conditioner.add(batch)
        return recognize()
    }

    /// Settles everything that still waits, because the series is over or pauses for long.
    ///
    /// Later samples begin a new stretch; ones that are not later are dropped.
    public mutating func finish() -> [MotionEvent] {
        conditioner.finish()
        return recognize()
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
    public var quality: SignalQuality { conditioner.quality }

    private mutating func recognize() -> [MotionEvent] {
        var events: [MotionEvent] = []
        while conditioner.fill(&signal) {
            recognizer.add(signal, to: &events)
        }
        return events
    }
}

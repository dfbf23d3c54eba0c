/// Brings samples as devices deliver them onto the even grid of the analysis: the first half of ``MotionAnalyzer``.
///
/// It puts the samples in order, cuts them into stretches where there is a gap, and resamples these. What the signal shows
/// is the second half's to say, ``MotionRecognizer``, which may run on another thread. Whoever adds samples fills pieces of
/// signal until there is nothing more to say, and hands each to the recognizer.
package struct SignalConditioner: Sendable {
    private var straightener = SampleStraightener()
    /// Samples in order; those before `next` are on the grid.
    private var ready = SampleBatch()
    private var next = 0
    /// Brings the stretch that goes on onto the grid.
    private var resampler: Resampler?
    /// Whether the series is over once all that is ready is on the grid.
    private var isOver = false
    private var coverage = 0.0
    private var gaps = 0
    private var start: Timestamp?
    private var end: Timestamp?

    /// Creates a conditioner for one series of samples.
    package init() {}

    /// Takes the next samples. What can be said of them by now is for ``fill(_:)`` to fetch, before the next ones come.
    package mutating func add(_ batch: SampleBatch) {
        straightener.add(batch, to: &ready)
    }

    /// Ends the stretch that goes on. The rest of it is for ``fill(_:)`` to fetch, before any later samples come.
    package mutating func finish() {
        straightener.finish(to: &ready)
        isOver = true
    }

    /// Replaces what is in `signal` by the next piece of signal.
    ///
    /// - Returns: Whether there was anything to say; if not, `signal` is empty.
    package mutating func fill(_ signal: inout EvenSignal) -> Bool {
        signal.removeAll()
        guard next < ready.count || isOver else { return false }
        while next < ready.count, !signal.isFull {
            if resampler == nil {
                begin(with: ready[next], in: &signal)
                next += 1
            }
            next = resampler?.add(ready, from: next, to: &signal) ?? next
            if next < ready.count, !signal.isFull { endStretch(in: &signal) }
        }
        if next == ready.count {
            ready.removeAll()
            next = 0
            if isOver { endStretch(in: &signal) }
            isOver = false
        }
        return true
    }

    /// What was taken so far and what could not be used.
    package var quality: SignalQuality {
        var quality = straightener.quality
        quality.coverage = coverage + (resampler.map { $0.end.seconds(since: $0.start) } ?? 0)
        quality.gaps = gaps
        quality.start = start
        quality.end = resampler?.end ?? end
        return quality
    }

    private mutating func begin(with sample: AccelerationSample, in signal: inout EvenSignal) {
        let resampler = Resampler(sample)
        signal.mark(.stretchBegins(start: resampler.start, cell: resampler.nextCell))
        if end != nil { gaps += 1 }
        start = start ?? resampler.start
        self.resampler = resampler
    }

    private mutating func endStretch(in signal: inout EvenSignal) {
        guard let resampler else { return }
        signal.mark(.stretchEnds(samples: resampler.samples, end: resampler.end))
        coverage += resampler.end.seconds(since: resampler.start)
        end = resampler.end
        self.resampler = nil
    }
}

package import Footfall

extension Sequence<SampleBatch> {
    /// The events of an analysis of the batches.
    package var events: [MotionEvent] {
        var analyzer = MotionAnalyzer()
        var events: [MotionEvent] = []
        for batch in self { events += analyzer.analyze(batch) }
        return events + analyzer.finish()
    }
}

extension Sequence<MotionEvent> {
    /// The steps among the events.
    package var steps: [Step] { compactMap { if case .step(let step) = $0 { step } else { nil } } }

    /// The segments among the events, adjacent ones with the same flags joined.
    package var segments: [Segment] {
        compactMap { if case .segment(let segment) = $0 { segment } else { nil } }.joined()
    }

    /// The spans of non-wear among the events, touching ones joined.
    package var nonWear: [Range<Timestamp>] {
        reduce(into: []) { if case .nonWear(let span) = $1 { $0.join(span) } }
    }

    /// The gaps among the events.
    package var gaps: [Range<Timestamp>] { compactMap { if case .gap(let gap) = $0 { gap } else { nil } } }
}

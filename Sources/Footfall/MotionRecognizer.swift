/// Finds steps, activities and gaps in signal on the even grid: the second half of ``MotionAnalyzer``, after
/// ``SignalConditioner``.
package struct MotionRecognizer: Sendable {
    private var stretch: Stretch?
    /// When the last stretch ended.
    private var end: Timestamp?

    /// Creates a recognizer for one series of samples.
    package init() {}

    /// Takes the next piece of signal and appends to `events` what it settles.
    package mutating func add(_ signal: EvenSignal, to events: inout [MotionEvent]) {
        var next = 0
        for mark in signal.marks {
            stretch?.append(signal.cells(from: next, to: mark.position))
            next = mark.position
            switch mark.kind {
            case .stretchBegins(let start, let cell):
                if let end { events.append(.gap(end..<start)) }
                stretch = Stretch(start: start, cell: cell)
            case .secondsComplete(let samples):
                stretch?.advance(samples: samples, to: &events)
            case .stretchEnds(let samples, let end):
                stretch?.finish(samples: samples, at: end, to: &events)
                stretch = nil
                self.end = end
            }
        }
        stretch?.append(signal.cells(from: next))
    }
}

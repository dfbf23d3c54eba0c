package import Footfall
package import FootfallHistory

/// The recording of one trace by a command.
package struct RecordedTrace: Sendable {
    package let source: String
    package private(set) var outcome = RecordingOutcome()
    package private(set) var steps = 0
    /// The time that the segments cover, in seconds.
    package private(set) var coverage = 0.0
    /// From the first start to the last end; nil without segments.
    package private(set) var range: Range<Timestamp>?

    package init(source: String) { self.source = source }

    mutating func add(_ events: [MotionEvent], _ outcome: RecordingOutcome) {
        self.outcome += outcome
        for event in events {
            switch event {
            case .step: steps += 1
            case .segment(let segment):
                coverage += segment.range.seconds
                let start = range?.lowerBound ?? segment.range.lowerBound
                range = start..<max(start, segment.range.upperBound)
            case .gap, .nonWear: break
            }
        }
    }

    package func overlaps(_ other: RecordedTrace) -> Bool {
        guard let range, let other = other.range else { return false }
        return range.overlaps(other)
    }
}

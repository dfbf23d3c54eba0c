/// What the analyzer says about the motion: settled, in the order of time, never taken back.
///
/// The steps of a segment come just before the segment that covers them, so that a ``MotionEvent/segment(_:)`` completes
/// everything there is to say about its span. A gap stands between the segments before and after it.
public enum MotionEvent: Hashable, Sendable {
    /// A foot strike.
    case step(Step)
    /// A span with one activity. A long activity comes as several touching segments; see ``Swift/Sequence/joined()``.
    case segment(Segment)
    /// A span without samples between two spans with samples.
    case gap(Range<Timestamp>)
}

/// One foot strike.
public struct Step: Hashable, Sendable {
    /// When the foot struck the ground.
    public var time: Timestamp
    /// How much the second of the strike looks like gait by itself, 0…1.
    ///
    /// It is the logistic of the second's score, the tempered log-odds of walking at the cadence that was found: 0.5 where the
    /// second alone decides nothing and its neighbours carried it. Every step is believed to be one whatever its quality; to
    /// count only the clearest, keep those of 0.9 and more. A history keeps the times alone.
    public var quality: Float

    /// Creates a step.
    ///
    /// - Parameters:
    ///   - time: When the foot struck the ground.
    ///   - quality: How much the second of the strike looks like gait, 0…1; 1 for a step that is known.
    public init(time: Timestamp, quality: Float = 1) {
        self.time = time
        self.quality = quality
    }
}

/// A half-open span of time with one activity and the steps in it.
///
/// Segments of one analysis tile the time that is covered by samples.
public struct Segment: Hashable, Sendable {
    /// The span, start included, end not.
    public var range: Range<Timestamp>
    /// What held during the span.
    public var flags: ActivityFlags
    /// The probability, 0…1, that the flags are right.
    public var probability: Float
    /// The number of steps with a time in ``range``.
    public var steps: Int

    /// Creates a segment.
    public init(range: Range<Timestamp>, flags: ActivityFlags, probability: Float, steps: Int) {
        self.range = range
        self.flags = flags
        self.probability = probability
        self.steps = steps
    }

    /// The activity in one word.
    public var activity: Activity { flags.activity }

    /// ``probability`` in three grades.
    public var confidence: Confidence { Confidence(probability: probability) }
}

extension Sequence<Segment> {
    /// Makes one segment of each run of touching segments with the same flags.
    ///
    /// Steps add up; the probability is the mean over time.
    public func joined() -> [Segment] {
        reduce(into: []) { $0.join($1) }
    }
}

extension [Segment] {
    /// Appends a segment, or extends the last one by it if the two touch and have the same flags.
    ///
    /// Steps add up; the probability is the mean over time.
    public mutating func join(_ segment: Segment) {
        if let last, last.range.upperBound == segment.range.lowerBound, last.flags == segment.flags {
            self[count - 1].extend(by: segment)
        } else {
            append(segment)
        }
    }
}

extension Segment {
    /// Takes in a touching segment with the same flags.
    mutating func extend(by next: Segment) {
        let seconds = Float(range.seconds)
        let nextSeconds = Float(next.range.seconds)
        if seconds + nextSeconds > 0 {
            probability = (probability * seconds + next.probability * nextSeconds) / (seconds + nextSeconds)
        }
        range = range.lowerBound..<next.range.upperBound
        steps += next.steps
    }
}

/// What the analyzer says about the motion: settled, in the order of time, never taken back.
///
/// The steps of a segment come just before the segment that covers them, so that a ``MotionEvent/segment(_:)`` completes
/// everything there is to say about its span. A gap stands between the segments before and after it.
public enum MotionEvent: Hashable, Sendable {
    /// A foot strike.
    case step(Step)
    /// A span with one activity. A long activity comes as several touching segments, a halt in it as one of its own; see
    /// ``Swift/Sequence/joined()``.
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
/// Segments of one analysis tile the time that is covered by samples. A red light is a segment of its own when it comes from
/// the analyzer, `[.automotive, .stationary]`; ``Swift/Sequence/joined()`` makes it one of the ``halts`` of a drive.
public struct Segment: Hashable, Sendable {
    /// The span, start included, end not.
    public private(set) var range: Range<Timestamp>
    /// What held during all of the span.
    public private(set) var flags: ActivityFlags
    /// Why the activity is unknown; nil where it is not, or where nobody said.
    public let reason: UnknownReason?
    /// The probability, 0…1, that the activity is right.
    public private(set) var probability: Float
    /// The number of steps with a time in ``range``.
    public private(set) var steps: Int
    /// The spans within ``range`` that were halts, such as red lights: in order, apart from each other.
    public private(set) var halts: [Range<Timestamp>]

    /// Creates a segment over which the flags stay the same; where it is a halt, all of it is.
    public init(
        range: Range<Timestamp>, flags: ActivityFlags, reason: UnknownReason? = nil, probability: Float, steps: Int
    ) {
        self.range = range
        self.flags = flags
        self.reason = reason
        self.probability = probability
        self.steps = steps
        halts = flags == flags.withoutHalt ? [] : [range]
    }

    /// The activity in one word.
    public var activity: Activity { flags.activity }

    /// ``probability`` in three grades.
    public var confidence: Confidence { Confidence(probability: probability) }

    /// Whether a segment goes on with what this one says: it touches, and at most a halt begins or ends between them.
    func continues(into next: Segment) -> Bool {
        range.upperBound == next.range.lowerBound && flags.withoutHalt == next.flags.withoutHalt
            && reason == next.reason
    }

    /// Takes in a segment that this one continues into.
    mutating func extend(by next: Segment) {
        let seconds = Float(range.seconds)
        let nextSeconds = Float(next.range.seconds)
        if seconds + nextSeconds > 0 {
            probability = (probability * seconds + next.probability * nextSeconds) / (seconds + nextSeconds)
        }
        range = range.lowerBound..<next.range.upperBound
        flags.formIntersection(next.flags)
        steps += next.steps
        for halt in next.halts {
            if let last = halts.last, last.upperBound == halt.lowerBound {
                halts[halts.count - 1] = last.lowerBound..<halt.upperBound
            } else {
                halts.append(halt)
            }
        }
    }
}

extension Sequence<Segment> {
    /// Makes one segment of each run of touching segments that say the same, halts aside: a drive is one segment, whatever
    /// the number of its red lights, which become its ``Segment/halts``.
    ///
    /// Steps add up; the probability is the mean over time.
    public func joined() -> [Segment] {
        reduce(into: []) { $0.join($1) }
    }
}

extension [Segment] {
    /// Appends a segment, or extends the last one by it if the two touch and say the same, halts aside.
    ///
    /// Steps add up; the probability is the mean over time.
    public mutating func join(_ segment: Segment) {
        if let last, last.continues(into: segment) {
            self[count - 1].extend(by: segment)
        } else {
            append(segment)
        }
    }
}

/// A half-open span of time with one activity and its steps.
///
/// The segments of one analysis tile the time that samples cover. The analyzer emits a red light as a separate segment
/// with the flags `[.automotive, .stationary]`; ``Swift/Sequence/joined()`` turns it into one of the ``halts`` of the
/// drive.
public struct Segment: Codable, Hashable, Sendable {
    /// The span, with its start and without its end.
    public private(set) var range: Range<Timestamp>
    /// The flags that apply to the whole span.
    public private(set) var flags: ActivityFlags
    /// Why the activity is unknown; nil if the activity is known or the reason is not recorded.
    public let reason: UnknownReason?
    /// The probability that the activity is right, 0…1.
    public private(set) var probability: Float
    /// The number of steps with a time in ``range``.
    public private(set) var steps: Int
    /// The halts within ``range``, such as red lights, in order of time. They do not touch each other.
    public private(set) var halts: [Range<Timestamp>]

    /// Creates a segment with constant flags. If the flags are those of a halt, the whole range is a halt.
    public init(
        range: Range<Timestamp>, flags: ActivityFlags, reason: UnknownReason? = nil, probability: Float, steps: Int
    ) {
        (self.range, self.flags, self.reason) = (range, flags, reason)
        (self.probability, self.steps) = (probability, steps)
        halts = flags == flags.withoutHalt ? [] : [range]
    }

    /// Creates a segment with given halts.
    package init(
        range: Range<Timestamp>, flags: ActivityFlags, reason: UnknownReason?, probability: Float, steps: Int,
        halts: [Range<Timestamp>]
    ) {
        self.init(range: range, flags: flags, reason: reason, probability: probability, steps: steps)
        self.halts = halts
    }

    /// The activity that the flags stand for.
    public var activity: Activity { flags.activity }

    /// The grade of the ``probability``.
    public var confidence: Confidence { Confidence(probability: probability) }

    /// The segment with at most medium confidence, for samples in an assumed unit: activities depend on the size of
    /// accelerations, which the confidence takes for granted.
    var inAssumedUnit: Segment {
        var segment = self
        segment.probability = min(probability, ActivityWeights.highConfidence.nextDown)
        return segment
    }

    /// Whether the next segment touches this one and differs from it by at most a halt.
    func continues(into next: Segment) -> Bool {
        range.upperBound == next.range.lowerBound && flags.withoutHalt == next.flags.withoutHalt
            && reason == next.reason
    }

    mutating func extend(by next: Segment) {
        let seconds = Float(range.seconds)
        let nextSeconds = Float(next.range.seconds)
        if seconds + nextSeconds > 0 {
            let mean = (probability * seconds + next.probability * nextSeconds) / (seconds + nextSeconds)
            // The sum is rounded. A mean above both would give a grade that neither has.
            probability = min(max(mean, min(probability, next.probability)), max(probability, next.probability))
        }
        range = range.lowerBound..<next.range.upperBound
        flags.formIntersection(next.flags)
        steps += next.steps
        for halt in next.halts { halts.join(halt) }
    }
}

extension Segment {
    /// The part of a segment in a range within it. The steps stay.
    fileprivate func part(_ range: Range<Timestamp>) -> Segment {
        var part = self
        part.range = range
        part.halts = halts.map { $0.clamped(to: range) }.filter { !$0.isEmpty }
        return part
    }
}

extension Sequence<Segment> {
    /// The segments with spans of non-wear laid over them, as segments whose reason is ``UnknownReason/notWorn``.
    ///
    /// A segment on foot or with steps stays as it is, because a sensor that counts steps is worn.
    ///
    /// - Parameter spans: The spans of the events ``MotionEvent/nonWear(_:)``, in order of time.
    /// - Complexity: Linear in the segments and spans.
    public func overlaid(byNonWear spans: [Range<Timestamp>]) -> [Segment] {
        var rest = spans[...]
        var overlaid: [Segment] = []
        for segment in self {
            let parts = segment.range.divided(by: &rest)
            guard segment.steps == 0, !segment.flags.isOnFoot, parts.contains(where: \.isInside) else {
                overlaid.append(segment)
                continue
            }
            for (range, isUnworn) in parts {
                if isUnworn {
                    overlaid.join(
                        Segment(range: range, flags: .unknown, reason: .notWorn, probability: 1, steps: 0))
                } else {
                    overlaid.append(segment.part(range))
                }
            }
        }
        return overlaid
    }

    /// Joins touching segments that are equal except for halts. So a drive is one segment, and its red lights are its
    /// ``Segment/halts``.
    ///
    /// Steps add up; the probability is the mean over time.
    public func joined() -> [Segment] { reduce(into: []) { $0.join($1) } }
}

extension Segment: CustomStringConvertible {
    /// Such as `walking from 2026-11-20T08:00:00.000Z to 2026-11-20T08:05:00.000Z (high, 550 steps)`.
    public var description: String {
        let count = steps == 1 ? "1 step" : "\(steps) steps"
        return "\(flags) from \(range.lowerBound) to \(range.upperBound) (\(confidence), \(count))"
    }
}

extension [Segment] {
    /// Appends a segment, or extends the last one by it if the two touch and are equal except for halts. Steps add up;
    /// the probability is the mean over time.
    package mutating func join(_ segment: Segment) {
        if let last, last.continues(into: segment) {
            self[count - 1].extend(by: segment)
        } else {
            append(segment)
        }
    }
}

extension Range where Bound == Timestamp {
    /// The parts of the range inside and outside of spans, in order of time. The spans are in order of time, too; those
    /// before the range are dropped.
    package func divided(by spans: inout ArraySlice<Range<Timestamp>>) -> [(range: Self, isInside: Bool)] {
        spans = spans.drop { $0.upperBound <= lowerBound }
        var parts: [(range: Self, isInside: Bool)] = []
        var start = lowerBound
        for span in spans.prefix(while: { $0.lowerBound < upperBound }) {
            let inside = span.clamped(to: self)
            if start < inside.lowerBound { parts.append((start..<inside.lowerBound, false)) }
            parts.append((inside, true))
            start = inside.upperBound
        }
        if start < upperBound { parts.append((start..<upperBound, false)) }
        return parts
    }
}

extension [Range<Timestamp>] {
    /// Appends a span, or extends the last one by it if the two touch.
    package mutating func join(_ span: Range<Timestamp>) {
        if let last, last.upperBound == span.lowerBound {
            self[count - 1] = last.lowerBound..<span.upperBound
        } else {
            append(span)
        }
    }
}

/// A half-open span of time with one activity and its steps.
///
/// The segments of one analysis tile the time that samples cover. The analyzer emits a red light as a separate segment with the
/// flags `[.automotive, .stationary]`; ``Swift/Sequence/joined()`` turns it into one of the ``halts`` of the drive.
public struct Segment: Hashable, Sendable {
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
        self.range = range
        self.flags = flags
        self.reason = reason
        self.probability = probability
        self.steps = steps
        halts = flags == flags.withoutHalt ? [] : [range]
    }

    /// The activity that the flags stand for.
    public var activity: Activity { flags.activity }

    /// The grade of the ``probability``.
    public var confidence: Confidence { Confidence(probability: probability) }

    /// Whether the next segment touches this one and differs from it by at most a halt.
    func continues(into next: Segment) -> Bool {
        range.upperBound == next.range.lowerBound && flags.withoutHalt == next.flags.withoutHalt
            && reason == next.reason
    }

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
    /// The segments with spans of non-wear as segments of their own, whose reason is ``UnknownReason/notWorn``.
    ///
    /// A segment with steps stays as it is, because a sensor that counts steps is worn.
    ///
    /// - Parameter spans: Spans of non-wear, such as ``SensorCheck/nonWear``, in order of time.
    /// - Complexity: Linear in the segments and spans.
    public func marking(nonWear spans: [Range<Timestamp>]) -> [Segment] {
        var rest = spans[...]
        var marked: [Segment] = []
        for segment in self {
            rest = rest.drop { $0.upperBound <= segment.range.lowerBound }
            var start = segment.range.lowerBound
            for span in rest.prefix(while: { segment.steps == 0 && $0.lowerBound < segment.range.upperBound }) {
                let unworn = span.clamped(to: segment.range)
                if start < unworn.lowerBound { marked.append(segment.part(start..<unworn.lowerBound)) }
                marked.join(
                    Segment(range: unworn, flags: .unknown, reason: .notWorn, probability: 1, steps: 0))
                start = unworn.upperBound
            }
            if start < segment.range.upperBound { marked.append(segment.part(start..<segment.range.upperBound)) }
        }
        return marked
    }

    /// Joins touching segments that are equal except for halts. So a drive is one segment, and its red lights are its
    /// ``Segment/halts``.
    ///
    /// Steps add up; the probability is the mean over time.
    public func joined() -> [Segment] {
        reduce(into: []) { $0.join($1) }
    }
}

extension [Segment] {
    /// Appends a segment, or extends the last one by it if the two touch and are equal except for halts.
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

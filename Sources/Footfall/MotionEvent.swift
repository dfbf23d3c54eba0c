/// A settled result of the analyzer. Events come in order of time and never change.
///
/// The steps of a segment come directly before the segment that contains them, so a ``MotionEvent/segment(_:)``
/// completes its span. A gap stands between the segments before and after it. A span of non-wear stands after the
/// segments that it overlays.
public enum MotionEvent: Hashable, Sendable {
    /// An initial contact of a foot.
    case step(Step)
    /// A span with one activity. A long activity comes as several touching segments, and a halt within it is a segment
    /// too; see ``Swift/Sequence/joined()``.
    case segment(Segment)
    /// A span without samples between two spans with samples.
    case gap(Range<Timestamp>)
    /// A span in which the sensor was not worn: it rested for an hour or more. A long span comes as several touching
    /// ones.
    ///
    /// The segments of the span remain what they are; ``Swift/Sequence/overlaid(byNonWear:)`` lays the span over them.
    case nonWear(Range<Timestamp>)
}

extension MotionEvent {
    /// The time of the step, or the end of the span.
    package var end: Timestamp {
        switch self {
        case .step(let step): step.time
        case .segment(let segment): segment.range.upperBound
        case .gap(let span), .nonWear(let span): span.upperBound
        }
    }
}

extension MotionEvent: CustomStringConvertible {
    /// Such as `step at 2026-11-20T08:00:00.120Z`, or a kind and its span.
    public var description: String {
        switch self {
        case .step(let step): step.description
        case .segment(let segment): segment.description
        case .gap(let span): "no samples from \(span.lowerBound) to \(span.upperBound)"
        case .nonWear(let span): "not worn from \(span.lowerBound) to \(span.upperBound)"
        }
    }
}

/// An object with one key, the kind: `{"step": {…}}`. A span is an array of its start and its end.
extension MotionEvent: Codable {
    private enum Kind: CodingKey {
        case step
        case segment
        case gap
        case nonWear
    }

    /// Reads the object of an event.
    ///
    /// - Throws: `DecodingError` if it has not one of the four kinds of event.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Kind.self)
        switch (container.allKeys.first, container.allKeys.count) {
        case (.step, 1): self = .step(try container.decode(Step.self, forKey: .step))
        case (.segment, 1): self = .segment(try container.decode(Segment.self, forKey: .segment))
        case (.gap, 1): self = .gap(try container.decode(Range<Timestamp>.self, forKey: .gap))
        case (.nonWear, 1): self = .nonWear(try container.decode(Range<Timestamp>.self, forKey: .nonWear))
        default:
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "not one of step, segment, gap and nonWear"))
        }
    }

    /// Writes the object of the event.
    ///
    /// - Throws: `EncodingError` of the encoder.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Kind.self)
        switch self {
        case .step(let step): try container.encode(step, forKey: .step)
        case .segment(let segment): try container.encode(segment, forKey: .segment)
        case .gap(let span): try container.encode(span, forKey: .gap)
        case .nonWear(let span): try container.encode(span, forKey: .nonWear)
        }
    }
}

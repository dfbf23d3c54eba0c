/// A settled result of the analyzer. Events come in order of time and never change.
///
/// The steps of a segment come directly before the segment that contains them, so a ``MotionEvent/segment(_:)`` completes its
/// span. A gap stands between the segments before and after it. A span of non-wear stands after the segments that it overlays.
public enum MotionEvent: Hashable, Sendable {
    /// An initial contact of a foot.
    case step(Step)
    /// A span with one activity. A long activity comes as several touching segments, and a halt within it is a segment too; see
    /// ``Swift/Sequence/joined()``.
    case segment(Segment)
    /// A span without samples between two spans with samples.
    case gap(Range<Timestamp>)
    /// A span in which the sensor was not worn: it rested for an hour or more. A long span comes as several touching ones.
    ///
    /// The segments of the span remain what they are; ``Swift/Sequence/overlaid(byNonWear:)`` lays the span over them.
    case nonWear(Range<Timestamp>)
}

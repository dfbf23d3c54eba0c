// The header documents these functions, under their names in C.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase

public import CFootfall
internal import Footfall
internal import Synchronization

/// Events as arrays of C structures.
final class Events: Sendable {
    /// The events in the order of the analyzer.
    let events: [MotionEvent]
    let arrays: Mutex<Arrays>

    /// The arrays, each in memory that does not move.
    struct Arrays: ~Copyable, @unchecked Sendable {
        let steps: UnsafeMutableBufferPointer<footfall_step>
        var segments: UnsafeMutableBufferPointer<footfall_segment>
        let gaps: UnsafeMutableBufferPointer<footfall_span>
        let nonWear: UnsafeMutableBufferPointer<footfall_span>

        init(_ events: [MotionEvent]) {
            steps = events.compactMap { if case .step(let step) = $0 { footfall_step(step) } else { nil } }.copied()
            segments = events.segments.map { footfall_segment($0) }.copied()
            gaps = events.compactMap { if case .gap(let gap) = $0 { footfall_span(gap) } else { nil } }.copied()
            nonWear = events.nonWear.map { footfall_span($0) }.copied()
        }

        deinit {
            steps.deallocate()
            segments.deallocate()
            gaps.deallocate()
            nonWear.deallocate()
        }
    }

    init(_ events: [MotionEvent]) {
        self.events = events
        arrays = Mutex(Arrays(events))
    }

    func join() {
        let joined = events.segments.joined().overlaid(byNonWear: events.nonWear).map(footfall_segment.init)
        arrays.withLock { arrays in
            arrays.segments.deallocate()
            arrays.segments = joined.copied()
        }
    }
}

extension [MotionEvent] {
    fileprivate var segments: [Segment] {
        compactMap { if case .segment(let segment) = $0 { segment } else { nil } }
    }

    /// The spans of non-wear; touching ones are joined.
    fileprivate var nonWear: [Range<Timestamp>] {
        reduce(into: []) { if case .nonWear(let span) = $1 { $0.join(span) } }
    }
}

extension Array {
    /// A copy of the elements in memory of their own.
    func copied() -> UnsafeMutableBufferPointer<Element> {
        let copy = UnsafeMutableBufferPointer<Element>.allocate(capacity: count)
        _ = copy.initialize(from: self)
        return copy
    }
}

extension footfall_step {
    fileprivate init(_ step: Step) {
        self.init(time: step.time.nanosecondsSince1970, quality: step.quality, padding: 0)
    }
}

extension footfall_span {
    init(_ range: Range<Timestamp>) {
        self.init(start: range.lowerBound.nanosecondsSince1970, end: range.upperBound.nanosecondsSince1970)
    }
}

extension footfall_segment {
    fileprivate init(_ segment: Segment) {
        self.init(
            start: segment.range.lowerBound.nanosecondsSince1970, end: segment.range.upperBound.nanosecondsSince1970,
            steps: Int64(segment.steps), probability: segment.probability,
            activity: UInt8(clamping: Activity.allCases.firstIndex(of: segment.activity) ?? 0),
            is_halt: segment.flags == segment.flags.withoutHalt ? 0 : 1,
            confidence: UInt8(clamping: segment.confidence.rawValue), reason: segment.reason?.rawValue ?? 0)
    }
}

// MARK: The functions of C

@c @implementation public func footfall_events_destroy(_ events: OpaquePointer?) { release(events, as: Events.self) }

@c @implementation public func footfall_events_steps(
    _ events: OpaquePointer?, _ count: UnsafeMutablePointer<Int>?
) -> UnsafePointer<footfall_step>? {
    array(of: events, count) { $0.steps }
}

@c @implementation public func footfall_events_segments(
    _ events: OpaquePointer?, _ count: UnsafeMutablePointer<Int>?
) -> UnsafePointer<footfall_segment>? {
    array(of: events, count) { $0.segments }
}

@c @implementation public func footfall_events_gaps(
    _ events: OpaquePointer?, _ count: UnsafeMutablePointer<Int>?
) -> UnsafePointer<footfall_span>? {
    array(of: events, count) { $0.gaps }
}

@c @implementation public func footfall_events_non_wear(
    _ events: OpaquePointer?, _ count: UnsafeMutablePointer<Int>?
) -> UnsafePointer<footfall_span>? {
    array(of: events, count) { $0.nonWear }
}

@c @implementation public func footfall_events_join(_ events: OpaquePointer?) {
    (try? object(events, as: Events.self))?.join()
}

private func array<Element>(
    of events: OpaquePointer?, _ count: UnsafeMutablePointer<Int>?,
    _ choice: (borrowing Events.Arrays) -> UnsafeMutableBufferPointer<Element>
) -> UnsafePointer<Element>? {
    let array = (try? object(events, as: Events.self))?.arrays.withLock { choice($0) }
    count?.pointee = array?.count ?? 0
    return UnsafePointer(array?.baseAddress)
}

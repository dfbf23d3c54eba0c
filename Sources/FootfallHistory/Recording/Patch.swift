internal import Footfall

/// A complete statement about one unbroken range: its pieces and all its steps. What a recording is applied as.
struct Patch {
    var pieces: [Span] = []
    var steps: [Int64] = []

    /// From the first piece's start to the last one's end. Empty when there are no pieces.
    var range: Range<Int64> {
        guard let first = pieces.first, let last = pieces.last else { return 0..<0 }
        return first.start..<last.end
    }

    /// The same statement for the table of segments.
    var segments: [Span] {
        pieces.reduce(into: []) { $0.join($1.asSegment) }
    }
}

/// Turns events into patches.
///
/// Steps belong to the next segment that covers them. Those that none covers are loose.
struct PatchBuilder {
    /// Steps that still wait for their segment.
    private(set) var waiting: [Int64]
    /// Steps that a segment left uncovered, and never will be.
    private(set) var loose: [Int64] = []
    private(set) var patch = Patch()

    /// Events that cannot be stored: outside the supported times.
    private(set) var refused = 0
    /// Steps and segments that can.
    private(set) var taken = 0
    /// From the first start to the last end of what was taken; nil when nothing was.
    private(set) var extent: Range<Int64>?
    private var hasBegun = false

    /// Starts with the steps that an earlier recording left waiting.
    init(waiting: [Int64] = []) { self.waiting = waiting }

    /// Takes an event. Returns a patch when the event begins a new one.
    mutating func take(_ event: MotionEvent) -> Patch? {
        if !hasBegun {
            hasBegun = true
            if !continues(with: event) { waiting = [] }
        }
        switch event {
        case .step(let step):
            guard Timestamp.supported.contains(step.time) else {
                refused += 1
                return nil
            }
            let time = step.time.nanosecondsSince1970
            waiting.append(time)
            extend(time..<time + 1)
            return nil
        case .segment(let segment):
            let range = segment.range
            guard !range.isEmpty, range.lowerBound >= Timestamp.supported.lowerBound,
                range.upperBound <= Timestamp.supported.upperBound
            else {
                refused += range.isEmpty ? 0 : 1
                return nil
            }
            let span = Span(
                start: range.lowerBound.nanosecondsSince1970, end: range.upperBound.nanosecondsSince1970,
                flags: segment.storedFlags,
                probability: segment.probability.isFinite ? Double(segment.probability) : 0)
            extend(span.start..<span.end)
            return take(span)
        case .gap: return nil
        }
    }

    /// Whether the first event goes on where the waiting steps were left, and does not begin another recording.
    private func continues(with event: MotionEvent) -> Bool {
        guard let first = waiting.first, let last = waiting.last else { return true }
        switch event {
        case .step(let step): return step.time.nanosecondsSince1970 >= last
        case .segment(let segment):
            return segment.range.lowerBound.nanosecondsSince1970 <= first
                && segment.range.upperBound.nanosecondsSince1970 > last
        case .gap: return false
        }
    }

    private mutating func extend(_ range: Range<Int64>) {
        taken += 1
        let old = extent ?? range
        extent = min(old.lowerBound, range.lowerBound)..<max(old.upperBound, range.upperBound)
    }

    private mutating func take(_ piece: Span) -> Patch? {
        var finished: Patch?
        // A patch is also closed when it has grown large, so that memory stays bounded however long a recording is.
        if let last = patch.pieces.last, last.end != piece.start || patch.steps.count > 65536 {
            finished = finish()
        }
        patch.pieces.join(piece)
        for step in waiting {
            if piece.start <= step, step < piece.end { patch.steps.append(step) } else { loose.append(step) }
        }
        waiting.removeAll(keepingCapacity: true)
        return finished
    }

    /// Hands out the patch under way, if there is one.
    mutating func finish() -> Patch? {
        guard !patch.pieces.isEmpty else { return nil }
        defer { patch = Patch() }
        return patch
    }
}

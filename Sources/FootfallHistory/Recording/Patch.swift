internal import Footfall

/// All pieces and steps of one range. A patch replaces the rows in its range.
struct Patch {
    var pieces: [StoredSpan] = []
    var steps: [Int64] = []
    /// Spans of non-wear. They come after the pieces that they overlay, so their ends are at most that of the last
    /// piece. They may start long before the first one.
    var nonWear: [StoredSpan] = []

    var isEmpty: Bool { pieces.isEmpty && nonWear.isEmpty }
    /// From the start of the first piece to the end of the last one; empty without pieces.
    var range: Range<Int64> {
        guard let first = pieces.first, let last = pieces.last else { return 0..<0 }
        return first.start..<last.end
    }

    func count(before moment: Int64) -> Int { pieces.count { $0.end <= moment } + steps.count { $0 < moment } }

    func part(from moment: Int64) -> Patch {
        func part(of spans: [StoredSpan]) -> [StoredSpan] {
            spans.filter { $0.end > moment }.map { span in
                var span = span
                span.start = max(span.start, moment)
                return span
            }
        }
        return Patch(pieces: part(of: pieces), steps: steps.filter { $0 >= moment }, nonWear: part(of: nonWear))
    }

    /// The rows of the table `segment`.
    var segments: [StoredSpan] {
        var rest = steps[...]
        return pieces.reduce(into: []) { segments, piece in
            let steps = rest.prefix { $0 < piece.end }
            rest = rest[steps.endIndex...]
            // The same step, given twice, is stored once.
            let isAscending = zip(steps, steps.dropFirst()).allSatisfy(<)
            segments.join(piece.asSegment(steps: isAscending ? steps.count : Set(steps).count))
        }
    }
}

/// Turns events into patches. A step belongs to the next segment if that covers it. A patch spans a gap only if the
/// source holds nothing there, so a recording with many gaps is still few patches.
struct PatchBuilder {
    /// Steps since the last segment.
    private(set) var pending: [Int64]
    /// Steps that their next segment does not cover.
    private(set) var uncovered: [Int64] = []
    private(set) var patch = Patch()

    /// Later events are set aside.
    private let latest: Int64
    /// The number of events outside the supported times.
    private(set) var refused = 0
    /// The number of events after ``latest``, and the end of the last one.
    private(set) var setAside: (count: Int, end: Int64) = (0, .min)
    /// The number of the other steps and segments.
    private(set) var added = 0
    /// From the first start to the last end of the added events; nil without any.
    private(set) var extent: Range<Int64>?
    private var isStarted = false

    /// Creates a builder with the pending steps of the previous recording.
    init(pending: [Int64], latest: Int64) { (self.pending, self.latest) = (pending, latest) }

    /// Adds an event. Returns the last patch if the event starts a new one. `isFree` states whether the source holds
    /// nothing in a gap.
    mutating func add(_ event: MotionEvent, isFree: (Range<Int64>) throws -> Bool) rethrows -> Patch? {
        if !isStarted {
            isStarted = true
            if !continues(with: event) { pending = [] }
        }
        switch event {
        case .step(let step):
            guard Timestamp.supported.contains(step.time) else {
                refused += 1
                return nil
            }
            let time = step.time.nanosecondsSince1970
            guard isPresent(time) else { return nil }
            pending.append(time)
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
            let span = StoredSpan(
                start: range.lowerBound.nanosecondsSince1970, end: range.upperBound.nanosecondsSince1970,
                flags: segment.storedFlags,
                probability: segment.probability.isFinite ? Double(min(max(segment.probability, 0), 1)) : 0)
            guard isPresent(span.end) else { return nil }
            extend(span.start..<span.end)
            return try add(span, isFree: isFree)
        case .gap: return nil
        case .nonWear(let range):
            let span = range.clamped(to: Timestamp.supported)
            let (start, end) = (span.lowerBound.nanosecondsSince1970, span.upperBound.nanosecondsSince1970)
            if start < end, end <= latest {
                patch.nonWear.join(StoredSpan(start: start, end: end, flags: 0, probability: nil))
            }
            return nil
        }
    }

    /// Whether an event does not end after ``latest``. Counts it otherwise.
    private mutating func isPresent(_ end: Int64) -> Bool {
        guard end > latest else { return true }
        setAside = (setAside.count + 1, max(setAside.end, end))
        return false
    }

    /// Whether the first event continues the recording of the pending steps.
    private func continues(with event: MotionEvent) -> Bool {
        guard let first = pending.first, let last = pending.last else { return true }
        switch event {
        case .step(let step): return step.time.nanosecondsSince1970 >= last
        case .segment(let segment):
            return segment.range.lowerBound.nanosecondsSince1970 <= first
                && segment.range.upperBound.nanosecondsSince1970 > last
        case .gap: return false
        case .nonWear: return true
        }
    }

    private mutating func extend(_ range: Range<Int64>) {
        added += 1
        let old = extent ?? range
        extent = min(old.lowerBound, range.lowerBound)..<max(old.upperBound, range.upperBound)
    }

    private mutating func add(_ piece: StoredSpan, isFree: (Range<Int64>) throws -> Bool) rethrows -> Patch? {
        var finished: Patch?
        if let last = patch.pieces.last?.end {
            // A limit on the rows of a patch bounds the memory of a long recording.
            let isFull = patch.steps.count + patch.pieces.count > 65536
            let continues = try last == piece.start || last < piece.start && isFree(last..<piece.start)
            if isFull || !continues { finished = finish() }
        }
        patch.pieces.join(piece)
        for step in pending {
            if piece.start <= step, step < piece.end { patch.steps.append(step) } else { uncovered.append(step) }
        }
        pending.removeAll(keepingCapacity: true)
        return finished
    }

    /// Returns the current patch, unless it is empty.
    mutating func finish() -> Patch? {
        guard !patch.isEmpty else { return nil }
        defer { patch = Patch() }
        return patch
    }
}

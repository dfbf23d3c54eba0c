import Footfall

/// The reference model of a history: arrays of steps and pieces, without an index or a cache.
struct NaiveHistory {
    struct Piece: Hashable {
        var range: Range<Int64>
        var flags: ActivityFlags
        var reason: UnknownReason?
        var probability: Float
    }

    struct Answer: Hashable {
        var range: Range<Int64>
        var clipped: Range<Int64>
        var flags: ActivityFlags
        var reason: UnknownReason?
        var halts: [Range<Int64>]
        var steps: Int
        var isOpen: Bool
    }

    var retention: Int64?
    private(set) var steps: [Int64] = []
    private(set) var pieces: [Piece] = []
    /// The start of the kept time, and the end of the time that the retention deleted.
    private(set) var cut = Int64.min
    private(set) var lost = Int64.min

    init(retention: Int64?) { self.retention = retention }

    /// Whether no answer counts anything.
    var isEmpty: Bool { oldest(from: cut) == .max }

    private func newest(before moment: Int64 = .max) -> Int64? {
        let ends = pieces.filter { $0.range.lowerBound < moment }.map(\.range.upperBound)
        return (ends + steps.filter { $0 < moment }).max()
    }

    private func oldest(from moment: Int64) -> Int64 {
        let starts = pieces.filter { $0.range.upperBound > moment }.map { max($0.range.lowerBound, moment) }
        return (starts + steps.filter { $0 >= moment }).min() ?? .max
    }

    /// The newest time, without less than a minute of pieces after more than an hour without any.
    private var windowEnd: Int64? {
        guard var end = newest() else { return nil }
        var (start, covered) = (end, 0)
        for piece in pieces.sorted(by: { $0.range.lowerBound > $1.range.lowerBound }) where covered < 60_000_000_000 {
            if start - piece.range.upperBound > 3_600_000_000_000 { end = piece.range.upperBound }
            covered += piece.range.count
            start = piece.range.lowerBound
        }
        return end
    }

    private var limit: Int64 {
        guard let retention, let end = windowEnd else { return cut }
        return max(cut, end - retention)
    }

    /// The start of what stays in the file: after a leap ahead of more than a day, also what it made old.
    private func storedLimit(_ limit: Int64) -> Int64 {
        guard let retention, let newest = newest() else { return limit }
        let leap = min(retention, 86_400_000_000_000)
        guard let before = self.newest(before: newest - leap) else { return min(limit, lost) }
        let after = oldest(from: newest - leap)
        return after != .max && after - before > leap ? min(limit, max(lost, before - retention)) : limit
    }

    mutating func record(_ events: [MotionEvent]) {
        let limit = limit
        let stored = storedLimit(limit)
        var waiting: [Int64] = []
        var oldest = Int64.max
        for event in events {
            switch event {
            case .step(let step): waiting.append(step.time.nanosecondsSince1970)
            case .gap, .nonWear: break
            case .segment(let segment):
                let whole =
                    segment.range.lowerBound
                    .nanosecondsSince1970..<segment.range.upperBound
                    .nanosecondsSince1970
                oldest = min(oldest, whole.lowerBound)
                guard whole.upperBound > stored else { continue }
                let range = max(stored, whole.lowerBound)..<whole.upperBound
                erase(range)
                pieces.append(
                    Piece(
                        range: range, flags: segment.flags, reason: segment.reason, probability: segment.probability))
                steps += waiting.filter(range.contains)
                waiting.removeAll { whole.contains($0) }
            }
        }
        oldest = min(oldest, waiting.min() ?? .max)
        steps += waiting.filter { $0 >= stored && !steps.contains($0) }
        if oldest < limit { cut = limit }
        if oldest < stored { lost = max(lost, stored) }
        enforceRetention()
    }

    private mutating func enforceRetention() {
        let limit = limit
        if cut != .min && lost <= cut || oldest(from: cut) < limit { cut = max(cut, limit) }
        let stored = storedLimit(cut)
        if oldest(from: min(cut, lost)) < stored { lost = max(lost, stored) }
        let end = min(cut, lost)
        steps = steps.filter { $0 >= end }
        pieces = mergedSegments.flatMap { segment in
            // A segment that the retention cuts keeps its original start.
            segment.range.upperBound > end ? pieces.filter { segment.range.contains($0.range.lowerBound) } : []
        }
    }

    /// Removes a range. A deleted leap no longer makes anything old.
    mutating func delete(_ range: Range<Int64>) {
        erase(range)
        guard let retention, let newest = newest(), newest - retention < cut, lost < cut else { return }
        cut = lost
        enforceRetention()
    }

    mutating func erase(_ range: Range<Int64>) {
        steps = steps.filter { !range.contains($0) }
        pieces = pieces.flatMap { piece in
            let left = Piece(
                range: piece.range
                    .lowerBound..<max(piece.range.lowerBound, min(piece.range.upperBound, range.lowerBound)),
                flags: piece.flags, reason: piece.reason, probability: piece.probability)
            let right = Piece(
                range: min(
                    piece.range.upperBound, max(piece.range.lowerBound, range.upperBound))..<piece.range.upperBound,
                flags: piece.flags, reason: piece.reason, probability: piece.probability)
            return [left, right].filter { !$0.range.isEmpty }
        }
    }

    /// The segments, with flags without halts.
    private var mergedSegments: [Piece] {
        var merged: [Piece] = []
        for var piece in pieces.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
            piece.flags = piece.flags.withoutHalt
            if let last = merged.last, last.range.upperBound == piece.range.lowerBound, last.flags == piece.flags,
                last.reason == piece.reason
            {
                merged[merged.count - 1].range = last.range.lowerBound..<piece.range.upperBound
            } else {
                merged.append(piece)
            }
        }
        return merged
    }

    /// The halts of a range within the retention.
    private func halts(in range: Range<Int64>) -> [Range<Int64>] {
        let known = max(cut, range.lowerBound)..<max(cut, range.upperBound)
        let halts = pieces.filter { $0.flags != $0.flags.withoutHalt }.map { $0.range.clamped(to: known) }
            .filter { !$0.isEmpty }.sorted { $0.lowerBound < $1.lowerBound }
        return halts.reduce(into: []) { joined, halt in
            if let last = joined.last, last.upperBound == halt.lowerBound {
                joined[joined.count - 1] = last.lowerBound..<halt.upperBound
            } else {
                joined.append(halt)
            }
        }
    }

    func count(_ range: Range<Int64>) -> Int { steps.count { range.contains($0) && $0 >= cut } }

    func covered(_ range: Range<Int64>) -> Int64 {
        pieces.reduce(0) { $0 + Int64($1.range.clamped(to: visible(range)).count) }
    }

    func segments(_ range: Range<Int64>) -> [Answer] {
        let visible = visible(range)
        let all = mergedSegments
        let steps = steps.filter(visible.contains)
        return all.compactMap { segment in
            let clipped = segment.range.clamped(to: visible)
            guard !clipped.isEmpty else { return nil }
            let halts = halts(in: segment.range)
            let standsStill = halts == [max(cut, segment.range.lowerBound)..<segment.range.upperBound]
            return Answer(
                range: segment.range, clipped: clipped,
                flags: standsStill ? segment.flags.union(.stationary) : segment.flags, reason: segment.reason,
                halts: halts,
                steps: steps.count(where: clipped.contains),
                isOpen: segment == all.last)
        }
    }

    func piece(at moment: Int64) -> Piece? { pieces.first { $0.range.contains(moment) } }

    func isTruncated(_ range: Range<Int64>) -> Bool {
        range.lowerBound < max(cut, lost) && !range.isEmpty
    }

    private func visible(_ range: Range<Int64>) -> Range<Int64> {
        let start = max(range.lowerBound, cut)
        return start..<max(start, range.upperBound)
    }
}

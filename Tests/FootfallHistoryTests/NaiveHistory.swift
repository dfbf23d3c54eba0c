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
    private(set) var cut = Int64.min
    private(set) var hasForgotten = false

    init(retention: Int64?) { self.retention = retention }

    private var newest: Int64? {
        [pieces.map(\.range.upperBound).max(), steps.max()].compactMap { $0 }.max()
    }

    private var limit: Int64 {
        guard let retention, let newest else { return cut }
        return max(cut, newest - retention)
    }

    mutating func record(_ events: [MotionEvent]) {
        let limit = limit
        var waiting: [Int64] = []
        var expired = false
        for event in events {
            switch event {
            case .step(let step): waiting.append(step.time.nanosecondsSince1970)
            case .gap: break
            case .segment(let segment):
                let whole =
                    segment.range.lowerBound
                    .nanosecondsSince1970..<segment.range.upperBound
                    .nanosecondsSince1970
                expired = expired || whole.lowerBound < limit
                guard whole.upperBound > limit else { continue }
                let range = max(limit, whole.lowerBound)..<whole.upperBound
                erase(range)
                pieces.append(
                    Piece(
                        range: range, flags: segment.flags, reason: segment.reason, probability: segment.probability))
                steps += waiting.filter(range.contains)
                waiting.removeAll { whole.contains($0) }
            }
        }
        expired = expired || waiting.contains { $0 < limit }
        steps += waiting.filter { $0 >= limit && !steps.contains($0) }
        if expired { forget(limit) }
        let oldest = [pieces.map(\.range.lowerBound).min(), steps.min()].compactMap { $0 }.min() ?? .max
        if hasForgotten || oldest < self.limit { forget(self.limit) }
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

    private mutating func forget(_ moment: Int64) {
        let moment = max(moment, cut)
        cut = moment
        hasForgotten = true
        steps = steps.filter { $0 >= moment }
        pieces = mergedSegments.flatMap { segment in
            // A segment that the retention cuts keeps its original start.
            segment.range.upperBound > moment ? pieces.filter { segment.range.contains($0.range.lowerBound) } : []
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

    func isTruncated(_ range: Range<Int64>) -> Bool { hasForgotten && range.lowerBound < cut && !range.isEmpty }

    private func visible(_ range: Range<Int64>) -> Range<Int64> {
        let start = max(range.lowerBound, cut)
        return start..<max(start, range.upperBound)
    }
}

import Footfall

/// What a history should answer, in the plainest way: arrays, and no memory of how they came to be.
struct NaiveHistory {
    struct Piece: Hashable {
        var range: Range<Int64>
        var flags: ActivityFlags
        var probability: Float
    }

    struct Answer: Hashable {
        var range: Range<Int64>
        var clipped: Range<Int64>
        var flags: ActivityFlags
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
                pieces.append(Piece(range: range, flags: segment.flags, probability: segment.probability))
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
                flags: piece.flags, probability: piece.probability)
            let right = Piece(
                range: min(
                    piece.range.upperBound, max(piece.range.lowerBound, range.upperBound))..<piece.range.upperBound,
                flags: piece.flags, probability: piece.probability)
            return [left, right].filter { !$0.range.isEmpty }
        }
    }

    private mutating func forget(_ moment: Int64) {
        let moment = max(moment, cut)
        cut = moment
        hasForgotten = true
        steps = steps.filter { $0 >= moment }
        pieces = mergedSegments.flatMap { segment in
            // A segment counts as long as some of it is remembered; its first start is kept with it.
            segment.range.upperBound > moment ? pieces.filter { segment.range.contains($0.range.lowerBound) } : []
        }
    }

    private var mergedSegments: [Piece] {
        var merged: [Piece] = []
        for piece in pieces.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
            if let last = merged.last, last.range.upperBound == piece.range.lowerBound, last.flags == piece.flags {
                merged[merged.count - 1].range = last.range.lowerBound..<piece.range.upperBound
            } else {
                merged.append(piece)
            }
        }
        return merged
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
            return Answer(
                range: segment.range, clipped: clipped, flags: segment.flags,
                steps: steps.count(where: clipped.contains),
                isOpen: segment == all.last)
        }
    }

    func probability(at moment: Int64) -> Float? { pieces.first { $0.range.contains(moment) }?.probability }

    func isTruncated(_ range: Range<Int64>) -> Bool { hasForgotten && range.lowerBound < cut && !range.isEmpty }

    private func visible(_ range: Range<Int64>) -> Range<Int64> {
        let start = max(range.lowerBound, cut)
        return start..<max(start, range.upperBound)
    }
}

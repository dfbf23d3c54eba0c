/// Computes medians of many short series of finite values.
///
/// The range around the middle is halved by counting the values below its centre, 16 at a time. This is faster than a selection
/// that moves values, such as `gsl_stats_float_median`. The memory is kept for the next series.
struct MedianFinder: Sendable {
    private typealias Lanes = SIMD16<Float>

    /// The number of values that are sorted.
    private static let fewest = 32
    /// The halvings between two removals of the values outside the range.
    private static let halvings = 4

    /// The values that may be in the middle.
    private var candidates: [Float] = []

    /// The median: the middle value by size, or the mean of the two middle values; 0 without a value.
    ///
    /// - Complexity: O(*n*) for all but the most uneven distributions.
    mutating func median(of values: [Float]) -> Double {
        guard !values.isEmpty else { return 0 }
        let middle = (values.count - 1) / 2
        let position = middle - chooseCandidates(of: values, for: middle)
        let lower = Double(candidates[position])
        guard values.count.isMultiple(of: 2) else { return lower }
        if position + 1 < candidates.count { return (lower + Double(candidates[position + 1])) / 2 }
        let upper = values.reduce(.infinity) { $1 > candidates[position] ? min($0, $1) : $0 }
        return (lower + Double(upper)) / 2
    }

    /// Sets `candidates` to some neighbours in the order of all values, sorted, among them the one at a position.
    ///
    /// - Returns: The number of values below them.
    private mutating func chooseCandidates(of values: [Float], for position: Int) -> Int {
        candidates.removeAll(keepingCapacity: true)
        candidates.append(contentsOf: values)
        var below = 0
        while candidates.count > Self.fewest {
            var (least, most) = bounds
            if least == most { return below }
            for _ in 0..<Self.halvings where least < most {
                let centre = least / 2 + most / 2
                // Between neighbours there is no centre.
                let bound = centre < most ? centre : least
                if below + count(upTo: bound) > position { most = bound } else { least = bound.nextUp }
            }
            below += keep(least, most)
        }
        candidates.sort()
        return below
    }

    private var bounds: (least: Float, most: Float) {
        var (least, most) = (Lanes(repeating: candidates[0]), Lanes(repeating: candidates[0]))
        forEachVector { values in
            least.replace(with: values, where: values .< least)
            most.replace(with: values, where: values .> most)
        } rest: { value in
            least[0] = min(least[0], value)
            most[0] = max(most[0], value)
        }
        return (least.min(), most.max())
    }

    private func count(upTo bound: Float) -> Int {
        var counts = SIMD16<Int32>.zero
        forEachVector { values in
            counts.replace(with: counts &+ 1, where: values .<= bound)
        } rest: { value in
            counts[0] += value <= bound ? 1 : 0
        }
        return Int(counts.wrappedSum())
    }

    /// Removes the candidates outside a range.
    ///
    /// - Returns: The number of those below it.
    private mutating func keep(_ least: Float, _ most: Float) -> Int {
        var (kept, below) = (0, 0)
        for index in candidates.indices {
            let value = candidates[index]
            candidates[kept] = value
            kept += value >= least && value <= most ? 1 : 0
            below += value < least ? 1 : 0
        }
        candidates.removeLast(candidates.count - kept)
        return below
    }

    @inline(__always)
    private func forEachVector(_ body: (Lanes) -> Void, rest: (Float) -> Void) {
        let bytes = candidates.span.bytes
        let whole = candidates.count / Lanes.scalarCount
        for index in 0..<whole {
            body(bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: index * MemoryLayout<Lanes>.size, as: Lanes.self))
        }
        for index in whole * Lanes.scalarCount..<candidates.count { rest(candidates[index]) }
    }
}

/// Counts the samples of each second, to know how densely a device really samples.
struct RateMeter: Sendable {
    /// How many seconds are forgotten at a time at least.
    private static let fewestForgotten = 60

    private var firstSecond: Int64
    private var counts: [Int] = []

    /// Begins to count at a second.
    init(firstSecond: Int64) {
        self.firstSecond = firstSecond
    }

    /// Counts samples of a second, which must not be earlier than one before it.
    mutating func count(_ samples: Int = 1, at second: Int64) {
        let index = Int(max(second - firstSecond, 0))
        while counts.count <= index { counts.append(0) }
        counts[index] += samples
    }

    /// Forgets the seconds before `second`, now or soon: many at a time cost no more than one.
    mutating func forget(before second: Int64) {
        guard second - firstSecond >= Self.fewestForgotten else { return }
        counts.removeFirst(min(Int(second - firstSecond), counts.count))
        firstSecond = second
    }

    /// The rate around a second in Hz: the mean of the seconds up to `reach` away, leaving out the ends of the stretch,
    /// which are not whole.
    func rate(around second: Int64, reach: Int64 = 2) -> Float {
        let near = max(second - reach - firstSecond, 0)...max(second + reach - firstSecond, 0)
        let window = counts.indices.clamped(to: Int(near.lowerBound)..<Int(near.upperBound) + 1)
        let whole = window.count > 2 ? window.dropFirst().dropLast() : window
        guard !whole.isEmpty else { return 0 }
        return Float(whole.reduce(0) { $0 + counts[$1] }) / Float(whole.count)
    }
}

/// Counts the samples of each second and measures the sample rate of the device.
struct RateMeter: Sendable {
    /// Seconds are removed in groups of at least this many.
    private static let fewestRemoved = 60

    private var firstSecond: Int64
    private var counts: [Int] = []

    init(firstSecond: Int64) {
        self.firstSecond = firstSecond
    }

    /// Counts samples of a second. Seconds must not decrease from call to call.
    mutating func count(_ samples: Int = 1, at second: Int64) {
        let index = Int(max(second - firstSecond, 0))
        while counts.count <= index { counts.append(0) }
        counts[index] += samples
    }

    /// Removes the seconds before `second`, once there are enough of them.
    mutating func removeSeconds(before second: Int64) {
        guard second - firstSecond >= Self.fewestRemoved else { return }
        counts.removeFirst(min(Int(second - firstSecond), counts.count))
        firstSecond = second
    }

    /// The sample rate around a second in Hz: the mean over the seconds up to `reach` away.
    ///
    /// The first and the last second of the window are left out, because they may be incomplete.
    func rate(around second: Int64, reach: Int64 = 2) -> Float {
        let near = max(second - reach - firstSecond, 0)...max(second + reach - firstSecond, 0)
        let window = counts.indices.clamped(to: Int(near.lowerBound)..<Int(near.upperBound) + 1)
        let whole = window.count > 2 ? window.dropFirst().dropLast() : window
        guard !whole.isEmpty else { return 0 }
        return Float(whole.reduce(0) { $0 + counts[$1] }) / Float(whole.count)
    }
}

/// How lively the norm is around each sample of the latest part of the signal.
///
/// The seconds of a walk look at nearly the same samples, one second after the other; what was measured for one is kept.
struct Liveliness: Sendable {
    /// Half the window of the mean that is taken off the norm, in samples: 2 s in all.
    private static let trendReach: Int64 = 25
    /// Half the window of the level, in samples: 0.9 s in all.
    private static let levelReach: Int64 = 11
    /// What was measured is forgotten once it reaches this many samples back from what is wanted: 20 s.
    private static let memory: Int64 = 500

    /// The norm without its trend, in g, from a sample on.
    private var swings: [Float] = []
    private var swingStart: Int64 = 0
    /// The running standard deviation of the norm, in g, from a sample on.
    private var levels: [Float] = []
    private var levelStart: Int64 = 0
    /// The end of the signal when it was last measured: what lies within reach of it may change with more signal.
    private var signalEnd: Int64 = 0

    /// The samples that are measured.
    private var samples: Range<Int64> { levelStart..<levelStart + Int64(levels.count) }

    /// Measures those of `wanted` that lie in the signal and were not measured before.
    mutating func measure(_ wanted: Range<Int64>, of signal: Grid) {
        let wanted = wanted.clamped(to: signal.start..<signal.end)
        let firmLevels = min(levels.count, Int(max(signalEnd - Self.levelReach - Self.trendReach - levelStart, 0)))
        if firmLevels == 0 || wanted.lowerBound < levelStart || wanted.lowerBound > levelStart + Int64(firmLevels) {
            levels.removeAll(keepingCapacity: true)
            swings.removeAll(keepingCapacity: true)
            levelStart = wanted.lowerBound
            swingStart = max(levelStart - Self.levelReach, signal.start)
        } else {
            levels.removeLast(levels.count - firmLevels)
            let firmSwings = min(swings.count, Int(max(signalEnd - Self.trendReach - swingStart, 0)))
            swings.removeLast(swings.count - firmSwings)
            if wanted.lowerBound - levelStart > Self.memory { forget(before: wanted.lowerBound) }
        }
        signalEnd = signal.end
        measureSwings(to: min(wanted.upperBound + Self.levelReach, signal.end), of: signal)
        measureLevels(to: wanted.upperBound)
    }

    private mutating func forget(before sample: Int64) {
        levels.removeFirst(Int(sample - levelStart))
        levelStart = sample
        swings.removeFirst(Int(sample - Self.levelReach - swingStart))
        swingStart = sample - Self.levelReach
    }

    private mutating func measureSwings(to end: Int64, of signal: Grid) {
        let first = swingStart + Int64(swings.count)
        guard first < end else { return }
        let start = max(first - Self.trendReach - 1, signal.start)
        let norm = signal.slice(start..<min(end + Self.trendReach, signal.end))
        let values = norm.span
        let known = swings.count
        swings += repeatElement(0, count: Int(end - first))
        var results = swings.mutableSpan
        let skipped = Int(first - start)
        Self.writeMeans(known..<results.count, &results, offset: skipped - known, of: values.count, Self.trendReach) {
            values[$0][3]
        }
        for index in known..<results.count { results[index] = values[skipped + index - known][3] - results[index] }
    }

    private mutating func measureLevels(to end: Int64) {
        let known = levels.count
        guard levelStart + Int64(known) < end else { return }
        levels += repeatElement(0, count: Int(end - levelStart) - known)
        let offset = Int(levelStart - swingStart)
        let swings = swings
        let values = swings.span
        var results = levels.mutableSpan
        Self.writeMeans(known..<results.count, &results, offset: offset, of: values.count, Self.levelReach) {
            values[$0] * values[$0]
        }
        // What leaves the sum may leave a trace of itself, on the wrong side of nothing.
        for index in known..<results.count { results[index] = max(results[index], 0).squareRoot() }
    }

    /// The norm without its trend, in g; 0 outside of the signal.
    func swing(at sample: Int64) -> Float {
        let index = Int(sample - swingStart)
        return swings.indices.contains(index) ? swings[index] : 0
    }

    /// The standard deviation of the norm around a sample, in g; 0 outside of the signal.
    func level(at sample: Int64) -> Float {
        let index = Int(sample - levelStart)
        return levels.indices.contains(index) ? levels[index] : 0
    }

    /// The standard deviation over some samples, in g; nil when none of them is in the signal.
    func level(over range: Range<Int64>) -> Float? {
        let present = range.clamped(to: samples)
        guard !present.isEmpty else { return nil }
        let first = Int(present.lowerBound - levelStart)
        var sum: Float = 0
        for level in levels[first..<first + present.count] { sum += level * level }
        return (sum / Float(present.count)).squareRoot()
    }

    /// Writes the means of values and their neighbours to each side, as far as there are any.
    ///
    /// - Parameters:
    ///   - places: Where the means go; the value of a mean is `offset` further on.
    ///   - count: How many values there are.
    ///   - reach: How many neighbours to each side.
    @inline(__always)
    private static func writeMeans(
        _ places: Range<Int>, _ means: inout MutableSpan<Float>, offset: Int, of count: Int, _ reach: Int64,
        _ value: (Int) -> Float
    ) {
        let reach = Int(reach)
        let begin = places.lowerBound + offset
        var sum = 0.0
        for index in max(begin - reach - 1, 0)..<min(begin + reach, count) { sum += Double(value(index)) }
        for place in places {
            let index = place + offset
            let entering = index + reach < count ? value(index + reach) : 0
            let leaving = index > reach ? value(index - reach - 1) : 0
            sum += Double(entering) - Double(leaving)
            let (first, end) = (max(0, index - reach), min(count, index + reach + 1))
            means[place] = Float(sum / Double(end - first))
        }
    }
}

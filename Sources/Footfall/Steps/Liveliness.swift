/// How lively the norm is around each sample of a part of the signal.
struct Liveliness: Sendable {
    /// Half the window of the mean that is taken off the norm, in samples: 2 s in all.
    private static let trendReach: Int64 = 25
    /// Half the window of the level, in samples: 0.9 s in all.
    private static let levelReach: Int64 = 11
    /// How far the measures of a sample look to each side, in samples.
    static let reach = trendReach + levelReach

    /// The samples that are measured.
    let samples: Range<Int64>
    /// The norm without its trend, in g.
    private let swings: [Float]
    /// The first sample of `swings`.
    private let swingStart: Int64
    /// The running standard deviation of the norm, in g, and the first sample it is of.
    private let levels: [Float]
    private let levelStart: Int64

    /// Measures those of `samples` that lie in the signal.
    init(of signal: Grid, in samples: Range<Int64>) {
        let present = samples.clamped(to: signal.start..<signal.end)
        let wide = (present.lowerBound - Self.levelReach..<present.upperBound + Self.levelReach)
            .clamped(to: signal.start..<signal.end)
        let wider = (wide.lowerBound - Self.trendReach..<wide.upperBound + Self.trendReach)
            .clamped(to: signal.start..<signal.end)
        let norm = signal.slice(wider)
        let trend = Self.means(norm.count, reach: Int(Self.trendReach)) { norm[norm.startIndex + $0][3] }
        let skipped = Int(wide.lowerBound - wider.lowerBound)
        var swings = [Float](repeating: 0, count: wide.count)
        for index in swings.indices {
            swings[index] = norm[norm.startIndex + skipped + index][3] - trend[skipped + index]
        }
        var levels = Self.means(swings.count, reach: Int(Self.levelReach)) { swings[$0] * swings[$0] }
        // What leaves the sum may leave a trace of itself, on the wrong side of nothing.
        for index in levels.indices { levels[index] = max(levels[index], 0).squareRoot() }
        self.samples = present
        self.swings = swings
        swingStart = wide.lowerBound
        self.levels = levels
        levelStart = wide.lowerBound
    }

    /// The norm without its trend, in g; 0 outside of the signal.
    func swing(at sample: Int64) -> Float {
        let index = Int(sample - swingStart)
        return swings.indices.contains(index) ? swings[index] : 0
    }

    /// The standard deviation of the norm around a sample, in g; 0 outside of the signal.
    func level(at sample: Int64) -> Float {
        samples.contains(sample) ? levels[Int(sample - levelStart)] : 0
    }

    /// The standard deviation over some samples, in g; nil when none of them is in the signal.
    func level(over range: Range<Int64>) -> Float? {
        let present = range.clamped(to: samples)
        guard !present.isEmpty else { return nil }
        var sum: Float = 0
        for sample in present { sum += level(at: sample) * level(at: sample) }
        return (sum / Float(present.count)).squareRoot()
    }

    /// The mean of each of some values and its neighbours to each side, as far as there are any.
    @inline(__always)
    private static func means(_ count: Int, reach: Int, _ value: (Int) -> Float) -> [Float] {
        var means = [Float](repeating: 0, count: count)
        var sum = 0.0
        for index in 0..<min(reach, count) { sum += Double(value(index)) }
        for index in 0..<count {
            let entering = index + reach < count ? value(index + reach) : 0
            let leaving = index > reach ? value(index - reach - 1) : 0
            sum += Double(entering) - Double(leaving)
            let (first, end) = (max(0, index - reach), min(count, index + reach + 1))
            means[index] = Float(sum / Double(end - first))
        }
        return means
    }
}

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
    /// The running standard deviation of the norm, in g.
    private let levels: [Float]

    /// Measures those of `samples` that lie in the signal.
    init(of signal: Grid, in samples: Range<Int64>) {
        let present = samples.clamped(to: signal.start..<signal.end)
        let wide = (present.lowerBound - Self.levelReach..<present.upperBound + Self.levelReach)
            .clamped(to: signal.start..<signal.end)
        let wider = (wide.lowerBound - Self.trendReach..<wide.upperBound + Self.trendReach)
            .clamped(to: signal.start..<signal.end)
        let norm = signal.slice(wider).map { $0[3] }
        let trend = Self.means(norm, reach: Int(Self.trendReach))
        let skipped = Int(wide.lowerBound - wider.lowerBound)
        let swings = (0..<wide.count).map { norm[skipped + $0] - trend[skipped + $0] }
        let levels = Self.means(swings.map { $0 * $0 }, reach: Int(Self.levelReach)).map { $0.squareRoot() }
        self.samples = present
        self.swings = swings
        swingStart = wide.lowerBound
        self.levels = Array(levels[Int(present.lowerBound - wide.lowerBound)...].prefix(present.count))
    }

    /// The norm without its trend, in g; 0 outside of the signal.
    func swing(at sample: Int64) -> Float {
        let index = Int(sample - swingStart)
        return swings.indices.contains(index) ? swings[index] : 0
    }

    /// The standard deviation of the norm around a sample, in g; 0 outside of the signal.
    func level(at sample: Int64) -> Float {
        samples.contains(sample) ? levels[Int(sample - samples.lowerBound)] : 0
    }

    /// The standard deviation over some samples, in g; nil when none of them is in the signal.
    func level(over range: Range<Int64>) -> Float? {
        let present = range.clamped(to: samples)
        guard !present.isEmpty else { return nil }
        let sum = present.reduce(Float(0)) { $0 + level(at: $1) * level(at: $1) }
        return (sum / Float(present.count)).squareRoot()
    }

    /// The mean of each value and its neighbours to each side, as far as there are any.
    private static func means(_ values: [Float], reach: Int) -> [Float] {
        var sums = [Double](repeating: 0, count: values.count + 1)
        for index in values.indices { sums[index + 1] = sums[index] + Double(values[index]) }
        return values.indices.map { index in
            let (first, end) = (max(0, index - reach), min(values.count, index + reach + 1))
            return Float((sums[end] - sums[first]) / Double(end - first))
        }
    }
}

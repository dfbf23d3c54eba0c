/// Detects, from the magnitude alone and at little cost, seconds in which the wearer cannot be on foot.
struct StillnessDetector: Sendable {
    /// Seconds to each side of the second in question.
    private static let reach = 3
    /// The energy of the magnitude's deviations, in g² × samples, below which the band-limited, Hann-weighted deviation
    /// over six seconds cannot reach ``GaitFeatures/stillness``. The mean square of a Hann window is 3/8.
    private static let leastEnergy: Float = {
        let samples = Float(GaitFeatures.windowSeconds * Int(AnalysisGrid.cells.hertz))
        return GaitFeatures.stillness * GaitFeatures.stillness * samples * 3 / 8
    }()

    /// The latest seconds, the earliest first: the sum of the deviations, that of their squares, and the number of
    /// values.
    private var recent = InlineArray<7, SIMD3<Float>>(repeating: SIMD3())  // 2 × reach + 1
    private var last: Int64?

    /// Adds a complete second of the resampled signal, which follows the second added before.
    mutating func add(_ signal: SignalBuffer, second: Int64) {
        let slice = signal.slice(AnalysisGrid.cells.values(of: second).clamped(to: signal.range))
        // Two independent sums run in parallel.
        var (sum, otherSum) = (SIMD4<Float>(), SIMD4<Float>())
        var (squares, otherSquares) = (SIMD4<Float>(), SIMD4<Float>())
        let values = slice.span
        for index in values.indices {
            // Deviations from 1 g keep the squares and their rounding errors small.
            let deviation = values[unchecked: index] - 1
            (sum, otherSum) = (otherSum, sum + deviation)
            (squares, otherSquares) = (otherSquares, squares + deviation * deviation)
        }
        let sums = SIMD3(sum[3] + otherSum[3], squares[3] + otherSquares[3], Float(values.count))
        for index in 1..<recent.count { recent[index - 1] = recent[index] }
        recent[recent.count - 1] = sums
        last = second
    }

    /// Whether the seconds around one are too still for gait. False until three seconds after it are complete.
    func isStill(around second: Int64) -> Bool {
        guard let last, last - second >= Int64(Self.reach) else { return false }
        var sums = SIMD3<Float>()
        for index in recent.indices { sums += recent[index] }
        let (sum, squares, count) = (sums.x, sums.y, sums.z)
        return count > 0 && squares - sum * sum / count < Self.leastEnergy
    }
}

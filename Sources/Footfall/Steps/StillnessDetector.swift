/// Detects, from the magnitude alone and at little cost, seconds in which the wearer cannot be on foot.
struct StillnessDetector: Sendable {
    /// Seconds to each side of the second in question.
    private static let reach = 3
    /// The energy of the magnitude's deviations, in g² × samples, below which the band-limited, Hann-weighted deviation over six
    /// seconds cannot reach ``GaitFeatures/stillness``. The mean square of a Hann window is 3/8.
    private static let leastEnergy: Float = {
        let samples = Float(GaitFeatures.windowSeconds * Int(AnalysisGrid.cells.hertz))
        return GaitFeatures.stillness * GaitFeatures.stillness * samples * 3 / 8
    }()

    private struct Sums: Sendable {
        let second: Int64
        var sum: Float = 0
        var squares: Float = 0
        var count: Float = 0
    }

    private var recent: [Sums] = []

    /// Adds a complete second of the resampled signal.
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
        if recent.count > 2 * Self.reach { recent.removeFirst() }
        recent.append(
            Sums(
                second: second, sum: sum[3] + otherSum[3], squares: squares[3] + otherSquares[3],
                count: Float(slice.count)))
    }

    /// Whether the seconds around one are too still for gait. False until three seconds after it are complete.
    func isStill(around second: Int64) -> Bool {
        guard let last = recent.last, last.second - second >= Int64(Self.reach) else { return false }
        var all = Sums(second: second)
        for sums in recent {
            all.sum += sums.sum
            all.squares += sums.squares
            all.count += sums.count
        }
        return all.count > 0 && all.squares - all.sum * all.sum / all.count < Self.leastEnergy
    }
}

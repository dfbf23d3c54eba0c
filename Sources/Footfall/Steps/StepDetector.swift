/// Finds the steps in a stretch of signal: when someone is on foot, and each strike of a foot.
///
/// Once a second a ``WalkingGate`` weighs six seconds of low-passed signal and a ``CadenceTracker`` makes a steady cadence
/// of it; ``Bouts`` decides when it is enough to be believed and where the strikes are. A second is settled seven seconds
/// after it began, once its bout is confirmed.
struct StepDetector: Sendable {
    /// The verdict on one second.
    struct Second: Sendable {
        /// Whole seconds since 1970.
        var second: Int64
        /// Whether the second belongs to a bout, and of which gait.
        var gait: Gait?
        /// The strikes within the second.
        var steps: [Step] = []
        /// The log-odds of being on foot.
        var evidence: Float = 0
    }

    /// The two gaits that an accelerometer tells apart.
    enum Gait: Sendable {
        case walking
        case running
    }

    /// The lowest rate, in Hz, at which the steps of a runner are not aliased.
    static let lowestRate: Float = 8
    /// The period of the low-passed signal in nanoseconds: every second grid cell, 25 Hz.
    static let period = 2 * Resampler.period
    /// Samples of it in a second.
    static let rate: Int64 = 25
    /// The sample of a second, counted from its start, that is taken for its middle.
    private static let middle: Int64 = 12
    /// Whole seconds of signal, after a second, that its window reaches into.
    private static let lookAhead: Int64 = 3
    /// Samples before a window that the liveliness of its seconds looks back on.
    private static let margin: Int64 = 50
    /// Where no candidate scores more than this, in log-odds, nothing looks like gait.
    private static let hopeless: Float = 0
    /// Seconds of low-passed signal that are kept.
    private static let memory: Int64 = 32

    /// Below 5 Hz, recordings at 12.5 Hz and at 400 Hz look alike, and all that matters of gait is there.
    private let lowPass = LowPass(cutoffHertz: 5, sampleRate: Double(Resampler.hertz), reach: 24)
    private var gate = WalkingGate()
    private var tracker = CadenceTracker()
    private var bouts: Bouts
    private var stillness = StillnessMeter()
    /// The low-passed signal: sample m belongs to grid cell 2 m.
    private var smooth: Grid
    /// The first sample of the stretch.
    private let firstSample: Int64
    /// The next second to weigh, and the next one that the tracker has not settled.
    private var nextWeighed: Int64
    private var nextSettled: Int64

    /// Whether nobody is on foot and the last second that was weighed looked nothing like gait.
    private var isCalm = false

    /// Begins a stretch at a grid cell.
    init(start: Int64) {
        firstSample = (start + 1) >> 1
        smooth = Grid(start: firstSample)
        nextWeighed = (firstSample - Self.middle + Self.rate - 1).flooredQuotientAndRemainder(by: Self.rate).quotient
        nextSettled = nextWeighed
        let firstSecond = start.flooredQuotientAndRemainder(by: Int64(Resampler.hertz)).quotient
        bouts = Bouts(firstSecond: firstSecond, firstWeighed: nextWeighed, firstSample: firstSample)
    }

    /// Takes note that the signal is complete up to the end of `second`, and passes on what that settles.
    mutating func advance(_ grid: Grid, _ rates: RateMeter, through second: Int64, to sink: (Second) -> Void) {
        stillness.add(grid, second: second)
        let latest = second - Self.lookAhead
        let isStill = stillness.isStill(around: latest)
        let isLeftOut = isCalm && !isStill && nextWeighed == latest
        if nextWeighed <= latest, !isLeftOut { weigh(through: latest, isStill: isStill, grid, rates, to: sink) }
        smooth.forget(before: (second - Self.memory) * Self.rate)
    }

    /// Settles everything; the stretch is over.
    mutating func finish(_ grid: Grid, _ rates: RateMeter, to sink: (Second) -> Void) {
        let end = ((grid.end - 1) >> 1) + 1
        let lastSecond = (grid.end - 1).flooredQuotientAndRemainder(by: Int64(Resampler.hertz)).quotient
        stillness.finish()
        // A stretch of less than a second says nothing.
        while end - firstSample >= Self.rate, nextWeighed * Self.rate + Self.middle < end {
            take(candidates(of: nextWeighed, grid, rates), to: sink)
        }
        if bouts.isOpen { extendSmooth(grid, from: smooth.start, to: end) }
        for verdict in tracker.finish() { settle(verdict, to: sink) }
        bouts.finish(smooth, lastSecond: lastSecond, to: sink)
    }

    /// Weighs a second and, if that is worth it, the one before it, which was left out while all was calm.
    ///
    /// Their windows share five sixths, and a single second is never enough for a bout: what begins is seen no later.
    private mutating func weigh(
        through second: Int64, isStill: Bool, _ grid: Grid, _ rates: RateMeter, to sink: (Second) -> Void
    ) {
        // A still second has no candidates, but a bout that is open looks at its signal all the same.
        if nextWeighed < second || bouts.isOpen { extendSmooth(grid, around: nextWeighed) }
        let latest = isStill ? WalkingGate.Candidates() : candidates(of: second, grid, rates)
        if nextWeighed < second {
            let isHopeless = latest.isHopeless(Self.hopeless)
            take(isHopeless ? WalkingGate.Candidates() : candidates(of: nextWeighed, grid, rates), to: sink)
        }
        take(latest, to: sink)
    }

    /// The cadences that somebody may be walking at in a second.
    private mutating func candidates(of second: Int64, _ grid: Grid, _ rates: RateMeter) -> WalkingGate.Candidates {
        extendSmooth(grid, around: second)
        guard rates.rate(around: second) >= Self.lowestRate else { return WalkingGate.Candidates() }
        return gate.candidates(in: smooth, around: second * Self.rate + Self.middle)
    }

    /// Passes on what the candidates of the next second settle.
    private mutating func take(_ candidates: WalkingGate.Candidates, to sink: (Second) -> Void) {
        nextWeighed += 1
        if let verdict = tracker.add(candidates) { settle(verdict, to: sink) }
        isCalm = !bouts.isOpen && candidates.isHopeless(Self.hopeless)
    }

    private mutating func settle(_ verdict: CadenceTracker.Verdict, to sink: (Second) -> Void) {
        bouts.settle(nextSettled, verdict, smooth, to: sink)
        nextSettled += 1
    }

    /// Low-passes the signal that the weighing of a second looks at.
    private mutating func extendSmooth(_ grid: Grid, around second: Int64) {
        let centre = second * Self.rate + Self.middle
        let reach = Int64(GaitFeatures.windowSeconds) * Self.rate / 2
        extendSmooth(grid, from: centre - reach - Self.margin, to: centre + reach)
    }

    /// Low-passes the signal up to the sample before `end`; begins anew at `start` where it had been left off.
    private mutating func extendSmooth(_ grid: Grid, from start: Int64, to end: Int64) {
        if smooth.end < start { smooth.begin(at: max(start, firstSample, (grid.start + 1) >> 1)) }
        let last = min(end, ((grid.end - 1) >> 1) + 1)
        guard last > smooth.end else { return }
        let reach = Int64(lowPass.reach)
        let values = grid.padded(2 * smooth.end - reach..<2 * (last - 1) + reach + 1)
        smooth.append(atMost: Int(last - smooth.end)) { lowPass.halve(values.span, into: &$0, at: $1) }
    }
}

/// Knows, from the norm alone and for next to nothing, of seconds in which nobody can be walking.
struct StillnessMeter: Sendable {
    /// Seconds to each side of the one that is asked about.
    private static let reach = 3
    /// Energy, in g² × samples, that the norm's deviations in these seconds must have for its band-limited, Hann-weighted
    /// deviation over six seconds to reach ``GaitFeatures/stillness``: the mean square of a Hann window is 3/8.
    private static let leastEnergy: Float = {
        let samples = Float(GaitFeatures.windowSeconds * Resampler.hertz)
        return GaitFeatures.stillness * GaitFeatures.stillness * samples * 3 / 8
    }()

    private struct Sums: Sendable {
        var second: Int64
        var sum: Float = 0
        var squares: Float = 0
        var count: Float = 0
    }

    private var recent: [Sums] = []
    private var isOver = false

    /// Takes in a second of the signal on the analysis grid.
    mutating func add(_ grid: Grid, second: Int64) {
        let hertz = Int64(Resampler.hertz)
        let slice = grid.slice((second * hertz..<(second + 1) * hertz).clamped(to: grid.start..<grid.end))
        // In turns: sums that need not wait for each other.
        var (sum, otherSum) = (SIMD4<Float>(), SIMD4<Float>())
        var (squares, otherSquares) = (SIMD4<Float>(), SIMD4<Float>())
        let values = slice.span
        for index in values.indices {
            // Deviations from 1 g keep the squares small, and with them what rounding does to them.
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

    /// Takes note that the last seconds of the stretch will not be whole; of those nothing is known.
    mutating func finish() {
        isOver = true
    }

    /// Whether the seconds around one are too still for anyone to be walking.
    func isStill(around second: Int64) -> Bool {
        guard !isOver, let last = recent.last, last.second - second >= Int64(Self.reach) else { return false }
        var all = Sums(second: second)
        for sums in recent {
            all.sum += sums.sum
            all.squares += sums.squares
            all.count += sums.count
        }
        return all.count > 0 && all.squares - all.sum * all.sum / all.count < Self.leastEnergy
    }
}

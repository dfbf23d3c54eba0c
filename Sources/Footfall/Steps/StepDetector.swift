/// Finds the steps in a stretch of signal: when someone is on foot, and each strike of a foot.
///
/// Once a second a ``WalkingGate`` weighs six seconds of low-passed signal, a ``CadenceTracker`` makes a steady cadence of
/// it, and a bout counts from its first step once its evidence suffices. Within a bout the strikes are the crests
/// of the magnitude around the cadence. A second is settled ``lag`` seconds after it is over.
struct StepDetector: Sendable {
    /// The verdict on one second.
    struct Second: Sendable {
        /// Whole seconds since 1970.
        var second: Int64
        /// Whether the second belongs to a bout, and of which gait.
        var gait: Gait?
        /// The strikes within the second.
        var steps: [Timestamp] = []
        /// The log-odds of being on foot.
        var evidence: Float = 0
    }

    /// The two gaits that an accelerometer tells apart.
    enum Gait: Sendable {
        case walking
        case running
    }

    /// The evidence, in summed log-odds, that makes a bout: about four clear seconds.
    private static let confirmation: Float = 10
    /// The longest that a bout may wait for it, in seconds.
    private static let longestWait = 15
    /// The lowest rate, in Hz, at which the steps of a runner are not aliased.
    static let lowestRate: Float = 8
    /// Seconds of the low-passed signal that later stages look back on.
    private static let memory: Int64 = 48

    private let lowPass = LowPass(cutoffHertz: 5, sampleRate: Double(Resampler.hertz), reach: 12)
    private var gate = WalkingGate()
    private var tracker = CadenceTracker()
    private var smooth: Grid
    private var firstSecond: Int64
    /// The next second the gate has not yet seen.
    private var nextFrame: Int64
    /// The next second without a verdict of the tracker.
    private var nextVerdict: Int64
    /// Seconds with a verdict whose bout is not confirmed yet.
    private var pending: [(second: Int64, verdict: CadenceTracker.Verdict)] = []
    private var pendingEvidence: Float = 0
    private var isInBout = false
    private var strikes = StrikeFinder()

    /// Begins a stretch at a grid cell.
    init(start: Int64) {
        smooth = Grid(start: start)
        firstSecond = start.flooredQuotientAndRemainder(by: Int64(Resampler.hertz)).quotient
        nextFrame = firstSecond
        nextVerdict = firstSecond
    }

    /// Takes note that the signal is complete up to the end of `second`, and passes on what that settles.
    mutating func advance(_ grid: Grid, _ rates: RateMeter, through second: Int64, to sink: (Second) -> Void) {
        extendSmooth(grid, to: (second + 1) * Int64(Resampler.hertz) - Int64(lowPass.reach))
        // A second is weighed in the middle of its window, so the window must reach three seconds past its centre.
        while nextFrame <= second - Int64(WalkingGate.windowSeconds / 2) {
            weigh(nextFrame, rates, to: sink)
        }
        smooth.forget(before: (second - Self.memory) * Int64(Resampler.hertz))
    }

    /// Settles everything; the stretch is over.
    mutating func finish(_ grid: Grid, _ rates: RateMeter, to sink: (Second) -> Void) {
        extendSmooth(grid, to: grid.end)
        let end = (grid.end - 1).flooredQuotientAndRemainder(by: Int64(Resampler.hertz)).quotient
        while nextFrame <= end { weigh(nextFrame, rates, to: sink) }
        for verdict in tracker.finish() { settle(verdict, to: sink) }
        reject(to: sink)
    }

    private mutating func extendSmooth(_ grid: Grid, to end: Int64) {
        guard end > smooth.end else { return }
        let reach = Int64(lowPass.reach)
        let first = max(grid.start, smooth.end - reach)
        var values = Array(grid.slice(first..<min(grid.end, end + reach)))
        // At the ends of a stretch the first and the last value stand in for what is missing.
        let missingBefore = Int(first - (smooth.end - reach))
        let missingAfter = Int(end + reach - min(grid.end, end + reach))
        guard let front = values.first, let back = values.last else { return }
        values.insert(contentsOf: repeatElement(front, count: missingBefore), at: 0)
        values.append(contentsOf: repeatElement(back, count: missingAfter))
        for centre in lowPass.reach..<(values.count - lowPass.reach) {
            smooth.append(lowPass.value(at: centre, in: values[...]))
        }
    }

    private mutating func weigh(_ second: Int64, _ rates: RateMeter, to sink: (Second) -> Void) {
        let hertz = Int64(Resampler.hertz)
        let centre = second * hertz + hertz / 2
        let reach = Int64(WalkingGate.windowSeconds / 2) * hertz
        let window = max(smooth.start, centre - reach)..<min(smooth.end, centre + reach)
        nextFrame += 1
        let isDense = rates.rate(around: second) >= Self.lowestRate
        if let verdict = tracker.add(isDense ? gate.evidence(in: smooth.slice(window)) : nil) {
            settle(verdict, to: sink)
        }
    }

    private mutating func settle(_ verdict: CadenceTracker.Verdict, to sink: (Second) -> Void) {
        let second = nextVerdict
        nextVerdict += 1
        guard verdict.cadence != nil else {
            reject(to: sink)
            isInBout = false
            strikes.endBout()
            sink(Second(second: second))
            return
        }
        pending.append((second, verdict))
        pendingEvidence = max(0, pendingEvidence + verdict.evidence)
        if isInBout || pendingEvidence >= Self.confirmation {
            isInBout = true
            for (second, verdict) in pending { sink(strikes.find(in: second, verdict, smooth)) }
            pending.removeAll(keepingCapacity: true)
        } else if pending.count > Self.longestWait {
            reject(to: sink)
        }
    }

    private mutating func reject(to sink: (Second) -> Void) {
        for (second, _) in pending { sink(Second(second: second)) }
        pending.removeAll(keepingCapacity: true)
        pendingEvidence = 0
    }
}

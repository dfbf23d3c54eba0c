/// Detects the steps in a contiguous signal: the seconds on foot, and each initial contact.
///
/// Once a second ``WalkingGate`` scores the cadences of six seconds of low-passed signal. ``CadenceTracker`` decides on one
/// cadence per second, ``WalkingCheck`` drops those of other rhythms than gait, and ``BoutDetector`` confirms bouts and finds their
/// initial contacts. In a confirmed bout, a second is settled seven seconds after it began.
struct StepDetector: Sendable {
    /// The lowest sample rate, in Hz, that does not alias the steps of a runner.
    static let lowestRate: Float = 8
    /// Whole seconds of signal after a second that its window needs.
    private static let lookAhead: Int64 = 3
    /// Values before a window that the moving standard deviation of its seconds needs.
    private static let margin: Int64 = 50
    /// A second whose cadences all score at most this, in log-odds, does not resemble gait.
    private static let leastScore: Float = 0
    /// The seconds of low-passed signal that are kept.
    private static let memory: Int64 = 32

    private static var grid: AnalysisGrid { .halfRate }

    /// Below 5 Hz, recordings at 12.5 Hz and at 400 Hz are alike, and gait has its power there.
    private let lowPass = LowPass(cutoffHertz: 5, sampleRate: Double(AnalysisGrid.cells.hertz), reach: 24)
    private var gate: WalkingGate
    private var tracker = CadenceTracker()
    private var check = WalkingCheck()
    private var bouts: BoutDetector
    private var stillness = StillnessDetector()
    private var lowPassed: SignalBuffer
    /// The difference between the signal and the low-passed one, over the same range.
    private var rough: SignalBuffer
    /// The first half-rate value of the signal.
    private let firstValue: Int64
    /// The next second to score, and the next second to decide on.
    private var nextScored: Int64
    private var nextDecided: Int64
    /// Whether no bout is open and the last scored second does not resemble gait.
    private var isCalm = false

    /// The seconds with what the stages of step detection decide; nil if that is not recorded.
    var log: SecondLog<AnalyzedSecond>?

    /// Starts with the first grid cell of a contiguous signal.
    ///
    /// - Parameter lastContact: The last contact before the signal.
    init(firstCell: Int64, _ gate: WalkingGate, after lastContact: Timestamp?) {
        self.gate = gate
        firstValue = AnalysisGrid.halfRate(of: firstCell..<firstCell).lowerBound
        lowPassed = SignalBuffer(start: firstValue)
        rough = lowPassed
        // The first second whose middle lies in the signal.
        nextScored = Self.grid.second(of: firstValue - Self.grid.middle(of: 0) + Self.grid.hertz - 1)
        nextDecided = nextScored
        bouts = BoutDetector(
            firstSecond: AnalysisGrid.cells.second(of: firstCell), firstScored: nextScored, firstValue: firstValue,
            after: lastContact)
    }

    /// The last contact of the bouts that ended, or of an earlier signal.
    var lastContact: Timestamp? { bouts.lastContact }

    /// Processes a second that the signal covers completely, and emits the results that it settles.
    mutating func advance(
        _ signal: SignalBuffer, _ rates: RateMeter, through second: Int64, to sink: (SecondResult) -> Void
    ) {
        stillness.add(signal, second: second)
        let latest = second - Self.lookAhead
        let isStill = stillness.isStill(around: latest)
        let isDeferred = isCalm && !isStill && nextScored == latest
        if nextScored <= latest, !isDeferred { score(through: latest, isStill: isStill, signal, rates, to: sink) }
        lowPassed.removeValues(before: Self.grid.start(of: second - Self.memory))
        rough.removeValues(before: lowPassed.start)
    }

    /// Settles and emits all seconds, because the signal is over.
    mutating func finish(_ signal: SignalBuffer, _ rates: RateMeter, to sink: (SecondResult) -> Void) {
        let end = AnalysisGrid.halfRate(of: signal.range).upperBound
        // Less than a second of signal is not scored.
        while end - firstValue >= Self.grid.hertz, Self.grid.middle(of: nextScored) < end {
            add(cadences(of: nextScored, signal, rates), to: sink)
        }
        if bouts.isOpen { extendLowPassed(signal, from: lowPassed.start, to: end) }
        for decision in tracker.finish() { add(decision, to: sink) }
        let lastSecond = AnalysisGrid.cells.second(of: signal.end - 1)
        bouts.finish(lowPassed, lastSecond: lastSecond, to: sink)
    }

    /// Scores a second. If the second before was deferred while all was calm, it is scored first.
    ///
    /// The windows of the two share five sixths, and a single second never confirms a bout. So bouts are confirmed no later.
    private mutating func score(
        through second: Int64, isStill: Bool, _ signal: SignalBuffer, _ rates: RateMeter,
        to sink: (SecondResult) -> Void
    ) {
        // A still second has no cadences, but an open bout needs its signal.
        if nextScored < second || bouts.isOpen { extendLowPassed(signal, around: nextScored) }
        let latest = isStill ? ScoredCadences() : cadences(of: second, signal, rates)
        if nextScored < second {
            let needsScore = latest.hasScore(above: Self.leastScore)
            add(needsScore ? cadences(of: nextScored, signal, rates) : ScoredCadences(), to: sink)
        }
        add(latest, to: sink)
    }

    private mutating func cadences(
        of second: Int64, _ signal: SignalBuffer, _ rates: RateMeter
    ) -> ScoredCadences {
        extendLowPassed(signal, around: second)
        guard rates.rate(around: second) >= Self.lowestRate else { return ScoredCadences() }
        return gate.cadences(in: lowPassed, rough, around: Self.grid.middle(of: second))
    }

    private mutating func add(_ cadences: ScoredCadences, to sink: (SecondResult) -> Void) {
        log?.note(nextScored, AnalyzedSecond(nextScored)) { $0.note(cadences) }
        nextScored += 1
        if let decision = tracker.add(cadences) { add(decision, to: sink) }
        isCalm = !bouts.isOpen && !cadences.hasScore(above: Self.leastScore)
    }

    private mutating func add(_ decision: CadenceTracker.Decision, to sink: (SecondResult) -> Void) {
        var decision = decision
        if !check.passes(decision) { decision.cadence = nil }
        decision.checkOdds = check.logOdds
        bouts.add(nextDecided, decision, lowPassed, to: sink)
        if log != nil { note(decision) }
        nextDecided += 1
    }

    /// Records the decision on the next second, after all stages.
    private mutating func note(_ decision: CadenceTracker.Decision) {
        let (sum, isOpen) = (check.logOdds, bouts.isOpen)
        log?.note(nextDecided, AnalyzedSecond(nextDecided)) { second in
            second.cadence = decision.cadence.map { Double(60 * $0.hertz) }
            second.checkSum = sum
            second.bout = isOpen ? .candidate : .none
        }
    }

    private mutating func extendLowPassed(_ signal: SignalBuffer, around second: Int64) {
        let centre = Self.grid.middle(of: second)
        let reach = Int64(GaitFeatures.windowSeconds) * Self.grid.hertz / 2
        extendLowPassed(signal, from: centre - reach - Self.margin, to: centre + reach)
    }

    /// Low-passes the signal up to the value before `end`. If values before `start` are missing, it restarts at `start`.
    private mutating func extendLowPassed(_ signal: SignalBuffer, from start: Int64, to end: Int64) {
        let available = AnalysisGrid.halfRate(of: signal.range)
        if lowPassed.end < start {
            lowPassed.restart(at: max(start, firstValue, available.lowerBound))
            rough.restart(at: lowPassed.start)
        }
        let last = min(end, available.upperBound)
        guard last > lowPassed.end else { return }
        let reach = Int64(lowPass.reach)
        let values = signal.padded(2 * lowPassed.end - reach..<2 * (last - 1) + reach + 1)
        lowPassed.append(atMost: Int(last - lowPassed.end)) { lowPass.halve(values.span, into: &$0, at: $1) }
        let slice = lowPassed.slice(rough.end..<lowPassed.end)
        let (all, smooth) = (values.span.extracting(droppingFirst: lowPass.reach), slice.span)
        precondition(all.count >= 2 * smooth.count)
        rough.append(atMost: smooth.count) { results, start in
            precondition(start >= 0 && start + smooth.count <= results.count)
            // In bounds: as many results as values, and twice as many values before the low-pass.
            for index in smooth.indices {
                results[unchecked: start &+ index] = all[unchecked: 2 &* index] - smooth[unchecked: index]
            }
            return start + smooth.count
        }
    }
}

extension AnalyzedSecond {
    fileprivate mutating func note(_ cadences: ScoredCadences) {
        for index in 0..<cadences.count {
            let cadence = cadences[index]
            candidates.append(Candidate(stepsPerMinute: Double(60 * cadence.hertz), score: cadence.score))
        }
        // Zero stands for a second that is not checked.
        check = cadences.check == 0 ? nil : cadences.check
    }
}

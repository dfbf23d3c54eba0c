/// Detects the steps in a contiguous signal: the seconds on foot, and each initial contact.
///
/// Once a second ``WalkingGate`` scores the cadences of six seconds of low-passed signal. ``CadenceTracker`` decides on
/// one cadence per second, ``WalkingCheck`` drops those of other rhythms than gait, and ``BoutDetector`` confirms bouts
/// and finds their initial contacts. In a confirmed bout, a second is settled seven seconds after it began.
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

    private var gate: WalkingGate
    private var tracker = CadenceTracker()
    private var check = WalkingCheck()
    private var exerciseCheck = ExerciseCheck()
    /// The decided seconds of exercises that are not settled yet.
    private var exercises: Set<Int64> = []
    private var bouts: BoutDetector
    private var stillness = StillnessDetector()
    private var landings = LandingDetector()
    /// The seconds with landings that are not decided on yet.
    private var landed: Set<Int64> = []
    private var parts: SplitSignal
    /// The next second to score, and the next second to decide on.
    private var nextScored: Int64
    private var nextDecided: Int64
    /// Whether no bout is open and the last scored second does not resemble gait.
    private var isFarFromGait = false

    /// The seconds with what the stages of step detection decide; nil if that is not recorded.
    var log: SecondLog<AnalyzedSecond>?

    /// Starts with the first grid cell of a contiguous signal.
    ///
    /// - Parameter lastContact: The last contact before the signal.
    init(firstCell: Int64, _ gate: WalkingGate, after lastContact: Timestamp?) {
        self.gate = gate
        parts = SplitSignal(firstCell: firstCell)
        nextScored = Self.firstScored(in: parts)
        nextDecided = nextScored
        bouts = BoutDetector(
            firstSecond: AnalysisGrid.cells.second(of: firstCell), firstScored: nextScored, firstValue: parts.start,
            after: lastContact)
    }

    /// The last contact of the bouts that ended, or of an earlier signal.
    var lastContact: Timestamp? { bouts.lastContact }

    /// The first second whose middle lies in a signal.
    static func firstScored(in signal: SplitSignal) -> Int64 {
        grid.second(of: signal.start - grid.middle(of: 0) + grid.hertz - 1)
    }

    /// Whether the middle of a second lies before the end of a signal. Less than a second of signal is not scored.
    static func isScored(_ second: Int64, in signal: SplitSignal, endingAt end: Int64) -> Bool {
        end - signal.start >= grid.hertz && grid.middle(of: second) < end
    }

    /// Whether a settled second is part of an exercise with hops. It is asked once for each second.
    mutating func takeExercise(_ second: Int64) -> Bool { exercises.remove(second) != nil }

    /// Processes a second that the signal covers completely, and emits the results that it settles.
    mutating func advance(
        _ signal: SignalBuffer, _ rates: RateMeter, through second: Int64, to sink: (SecondResult) -> Void
    ) {
        stillness.add(signal, second: second)
        if landings.hasLanding(signal, second: second, energy: stillness.energy) { landed.insert(second) }
        let latest = second - Self.lookAhead
        let isStill = stillness.isStill(around: latest)
        let isDeferred = isFarFromGait && !isStill && nextScored == latest
        if nextScored <= latest, !isDeferred { score(through: latest, isStill: isStill, signal, rates, to: sink) }
        parts.removeValues(before: Self.grid.start(of: second - Self.memory))
    }

    /// Settles and emits all seconds, because the signal is over.
    mutating func finish(_ signal: SignalBuffer, _ rates: RateMeter, to sink: (SecondResult) -> Void) {
        let end = AnalysisGrid.halfRate(of: signal.range).upperBound
        while Self.isScored(nextScored, in: parts, endingAt: end) {
            add(cadences(of: nextScored, signal, rates), to: sink)
        }
        if bouts.isOpen { parts.extend(signal, from: parts.lowPassed.start, to: end) }
        for decision in tracker.finish() { add(decision, to: sink) }
        let lastSecond = AnalysisGrid.cells.second(of: signal.end - 1)
        bouts.finish(parts.lowPassed, lastSecond: lastSecond, to: sink)
    }

    /// Scores a second. If the second before was deferred while nothing resembled gait, it is scored first.
    ///
    /// The windows of the two share five sixths, and a single second never confirms a bout. So bouts are confirmed no
    /// later.
    private mutating func score(
        through second: Int64, isStill: Bool, _ signal: SignalBuffer, _ rates: RateMeter,
        to sink: (SecondResult) -> Void
    ) {
        // A still second has no cadences, but an open bout needs its signal.
        if nextScored < second || bouts.isOpen { split(signal, around: nextScored, rates) }
        let latest = isStill ? ScoredCadences() : cadences(of: second, signal, rates)
        if nextScored < second {
            let needsScore = latest.hasScore(above: Self.leastScore)
            add(needsScore ? cadences(of: nextScored, signal, rates) : ScoredCadences(), to: sink)
        }
        add(latest, to: sink)
    }

    private mutating func cadences(of second: Int64, _ signal: SignalBuffer, _ rates: RateMeter) -> ScoredCadences {
        split(signal, around: second, rates)
        let rate = rates.rate(around: second)
        guard rate >= Self.lowestRate else { return ScoredCadences() }
        bouts.sampleRate = rate
        return gate.cadences(in: parts, around: Self.grid.middle(of: second))
    }

    private mutating func add(_ cadences: ScoredCadences, to sink: (SecondResult) -> Void) {
        log?.note(nextScored, AnalyzedSecond(nextScored)) { $0.note(cadences) }
        nextScored += 1
        if let decision = tracker.add(cadences) { add(decision, to: sink) }
        isFarFromGait = !bouts.isOpen && !cadences.hasScore(above: Self.leastScore)
    }

    private mutating func add(_ decision: CadenceTracker.Decision, to sink: (SecondResult) -> Void) {
        var decision = decision
        check.judge(&decision, nextDecided, in: parts)
        let hasLanding = landed.remove(nextDecided) != nil
        if exerciseCheck.isExercise(decision, hasLanding: hasLanding) { exercises.insert(nextDecided) }
        bouts.add(nextDecided, decision, parts.lowPassed, to: sink)
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

    private mutating func split(_ signal: SignalBuffer, around second: Int64, _ rates: RateMeter) {
        parts.sampleRate = rates.rate(around: second)
        let center = Self.grid.middle(of: second)
        let reach = Int64(GaitFeatures.windowSeconds) * Self.grid.hertz / 2
        parts.extend(signal, from: center - reach - Self.margin, to: center + reach)
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

    /// The sum of the squared deviations of the magnitude from 1 g in the second that was added last, in g².
    var energy: Float { recent[recent.count - 1].y }

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

/// Detects landings: flights, in which a body falls freely, that end with a blow.
///
/// A flight is 0.12 s below 0.3 g; a blow is 2.5 g within the next 0.6 s. Runners have them too. Of the motion without
/// gait, hands, cars and bicycles have next to none (StepTrials.md).
struct LandingDetector: Sendable {
    /// The magnitude in g below which a body falls freely, and that of the blow.
    private static let (weightless, blow): (Float, Float) = (0.3, 2.5)
    /// Values of 20 ms: 0.12 s and 0.6 s.
    private static let (shortestFlight, longestFall) = (6, 30)

    /// The latest values of free fall, and the values in which the blow may come.
    private var flight = 0
    private var fall = 0

    /// Whether a complete second, which follows the second before, has a landing.
    ///
    /// - Parameter energy: The sum of its squared deviations from 1 g, in g².
    mutating func hasLanding(_ signal: SignalBuffer, second: Int64, energy: Float) -> Bool {
        // A smaller sum has no value of free fall, and none of a blow. Most seconds are like this.
        let least = (1 - Self.weightless) * (1 - Self.weightless)
        guard energy >= least else {
            (flight, fall) = (0, 0)
            return false
        }
        var hasLanding = false
        for value in signal.slice(AnalysisGrid.cells.values(of: second).clamped(to: signal.range)) {
            flight = value.w < Self.weightless ? flight + 1 : 0
            fall = flight >= Self.shortestFlight ? Self.longestFall : max(0, fall - 1)
            if fall > 0, value.w >= Self.blow { (hasLanding, fall) = (true, 0) }
        }
        return hasLanding
    }
}

/// Decides over time whether a rhythm that is no gait is that of an exercise with hops on one spot.
///
/// Several seconds with hops or landings begin it, so a runner who turns or a bump of the road does not. Not all hops
/// are alike: once begun, any vigorous rhythm that the check classifies as no gait continues it.
struct ExerciseCheck: Sendable {
    /// The sum of hops grows by one with each second that counts. From `least` on, the seconds are an exercise. From
    /// `continued` on, other vigorous seconds count too. The sum never exceeds `most` (StepTrials.md).
    private static let (least, continued, most): (Float, Float, Float) = (2, 1, 4)
    /// The factor by which the sum fades each second. Its time constant is 7 s: a pause of five seconds ends the
    /// exercise.
    private static let fadingPerSecond = exponential(-1 / 7)

    private var hops: Float = 0

    /// Adds the next second. Returns whether it is part of an exercise, unless it is part of a bout of steps.
    mutating func isExercise(_ second: CadenceTracker.Decision, hasLanding: Bool) -> Bool {
        hops *= Self.fadingPerSecond
        let continues = second.isVigorous && second.check < 0 && hops >= Self.continued
        let isHop = second.isVigorous && second.hopOdds > 0
        if isHop || hasLanding || continues { hops = min(hops + 1, Self.most) }
        // Zero stands for a second that is not checked.
        return hops >= Self.least && second.check != 0
    }
}

/// Groups seconds with a cadence into bouts and finds the initial contacts within them.
///
/// A bout is confirmed once its seconds have gathered enough evidence. Then all its steps count, from the first one on,
/// also those before a short pause. People stop and go within a bout: steps are found only where the magnitude varies
/// about as much as in the rest of the bout.
///
/// | phase | on a second with a cadence | on a second without |
/// |---|---|---|
/// | none | becomes a candidate | stays none |
/// | candidate | is confirmed if the evidence suffices; its seconds are emitted | waits for 8 s, then becomes none |
/// | confirmed | emits the second | becomes none: its last steps may lie in the next two seconds |
///
/// The seconds of a candidate that becomes none are a short bout or in no bout.
/// Seconds in no bout are emitted two seconds late, because a bout may start before its first second with a cadence.
struct BoutDetector: Sendable {
    /// The evidence that confirms a bout.
    private static let confirmation: Float = 9
    /// Less evidence confirms a bout with a sure second whose check, in log-odds, reaches ``sureCheck``.
    private static let sureConfirmation: Float = 6
    private static let sureCheck: Float = 2
    /// A resumed walk needs less evidence: at most this much is carried over from the bout before. It decays with a
    /// time constant in seconds, so that it gives no steps in a car that the walker boards. It counts only in seconds
    /// that vary enough to be part of that bout, so that it gives no steps while a runner stands.
    private static let mostCarried: Float = 8
    private static let carriedDecaySeconds: Float = 30
    private static let carriedPerSecond = exponential(-1 / carriedDecaySeconds)
    /// The seconds that may wait for enough evidence. Earlier seconds are in no bout.
    private static let longestWait = 15
    /// The seconds without a cadence that a candidate lasts through: in a narrow place, people take a few steps, turn
    /// and take a few more.
    private static let longestPause = 8
    /// Steps are found where the deviation exceeds this share of the usual deviation of the bout.
    private static let stepShare: Float = 0.4
    /// The usual deviation is the median over so many seconds of the bout before and after a second.
    private static let usualSpan: (before: Int64, after: Int64) = (20, 4)
    /// The most seconds by which a bout starts before its first second or ends after its last one.
    private static let edge: Int64 = 2
    /// In these seconds, the deviation exceeds this share of the usual one.
    private static let edgeShare: Float = 0.55
    /// A closing step is found where the deviation exceeds this share; see ``InitialContactFinder``.
    private static let closingShare: Float = 0.2
    /// From this cadence (Hz) and usual deviation (g) on, the gait is running. Walkers change to a run near 2 m/s and
    /// 140 steps a minute (Hreljac, Med Sci Sports Exerc 1993). A quick walk is as fast, but softer. A slow jog is
    /// harder than any walk: for each Hz below this cadence, a run needs ``slowRunning`` g more.
    private static let running: (cadence: Float, deviation: Float) = (2.25, 0.42)
    private static let slowRunning: Float = 2

    private static var grid: AnalysisGrid { .halfRate }

    /// A bout whose seconds are emitted.
    private struct Confirmed: Sendable {
        /// The latest seconds.
        var members: [Member]
        var evidence: Float
        /// Set when the first second is emitted.
        var finder: InitialContactFinder?
        /// Initial contacts in seconds that are not emitted yet.
        var contacts: [Timestamp] = []
        var lastContact: Timestamp?
    }

    private typealias Candidate = BoutCandidate
    private typealias Member = BoutCandidate.Member

    private enum Phase: Sendable {
        case none
        case candidate(Candidate)
        case confirmed(Confirmed)
    }

    /// The sample rate in Hz around the second that was scored last.
    var sampleRate: Float = .infinity
    private var phase = Phase.none
    /// The evidence carried over from earlier bouts, and the usual deviation of the last confirmed one.
    private var carriedEvidence: Float = 0
    private var lastUsualDeviation: Float = 0
    /// The latest seconds in no bout, at most ``edge``.
    private var delayed: [SecondResult] = []
    /// Seconds after the last bout that contain its last steps, until they are emitted.
    private var trailing: [SecondResult] = []
    private var deviation = MovingStandardDeviation()
    /// The value at which the last bout ended. The next bout cannot start before it.
    private var lastEnd: Int64
    /// The last contact of the bouts that ended, or of an earlier signal.
    private(set) var lastContact: Timestamp?
    /// The first half-rate value of the signal.
    private let firstValue: Int64
    /// The first second that is scored, and the next second to add.
    private let firstScored: Int64
    private var nextSecond: Int64

    init(firstSecond: Int64, firstScored: Int64, firstValue: Int64, after lastContact: Timestamp?) {
        nextSecond = firstSecond
        self.firstScored = firstScored
        self.firstValue = firstValue
        lastEnd = firstValue
        self.lastContact = lastContact
    }

    var isOpen: Bool {
        if case .none = phase { false } else { true }
    }

    mutating func add(
        _ second: Int64, _ decision: CadenceTracker.Decision, _ signal: SignalBuffer, to sink: (SecondResult) -> Void
    ) {
        delaySeconds(before: second, to: sink)
        nextSecond = second + 1
        guard let cadence = decision.cadence else {
            if !isOpen {
                // Most seconds are like this. The phase is not taken, because that would move all of it.
                delay(second, to: sink)
            } else if !pauseCandidate(to: sink) {
                let evidence = endBout(in: second, signal, to: sink)
                delay(second, to: sink)
                carriedEvidence = min(carriedEvidence + evidence, Self.mostCarried)
            }
            carriedEvidence *= Self.carriedPerSecond
            return
        }
        let member = Member(second: second, cadence: cadence)
        switch takePhase() {
        case .none: phase = extend(Candidate(), by: member, decision, signal, to: sink)
        case .candidate(let candidate): phase = extend(candidate, by: member, decision, signal, to: sink)
        case .confirmed(var bout):
            bout.members.append(member)
            bout.evidence = BoutCandidate.evidence(bout.evidence, and: member)
            emit(bout.members.count - 1, of: &bout, decision, signal, to: sink)
            bout.members.removeFirst(max(0, bout.members.count - Int(Self.usualSpan.before)))
            phase = .confirmed(bout)
        }
    }

    /// Ends a bout and emits all seconds, because the signal is over.
    mutating func finish(_ signal: SignalBuffer, lastSecond: Int64, to sink: (SecondResult) -> Void) {
        _ = endBout(in: nextSecond, signal, isEndOfSignal: true, to: sink)
        delaySeconds(before: lastSecond + 1, to: sink)
        for second in delayed { sink(second) }
        delayed = []
    }

    // MARK: Transitions

    /// Sets the phase to none and returns the phase before. So its arrays have one owner and change in place.
    private mutating func takePhase() -> Phase {
        var taken = Phase.none
        swap(&taken, &phase)
        return taken
    }

    /// Lets a candidate wait through another second without a cadence. Returns whether one waits. A walk that is
    /// resumed within about nine seconds does not wait, because it has the evidence carried over.
    private mutating func pauseCandidate(to sink: (SecondResult) -> Void) -> Bool {
        switch takePhase() {
        case .candidate(var candidate)
        where candidate.pause < Self.longestPause && carriedEvidence < Self.sureConfirmation
            && !mustDecide(on: candidate):
            candidate.pause += 1
            delayEarliest(of: &candidate, to: sink)
            phase = .candidate(candidate)
            return true
        case let other:
            phase = other
            return false
        }
    }

    /// Whether a short bout cannot wait for more, because its first seconds would be lost.
    private func mustDecide(on candidate: Candidate) -> Bool {
        candidate.isShortBout && candidate.count > Self.longestWait
    }

    /// Emits the seconds of a candidate that have waited for too long.
    private mutating func delayEarliest(of candidate: inout Candidate, to sink: (SecondResult) -> Void) {
        while candidate.count > Self.longestWait + 1 {
            delay(candidate.removeEarliest().second, to: sink)
        }
    }

    private mutating func extend(
        _ candidate: consuming Candidate, by member: Member, _ decision: CadenceTracker.Decision,
        _ signal: SignalBuffer, to sink: (SecondResult) -> Void
    ) -> Phase {
        candidate.append(member, check: decision.check, odds: decision.checkOdds)
        delayEarliest(of: &candidate, to: sink)
        if member.cadence.isSure, decision.check >= Self.sureCheck { candidate.isSure = true }
        let needed = candidate.isSure ? Self.sureConfirmation : Self.confirmation
        let isConfirmed = candidate.evidence + usableCarriedEvidence(in: member.second, signal) >= needed
        if isConfirmed, !candidate.isTrusted {
            // Only the last second of a doubtful walk waits for the bout, so that no step settles late.
            while candidate.count > 1 { delay(candidate.removeEarliest().second, to: sink) }
            return .candidate(candidate)
        }
        guard isConfirmed || mustDecide(on: candidate) else { return .candidate(candidate) }
        return .confirmed(confirm(candidate, decision, signal, to: sink))
    }

    /// Emits all seconds of a candidate.
    private mutating func confirm(
        _ candidate: Candidate, _ decision: CadenceTracker.Decision, _ signal: SignalBuffer,
        to sink: (SecondResult) -> Void
    ) -> Confirmed {
        var bout = Confirmed(members: candidate.members, evidence: candidate.evidence)
        for index in bout.members.indices { emit(index, of: &bout, decision, signal, to: sink) }
        return bout
    }

    /// The carried evidence, if a second varies enough to be part of the bout before.
    private mutating func usableCarriedEvidence(in second: Int64, _ signal: SignalBuffer) -> Float {
        guard carriedEvidence > 0, lastUsualDeviation > 0 else { return carriedEvidence }
        let values = Self.grid.values(of: second)
        deviation.measure(values, of: signal)
        let level = deviation.deviation(over: values) ?? 0
        return level >= Self.stepShare * lastUsualDeviation ? carriedEvidence : 0
    }

    /// Ends the bout or candidate in a second without a cadence, and returns its evidence. The remaining steps go into
    /// ``trailing``.
    private mutating func endBout(
        in second: Int64, _ signal: SignalBuffer, isEndOfSignal: Bool = false, to sink: (SecondResult) -> Void
    ) -> Float {
        switch takePhase() {
        case .none: return 0
        case .candidate(let candidate) where candidate.isShortBout:
            var bout = confirm(candidate, CadenceTracker.Decision(), signal, to: sink)
            let first = second - Int64(candidate.pause)
            end(&bout, in: first, signal, isEndOfSignal && candidate.pause == 0)
            for paused in first..<second { delay(paused, to: sink) }
            return bout.evidence
        case .candidate(let candidate):
            for member in candidate.members { delay(member.second, to: sink) }
            for paused in second - Int64(candidate.pause)..<second { delay(paused, to: sink) }
            return candidate.evidence
        case .confirmed(var bout):
            end(&bout, in: second, signal, isEndOfSignal)
            return bout.evidence
        }
    }

    private mutating func end(
        _ bout: inout Confirmed, in second: Int64, _ signal: SignalBuffer, _ isEndOfSignal: Bool
    ) {
        let first = Self.grid.start(of: second)
        let latest = Self.grid.start(of: second + Self.edge)
        deviation.measure(Self.grid.start(of: second - 3)..<latest, of: signal)
        let last = bout.members.count - 1
        let usual = usualDeviation(at: last, of: &bout.members, laterSeconds: 0)
        lastUsualDeviation = usual
        let bound = min(latest, signal.end)
        var end = first
        while end < bound, deviation.deviation(at: end) > Self.edgeShare * usual { end += 1 }
        // A walk that continues when the samples end has no end to find.
        if isEndOfSignal { end = max(first, bound) }
        findContacts(of: &bout, at: last, next: nil, until: end, horizon: end, usual, signal)
        lastEnd = end
        let known = bout.contacts.count
        while end < bound, deviation.deviation(at: end) > Self.closingShare * usual { end += 1 }
        findContacts(of: &bout, at: last, next: nil, until: end, horizon: end, usual, signal, isOver: true)
        if bout.contacts.count > known { lastEnd = end }
        lastContact = bout.finder?.lastContact ?? lastContact
        for number in second..<second + Self.edge where !bout.contacts.isEmpty {
            trailing.append(complete(SecondResult(second: number), of: &bout, at: last, usual))
        }
    }

    // MARK: The seconds of a bout

    /// Emits a second of a confirmed bout with its steps, after the delayed seconds.
    private mutating func emit(
        _ index: Int, of bout: inout Confirmed, _ decision: CadenceTracker.Decision, _ signal: SignalBuffer,
        to sink: (SecondResult) -> Void
    ) {
        let second = bout.members[index].second
        let later = bout.members.count - 1 - index
        deviation.measure(
            Self.grid.start(of: second - 2)..<Self.grid.start(of: second + Self.usualSpan.after + 1), of: signal)
        let usual = usualDeviation(at: index, of: &bout.members, laterSeconds: later + decision.following)
        if bout.finder == nil {
            bout.finder = InitialContactFinder(start: startOfBout(in: second, usual), after: lastContact)
        }
        let next = later == 0 ? decision.next : bout.members[index + 1].cadence
        let end = Self.grid.start(of: second + 1) + 1
        let horizon = end + (next == nil ? 1 : 2) * Self.grid.hertz
        findContacts(of: &bout, at: index, next: next, until: end, horizon: min(horizon, signal.end), usual, signal)
        for earlier in delayed { sink(complete(earlier, of: &bout, at: index, usual)) }
        delayed.removeAll(keepingCapacity: true)
        sink(complete(takeTrailing(second), of: &bout, at: index, usual))
    }

    /// The median deviation of the bout around one of its seconds, in g.
    private func usualDeviation(at index: Int, of members: inout [Member], laterSeconds: Int) -> Float {
        let second = members[index].second
        members[index].deviation = deviation.deviation(over: Self.grid.values(of: second)) ?? 0
        var deviations = members[...index].suffix(Int(Self.usualSpan.before) + 1).map(\.deviation)
        for later in 0..<min(Int64(laterSeconds), Self.usualSpan.after) {
            let values = Self.grid.values(of: second + 1 + later)
            if let value = deviation.deviation(over: values) { deviations.append(value) }
        }
        return deviations.median ?? 0
    }

    /// The first value of a bout: before its first second, back to where the deviation is low or the bout before ended.
    private func startOfBout(in second: Int64, _ usual: Float) -> Int64 {
        // A walk that is under way when the samples start has no beginning to find.
        guard second != firstScored else { return firstValue }
        var start = Self.grid.start(of: second)
        let earliest = max(Self.grid.start(of: delayed.first?.second ?? second), lastEnd)
        while start > earliest, deviation.deviation(at: start - 1) > Self.edgeShare * usual { start -= 1 }
        return max(start, lastEnd)
    }

    /// Finds the initial contacts up to the value before `end`; if the bout is over, only a closing step.
    private func findContacts(
        of bout: inout Confirmed, at index: Int, next: ScoredCadence?, until end: Int64, horizon: Int64,
        _ usual: Float, _ signal: SignalBuffer, isOver: Bool = false
    ) {
        let member = bout.members[index]
        let own = member.cadence.hertz
        let cadence = InitialContactFinder.CadenceLine(
            center: Self.grid.middle(of: member.second),
            before: index > 0 ? bout.members[index - 1].cadence.hertz : own, own: own, after: next?.hertz ?? own)
        let passage = InitialContactFinder.Passage(
            end: min(end, signal.end), horizon: horizon, deviation: deviation, cadence: cadence,
            threshold: isOver ? .infinity : Self.stepShare * usual, closingThreshold: Self.closingShare * usual)
        bout.finder?.find(in: passage, into: &bout.contacts)
    }

    /// Adds the contacts within a second and the gait to its result.
    private func complete(
        _ second: SecondResult, of bout: inout Confirmed, at index: Int, _ usual: Float
    ) -> SecondResult {
        let cadence = bout.members[index].cadence
        var second = second
        let (start, end) = (Timestamp(second: second.second), Timestamp(second: second.second + 1))
        let quality = logistic(cadence.score)
        let steps = bout.contacts.prefix { $0 < end }.map { Step(time: $0, quality: quality) }
        bout.contacts.removeFirst(steps.count)
        let continues = bout.lastContact.map { start.seconds(since: $0) < Step.longestInterval } ?? false
        if !steps.isEmpty || continues {
            let least = Self.running.deviation + Self.slowRunning * max(0, Self.running.cadence - cadence.hertz)
            let usual = usual * Resampler.gain(at: cadence.hertz, rate: sampleRate)
            second.gait = usual >= least ? .running : .walking
            second.evidence = cadence.score
        }
        second.steps += steps
        bout.lastContact = steps.last?.time ?? bout.lastContact
        return second
    }

    // MARK: Seconds in no bout

    /// The result of a second in no bout: empty, or with the last steps of the bout before.
    private mutating func takeTrailing(_ number: Int64) -> SecondResult {
        if let index = trailing.firstIndex(where: { $0.second == number }) { return trailing.remove(at: index) }
        return SecondResult(second: number)
    }

    /// Delays a second in no bout and emits the one delayed longest.
    private mutating func delay(_ number: Int64, to sink: (SecondResult) -> Void) {
        delayed.append(takeTrailing(number))
        if delayed.count > Self.edge { sink(delayed.removeFirst()) }
    }

    private mutating func delaySeconds(before second: Int64, to sink: (SecondResult) -> Void) {
        while nextSecond < second {
            delay(nextSecond, to: sink)
            nextSecond += 1
        }
    }
}

struct SecondResult: Sendable {
    /// Whole seconds since the first sample of the series.
    let second: Int64
    /// The gait of the bout that contains the second; nil outside of bouts.
    var gait: GaitType?
    /// The steps within the second.
    var steps: [Step] = []
    /// The log-odds of walking or running.
    var evidence: Float = 0
}

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// Decides when seconds with a cadence are a bout, and takes the steps out of it.
///
/// A bout counts once its seconds have gathered enough evidence, and then from its first step on. Within it people stop and
/// go: steps are only where the norm is about as lively as in the rest of the bout.
struct Bouts: Sendable {
    /// What a second's score must exceed to count as evidence, in log-odds: to confirm takes more than to go on.
    private static let margin: Float = 1.25
    /// The evidence that confirms a bout.
    private static let confirmation: Float = 9
    /// A resumed walk needs less evidence, but some: this much is left at the end of a bout, and while nobody walks it decays
    /// with a time constant in seconds. A car that is boarded on foot must not walk on. It vouches only for what is lively
    /// enough to be part of the walk before: a runner who has stopped must not walk on either.
    private static let mostLeft: Float = 8
    private static let forgetting: Float = 30
    private static let leftAfterSecond = exp(-1 / forgetting)
    /// Seconds that a bout may wait for its evidence; an unclear beginning is given up.
    private static let longestWait = 15
    /// Steps are where the level exceeds this share of the bout's usual one, …
    private static let livelyShare: Float = 0.4
    /// … which is the median over these seconds of it, before and after.
    private static let levelMemory: (before: Int64, after: Int64) = (20, 4)
    /// A bout may begin before its first second and end after its last one by this many seconds …
    private static let edge: Int64 = 2
    /// … as long as the level exceeds this share.
    private static let edgeShare: Float = 0.6
    /// Steps further apart than this, in seconds, are of two walks; between them nobody is on foot.
    private static let longestBreak = Step.longestInterval
    /// From this cadence (Hz) and level (g) on it is running. Walkers change to a run near 2 m/s and 140 steps a minute
    /// (Hreljac, Med Sci Sports Exerc 1993); a quick walk is as fast, but not as hard.
    private static let running: (cadence: Float, level: Float) = (2.25, 0.42)

    private static let rate = StepDetector.rate

    /// A second with a cadence.
    private struct Member: Sendable {
        var second: Int64
        var candidate: WalkingGate.Candidate
        /// The standard deviation of the norm, in g, once it was measured.
        var level: Float = 0
    }

    /// The evidence of the bout that is going on.
    private var evidence: Float = 0
    /// What is left of the evidence before it, and the usual level of the last confirmed bout.
    private var left: Float = 0
    private var lastLevel: Float = 0
    private var isConfirmed = false
    /// The seconds of the bout: those that wait, or, once it is confirmed, the latest ones.
    private var members: [Member] = []
    /// How many of `members`, from the end, have not been passed on.
    private var waiting = 0
    /// The latest seconds that are in no bout, ``edge`` of them; they wait because a bout may begin within them.
    private var held: [StepDetector.Second] = []
    /// Seconds after the last bout that hold its last strikes, until they get a verdict of their own.
    private var tail: [StepDetector.Second] = []
    private var strikes: StrikeFinder?
    private var liveliness = Liveliness()
    /// The levels of which the usual one is the median; kept for its memory.
    private var levels: [Float] = []
    /// Strikes found that belong to a second not yet passed on.
    private var found: [Timestamp] = []
    private var lastStrike: Timestamp?
    /// Before this sample no bout may begin: one has ended there.
    private var floor: Int64
    private let firstSample: Int64
    /// The first second that has a verdict, and the next one.
    private let firstWeighed: Int64
    private var nextSecond: Int64

    init(firstSecond: Int64, firstWeighed: Int64, firstSample: Int64) {
        nextSecond = firstSecond
        self.firstWeighed = firstWeighed
        self.firstSample = firstSample
        floor = firstSample
    }

    /// Whether a bout is going on, or may turn out to be.
    var isOpen: Bool { !members.isEmpty }

    /// Takes the verdict on a second.
    ///
    /// - Parameters:
    ///   - second: The second after the one before.
    ///   - verdict: What the tracker says of it.
    ///   - signal: The low-passed signal.
    mutating func settle(
        _ second: Int64, _ verdict: CadenceTracker.Verdict, _ signal: Grid,
        to sink: (StepDetector.Second) -> Void
    ) {
        skip(to: second, to: sink)
        nextSecond = second + 1
        guard let candidate = verdict.candidate else {
            close(in: second, signal, to: sink)
            hold(second, to: sink)
            left = min(left + evidence, Self.mostLeft) * Self.leftAfterSecond
            evidence = 0
            return
        }
        members.append(Member(second: second, candidate: candidate))
        waiting += 1
        evidence = max(0, evidence + candidate.score - Self.margin)
        isConfirmed = isConfirmed || evidence + vouched(in: second, signal) >= Self.confirmation
        if isConfirmed {
            for index in (members.count - waiting)..<members.count {
                passOn(index, verdict, signal, to: sink)
            }
            waiting = 0
            members.removeFirst(max(0, members.count - Int(Self.levelMemory.before)))
        } else if waiting > Self.longestWait {
            hold(members[0].second, to: sink)
            members.removeFirst()
            waiting -= 1
        }
    }

    /// The evidence that the walk before lends to a second that is lively enough to belong to it.
    private mutating func vouched(in second: Int64, _ signal: Grid) -> Float {
        guard left > 0, lastLevel > 0 else { return left }
        let samples = Self.samples(of: second)
        liveliness.measure(samples, of: signal)
        let level = liveliness.level(over: samples) ?? 0
        return level >= Self.livelyShare * lastLevel ? left : 0
    }

    /// Passes on all that waits; the stretch is over.
    mutating func finish(_ signal: Grid, lastSecond: Int64, to sink: (StepDetector.Second) -> Void) {
        close(in: nextSecond, signal, isEnd: true, to: sink)
        while nextSecond <= lastSecond {
            hold(nextSecond, to: sink)
            nextSecond += 1
        }
        for second in held { sink(second) }
        held = []
    }

    // MARK: The seconds of a bout

    /// Passes on a second of a confirmed bout with its strikes.
    ///
    /// - Parameter verdict: That on the last second of the bout.
    private mutating func passOn(
        _ index: Int, _ verdict: CadenceTracker.Verdict, _ signal: Grid, to sink: (StepDetector.Second) -> Void
    ) {
        let second = members[index].second
        let isLast = index == members.count - 1
        let next = isLast ? verdict.next : members[index + 1].candidate
        liveliness.measure((second - 2) * Self.rate..<(second + Self.levelMemory.after + 1) * Self.rate, of: signal)
        let level = usualLevel(index, laterMembers: members.count - 1 - index + verdict.following)
        if strikes == nil { begin(index, level) }
        let end = (second + 1) * Self.rate + 1
        let horizon = next == nil ? end + Self.rate : end + 2 * Self.rate
        seek(until: end, horizon: min(horizon, signal.end), index, next, level, signal)
        for earlier in held { sink(joined(earlier, members[index], level)) }
        held.removeAll(keepingCapacity: true)
        sink(joined(self.verdict(on: second), members[index], level))
    }

    /// The median level of the bout around one of its seconds.
    private mutating func usualLevel(_ index: Int, laterMembers: Int) -> Float {
        let second = members[index].second
        members[index].level = liveliness.level(over: Self.samples(of: second)) ?? 0
        levels.removeAll(keepingCapacity: true)
        for member in members[...index].suffix(Int(Self.levelMemory.before) + 1) { levels.append(member.level) }
        for later in 0..<min(Int64(laterMembers), Self.levelMemory.after) {
            if let level = liveliness.level(over: Self.samples(of: second + 1 + later)) { levels.append(level) }
        }
        levels.sort()
        let middle = levels.count / 2
        return levels.count % 2 == 0 ? (levels[middle - 1] + levels[middle]) / 2 : levels[middle]
    }

    private static func samples(of second: Int64) -> Range<Int64> {
        second * rate..<(second + 1) * rate
    }

    /// Begins to look for strikes: before the bout's first second, as far back as it is lively and no verdict is out.
    private mutating func begin(_ index: Int, _ level: Float) {
        let second = members[index].second
        var start = second * Self.rate
        let earliest = max((held.first?.second ?? second) * Self.rate, floor)
        while start > earliest, liveliness.level(at: start - 1) > Self.edgeShare * level { start -= 1 }
        // A walk that is under way when the samples begin has no beginning to look for.
        if second == firstWeighed { start = firstSample }
        strikes = StrikeFinder(start: max(start, firstSample))
        lastStrike = nil
    }

    /// Looks for strikes up to a sample.
    private mutating func seek(
        until end: Int64, horizon: Int64, _ index: Int, _ next: WalkingGate.Candidate?, _ level: Float, _ signal: Grid
    ) {
        let member = members[index]
        let own = member.candidate.cadence
        let cadence = StrikeFinder.CadenceLine(
            centre: member.second * Self.rate + 12, before: index > 0 ? members[index - 1].candidate.cadence : own,
            own: own, after: next?.cadence ?? own)
        let passage = StrikeFinder.Passage(
            end: min(end, signal.end), horizon: horizon, liveliness: liveliness, cadence: cadence,
            threshold: Self.livelyShare * level)
        strikes?.find(in: passage, into: &found)
    }

    /// Ends the bout, if there is one, in a second that is not part of it; what is left of it goes into ``tail``.
    private mutating func close(
        in second: Int64, _ signal: Grid, isEnd: Bool = false, to sink: (StepDetector.Second) -> Void
    ) {
        if isConfirmed, let member = members.last {
            let first = second * Self.rate
            liveliness.measure(first - 3 * Self.rate..<first + Self.edge * Self.rate, of: signal)
            let level = usualLevel(members.count - 1, laterMembers: 0)
            lastLevel = level
            let latest = min(first + Self.edge * Self.rate, signal.end)
            var end = first
            while end < latest, liveliness.level(at: end) > Self.edgeShare * level { end += 1 }
            // A walk that is under way when the samples end has no end to look for.
            if isEnd { end = max(first, latest) }
            seek(until: end, horizon: end, members.count - 1, nil, level, signal)
            floor = end
            var number = second
            while !found.isEmpty, number < second + Self.edge {
                tail.append(joined(StepDetector.Second(second: number), member, level))
                number += 1
            }
        } else {
            for member in members { hold(member.second, to: sink) }
        }
        members.removeAll(keepingCapacity: true)
        waiting = 0
        isConfirmed = false
        strikes = nil
        found = []
    }

    // MARK: Passing on

    /// What is known of a second that is in no bout: that it is in none, or the last strikes of one.
    private mutating func verdict(on number: Int64) -> StepDetector.Second {
        if let index = tail.firstIndex(where: { $0.second == number }) { return tail.remove(at: index) }
        return StepDetector.Second(second: number)
    }

    /// A second with those of the strikes that lie in it.
    private mutating func joined(
        _ second: StepDetector.Second, _ member: Member, _ level: Float
    ) -> StepDetector.Second {
        var second = second
        let end = Timestamp(nanosecondsSince1970: (second.second + 1) * 1_000_000_000)
        let start = end.advanced(bySeconds: -1)
        let quality = 1 / (1 + exp(-member.candidate.score))
        let strikes = found.prefix { $0 < end }.map { Step(time: $0, quality: quality) }
        found.removeFirst(strikes.count)
        let isGoingOn = lastStrike.map { start.seconds(since: $0) < Self.longestBreak } ?? false
        if !strikes.isEmpty || isGoingOn {
            let isRun = member.candidate.cadence >= Self.running.cadence && level >= Self.running.level
            second.gait = isRun ? .running : .walking
            second.evidence = member.candidate.score
        }
        second.steps += strikes
        lastStrike = strikes.last?.time ?? lastStrike
        return second
    }

    /// Keeps back a second that is in no bout, and passes on the one that has waited longest.
    private mutating func hold(_ number: Int64, to sink: (StepDetector.Second) -> Void) {
        let second = verdict(on: number)
        guard held.count == Self.edge, let first = held.first else { return held.append(second) }
        sink(first)
        for index in 1..<held.count { held[index - 1] = held[index] }
        held[held.count - 1] = second
    }

    /// Holds the seconds before the first that has a verdict.
    private mutating func skip(to second: Int64, to sink: (StepDetector.Second) -> Void) {
        while nextSecond < second {
            hold(nextSecond, to: sink)
            nextSecond += 1
        }
    }
}

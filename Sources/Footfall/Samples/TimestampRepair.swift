/// Makes a series with strictly increasing times from the samples that a device delivers.
///
/// - **Bursts**: samples with one timestamp (a FIFO read at once, a log with whole-second times) are spread evenly up
///   to the next distinct time.
/// - **Duplicates**: a sample equal to the one before, in time and values, is dropped.
/// - **Backward steps**: a sample earlier than one already used is dropped.
/// - **Glitches**: after a jump forward, samples wait until ``probation`` has passed. If time steps back before that,
///   the samples after the jump are dropped. So one row with a broken clock does not cost the rows that follow.
/// - **Leaps**: after a jump of more than a week, samples wait until they cover a minute. A history keeps a week up to
///   its newest time, so a wrong leap would remove it all. If the series ends before that minute, the samples are
///   dropped, unless they cover more time than the series before the leap.
///
/// ``quality`` counts what is dropped.
struct TimestampRepair: Sendable {
    /// The interval without samples that ends a contiguous signal, in nanoseconds. Two seconds are longer than any
    /// stride and than the pauses of phones that log at 1 Hz or in bursts.
    static let gapNanoseconds: Int64 = 2_000_000_000
    /// How long time must continue after a jump before the jump is accepted, in nanoseconds.
    private static let probation: Int64 = 1_000_000_000
    /// A jump by more than this is a leap, in nanoseconds: the usual retention of a history.
    private static let leapNanoseconds: Int64 = 7 * 86_400_000_000_000
    /// The time that samples must cover after a leap before it is accepted, in nanoseconds.
    private static let leapProbation: Int64 = 60_000_000_000
    /// The largest number of samples that wait for a later time: several seconds at the highest rate.
    private static let longestRun = 8192
    /// The largest number of samples that wait after a leap: a minute at 8 kHz.
    private static let longestLeap = 1 << 19
    private static let supportedEnd = Timestamp.supported.upperBound.nanosecondsSince1970

    private(set) var quality = SignalQuality()

    /// Samples that wait: those on probation, then those of the latest time.
    private var waiting: [AccelerationSample] = []
    /// The time of the first sample after a jump that is not accepted yet.
    private var jump: Int64?
    /// The time that samples cover since a leap that is not accepted yet, in nanoseconds; nil without a leap.
    private var leapCoverage: Int64?
    /// The position in `waiting` of the first sample of the latest time.
    private var runStart = 0
    /// The latest known interval between two distinct times, in nanoseconds; 0 at the start.
    private var interval: Int64 = 0
    /// The times of the first and the last sample in the output.
    private var firstTime: Int64?
    private var lastTime: Int64?

    /// Adds the samples of a batch from `next` on, which moves, up to the end of the next run with increasing times.
    /// Such a run is neither repaired nor copied. Returns the positions of its settled samples; those before it go to
    /// `ready`.
    mutating func addRun(of batch: SampleBatch, from next: inout Int, to ready: inout SampleBatch) -> Range<Int> {
        while next < batch.endIndex {
            if let run = addOrdinary(batch, from: next, to: &ready) {
                next = run.upperBound + 1
                return run
            }
            add(batch[next], to: &ready)
            next += 1
        }
        return next..<next
    }

    /// The fast path: adds a run of samples with increasing times, if exactly one sample waits. That sample is settled,
    /// and the last sample of the run waits in its place. Returns the positions of the others; nil without a run.
    private mutating func addOrdinary(
        _ batch: SampleBatch, from first: Int, to ready: inout SampleBatch
    ) -> Range<Int>? {
        guard waiting.count == 1, jump == nil, batch[first].nanoseconds < Self.supportedEnd, Self.isUsable(batch[first])
        else { return nil }
        // The subtraction may wrap around. A wrapped difference is negative or far above the longest interval.
        let advance = batch[first].nanoseconds &- waiting[0].nanoseconds
        guard advance > 0, advance <= Self.gapNanoseconds else { return nil }
        let last = Self.endOfOrdinary(batch, after: first) - 1
        firstTime = firstTime ?? waiting[0].nanoseconds
        ready.append(waiting[0])
        let latest = last > first ? batch[last - 1] : waiting[0]
        waiting[0] = batch[last]
        lastTime = latest.nanoseconds
        interval = waiting[0].nanoseconds - latest.nanoseconds
        quality.samples += last + 1 - first
        return first..<last
    }

    /// The end of the run of finite samples with increasing times.
    private static func endOfOrdinary(_ batch: SampleBatch, after first: Int) -> Int {
        var end = first + 1
        // One check of 32 samples costs less than eight checks of four.
        while areOrdinary(batch, from: end, fours: 8) { end += 32 }
        while areOrdinary(batch, from: end, fours: 1) { end += 4 }
        // Without this loop, the last one to three samples would be a separate run, and the batch would be copied.
        while isOrdinary(batch, at: end) { end += 1 }
        return end
    }

    /// Whether one sample is finite and later than the one before, without a gap. False beyond the end of the batch.
    private static func isOrdinary(_ batch: SampleBatch, at position: Int) -> Bool {
        guard position < batch.endIndex, batch[position].nanoseconds < supportedEnd else { return false }
        let advance = batch[position].nanoseconds &- batch[position - 1].nanoseconds
        return advance > 0 && advance <= gapNanoseconds && isUsable(batch[position])
    }

    /// The same for 4 · `fours` samples from a position on.
    @inline(__always)
    private static func areOrdinary(_ batch: SampleBatch, from first: Int, fours: Int) -> Bool {
        let (times, x, y, z) = (batch.times.span, batch.x.span, batch.y.span, batch.z.span)
        let end = first + 4 * fours
        guard end <= times.count, times[end - 1].nanosecondsSince1970 < supportedEnd else { return false }
        var intervals = SIMD4<Int64>()
        var sums = SIMD4<Float>()
        for position in stride(from: first, to: end, by: 4) {
            // In bounds: the sample before `first` is in the batch, and `end` is at most its count.
            intervals |= times.intervals(unchecked: position)
            let (x, y, z) = (x.four(unchecked: position), y.four(unchecked: position), z.four(unchecked: position))
            let squares = x * x + y * y + z * z
            sums += squares * squares
        }
        // A sum is finite only if all its terms are, see `isUsable`, and x − x is 0 only for finite x.
        return intervals.areShort && (sums - sums).sum() == 0
    }

    private mutating func add(_ sample: AccelerationSample, to ready: inout SampleBatch) {
        quality.samples += 1
        guard Timestamp.supported.contains(sample.time), Self.isUsable(sample) else {
            quality.unusable += 1
            return
        }
        guard let latest = waiting.last else {
            if sample.nanoseconds > lastTime ?? .min { startRun(sample) } else { quality.backward += 1 }
            return
        }
        let advance = sample.nanoseconds - latest.nanoseconds
        if let covered = leapCoverage, advance > 0 {
            if advance <= Self.gapNanoseconds { leapCoverage = covered + advance }
            // After a second leap, the wait begins again.
            if advance > Self.leapNanoseconds || waiting.count >= Self.longestLeap { dropWaiting() }
        }
        if advance > 0 {
            if !waiting.isEmpty { settleRun(until: sample.nanoseconds, to: &ready) }
            startRun(sample)
        } else if advance == 0 {
            extendRun(sample, after: latest)
        } else {
            stepBack(to: sample)
        }
    }

    /// Ends the series. Appends the waiting samples to `ready`, or drops them after a leap that is not accepted.
    mutating func finish(to ready: inout SampleBatch) {
        guard let latest = waiting.last else { return }
        if let leapCoverage, let lastTime, leapCoverage <= lastTime - (firstTime ?? lastTime) { return dropWaiting() }
        settleRun(until: latest.nanoseconds, isEnd: true, to: &ready)
    }

    /// Whether the fourth power of the vector magnitude is finite, which is then below 4.29 · 10⁹ g: no sensor measures
    /// more, also not in its counts of 32 bits. The sums of squares and their variances in the stages that follow are
    /// then finite, too.
    private static func isUsable(_ sample: AccelerationSample) -> Bool {
        let square = sample.x * sample.x + sample.y * sample.y + sample.z * sample.z
        return (square * square).isFinite
    }

    private mutating func startRun(_ sample: AccelerationSample) {
        if jump == nil, let lastTime, sample.nanoseconds - lastTime > Self.gapNanoseconds {
            jump = sample.nanoseconds
            leapCoverage = sample.nanoseconds - lastTime > Self.leapNanoseconds ? 0 : nil
        }
        runStart = waiting.count
        waiting.append(sample)
    }

    private mutating func extendRun(_ sample: AccelerationSample, after latest: AccelerationSample) {
        if sample == latest {
            quality.duplicates += 1
        } else if waiting.count < (leapCoverage == nil ? Self.longestRun : Self.longestLeap) {
            waiting.append(sample)
        } else {
            quality.unusable += 1
        }
    }

    private mutating func stepBack(to sample: AccelerationSample) {
        // Small steps back are normal in the long wait after a leap, so they do not end it.
        let isReturn =
            leapCoverage == nil || jump.map { Timestamp(nanosecondsSince1970: $0).isSetBack(to: sample.time) } ?? false
        if jump != nil, isReturn, sample.nanoseconds > lastTime ?? .max {
            dropWaiting()
            startRun(sample)
        } else {
            quality.backward += 1
        }
    }

    /// Drops all waiting samples, because their jump was a glitch.
    private mutating func dropWaiting() {
        if leapCoverage == nil { quality.backward += waiting.count } else { quality.leaping += waiting.count }
        waiting = []
        (jump, leapCoverage, runStart) = (nil, nil, 0)
    }

    /// Spreads the samples of the latest time evenly up to `next`. Appends all waiting samples to `ready`, unless they
    /// are on probation.
    private mutating func settleRun(until next: Int64, isEnd: Bool = false, to ready: inout SampleBatch) {
        let run = waiting.count - runStart
        let first = waiting[runStart].nanoseconds
        // Before a gap or at the end, the interval to the next time is unknown. The interval before is the estimate.
        let isKnown = !isEnd && next - first <= Self.gapNanoseconds
        if isKnown { interval = next - first }
        let span = isKnown ? interval : min(max(interval, Int64(run)), Self.gapNanoseconds)
        for index in 1..<max(run, 1) {
            waiting[runStart + index].time.nanosecondsSince1970 = first + span * Int64(index) / Int64(run)
        }
        if let leapCoverage, !isEnd, leapCoverage < Self.leapProbation { return }
        if let jump, !isEnd, next - jump < Self.probation, waiting.count < Self.longestRun { return }
        (jump, leapCoverage) = (nil, nil)
        firstTime = firstTime ?? waiting.first?.nanoseconds
        for sample in waiting { ready.append(sample) }
        lastTime = waiting.last?.nanoseconds
        waiting.removeAll(keepingCapacity: true)
    }
}

extension Timestamp {
    /// A clock that jumps by more was set, in nanoseconds. Samples that are out of order, or late, differ by less.
    package static let largestJump = TimestampRepair.gapNanoseconds

    /// Whether the clock was set back between this time and the next one.
    package func isSetBack(to next: Timestamp) -> Bool {
        nanosecondsSince1970 &- next.nanosecondsSince1970 > Timestamp.largestJump
    }
}

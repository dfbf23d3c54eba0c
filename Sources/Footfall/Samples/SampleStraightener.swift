/// Makes a strictly increasing series of samples out of what devices really deliver.
///
/// - **Bursts**: samples that share a timestamp (a FIFO read at once, a log with whole-second times) are spread evenly
///   up to the next distinct time.
/// - **Duplicates**: a sample equal to the one before it, time and all, is dropped.
/// - **Back-steps**: a sample that is earlier than one already taken is dropped.
/// - **Glitches**: after a leap forward, samples stay on probation until ``probation`` has passed; when time falls back
///   before that, it is the leapt ones that are dropped. One row with a broken clock must not cost all that follow.
///
/// Whatever is dropped is counted in ``quality``.
struct SampleStraightener: Sendable {
    /// Time without samples that cuts the signal, in nanoseconds. Two seconds is longer than any stride, and longer than
    /// the pauses of phones that log at 1 Hz or in bursts.
    static let gapNanoseconds: Int64 = 2_000_000_000
    /// How long time must run on after a leap before the leap is believed, in nanoseconds.
    static let probation: Int64 = 1_000_000_000
    /// Samples that may wait for the next distinct time: a second at the highest rate, several times over.
    static let longestRun = 8192
    /// Up to this distance, in nanoseconds, four samples are known at once to be in time. A power of two, about a second.
    private static let mostOrdinary: UInt64 = 1 << 30
    private static let supportedEnd = Timestamp.supported.upperBound.nanosecondsSince1970

    private(set) var quality = SignalQuality()

    /// Samples that wait: those of the latest time, and before them those on probation.
    private var waiting: [AccelerationSample] = []
    /// The time of the first sample of a leap that is not yet believed.
    private var leap: Int64?
    /// Where the samples of the latest time begin in `waiting`.
    private var runStart = 0
    /// The last distance between two distinct times.
    private var interval: Int64 = 0
    /// The time of the last sample handed out.
    private var lastTime: Int64?

    /// Takes the samples of a batch and appends to `ready` the ones that are certain by now.
    mutating func add(_ batch: SampleBatch, to ready: inout SampleBatch) {
        var next = batch.startIndex
        while next < batch.endIndex {
            next = addOrdinary(batch, from: next, to: &ready)
            guard next < batch.endIndex else { return }
            add(batch[next], to: &ready)
            next += 1
        }
    }

    /// Takes samples for as long as one waits and the next one is in time: almost all there are, and by themselves for
    /// speed.
    ///
    /// - Returns: The position of the first sample that was not taken.
    private mutating func addOrdinary(_ batch: SampleBatch, from first: Int, to ready: inout SampleBatch) -> Int {
        guard waiting.count == 1, leap == nil, batch[first].nanoseconds < Self.supportedEnd, isUsable(batch[first])
        else { return first }
        // The difference may wrap around, but never to so little.
        let advance = batch[first].nanoseconds &- waiting[0].nanoseconds
        guard advance > 0, advance <= Self.gapNanoseconds else { return first }
        let end = Self.endOfOrdinary(batch, after: first)
        ready.append(waiting[0])
        ready.append(contentsOf: batch, in: first..<end - 1)
        waiting[0] = batch[end - 1]
        lastTime = ready.times.last?.nanosecondsSince1970
        interval = waiting[0].nanoseconds - (lastTime ?? 0)
        quality.samples += end - first
        return end
    }

    /// The end of the samples, four at a time, of which each is in time after the one before.
    private static func endOfOrdinary(_ batch: SampleBatch, after first: Int) -> Int {
        let (times, x, y, z) = (batch.times.span, batch.x.span, batch.y.span, batch.z.span)
        var end = first + 1
        while end + 4 <= times.count {
            let beyondOne = times.four(unchecked: end) &- times.four(unchecked: end - 1) &- 1
            let sums = x.four(unchecked: end) + y.four(unchecked: end) + z.four(unchecked: end)
            let highest = UInt64(bitPattern: beyondOne[0] | beyondOne[1] | beyondOne[2] | beyondOne[3])
            // What is finite leaves nothing when it is taken off itself.
            guard highest < mostOrdinary, times[end + 3].nanosecondsSince1970 < supportedEnd, (sums - sums).sum() == 0
            else { break }
            end += 4
        }
        return end
    }

    /// Takes any sample and appends to `ready` the ones that are certain by now.
    private mutating func add(_ sample: AccelerationSample, to ready: inout SampleBatch) {
        quality.samples += 1
        guard Timestamp.supported.contains(sample.time), isUsable(sample) else {
            quality.unusable += 1
            return
        }
        guard let latest = waiting.last else {
            if sample.nanoseconds > lastTime ?? .min { begin(sample) } else { quality.backward += 1 }
            return
        }
        let advance = sample.nanoseconds - latest.nanoseconds
        if advance > 0 {
            passOn(until: sample.nanoseconds, to: &ready)
            begin(sample)
        } else if advance == 0 {
            joinRun(sample, after: latest)
        } else {
            stepBack(to: sample)
        }
    }

    /// Appends to `ready` all that still waits; the series is over.
    mutating func finish(to ready: inout SampleBatch) {
        guard let latest = waiting.last else { return }
        passOn(until: latest.nanoseconds, isEnd: true, to: &ready)
    }

    private func isUsable(_ sample: AccelerationSample) -> Bool {
        (sample.x + sample.y + sample.z).isFinite
    }

    private mutating func begin(_ sample: AccelerationSample) {
        if leap == nil, let lastTime, sample.nanoseconds - lastTime > Self.gapNanoseconds {
            leap = sample.nanoseconds
        }
        runStart = waiting.count
        waiting.append(sample)
    }

    private mutating func joinRun(_ sample: AccelerationSample, after latest: AccelerationSample) {
        if sample == latest {
            quality.duplicates += 1
        } else if waiting.count < Self.longestRun {
            waiting.append(sample)
        } else {
            quality.unusable += 1
        }
    }

    private mutating func stepBack(to sample: AccelerationSample) {
        if leap != nil, sample.nanoseconds > lastTime ?? .max {
            quality.backward += waiting.count
            waiting.removeAll(keepingCapacity: true)
            leap = nil
            begin(sample)
        } else {
            quality.backward += 1
        }
    }

    /// Spreads the latest run up to `next` and hands everything out, unless it is on probation.
    private mutating func passOn(until next: Int64, isEnd: Bool = false, to ready: inout SampleBatch) {
        let run = waiting.count - runStart
        let first = waiting[runStart].nanoseconds
        // Across a gap, or at the end, the distance to the next time says nothing; the one before it has to do.
        let isKnown = !isEnd && next - first <= Self.gapNanoseconds
        if isKnown { interval = next - first }
        let span = isKnown ? interval : min(max(interval, Int64(run)), Self.gapNanoseconds)
        for index in 1..<max(run, 1) {
            waiting[runStart + index].time.nanosecondsSince1970 = first + span * Int64(index) / Int64(run)
        }
        if let leap, !isEnd, next - leap < Self.probation, waiting.count < Self.longestRun {
            return
        }
        leap = nil
        for sample in waiting { ready.append(sample) }
        lastTime = waiting.last?.nanoseconds
        waiting.removeAll(keepingCapacity: true)
    }
}

public import Footfall

/// Computes the measures of each epoch of 5 s from raw samples at their own rate.
///
/// ```swift
/// var meter = EpochMeter()
/// for batch in batches { record(meter.add(batch)) }
/// record(meter.finish())
/// ```
///
/// Pass calibrated samples: ENMO contains every error of the scale and the offset. The stage repairs timestamps as
/// `MotionAnalyzer` does and drops the same samples. How the samples are cut into batches changes no result.
///
/// An epoch is returned about an hour of samples after its end, because only then is it known whether the sensor was worn. The
/// state is therefore bounded: the samples of one epoch and the measures of an hour.
public struct EpochMeter: Sendable {
    /// The seconds of an epoch that samples must cover. Epochs below are left out.
    public static let leastCoverage = 2.5

    private static let epochNanoseconds = Int64(EpochMeasures.seconds * 1e9)
    /// The time from the end of an epoch until its wear is known, in seconds: the least duration of non-wear, one window of
    /// the check, and the longest interval between two samples.
    private static let delay = SensorCheck.nonWearSeconds + SensorCheck.windowSeconds + EpochSamples.longestInterval

    private var repair = TimestampRepair()
    /// Samples with repaired times, on their way into the epochs.
    private var repaired = SampleBatch()
    private var sensor = SensorCheck()
    private var clipping = Clipping()
    private var samples = EpochSamples()
    /// The number of the open epoch since 1970; nil before the first sample.
    private var number: Int64?
    /// Epochs whose wear is not known yet, with clipped values per end of the range.
    private var waiting: [(measures: EpochMeasures, clipped: Clipping.Counts, samples: Int)] = []
    /// The number of epochs at the start of `waiting` whose wear is known.
    private var settled = 0

    /// Creates a stage for one series of samples.
    public init() {}

    /// Adds the next samples.
    ///
    /// - Parameter batch: Samples of any rate, in g, gravity included.
    /// - Returns: The epochs that are now complete, in ascending order.
    /// - Complexity: Linear in the number of samples.
    public mutating func add(_ batch: SampleBatch) -> [EpochMeasures] {
        repair.add(batch, to: &repaired)
        addRepaired()
        return takeSettled()
    }

    /// Ends the series.
    ///
    /// - Returns: The remaining epochs, in ascending order.
    public mutating func finish() -> [EpochMeasures] {
        repair.finish(to: &repaired)
        addRepaired()
        closeEpoch(before: nil)
        settled = waiting.count
        return takeSettled()
    }

    private mutating func addRepaired() {
        sensor.add(repaired)
        var first = 0
        while first < repaired.count {
            let time = repaired.times[first]
            let number = time.nanosecondsSince1970.flooredQuotientAndRemainder(by: Self.epochNanoseconds).quotient
            if number != self.number {
                closeEpoch(before: time)
                self.number = number
                settle(at: time)
            }
            let end = Self.end(of: number, in: repaired.times, from: first)
            samples.append(repaired, first..<end)
            first = end
        }
        repaired.removeAll()
    }

    /// The position of the first sample after an epoch. Times increase.
    private static func end(of number: Int64, in times: [Timestamp], from first: Int) -> Int {
        let end = Timestamp(nanosecondsSince1970: (number + 1) * epochNanoseconds)
        var (low, high) = (first, times.count)
        while low < high {
            let middle = (low + high) / 2
            if times[middle] < end { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Computes the measures of the open epoch.
    ///
    /// - Parameter next: The time of the first sample after it; nil at the end of the series.
    private mutating func closeEpoch(before next: Timestamp?) {
        guard let number else { return }
        let start = Timestamp(nanosecondsSince1970: number * Self.epochNanoseconds)
        let coverage = samples.coverage(from: start, next: next)
        let newEnds = clipping.add(samples)
        if newEnds.hasNew {
            for index in settled..<waiting.count { waiting[index].clipped.removeCounts(of: newEnds) }
        }
        if coverage >= Self.leastCoverage {
            waiting.append((samples.measures(start: start, coverage: coverage), clipping.counts, samples.count))
        }
        samples.removeAll()
        self.number = nil
    }

    /// Marks the epochs whose wear is known at a time. It depends on times alone, so that batches change no result.
    private mutating func settle(at time: Timestamp) {
        while settled < waiting.count,
            time.seconds(since: waiting[settled].measures.start) >= EpochMeasures.seconds + Self.delay
        {
            settled += 1
        }
    }

    private mutating func takeSettled() -> [EpochMeasures] {
        guard settled > 0 else { return [] }
        defer {
            waiting.removeFirst(settled)
            settled = 0
        }
        let nonWear = sensor.nonWear
        return waiting.prefix(settled).map { epoch in
            var measures = epoch.measures
            let middle = measures.start.advanced(bySeconds: EpochMeasures.seconds / 2)
            measures.isWorn = nonWear.last { $0.lowerBound <= middle }.map { !$0.contains(middle) } ?? true
            measures.clipped = Double(epoch.clipped.most) / Double(epoch.samples)
            return measures
        }
    }
}

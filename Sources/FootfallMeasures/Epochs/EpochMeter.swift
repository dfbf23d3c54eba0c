public import Footfall

/// The length of an epoch.
public enum EpochLength: Int, CaseIterable, Codable, Hashable, Sendable {
    /// 1 s.
    case one = 1
    /// 5 s, the usual length. The night is found in epochs of up to this length.
    case five = 5
    /// 15 s.
    case fifteen = 15
    /// 30 s.
    case thirty = 30
    /// 60 s.
    case sixty = 60

    /// The length in seconds.
    public var seconds: Double { Double(rawValue) }
}

/// The measures of the samples of one epoch, aligned to the UTC clock.
///
/// 1 mg is a thousandth of the standard acceleration of gravity.
public struct EpochMeasures: Hashable, Sendable {
    /// The usual length of an epoch, in seconds.
    public static let seconds = EpochLength.five.seconds

    /// The start of the epoch: a whole number of its lengths after 1970-01-01 in UTC.
    public var start: Timestamp
    /// The length of the epoch.
    public var length: EpochLength
    /// The Euclidean norm minus one (ENMO), in mg: the mean of max(‖a‖ − 1 g, 0) over the samples.
    ///
    /// V. T. van Hees et al., Separating movement and gravity components in an acceleration signal and implications for
    /// the assessment of human daily physical activity, PLoS ONE 8(4), 2013.
    public var enmoMg: Double
    /// The mean amplitude deviation (MAD), in mg: the mean of |‖a‖ − the mean of ‖a‖| over the samples.
    ///
    /// H. Vähä-Ypyä et al., A universal, accurate intensity-based classification of different physical activities using
    /// raw data of accelerometer, Clinical Physiology and Functional Imaging 35(1), 2015.
    public var madMg: Double
    /// The angle of the z axis above the horizontal plane, in degrees, −90…90; nil if the medians of all axes are 0.
    ///
    /// The arc tangent of z / √(x² + y²), of the median of each axis over the epoch; V. T. van Hees et al., A novel,
    /// open access method to assess sleep duration using a wrist-worn accelerometer, PLoS ONE 10(11), 2015. There the
    /// medians are those of a window that rolls by sample, and the angle is averaged over the epoch.
    public var angleZDegrees: Double?
    /// The share of samples, 0…1, with a clipped value: the axis stays at the end of the sensor's range. Of the three
    /// axes, the one with the largest share counts.
    ///
    /// The end of the range is the most extreme value up to an hour after the epoch, if it is 1.5 g or more.
    public var clipped: Double
    /// Whether the sensor was worn: the middle of the epoch is outside the spans of `MotionEvent.nonWear`.
    public var isWorn: Bool
    /// The part of the epoch, in seconds, that samples cover: at least ``EpochMeter/leastShare`` of it.
    public var coverage: Double
    /// The ActiGraph counts; nil unless samples of at least 20 Hz cover the whole epoch without a break over 2 s.
    public var counts: ActivityCounts?

    /// Creates the measures of an epoch. The parameters are the properties of the same names. Without a coverage,
    /// samples cover the whole epoch.
    public init(
        start: Timestamp, length: EpochLength = .five, enmoMg: Double, madMg: Double, angleZDegrees: Double?,
        clipped: Double = 0, isWorn: Bool = true, coverage: Double? = nil, counts: ActivityCounts? = nil
    ) {
        (self.start, self.length, self.enmoMg, self.madMg) = (start, length, enmoMg, madMg)
        (self.angleZDegrees, self.clipped, self.isWorn) = (angleZDegrees, clipped, isWorn)
        self.coverage = coverage ?? length.seconds
        self.counts = counts
    }
}

/// Computes the measures of each epoch from raw samples at their own rate.
///
/// ```swift
/// var intake = SampleIntake()
/// var meter = EpochMeter()
/// for batch in batches { record(meter.add(intake.add(batch))) }
/// record(meter.add(intake.finish()) + meter.finish())
/// ```
///
/// Pass calibrated samples: ENMO contains every error of the scale and the offset. An analyzer beside the meter takes
/// the same repaired samples. How the samples are cut into batches changes no result.
///
/// An epoch is returned about an hour of samples after its end, because only then is it known whether the sensor was
/// worn. The state is therefore bounded: the samples of one epoch and the measures of an hour.
public struct EpochMeter: Sendable {
    /// The share of an epoch that samples must cover, 0…1. An epoch with less is left out.
    public static let leastShare = 0.5

    private let length: EpochLength
    private let epochNanoseconds: Int64
    /// The time from the end of an epoch until its wear is known, in seconds: the least duration of non-wear, one
    /// window of the check, and the longest interval between two samples.
    private static let delay = SensorCheck.nonWearSeconds + SensorCheck.windowSeconds + EpochSamples.longestInterval

    private var samples: EpochSamples
    /// The number of the open epoch since 1970; nil before the first sample.
    private var number: Int64?
    /// The clipped values of the open epoch.
    private var clipped = ClippedCounts()
    private var counts: CountMeter
    /// A slice, so that those behind the settled ones need not move.
    private var waiting: ArraySlice<(measures: EpochMeasures, clipped: ClippedCounts, samples: Int)> = []
    /// The end of the epochs in `waiting` whose wear is known.
    private var settled = 0
    /// The spans of non-wear that waiting epochs may be in.
    private var nonWear: [Range<Timestamp>] = []

    /// The clipped values at each end of the range of each axis, see `ClippedValue`.
    private struct ClippedCounts: Sendable {
        var byEnd = SIMD8<Int32>()

        /// The count of the axis with the most clipped values.
        var most: Int { (0..<3).map { Int(byEnd[$0] &+ byEnd[$0 + 3]) }.max() ?? 0 }
    }

    /// Creates a stage for one series of samples.
    ///
    /// - Parameter length: The length of the epochs.
    public init(length: EpochLength = .five) {
        self.length = length
        epochNanoseconds = Int64(clamping: length.seconds * 1e9)
        samples = EpochSamples(length: length)
        counts = CountMeter(epochSeconds: length.seconds, longestInterval: EpochSamples.longestInterval)
    }

    /// Adds the next samples.
    ///
    /// - Parameter samples: Samples of any rate, in g, gravity included.
    /// - Returns: The epochs that are now complete, in ascending order.
    /// - Complexity: Linear in the number of samples.
    public mutating func add(_ samples: RepairedSamples) -> [EpochMeasures] {
        for span in samples.nonWear { nonWear.join(span) }
        var clippedValues = samples.clippedValues[...]
        for (batch, positions) in samples.parts {
            add(batch, positions, &clippedValues)
            counts.add(batch, positions)
        }
        return takeSettled()
    }

    /// Ends the series, after the samples of `SampleIntake.finish()`.
    ///
    /// - Returns: The remaining epochs, in ascending order.
    public mutating func finish() -> [EpochMeasures] {
        closeEpoch(before: nil)
        counts.finish()
        settled = waiting.endIndex
        return takeSettled()
    }

    private mutating func add(
        _ batch: SampleBatch, _ positions: Range<Int>, _ clippedValues: inout ArraySlice<ClippedValue>
    ) {
        var first = positions.lowerBound
        while first < positions.upperBound {
            let time = batch.times[first]
            let number = number(at: time)
            if number != self.number {
                closeEpoch(before: time)
                self.number = number
                settle(at: time)
            }
            let next = Timestamp(nanosecondsSince1970: (number + 1) * epochNanoseconds)
            let end = batch.times.position(of: next, in: first..<positions.upperBound)
            samples.append(batch, first..<end)
            while let value = clippedValues.first, value.nanoseconds < (number + 1) * epochNanoseconds {
                count(value)
                clippedValues.removeFirst()
            }
            first = end
        }
    }

    /// The number of the epoch at a time, since 1970.
    private func number(at time: Timestamp) -> Int64 {
        time.nanosecondsSince1970.flooredQuotientAndRemainder(by: epochNanoseconds).quotient
    }

    private mutating func count(_ value: ClippedValue) {
        guard value.isNewEnd else {
            clipped.byEnd[value.end] &+= 1
            return
        }
        clipped.byEnd[value.end] = 0
        for index in settled..<waiting.endIndex { waiting[index].clipped.byEnd[value.end] = 0 }
    }

    /// Computes the measures of the open epoch, given the time of the first sample after it; nil at the end of the
    /// series.
    private mutating func closeEpoch(before next: Timestamp?) {
        guard let number else { return }
        let start = Timestamp(nanosecondsSince1970: number * epochNanoseconds)
        let coverage = samples.coverage(from: start, next: next)
        if coverage >= Self.leastShare * length.seconds {
            waiting.append((samples.measures(start: start, coverage: coverage), clipped, samples.count))
        }
        samples.removeAll()
        clipped = ClippedCounts()
        self.number = nil
    }

    /// Marks the epochs whose wear is known at a time. It depends on times alone, so that batches change no result.
    private mutating func settle(at time: Timestamp) {
        while settled < waiting.endIndex,
            time.seconds(since: waiting[settled].measures.start) >= length.seconds + Self.delay
        {
            settled += 1
        }
    }

    private mutating func takeSettled() -> [EpochMeasures] {
        defer { waiting = waiting[settled...] }
        return waiting[..<settled].map { epoch in
            var measures = epoch.measures
            let middle = measures.start.advanced(bySeconds: length.seconds / 2)
            // Epochs come in order of time, so no later one is in a span that ends before this one.
            nonWear.removeFirst(nonWear.count { $0.upperBound <= middle })
            measures.isWorn = nonWear.first.map { !$0.contains(middle) } ?? true
            measures.counts = counts.take(number(at: measures.start))
            measures.clipped = Double(min(epoch.clipped.most, epoch.samples)) / Double(epoch.samples)
            return measures
        }
    }
}

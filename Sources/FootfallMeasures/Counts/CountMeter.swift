internal import Footfall

/// Computes the activity counts of epochs from samples at any rate.
///
/// After an interval that samples do not cover, the filter starts again. An epoch with such an interval has no counts.
struct CountMeter: Sendable {
    /// The least rate of samples, in Hz.
    static let leastRate = 20.0
    /// The number of samples after the start of the filter from which the median rate is computed.
    private static let learned = 101

    private let epochNanoseconds: Int64
    private let longestInterval: Int64
    /// The counts that are not taken yet, by the number of the epoch since 1970.
    private var complete: [(number: Int64, counts: ActivityCounts)] = []
    /// The samples that the rate follows from; empty once it is known.
    private var waiting: [CountSeries.Sample] = []
    private var isRateKnown = false
    /// Whether the rate is high enough. An optional series would be copied.
    private var isCounting = false
    private var series = CountSeries(first: (0, .zero), rate: 0)
    /// Results of the series that are not counted yet.
    private var results: [CountSeries.Sample] = []
    private var lastTime: Int64?
    /// The open epoch.
    private var number = Int64.min
    private var summed = 0
    private var sum = CountFilter.Axes.zero

    /// - Parameters:
    ///   - epochSeconds: The length of an epoch, in whole seconds.
    ///   - longestInterval: The longest interval between two samples, in seconds, that they cover.
    init(epochSeconds: Double, longestInterval: Double) {
        (epochNanoseconds, self.longestInterval) = (
            Int64(clamping: epochSeconds * 1e9), Int64(clamping: longestInterval * 1e9)
        )
    }

    /// Adds the next samples.
    mutating func add(_ batch: SampleBatch, _ positions: Range<Int>) {
        var rest = positions
        while let first = rest.first {
            let time = batch.times[first].nanosecondsSince1970
            if let lastTime, time - lastTime > longestInterval { finish() }
            let end = end(of: rest, in: batch)
            lastTime = batch.times[end - 1].nanosecondsSince1970
            addWithoutBreak(batch, first..<end)
            rest = end..<rest.upperBound
        }
    }

    /// The position of the first sample after a longer interval.
    private func end(of positions: Range<Int>, in batch: SampleBatch) -> Int {
        let times = batch.times.span
        for index in positions.dropFirst()
        where times[index].nanosecondsSince1970 - times[index - 1].nanosecondsSince1970 > longestInterval {
            return index
        }
        return positions.upperBound
    }

    private mutating func addWithoutBreak(_ batch: SampleBatch, _ positions: Range<Int>) {
        var rest = positions
        while !isRateKnown, let index = rest.popFirst() {
            let value = CountFilter.Axes(Double(batch.x[index]), Double(batch.y[index]), Double(batch.z[index]), 0)
            waiting.append((batch.times[index].nanosecondsSince1970, value))
            if waiting.count == Self.learned { startSeries() }
        }
        guard isCounting else { return }
        series.add(batch, rest, to: &results)
        countResults()
    }

    /// Ends the series. Later samples start a new one.
    mutating func finish() {
        if !isRateKnown { startSeries() }
        closeEpoch()
        (isRateKnown, isCounting, lastTime, number) = (false, false, nil, .min)
    }

    /// Takes the counts of an epoch. Epochs are asked for in ascending order.
    ///
    /// - Returns: Nil unless all of the epoch has samples.
    mutating func take(_ number: Int64) -> ActivityCounts? {
        complete.removeFirst(complete.prefix { $0.number < number }.count)
        return complete.first.flatMap { $0.number == number ? $0.counts : nil }
    }

    private mutating func startSeries() {
        isRateKnown = true
        let intervals = zip(waiting, waiting.dropFirst()).map { $1.time - $0.time }.sorted()
        let rate = intervals.isEmpty ? 0 : 1e9 / Double(intervals[intervals.count / 2])
        if let first = waiting.first, rate >= Self.leastRate {
            isCounting = true
            series = CountSeries(first: first, rate: rate)
            for sample in waiting { series.add(sample, to: &results) }
            countResults()
        }
        waiting.removeAll()
    }

    private mutating func countResults() {
        for result in results {
            let number = result.time.flooredQuotientAndRemainder(by: epochNanoseconds).quotient
            if number != self.number {
                closeEpoch()
                self.number = number
            }
            sum += result.value
            summed += 1
        }
        results.removeAll(keepingCapacity: true)
    }

    private mutating func closeEpoch() {
        if summed == Int(epochNanoseconds / 1_000_000_000) * CountFilter.resultsPerSecond {
            complete.append(
                (number, ActivityCounts(x: Int(clamping: sum[0]), y: Int(clamping: sum[1]), z: Int(clamping: sum[2]))))
        }
        (sum, summed) = (.zero, 0)
    }
}

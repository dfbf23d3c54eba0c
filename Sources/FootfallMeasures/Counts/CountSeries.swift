internal import Footfall

/// Samples without a longer break, interpolated to one of the rates of ``CountFilter`` and filtered.
struct CountSeries: Sendable {
    typealias Sample = (time: Int64, value: CountFilter.Axes)

    /// A sample whose time differs from that in the even series by less than this share of an interval is not
    /// interpolated. The times of a log may be whole milliseconds.
    private static let snap = 1 / 30.0
    private static let second: Int64 = 1_000_000_000

    private var filter: CountFilter
    /// The times of the even series in a second, in nanoseconds since its start.
    private let offsets: [Int64]
    private let tolerance: Int64
    /// The start of the second of the next time of the even series, and the number of that time in it.
    private var start: Int64
    private var next = 0
    private var resultTime: Int64
    private var previous: Sample

    /// - Parameters:
    ///   - first: The first sample.
    ///   - rate: The rate of the samples in Hz.
    init(first: Sample, rate: Double) {
        // Samples that share their times have an infinite rate.
        let (least, greatest) = (CountFilter.rates.lowerBound, CountFilter.rates.upperBound)
        let rate = min(max(Int(clamping: (rate / 10).rounded()), least / 10), greatest / 10) * 10
        filter = CountFilter(rate: rate)
        offsets = (0..<rate).map { Int64(clamping: (Double($0) * 1e9 / Double(rate)).rounded()) }
        tolerance = Int64(clamping: 1e9 / Double(rate) * Self.snap)
        (start, resultTime, previous) = (first.time, first.time, first)
    }

    /// Adds the next samples.
    ///
    /// - Parameter results: Gets the results, each with the time of the samples that it starts with.
    mutating func add(_ batch: SampleBatch, _ positions: Range<Int>, to results: inout [Sample]) {
        let (times, x, y, z) = (batch.times.span, batch.x.span, batch.y.span, batch.z.span)
        for index in positions {
            let value = CountFilter.Axes(Double(x[index]), Double(y[index]), Double(z[index]), 0)
            add((times[index].nanosecondsSince1970, value), to: &results)
        }
    }

    /// Adds the next sample.
    @inline(__always)
    mutating func add(_ sample: Sample, to results: inout [Sample]) {
        while sample.time - nextTime > tolerance {
            let share = Double(nextTime - previous.time) / Double(sample.time - previous.time)
            append(previous.value + (sample.value - previous.value) * share, to: &results)
        }
        if sample.time - nextTime >= -tolerance { append(sample.value, to: &results) }
        previous = sample
    }

    /// The next time of the even series.
    private var nextTime: Int64 { start + offsets[next] }

    /// Filters the next value of the even series.
    @inline(__always)
    private mutating func append(_ value: CountFilter.Axes, to results: inout [Sample]) {
        next += 1
        if next == offsets.count { (start, next) = (start + Self.second, 0) }
        guard let result = filter.add(value) else { return }
        results.append((resultTime, result))
        resultTime += Self.second / Int64(CountFilter.resultsPerSecond)
    }
}

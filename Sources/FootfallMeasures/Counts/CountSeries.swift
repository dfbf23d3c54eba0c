internal import Footfall

/// Samples without a longer break, interpolated to one of the rates of ``CountFilter`` and filtered.
struct CountSeries: Sendable {
    typealias Sample = (time: Int64, value: CountFilter.Axes)

    /// A sample is taken as it is if it is nearer to its time in the even series than this share of an interval: the
    /// times of a log may be whole milliseconds.
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
        let nearest = Int((rate / 10).rounded()) * 10
        let rate = min(max(nearest, CountFilter.rates.lowerBound), CountFilter.rates.upperBound)
        filter = CountFilter(rate: rate)
        offsets = (0..<rate).map { Int64((Double($0) * 1e9 / Double(rate)).rounded()) }
        tolerance = Int64(1e9 / Double(rate) * Self.snap)
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
        while true {
            let time = start + offsets[next]
            guard time <= sample.time + tolerance else { break }
            next += 1
            if next == offsets.count { (start, next) = (start + Self.second, 0) }
            guard let result = filter.add(value(at: time, upTo: sample)) else { continue }
            results.append((resultTime, result))
            resultTime += Self.second / Int64(CountFilter.resultsPerSecond)
        }
        previous = sample
    }

    @inline(__always)
    private func value(at time: Int64, upTo sample: Sample) -> CountFilter.Axes {
        if sample.time - time <= tolerance { return sample.value }
        let share = Double(time - previous.time) / Double(sample.time - previous.time)
        return previous.value + (sample.value - previous.value) * share
    }
}

internal import Footfall

/// The ActiGraph activity counts of a time, by axis of the sensor.
///
/// A. Neishabouri et al., Quantification of acceleration as activity counts in ActiGraph wearable, Scientific Reports
/// 12, 2022. In the tables of ActiGraph, axis 1 is y, axis 2 is x and axis 3 is z.
public struct ActivityCounts: Hashable, Sendable {
    /// The counts of the x axis.
    public var x: Int
    /// The counts of the y axis, which is vertical on an ActiGraph at the hip: axis 1.
    public var y: Int
    /// The counts of the z axis.
    public var z: Int

    /// Creates the counts of the axes.
    public init(x: Int, y: Int, z: Int) { (self.x, self.y, self.z) = (x, y, z) }

    /// The vector magnitude of the counts: √(x² + y² + z²).
    public var vectorMagnitude: Double { Double(x * x + y * y + z * z).squareRoot() }

    /// No counts.
    public static let zero = ActivityCounts(x: 0, y: 0, z: 0)

    /// The counts of two times together, axis by axis.
    public static func + (first: ActivityCounts, second: ActivityCounts) -> ActivityCounts {
        ActivityCounts(x: first.x + second.x, y: first.y + second.y, z: first.z + second.z)
    }
}

/// Computes the activity counts of epochs from samples at any rate. After an interval that samples do not cover, the
/// filter starts again. An epoch with such an interval has no counts.
struct CountMeter: Sendable {
    /// The least rate of samples, in Hz.
    static let leastRate = 20.0
    /// The number of samples after the start of the filter from which the median rate is computed.
    private static let learned = 101

    private let epochNanoseconds: Int64
    private let longestInterval: Int64
    /// The counts that are not taken yet, by the number of the epoch since 1970: a slice, so that they need not move.
    private var complete: ArraySlice<(number: Int64, counts: ActivityCounts)> = []
    /// The samples that the rate follows from; empty once it is known.
    private var waiting: [CountSeries.Sample] = []
    private var isRateKnown = false
    /// Whether the rate is high enough. An optional series would be copied.
    private var isCounting = false
    private var series = CountSeries(first: (0, .zero), rate: 0)
    private var results: [CountSeries.Sample] = []
    private var lastTime: Int64?
    /// The open epoch.
    private var number = Int64.min
    private var summed = 0
    private var sum = CountFilter.Axes.zero

    /// Prepares epochs of whole seconds. Samples cover an interval up to `longestInterval` seconds.
    init(epochSeconds: Double, longestInterval: Double) {
        (epochNanoseconds, self.longestInterval) = (
            Int64(clamping: epochSeconds * 1e9), Int64(clamping: longestInterval * 1e9)
        )
    }

    mutating func add(_ batch: SampleBatch, _ positions: Range<Int>) {
        var rest = positions
        while let first = rest.first {
            let time = batch.times[first].nanosecondsSince1970
            if let lastTime, time - lastTime > longestInterval { finish() }
            let end = batch.times.endOfRun(from: first, to: rest.upperBound, longestInterval: longestInterval)
            lastTime = batch.times[end - 1].nanosecondsSince1970
            addWithoutBreak(batch, first..<end)
            rest = end..<rest.upperBound
        }
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

    /// Takes the counts of an epoch; nil unless all of it has samples. Epochs are asked for in ascending order.
    mutating func take(_ number: Int64) -> ActivityCounts? {
        complete.removeFirst(complete.prefix { $0.number < number }.count)
        return complete.first.flatMap { $0.number == number ? $0.counts : nil }
    }

    private mutating func startSeries() {
        isRateKnown = true
        let intervals = zip(waiting, waiting.dropFirst()).map { $1.time - $0.time }
        let rate = intervals.upperMedian().map { 1e9 / Double($0) } ?? 0
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
    /// The next time of the even series, the start of its second, and its number in that second.
    private var nextTime: Int64
    private var start: Int64
    private var next = 0
    private var resultTime: Int64
    private var previous: Sample

    /// Starts with a first sample, at a rate in Hz.
    init(first: Sample, rate: Double) {
        // Samples that share their times have an infinite rate.
        let (least, greatest) = (CountFilter.rates.lowerBound, CountFilter.rates.upperBound)
        let rate = min(max(Int(clamping: (rate / 10).rounded()), least / 10), greatest / 10) * 10
        filter = CountFilter(rate: rate)
        offsets = (0..<rate).map { Int64(clamping: (Double($0) * 1e9 / Double(rate)).rounded()) }
        tolerance = Int64(clamping: 1e9 / Double(rate) * Self.snap)
        (nextTime, start, resultTime, previous) = (first.time, first.time, first.time, first)
    }

    /// Adds the next samples. `results` gets the results, each with the time of the samples that it starts with.
    mutating func add(_ batch: SampleBatch, _ positions: Range<Int>, to results: inout [Sample]) {
        let (times, x, y, z) = (batch.times.span, batch.x.span, batch.y.span, batch.z.span)
        for index in positions {
            let value = CountFilter.Axes(Double(x[index]), Double(y[index]), Double(z[index]), 0)
            add((times[index].nanosecondsSince1970, value), to: &results)
        }
    }

    @inline(__always)
    mutating func add(_ sample: Sample, to results: inout [Sample]) {
        while sample.time - nextTime > tolerance {
            let share = Double(nextTime - previous.time) / Double(sample.time - previous.time)
            append(previous.value + (sample.value - previous.value) * share, to: &results)
        }
        if nextTime - sample.time <= tolerance { append(sample.value, to: &results) }
        previous = sample
    }

    @inline(__always)
    private mutating func append(_ value: CountFilter.Axes, to results: inout [Sample]) {
        next += 1
        if next == offsets.count { (start, next) = (start + Self.second, 0) }
        nextTime = start + offsets[next]
        guard let result = filter.add(value) else { return }
        results.append((resultTime, result))
        resultTime += Self.second / Int64(CountFilter.resultsPerSecond)
    }
}

/// Filters samples at an even rate to the values, ten a second, whose sum over an epoch is its activity counts. The
/// steps and all constants are those of A. Neishabouri et al., Quantification of acceleration as activity counts in
/// ActiGraph wearable, Scientific Reports 12, 2022: the rate becomes 30 Hz, a band-pass keeps 0.29 to 1.63 Hz, small
/// values are cut off and large ones limited, and three values in a row have one mean. The three axes are the lanes of
/// a vector.
struct CountFilter: Sendable {
    typealias Axes = SIMD4<Double>

    /// The rates that the filter takes, in Hz: multiples of 10 in this range.
    static let rates = 30...100
    static let resultsPerSecond = 10

    /// Whether a low-pass of the first order follows the samples. Rates that 30 Hz divides have none.
    private let isSmoothed: Bool
    /// The factor of upsampling. Each sample becomes this many values, itself and zeros; the low-pass filters them all.
    private let up: Int
    /// The factor of downsampling. Of this many values, the first is kept.
    private let down: Int
    /// The shares of the last value of the low-pass, and of the sample, in each of the values of the sample.
    private let shares: (Share, Share, Share)
    private typealias Share = (last: Double, sample: Double)

    private var smoothed = Axes.zero
    /// The values until the next one that is kept.
    private var skipped = 0
    private var bandPass = CountBandPass()
    private var sum = Axes.zero
    private var summed = 0

    /// Prepares a filter for a rate in Hz, a multiple of 10 in ``rates``.
    init(rate: Int) {
        isSmoothed = !rate.isMultiple(of: 30)
        (up, down) = isSmoothed ? (3, rate / 10) : (1, rate / 30)
        // The low-pass adds a value and the one before it, times `input`, to its last value, times `last`.
        let input = .pi / (.pi + 2 * Double(up)) * Double(up)
        let last = (2 * Double(up) - .pi) / (.pi + 2 * Double(up))
        shares = ((last, input), (last * last, (last + 1) * input), (last * last * last, (last * last + last) * input))
    }

    /// Adds the next sample, in g. Returns the next result; nil if it needs more samples.
    @inline(__always)
    mutating func add(_ sample: Axes) -> Axes? {
        let last = smoothed
        if isSmoothed { smoothed = last * shares.2.last + sample * shares.2.sample }
        guard skipped < up else {
            skipped -= up
            return nil
        }
        let share = skipped == 0 ? shares.0 : skipped == 1 ? shares.1 : shares.2
        skipped += down - up
        return keep(isSmoothed ? last * share.last + sample * share.sample : sample)
    }

    private mutating func keep(_ value: Axes) -> Axes? {
        // Counts for 1 g: the steps of a converter of 3 V in 12 bits over those of one of 2.6 V in 8 bits, times 237.5.
        let gain = (3.0 / 4096.0) / (2.6 / 256.0) * 237.5
        let (least, most) = (4.0, 128.0)
        let filtered = bandPass.filter((value * 1000).roundedToWhole / 1000) * gain
        let size = filtered.replacing(with: -filtered, where: filtered .< 0)
        sum += size.replacing(with: 0, where: size .< least).replacing(with: most, where: size .> most).roundedDown
        summed += 1
        guard summed == 3 else { return nil }
        defer { (sum, summed) = (.zero, 0) }
        return (sum / 3).roundedDown
    }
}

extension CountFilter.Axes {
    /// The nearest whole numbers, and of two the even one, for values below 2⁵¹. The sum has no bits for a fraction.
    @inline(__always) fileprivate var roundedToWhole: Self { (self + 0x1.8p52) - 0x1.8p52 }

    @inline(__always) fileprivate var roundedDown: Self {
        let whole = roundedToWhole
        return whole.replacing(with: whole - 1, where: whole .> self)
    }
}

/// The band-pass of activity counts at 30 Hz, from 0.29 to 1.63 Hz, as the transposed direct form II. See
/// ``CountFilter``.
struct CountBandPass: Sendable {
    typealias Axes = CountFilter.Axes

    /// The published coefficients of the input and of the output, each in all lanes.
    private let b = inAllLanes(
        SIMD8(
            -0.009341062898525, -0.025470289659360, -0.004235264826105, 0.044152415456420, 0.036493718347760,
            -0.011893961934740, -0.022917390623150, -0.006788163862310))
    private let a = inAllLanes(
        SIMD8(
            1, -3.63367395910957, 5.03689812757486, -3.09612247819666, 0.50620507633883, 0.32421701566682,
            -0.15685485875559, 0.0194913020589))
    /// The state. An array of it would make each value slower.
    private var (s0, s1, s2, s3, s4, s5, s6) = (Axes(), Axes(), Axes(), Axes(), Axes(), Axes(), Axes())

    private var isStarted = false

    private static func inAllLanes(_ values: SIMD8<Double>) -> InlineArray<8, Axes> {
        InlineArray { Axes(repeating: values[$0]) }
    }

    /// Filters the next value. The first one counts as one that has lasted for ever.
    mutating func filter(_ value: Axes) -> Axes {
        if !isStarted { rest(at: value) }
        return advance(value)
    }

    private mutating func rest(at value: Axes) {
        isStarted = true
        var (gain, loss) = (Axes.zero, Axes.zero)
        for index in b.indices { (gain, loss) = (gain + b[index], loss + a[index]) }
        let result = value * (gain / loss)
        s6 = value * b[7] - result * a[7]
        s5 = s6 + value * b[6] - result * a[6]
        s4 = s5 + value * b[5] - result * a[5]
        s3 = s4 + value * b[4] - result * a[4]
        s2 = s3 + value * b[3] - result * a[3]
        s1 = s2 + value * b[2] - result * a[2]
        s0 = s1 + value * b[1] - result * a[1]
    }

    private mutating func advance(_ value: Axes) -> Axes {
        let result = s0 + value * b[0]
        s0 = s1 + value * b[1] - result * a[1]
        s1 = s2 + value * b[2] - result * a[2]
        s2 = s3 + value * b[3] - result * a[3]
        s3 = s4 + value * b[4] - result * a[4]
        s4 = s5 + value * b[5] - result * a[5]
        s5 = s6 + value * b[6] - result * a[6]
        s6 = value * b[7] - result * a[7]
        return result
    }
}

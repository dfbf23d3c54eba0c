/// Looks at a raw signal for what it says about the sensor itself: whether it was worn, whether its axes read one g at
/// rest, whether samples are held or cut off.
///
/// ```swift
/// var check = SensorCheck()
/// while let batch = try trace.nextBatch() { check.add(batch) }
/// print(check.nonWear, check.heldShare, check.clipped)
/// let calibration = try check.calibration().get()
/// ```
///
/// Everything follows from windows of ten seconds. A window is *still* when no axis varies by more than 13 mg (standard
/// deviation), which only a sensor does that lies on something firm (van Hees et al., PLoS ONE 6(7), 2011). How the samples
/// are cut into batches changes nothing; the state is bounded.
public struct SensorCheck: Sendable {
    /// The length of a window, in seconds.
    public static let windowSeconds = 10.0
    /// The standard deviation, in g, that each axis of a still window stays under.
    public static let stillDeviation: Float = 0.013
    /// How long stillness must last, in seconds, before it means that nobody wears the sensor: an hour, as for the UK
    /// Biobank (Doherty et al., PLoS ONE 12(2), 2017). Sleepers turn and breathe.
    public static let nonWearSeconds = 3600.0

    /// The change from one sample to the next, in g, that makes a leap: many steps of the coarsest sensor.
    private static let leap: Float = 0.1
    /// The acceleration, in g, under which nothing is cut off: every accelerometer reaches further, and one that lies
    /// still repeats its one g for ever.
    private static let leastFullScale: Float = 1.5
    /// Time between two samples, in nanoseconds, that ends a window: the rest of it would not be still but unknown.
    private static let longestInterval: Int64 = 2_000_000_000
    private static let windowNanoseconds = Int64(windowSeconds * 1e9)
    /// The fewest samples of a window that is judged.
    private static let fewestSamples = 20

    /// Spans in which the sensor was not moved at all for an hour or more, in the order of time.
    public var nonWear: [Range<Timestamp>] {
        closedNonWear + (still.map { [$0] } ?? []).filter { $0.seconds >= Self.nonWearSeconds }
    }
    /// The share, 0…1, of the leaps, by more than a tenth of a g from one sample to the next, that come after a sample
    /// which repeated the one before. A sensor that leaps does not rest in between: much more than none means that a
    /// slower signal was written at a higher rate, and such a log has only the detail of the slower one.
    public var heldShare: Double { leaps > 0 ? Double(heldLeaps) / Double(leaps) : 0 }
    /// Samples at which an axis stayed, and not for the first sample, at the end of its range: what was felt was more.
    public var clipped: Int { highest.repeats + lowest.repeats }

    private var leaps = 0
    private var heldLeaps = 0
    /// Whether the last sample repeated the one before.
    private var isHeld = false
    private var window = Window()
    private var previous: (nanoseconds: Int64, acceleration: SIMD4<Float>)?
    private var highest = Extreme()
    private var lowest = Extreme()
    private var closedNonWear: [Range<Timestamp>] = []
    /// The stillness that lasts at the end of what was seen.
    private var still: Range<Timestamp>?
    private var rest = RestOrientations()

    /// Creates a check of one series of samples.
    public init() {}

    /// Takes the next samples.
    ///
    /// - Complexity: Linear in the number of samples; nothing is kept of them.
    public mutating func add(_ batch: SampleBatch) {
        let (times, x, y, z) = (batch.times.span, batch.x.span, batch.y.span, batch.z.span)
        for index in times.indices {
            let acceleration = SIMD4(x[index], y[index], z[index], 0)
            guard acceleration.x.isFinite, acceleration.y.isFinite, acceleration.z.isFinite else { continue }
            add(times[index].nanosecondsSince1970, acceleration)
        }
    }

    /// The corrections that make the axes read one g at rest, from the still windows so far.
    ///
    /// - Returns: The calibration, or what stands in its way.
    public func calibration() -> Result<SensorCalibration, SensorCalibration.Obstacle> {
        SensorCalibration.fit(rest.means)
    }

    private mutating func add(_ nanoseconds: Int64, _ acceleration: SIMD4<Float>) {
        if let previous {
            let advance = nanoseconds.subtractingReportingOverflow(previous.nanoseconds)
            guard advance.overflow || advance.partialValue != 0 || acceleration != previous.acceleration else { return }
            if advance.overflow || advance.partialValue < 0 || advance.partialValue > Self.longestInterval {
                window = Window()
                closeStillness()
            }
            if acceleration == previous.acceleration {
                isHeld = true
            } else {
                let change = acceleration - previous.acceleration
                if any(change .> Self.leap .| change .< -Self.leap) {
                    leaps += 1
                    heldLeaps += isHeld ? 1 : 0
                }
                isHeld = false
                highest.add(acceleration, after: previous.acceleration, atLeast: Self.leastFullScale)
                lowest.add(-acceleration, after: -previous.acceleration, atLeast: Self.leastFullScale)
            }
        }
        previous = (nanoseconds, acceleration)
        if window.count > 0, nanoseconds &- window.start >= Self.windowNanoseconds { closeWindow(at: nanoseconds) }
        window.add(acceleration, at: nanoseconds)
    }

    private mutating func closeWindow(at end: Int64) {
        defer { window = Window() }
        guard window.count >= Self.fewestSamples else { return closeStillness() }
        let deviation = window.deviation
        guard deviation.max() < Self.stillDeviation else { return closeStillness() }
        rest.add(window.mean)
        let start = still?.lowerBound ?? Timestamp(nanosecondsSince1970: window.start)
        still = start..<Timestamp(nanosecondsSince1970: end)
    }

    private mutating func closeStillness() {
        if let still, still.seconds >= Self.nonWearSeconds { closedNonWear.append(still) }
        still = nil
    }
}

/// Sums over the samples of ten seconds.
private struct Window: Sendable {
    private(set) var start: Int64 = 0
    private(set) var count = 0
    /// The first sample: sums of what differs from it lose no digits.
    private var origin = SIMD4<Float>.zero
    private var sum = SIMD4<Float>.zero
    private var squares = SIMD4<Float>.zero

    mutating func add(_ acceleration: SIMD4<Float>, at nanoseconds: Int64) {
        if count == 0 { (start, origin) = (nanoseconds, acceleration) }
        let difference = acceleration - origin
        sum += difference
        squares += difference * difference
        count += 1
    }

    var mean: SIMD4<Float> { origin + sum / Float(count) }

    /// The standard deviation of each axis, in g.
    var deviation: SIMD4<Float> {
        let mean = sum / Float(count)
        let variance = squares / Float(count) - mean * mean
        return variance.replacing(with: 0, where: variance .< 0).squareRoot()
    }
}

/// The greatest value of each axis, and how often it was reached again at once: a signal that is cut off stays there.
private struct Extreme: Sendable {
    private var value = SIMD4<Float>(repeating: -.infinity)
    private var counts = SIMD4<Int32>.zero

    var repeats: Int { Int(counts.x) + Int(counts.y) + Int(counts.z) }

    mutating func add(_ acceleration: SIMD4<Float>, after previous: SIMD4<Float>, atLeast least: Float) {
        let isHigher = acceleration .> value
        if any(isHigher) {
            counts.replace(with: 0, where: isHigher)
            value.replace(with: acceleration, where: isHigher)
        }
        let stays = (acceleration .== value) .& (previous .== value) .& (acceleration .>= least)
        if any(stays) { counts.replace(with: counts &+ 1, where: stays) }
    }
}

/// Which way up the sensor lay while it was still: a sample of the windows that stays small however many there are.
private struct RestOrientations: Sendable {
    /// Windows kept at most: two days of stillness one by one, then every second, fourth, …
    private static let most = 16_384

    private(set) var means: [SIMD3<Float>] = []
    private var stride = 1
    private var seen = 0

    mutating func add(_ mean: SIMD4<Float>) {
        if seen % stride == 0 { means.append(SIMD3(mean.x, mean.y, mean.z)) }
        seen += 1
        guard means.count == Self.most else { return }
        means = means.indices.filter { $0.isMultiple(of: 2) }.map { means[$0] }
        stride *= 2
    }
}

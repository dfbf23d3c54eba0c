/// Checks the sensor from its raw signal: whether its axes read one g at rest, whether samples are held or clipped, and
/// whether it was worn.
///
/// ```swift
/// var check = SensorCheck()
/// while let batch = try trace.nextBatch() { check.add(batch) }
/// print(check.heldShare, check.clipped)
/// let calibration = try check.calibration().get()
/// ```
///
/// The check uses windows of ten seconds. A window is *still* if the standard deviation of each axis is below 13 mg, as
/// for a sensor on a firm surface (van Hees et al., PLoS ONE 6(7), 2011). The division of the samples into batches has
/// no effect, and the state is bounded. Filled samples are at rest, but their windows are not in the calibration.
/// ``MotionAnalyzer`` contains a check: its events have the spans of non-wear.
public struct SensorCheck: Sendable {
    /// The length of a window, in seconds.
    public static let windowSeconds = 10.0
    /// The upper bound of the standard deviation of each axis in a still window, in g.
    public static let stillDeviation: Float = 0.013
    /// The duration of stillness, in seconds, that counts as non-wear: an hour, as for the UK Biobank (Doherty et al.,
    /// PLoS ONE 12(2), 2017). Sleepers turn and breathe.
    public static let nonWearSeconds = NonWearDetector.leastSeconds

    /// A longer interval between two samples, in nanoseconds, ends a window, because the rest of it is unknown.
    private static let longestInterval: Int64 = 2_000_000_000
    /// The smallest jump between two samples, in g: many quantization steps of the coarsest sensor.
    private static let jump: Float = 0.1
    private static let windowNanoseconds = Int64(clamping: windowSeconds * 1e9)
    private static let fewestSamples = 20

    /// The share, 0…1, of the jumps that follow a repeated sample. A jump is a change by more than a tenth of a g
    /// between two samples.
    ///
    /// A moving sensor does not repeat samples. A share well above 0 means that a slower signal was written at a higher
    /// rate; such a log has only the detail of the slower signal.
    public var heldShare: Double { jumps > 0 ? Double(heldJumps) / Double(jumps) : 0 }
    /// The number of values that repeat the value before at the end of an axis's range. The true acceleration is beyond
    /// the range.
    public var clipped: Int { clipping.count }
    /// The number of values that left the range of the sensor at one end and came out at the other. A ``SampleIntake``
    /// puts them back; without one it is 0.
    public internal(set) var overflowed = 0
    /// The greatest absolute value so far, in g; 1.5 g at least.
    var fullScale: Float { clipping.fullScale }

    private var jumps = 0
    private var heldJumps = 0
    private var isHeld = false
    private var window = Window()
    /// Whether the current samples are filled, see `SampleBatch.isFilled`.
    private var isFilling = false
    /// That of the current samples, in °C; nil if the log states none.
    private var temperature: Float?
    /// Whether the window is the first one of a contiguous signal.
    private var startsSignal = true
    private var previous: (nanoseconds: Int64, acceleration: SIMD4<Float>)?
    private var clipping = ClippingDetector()
    private var nonWear = NonWearDetector()
    private var rest = RestOrientations()

    /// Creates a check of one series of samples.
    public init() {}

    /// Adds the next samples.
    ///
    /// - Complexity: Linear in the number of samples. They are not stored.
    public mutating func add(_ batch: SampleBatch) {
        var findings = SensorFindings()
        add(batch, batch.indices, to: &findings)
    }

    /// Adds samples of a batch and appends what they settle to `findings`.
    mutating func add(_ batch: SampleBatch, _ positions: Range<Int>, to findings: inout SensorFindings) {
        let (times, x, y, z) = (batch.times.span, batch.x.span, batch.y.span, batch.z.span)
        precondition(positions.lowerBound >= 0 && positions.upperBound <= times.count)
        // The fourth lane repeats z, which has no effect; with a constant zero the compiler would split the vector.
        // In bounds: positions of times. All columns of a batch have the same length.
        func acceleration(_ index: Int) -> SIMD4<Float> {
            SIMD4(x[unchecked: index], y[unchecked: index], z[unchecked: index], z[unchecked: index])
        }
        (isFilling, temperature) = (batch.isFilled, batch.temperature)
        if isFilling { window.isFilled = true }
        var next = positions.lowerBound
        while next < positions.upperBound {
            let first = next
            // Local copies stay in registers.
            var (window, jumps) = (window, 0)
            while next > positions.lowerBound, next + 4 <= positions.upperBound, !isHeld,
                Self.areOrdinary(times, x, y, z, from: next, in: window)
            {
                window.add(x.four(unchecked: next), y.four(unchecked: next), z.four(unchecked: next))
                jumps += Self.jumpCount(x, y, z, from: next)
                next += 4
            }
            if next > first {
                self.window = window
                self.jumps += jumps
                previous = (times[next - 1].nanosecondsSince1970, acceleration(next - 1))
            }
            let end = min(next + window.missing, positions.upperBound)
            for index in next..<end { add(times[index].nanosecondsSince1970, acceleration(index), &findings) }
            next = end
        }
    }

    /// Ends the contiguous signal: an interval without samples follows, or none.
    mutating func endSignal(to findings: inout SensorFindings) {
        if let previous, nonWear.isOpen, window.count < Self.fewestSamples || window.isStill {
            nonWear.extend(to: previous.nanoseconds, &findings.nonWear)
        }
        nonWear.close()
        (window, startsSignal) = (Window(), true)
    }

    /// Whether four samples continue the window, and none of them is a repetition, an extreme or a jump that may be an
    /// impulse. Most are such samples.
    @inline(__always)
    private static func areOrdinary(
        _ times: Span<Timestamp>, _ x: Span<Float>, _ y: Span<Float>, _ z: Span<Float>, from next: Int,
        in window: Window
    ) -> Bool {
        guard window.count > 0, window.missing == 4, times.intervals(unchecked: next).areShort,
            times[next + 3].nanosecondsSince1970 &- window.start < windowNanoseconds
        else { return false }
        let (nextX, nextY, nextZ) = (x.four(unchecked: next), y.four(unchecked: next), z.four(unchecked: next))
        let change = squaredChange(x, y, z, from: next)
        // The length of a vector bounds all its axes. The squares have margins for rounding.
        let magnitude = nextX * nextX + nextY * nextY + nextZ * nextZ
        return all(
            change .> 0 .& change .< ImpulseFilter.squaredJump
                .& magnitude .< 0.99 * ClippingDetector.leastFullScale * ClippingDetector.leastFullScale)
    }

    /// The squares of the changes from the samples before to four samples.
    @inline(__always)
    private static func squaredChange(
        _ x: Span<Float>, _ y: Span<Float>, _ z: Span<Float>, from next: Int
    ) -> SIMD4<Float> {
        let changeX = x.four(unchecked: next) - x.four(unchecked: next - 1)
        let changeY = y.four(unchecked: next) - y.four(unchecked: next - 1)
        let changeZ = z.four(unchecked: next) - z.four(unchecked: next - 1)
        return changeX * changeX + changeY * changeY + changeZ * changeZ
    }

    /// The number of jumps among four samples.
    @inline(__always)
    private static func jumpCount(_ x: Span<Float>, _ y: Span<Float>, _ z: Span<Float>, from next: Int) -> Int {
        guard any(squaredChange(x, y, z, from: next) .> 0.99 * jump * jump) else { return 0 }
        func areJumps(_ axis: Span<Float>) -> SIMDMask<SIMD4<Int32>> {
            let change = axis.four(unchecked: next) - axis.four(unchecked: next - 1)
            return change .> jump .| change .< -jump
        }
        let ones = SIMD4<Int32>().replacing(with: 1, where: areJumps(x) .| areJumps(y) .| areJumps(z))
        return Int(ones.wrappedSum())
    }

    /// The calibration of the axes from the still windows so far.
    ///
    /// - Returns: The calibration, or the reason why there is none.
    public func calibration() -> Result<SensorCalibration, SensorCalibration.Obstacle> {
        SensorCalibration.fit(rest.readings)
    }

    @inline(__always)
    private mutating func add(_ nanoseconds: Int64, _ acceleration: SIMD4<Float>, _ findings: inout SensorFindings) {
        // x − x is 0 only for finite x.
        guard acceleration - acceleration == .zero else { return }
        if let previous {
            let advance = nanoseconds.subtractingReportingOverflow(previous.nanoseconds)
            let isRepeated = acceleration == previous.acceleration
            if advance.partialValue == 0, !advance.overflow, isRepeated { return }
            if advance.overflow || advance.partialValue < 0 || advance.partialValue > Self.longestInterval {
                endSignal(to: &findings)
            }
            if isRepeated {
                isHeld = true
            } else {
                let change = acceleration - previous.acceleration
                if any(change .> Self.jump .| change .< -Self.jump) {
                    jumps += 1
                    heldJumps += isHeld ? 1 : 0
                    let squares = change * change
                    if squares.x + squares.y + squares.z >= ImpulseFilter.squaredJump {
                        findings.mayHaveImpulses = true
                    }
                }
                isHeld = false
            }
            if clipping.reaches(acceleration) {
                clipping.add(acceleration, after: previous.acceleration, at: nanoseconds, &findings.clipping)
            }
        } else {
            nonWear.origin = nanoseconds
        }
        previous = (nanoseconds, acceleration)
        if window.count > 0, nanoseconds &- window.start >= Self.windowNanoseconds {
            closeWindow(at: nanoseconds, &findings)
        }
        if window.count == 0 {
            window = Window(from: acceleration, at: nanoseconds, isFilled: isFilling, temperature)
        }
        window.add(acceleration)
    }

    private mutating func closeWindow(at end: Int64, _ findings: inout SensorFindings) {
        defer { (window, startsSignal) = (Window(), false) }
        guard window.count >= Self.fewestSamples, window.isStill else { return nonWear.close() }
        if !window.isFilled { rest.add(window.mean, window.temperature) }
        nonWear.add(window.start, end, startsSignal: startsSignal, &findings.nonWear)
    }
}

/// What samples settle about the sensor.
struct SensorFindings: Sendable {
    /// Spans of non-wear. A long one comes as several touching spans.
    var nonWear: [Range<Timestamp>] = []
    /// The clipped values, and the values that move an end of the range.
    var clipping: [ClippedValue] = []
    /// Whether two samples in succession differ by as much as an impulse does.
    var mayHaveImpulses = false
}

/// Sums over the samples of ten seconds.
private struct Window: Sendable {
    private(set) var start: Int64 = 0
    private(set) var count = 0
    /// Whether any of the samples is filled, not measured.
    var isFilled = false
    /// That of its first sample, in °C; nil if the log states none.
    private(set) var temperature: Float?
    /// The first sample. Sums of differences from it keep their precision.
    private var origin = SIMD4<Float>.zero
    private var (x, y, z) = (Sums(), Sums(), Sums())

    init() {}

    /// Creates an empty window that starts with a sample, which is added later.
    init(from origin: SIMD4<Float>, at start: Int64, isFilled: Bool, _ temperature: Float?) {
        (self.start, self.isFilled, self.temperature) = (start, isFilled, temperature)
        self.origin = origin
    }

    /// The number of samples, 1…4, after which four can be added at once.
    var missing: Int { 4 - count & 3 }

    @inline(__always)
    mutating func add(_ acceleration: SIMD4<Float>) {
        let difference = acceleration - origin
        let lane = count & 3
        x.add(difference.x, in: lane)
        y.add(difference.y, in: lane)
        z.add(difference.z, in: lane)
        count += 1
    }

    /// Adds four samples, with the same result as one by one.
    @inline(__always)
    mutating func add(_ fourX: SIMD4<Float>, _ fourY: SIMD4<Float>, _ fourZ: SIMD4<Float>) {
        x.add(fourX - origin.x)
        y.add(fourY - origin.y)
        z.add(fourZ - origin.z)
        count += 4
    }

    var mean: SIMD4<Float> {
        origin + SIMD4(x.values.sum(), y.values.sum(), z.values.sum(), z.values.sum()) / Float(count)
    }

    /// Whether the standard deviation of each axis is that of a sensor at rest.
    var isStill: Bool {
        max(x.variance(count), y.variance(count), z.variance(count)).squareRoot() < SensorCheck.stillDeviation
    }

    /// The sums of one axis. Each lane has every fourth sample.
    private struct Sums: Sendable {
        private(set) var values = SIMD4<Float>.zero
        private var squares = SIMD4<Float>.zero

        @inline(__always)
        mutating func add(_ difference: Float, in lane: Int) {
            values[lane] += difference
            squares[lane] += difference * difference
        }

        @inline(__always)
        mutating func add(_ differences: SIMD4<Float>) {
            values += differences
            squares += differences * differences
        }

        func variance(_ count: Int) -> Float {
            let mean = values.sum() / Float(count)
            return max(squares.sum() / Float(count) - mean * mean, 0)
        }
    }
}

/// A bounded sample of the mean readings of still windows.
private struct RestOrientations: Sendable {
    /// The largest number of windows: all of 45 still hours, then every second, fourth, …
    private static let most = 16_384

    private(set) var readings: [RestReading] = []
    private var stride = 1
    private var seen = 0

    mutating func add(_ mean: SIMD4<Float>, _ temperature: Float?) {
        if seen % stride == 0 {
            readings.append(RestReading(acceleration: SIMD3(mean.x, mean.y, mean.z), temperature: temperature))
        }
        seen += 1
        guard readings.count == Self.most else { return }
        readings = readings.indices.filter { $0.isMultiple(of: 2) }.map { readings[$0] }
        stride *= 2
    }
}

/// Joins still windows into spans of non-wear. A span is reported once it has lasted an hour. Then it grows with each
/// still window, in touching parts. So a sensor that lies on a table for days is reported as unworn before it is picked
/// up. Its ends are whole seconds since the first sample or the ends of the contiguous signal, as those of segments
/// without steps are. So no sliver remains between a span and the end of a segment.
struct NonWearDetector: Sendable {
    private static let second: Int64 = 1_000_000_000
    static let leastSeconds = 3600.0
    private static let leastLength = Int64(clamping: leastSeconds * 1e9)

    /// The still windows without motion between them; nil after motion.
    private var still: Range<Int64>?
    /// The end of what is reported, or the start of what will be.
    private var reported: Int64 = 0
    /// When the first sample was taken, in nanoseconds since 1970.
    var origin: Int64 = 0

    /// Whether a reported span goes on.
    var isOpen: Bool { still.map { $0.count >= Self.leastLength } ?? false }

    /// Adds a still window, which may be the first one of a contiguous signal.
    mutating func add(_ start: Int64, _ end: Int64, startsSignal: Bool, _ spans: inout [Range<Timestamp>]) {
        if still == nil { reported = startsSignal ? start : wholeSecond(notAfter: start &+ Self.second &- 1) }
        still = (still?.lowerBound ?? start)..<end
        if isOpen { extend(to: wholeSecond(notAfter: end), &spans) }
    }

    /// Reports an open span up to a moment.
    mutating func extend(to end: Int64, _ spans: inout [Range<Timestamp>]) {
        guard reported < end else { return }
        spans.append(Timestamp(nanosecondsSince1970: reported)..<Timestamp(nanosecondsSince1970: end))
        reported = end
    }

    /// Ends the span, because motion follows, or an interval without samples.
    mutating func close() { still = nil }

    private func wholeSecond(notAfter nanoseconds: Int64) -> Int64 {
        nanoseconds &- (nanoseconds &- origin).flooredQuotientAndRemainder(by: Self.second).remainder
    }
}

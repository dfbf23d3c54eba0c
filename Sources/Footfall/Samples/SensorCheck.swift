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
        var next = 0
        while next < times.count {
            next = addOrdinary(times, x, y, z, from: next)
            for index in next..<min(next + Block.length, times.count) {
                addAny(times[index].nanosecondsSince1970, SIMD4(x, y, z, at: index))
                next += 1
            }
        }
    }

    /// The corrections that make the axes read one g at rest, from the still windows so far.
    ///
    /// - Returns: The calibration, or what stands in its way.
    public func calibration() -> Result<SensorCalibration, SensorCalibration.Obstacle> {
        SensorCalibration.fit(rest.means)
    }

    /// Takes samples block by block for as long as nothing is special about a block: almost all there are, and by
    /// themselves for speed. What they leave behind is the same, to the bit, as if they were taken one by one.
    ///
    /// - Returns: The position of the first sample that was not taken.
    private mutating func addOrdinary(
        _ times: Span<Timestamp>, _ x: Span<Float>, _ y: Span<Float>, _ z: Span<Float>, from first: Int
    ) -> Int {
        guard first > 0, let previous, previous.nanoseconds == times[first - 1].nanosecondsSince1970,
            previous.acceleration == SIMD4(x, y, z, at: first - 1)
        else { return first }
        var next = first
        while next + Block.length <= times.count {
            let range = next..<next + Block.length
            let block = Block(x, y, z, range)
            guard isOrdinary(block), isInWindow(times, range, isDistinct: block.repeats > 0) else { break }
            var window = window
            for index in range { window.add(SIMD4(x, y, z, at: index)) }
            guard window.isFinite else { break }
            self.window = window
            leaps += block.leaps
            heldLeaps += isHeld && block.beginsWithLeap ? 1 : 0
            isHeld = block.endsWithRepeat
            next = range.upperBound
        }
        if next > first { self.previous = (times[next - 1].nanosecondsSince1970, SIMD4(x, y, z, at: next - 1)) }
        return next
    }

    /// Whether no sample of a block reaches the end of the range so far, and none leaps that may come after a repetition.
    @inline(__always)
    private func isOrdinary(_ block: Block) -> Bool {
        (block.repeats == 0 || block.leaps == 0) && !block.reaches(highest.value, orOpposite: lowest.value)
    }

    /// Whether the samples of a block follow the one before in time, without a gap, and end in the same window.
    ///
    /// - Parameter isDistinct: Whether no two of them may have the same time: one could be the other once more.
    @inline(__always)
    private func isInWindow(_ times: Span<Timestamp>, _ block: Range<Int>, isDistinct: Bool) -> Bool {
        let times = times.extracting(block.lowerBound - 1..<block.upperBound)
        for index in 1..<times.count where times[index] < times[index - 1] { return false }
        if isDistinct {
            for index in 1..<times.count where times[index] == times[index - 1] { return false }
        }
        let end = times[times.count - 1].nanosecondsSince1970
        let length = end.subtractingReportingOverflow(times[0].nanosecondsSince1970)
        return !length.overflow && length.partialValue <= Self.longestInterval
            && window.count > 0 && end &- window.start < Self.windowNanoseconds
    }

    /// Takes any sample.
    private mutating func addAny(_ nanoseconds: Int64, _ acceleration: SIMD4<Float>) {
        guard acceleration.x.isFinite, acceleration.y.isFinite, acceleration.z.isFinite else { return }
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
                if any(change .> Block.leap .| change .< -Block.leap) {
                    leaps += 1
                    heldLeaps += isHeld ? 1 : 0
                }
                isHeld = false
                highest.add(acceleration, after: previous.acceleration)
                lowest.add(-acceleration, after: -previous.acceleration)
            }
        }
        previous = (nanoseconds, acceleration)
        if window.count > 0, nanoseconds &- window.start >= Self.windowNanoseconds { closeWindow(at: nanoseconds) }
        if window.count == 0 { window = Window(from: acceleration, at: nanoseconds) }
        window.add(acceleration)
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

/// Sixteen samples side by side, and which of them leap or repeat the one before.
private struct Block {
    static let length = SIMD16<Float>.scalarCount
    /// The change from one sample to the next, in g, that makes a leap: many steps of the coarsest sensor.
    static let leap: Float = 0.1

    private let x: SIMD16<Float>
    private let y: SIMD16<Float>
    private let z: SIMD16<Float>
    private let isLeap: SIMDMask<SIMD16<Int32>>
    private let isRepeat: SIMDMask<SIMD16<Int32>>

    /// How many samples leap.
    var leaps: Int { Self.count(isLeap) }
    /// How many samples repeat the one before.
    var repeats: Int { Self.count(isRepeat) }
    var beginsWithLeap: Bool { isLeap[0] }
    var endsWithRepeat: Bool { isRepeat[Block.length - 1] }

    /// Takes the samples at `range`, ``length`` of them with at least one before, out of their columns.
    @inline(__always)
    init(_ x: Span<Float>, _ y: Span<Float>, _ z: Span<Float>, _ range: Range<Int>) {
        let first = range.lowerBound
        self.x = Self.values(x, from: first)
        self.y = Self.values(y, from: first)
        self.z = Self.values(z, from: first)
        let changeX = self.x - Self.values(x, from: first - 1)
        let changeY = self.y - Self.values(y, from: first - 1)
        let changeZ = self.z - Self.values(z, from: first - 1)
        var most = changeX.replacing(with: changeY, where: changeY .> changeX)
        most.replace(with: changeZ, where: changeZ .> most)
        var least = changeX.replacing(with: changeY, where: changeY .< changeX)
        least.replace(with: changeZ, where: changeZ .< least)
        let isLeap = most .> Self.leap .| least .< -Self.leap
        let isRepeat = most .== 0 .& least .== 0
        self.isLeap = isLeap
        self.isRepeat = isRepeat
    }

    /// Whether any sample is, along any axis, as great as `value` or as low as the opposite of `opposite`.
    @inline(__always)
    func reaches(_ value: SIMD4<Float>, orOpposite opposite: SIMD4<Float>) -> Bool {
        let isX = x .>= value.x .| x .<= -opposite.x
        let isY = y .>= value.y .| y .<= -opposite.y
        let isZ = z .>= value.z .| z .<= -opposite.z
        return any(isX .| isY .| isZ)
    }

    @inline(__always)
    private static func values(_ column: Span<Float>, from first: Int) -> SIMD16<Float> {
        column.bytes.unsafeLoadUnaligned(fromByteOffset: first * MemoryLayout<Float>.stride, as: SIMD16<Float>.self)
    }

    @inline(__always)
    private static func count(_ mask: SIMDMask<SIMD16<Int32>>) -> Int {
        Int(SIMD16<Int32>.zero.replacing(with: 1, where: mask).wrappedSum())
    }
}

extension SIMD4<Float> {
    /// The sample at a position of its columns. The fourth lane is z again, which changes no answer; zero there, known
    /// to the compiler, would make it take the lanes apart.
    @inline(__always)
    fileprivate init(_ x: Span<Float>, _ y: Span<Float>, _ z: Span<Float>, at index: Int) {
        self.init(x[index], y[index], z[index], z[index])
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

    /// Creates a window that nothing was added to.
    init() {}

    /// Creates a window that begins with a sample; it has yet to be added.
    init(from origin: SIMD4<Float>, at start: Int64) {
        self.start = start
        self.origin = origin
    }

    @inline(__always)
    mutating func add(_ acceleration: SIMD4<Float>) {
        let difference = acceleration - origin
        sum += difference
        squares += difference * difference
        count += 1
    }

    /// Whether all that was added are numbers, and no larger than can be squared.
    var isFinite: Bool { squares.sum().isFinite }

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
    /// The acceleration, in g, under which nothing is cut off: every accelerometer reaches further, and one that lies
    /// still repeats its one g for ever.
    private static let leastFullScale: Float = 1.5

    private(set) var value = SIMD4(repeating: leastFullScale)
    private var counts = SIMD4<Int32>.zero

    var repeats: Int { Int(counts.x) + Int(counts.y) + Int(counts.z) }

    mutating func add(_ acceleration: SIMD4<Float>, after previous: SIMD4<Float>) {
        let isHigher = acceleration .> value
        if any(isHigher) {
            counts.replace(with: 0, where: isHigher)
            value.replace(with: acceleration, where: isHigher)
        }
        let stays = (acceleration .== value) .& (previous .== value)
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

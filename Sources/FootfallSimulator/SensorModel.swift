public import Footfall

/// The accelerometer: its clock, its errors and its orientation.
///
/// The sensor does not affect the motion: the same scenario and seed give the same steps at any rate.
public struct SensorModel: Hashable, Sendable {
    /// The sample rate in Hz, 12.5 to 800.
    public var sampleRate: Double
    /// The standard deviation of the sampling times in seconds. It is limited to 0.45 of a sample period, so times stay
    /// in order.
    public var jitter: Double
    /// The white noise of each axis: root mean square in g.
    public var noise: Float
    /// The reading of each axis at 0 g, in g.
    public var bias: SIMD3<Float>
    /// The reading of each axis at 1 g minus its bias, in g.
    public var scale: SIMD3<Float>
    /// The largest reading of an axis in g; larger ones are clipped.
    public var range: Float
    /// The quantization step in g; 0 for none.
    public var resolution: Float
    /// The share of lost samples, 0..<1.
    public var lostShare: Double
    /// Spans without samples, in seconds since the start of the trace.
    public var gaps: [Range<Double>]
    /// The rotation of the device from its usual orientation.
    public var orientation: Orientation
    /// The slow drift of the orientation: root mean square in degrees.
    public var wander: Float
    /// The start of the trace.
    public var start: Timestamp

    /// Creates a sensor. The defaults are those of a good sensor at 100 Hz.
    public init(
        sampleRate: Double = 100, jitter: Double = 0.000_2, noise: Float = 0.003, bias: SIMD3<Float> = .zero,
        scale: SIMD3<Float> = .one, range: Float = 8, resolution: Float = 1 / 4096, lostShare: Double = 0,
        gaps: [Range<Double>] = [],
        orientation: Orientation = Orientation(), wander: Float = 2, start: Timestamp = .epoch
    ) {
        (self.sampleRate, self.jitter, self.noise, self.bias) = (sampleRate, jitter, noise, bias)
        (self.scale, self.range, self.resolution, self.lostShare) = (scale, range, resolution, lostShare)
        (self.gaps, self.orientation, self.wander, self.start) = (gaps, orientation, wander, start)
    }

    /// The supported sample rates in Hz.
    public static let sampleRates = 12.5...800.0
}

/// A rotation in degrees: first about the forward axis, then about the left axis, then about the up axis.
public struct Orientation: Hashable, Sendable {
    /// About the forward axis.
    public var roll: Float
    /// About the axis to the left.
    public var pitch: Float
    /// About the up axis.
    public var yaw: Float

    /// Creates a rotation from its angles in degrees.
    public init(roll: Float = 0, pitch: Float = 0, yaw: Float = 0) {
        (self.roll, self.pitch, self.yaw) = (roll, pitch, yaw)
    }
}

/// Converts the motion of the device to the readings of its sensor.
struct Sensor: Sendable {
    private let model: SensorModel
    private let stepsPerG: Float
    /// The three axes of the body in sensor coordinates, including scale.
    private let columns: (SIMD4<Float>, SIMD4<Float>, SIMD4<Float>)
    private let bias: SIMD4<Float>
    private var noise: SplitMix64
    private var wander: SmoothNoise

    /// The rate of the drift of the orientation, in independent values per second.
    private static let wanderRate = 1.0 / 200

    init(model: SensorModel, seed: UInt64) {
        self.model = model
        stepsPerG = model.resolution > 0 ? 1 / model.resolution : 0
        let scale = SIMD4(model.scale, 0)
        columns = (
            scale * model.orientation.rotate(SIMD4(1, 0, 0, 0)), scale * model.orientation.rotate(SIMD4(0, 1, 0, 0)),
            scale * model.orientation.rotate(SIMD4(0, 0, 1, 0))
        )
        bias = SIMD4(model.bias, 0)
        noise = SplitMix64(seed: seed, .noise)
        var random = SplitMix64(seed: seed, .wander)
        wander = SmoothNoise(rate: Sensor.wanderRate, random: &random)
    }

    /// The reading in g of a posture and a motion at `time`, in seconds since the start of the trace; times must not
    /// decrease.
    @inline(__always)
    mutating func reading(_ motion: BodyMotion, posture: SIMD2<Float>, at time: Double) -> SIMD4<Float> {
        let angles = posture + motion.tilt + Float.degrees(model.wander) * wander.values(at: time).lowHalf
        let acceleration = motion.acceleration
        let (forward, vertical) = rotated(acceleration.x, acceleration.z + 1, by: angles.x)
        let (up, left) = rotated(vertical, acceleration.y, by: angles.y)
        var shown = columns.0 * forward + columns.1 * left + columns.2 * up + bias
        if model.noise > 0 { shown += model.noise * noise.gaussian4() }
        shown.clamp(lowerBound: SIMD4(repeating: -model.range), upperBound: SIMD4(repeating: model.range))
        if stepsPerG > 0 { shown = (shown * stepsPerG).roundedToNearest() * model.resolution }
        return shown
    }
}

/// The vector (`a`, `b`) rotated by an angle in turns.
@inline(__always)
private func rotated(_ a: Float, _ b: Float, by turns: Float) -> (Float, Float) {
    let (sine, cosine) = (sine(turns: turns), cosine(turns: turns))
    return (a * cosine - b * sine, a * sine + b * cosine)
}

extension Orientation {
    fileprivate func rotate(_ vector: SIMD4<Float>) -> SIMD4<Float> {
        var vector = vector
        (vector.y, vector.z) = rotated(vector.y, vector.z, by: .degrees(roll))
        (vector.z, vector.x) = rotated(vector.z, vector.x, by: .degrees(pitch))
        (vector.x, vector.y) = rotated(vector.x, vector.y, by: .degrees(yaw))
        return vector
    }
}

extension SIMD4<Float> {
    /// Each number rounded to the nearest integer, for numbers below 2²². Near 1.5·2²³ a Float has no fraction bits, so
    /// the addition rounds. This is faster than a library call.
    @inline(__always)
    fileprivate func roundedToNearest() -> SIMD4<Float> {
        let magic = SIMD4<Float>(repeating: 12_582_912)
        return (self + magic) - magic
    }
}

/// The times of the samples: regular, with jitter, lost samples and gaps.
struct SamplingClock: Sendable {
    private let sensor: SensorModel
    private let duration: Double
    private let period: Double
    private var beat = 0
    private var gaps: ArraySlice<Range<Double>>
    private var jitter: SplitMix64
    private var losses: SplitMix64

    /// The largest jitter as a share of the period; below 0.5, times stay in order.
    private static let largestJitter = 0.45

    init(sensor: SensorModel, duration: Double, seed: UInt64) {
        self.sensor = sensor
        self.duration = duration
        period = 1 / sensor.sampleRate
        gaps = sensor.gaps(within: duration)[...]
        jitter = SplitMix64(seed: seed, .clock)
        losses = SplitMix64(seed: seed, .drops)
    }

    /// The time of the next sample in seconds since the start of the trace; nil after the last one.
    @inline(__always)
    mutating func next() -> Double? {
        while true {
            let even = Double(beat) / sensor.sampleRate
            guard even < duration else { return nil }
            beat += 1
            let time = even + offset()
            if sensor.lostShare > 0, losses.unit() < sensor.lostShare { continue }
            while let gap = gaps.first, time >= gap.upperBound { gaps.removeFirst() }
            if time < duration, gaps.first.map({ time < $0.lowerBound }) ?? true { return time }
        }
    }

    private mutating func offset() -> Double {
        guard sensor.jitter > 0 else { return 0 }
        let limit = SamplingClock.largestJitter * period
        let wanted = min(max(sensor.jitter * Double(jitter.gaussian()), -limit), limit)
        // No sample lies before the start of the trace.
        return beat == 1 ? max(wanted, 0) : wanted
    }
}

extension SensorModel {
    /// The spans without samples in order, within a trace of a duration in seconds. Overlapping and touching ones are
    /// one gap.
    func gaps(within duration: Double) -> [Range<Double>] {
        let clipped = gaps.map { max($0.lowerBound, 0)..<max(min($0.upperBound, duration), 0, $0.lowerBound) }
        return clipped.filter { !$0.isEmpty && $0.lowerBound < duration }.sorted { $0.lowerBound < $1.lowerBound }
            .reduce(into: []) { joined, gap in
                if let last = joined.last, gap.lowerBound <= last.upperBound {
                    joined[joined.count - 1] = last.lowerBound..<max(last.upperBound, gap.upperBound)
                } else {
                    joined.append(gap)
                }
            }
    }
}

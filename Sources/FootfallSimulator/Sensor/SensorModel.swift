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
    /// The mean number of random gaps per hour, in addition to ``gaps``.
    public var gapsPerHour: Double
    /// The mean duration of random gaps in seconds.
    public var meanGap: Double
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
        gaps: [Range<Double>] = [], gapsPerHour: Double = 0, meanGap: Double = 10,
        orientation: Orientation = Orientation(), wander: Float = 2, start: Timestamp = .epoch
    ) {
        self.sampleRate = sampleRate
        self.jitter = jitter
        self.noise = noise
        self.bias = bias
        self.scale = scale
        self.range = range
        self.resolution = resolution
        self.lostShare = lostShare
        self.gaps = gaps
        self.gapsPerHour = gapsPerHour
        self.meanGap = meanGap
        self.orientation = orientation
        self.wander = wander
        self.start = start
    }

    /// A sensor without errors: no jitter, no noise, no quantization.
    public static func ideal(sampleRate: Double = 100) -> SensorModel {
        SensorModel(sampleRate: sampleRate, jitter: 0, noise: 0, range: .infinity, resolution: 0, wander: 0)
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
        self.roll = roll
        self.pitch = pitch
        self.yaw = yaw
    }
}

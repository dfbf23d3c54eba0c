public import Footfall

/// The accelerometer with which a scenario is recorded: its clock, its faults and how it is mounted.
///
/// What the wearer does stays the same whatever the sensor: the same scenario and seed give the same steps at any rate.
public struct SensorModel: Hashable, Sendable {
    /// Samples per second, 12.5 to 800.
    public var sampleRate: Double
    /// The standard deviation of the moments of sampling around an even beat, in seconds. Times stay in order: no
    /// sample is off by more than 0.45 of a sample period.
    public var jitter: Double
    /// White noise on each axis, root mean square in g.
    public var noise: Float
    /// What each axis shows at 0 g, in g.
    public var bias: SIMD3<Float>
    /// What each axis shows at 1 g, in g, bias aside.
    public var scale: SIMD3<Float>
    /// The largest acceleration the sensor can show on an axis, in g.
    public var range: Float
    /// The smallest difference the sensor can show, in g; 0 for none.
    public var resolution: Float
    /// The share of single samples that get lost, 0..<1.
    public var lostShare: Double
    /// Spans without samples, in seconds since the trace's start.
    public var gaps: [Range<Double>]
    /// How often samples stop coming by chance, per hour; the spans come on top of ``gaps``.
    public var gapsPerHour: Double
    /// How long samples stay away by chance, in seconds in the mean.
    public var meanGap: Double
    /// How the device is turned against the way it is usually worn.
    public var orientation: Orientation
    /// How far the device's orientation wanders over the minutes, as root mean square in degrees.
    public var wander: Float
    /// The time of the trace's start.
    public var start: Timestamp

    /// Creates a sensor; what is not given is that of a good, freely worn sensor at 100 Hz.
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

    /// A sensor without any fault at `sampleRate` samples per second: no jitter, no noise, no rounding.
    public static func ideal(sampleRate: Double = 100) -> SensorModel {
        SensorModel(sampleRate: sampleRate, jitter: 0, noise: 0, range: .infinity, resolution: 0, wander: 0)
    }

    /// The rates that can be simulated, in samples per second.
    public static let sampleRates = 12.5...800.0
}

/// A rotation in degrees: first about the forward axis, then about the left one, then about the upward one.
public struct Orientation: Hashable, Sendable {
    /// About the axis that points forward.
    public var roll: Float
    /// About the axis that points left.
    public var pitch: Float
    /// About the axis that points up.
    public var yaw: Float

    /// Creates a rotation from its angles in degrees.
    public init(roll: Float = 0, pitch: Float = 0, yaw: Float = 0) {
        self.roll = roll
        self.pitch = pitch
        self.yaw = yaw
    }
}

/// The length of a step, which converts steps to a distance and a cadence to a pace.
///
/// ```swift
/// let length = StepLength(heightMetres: 1.72)
/// let metres = length.distance(ofSteps: 8_000)
/// let secondsPerKilometre = length.pace(atStepsPerMinute: 112).map { $0 * 1000 }
/// ```
///
/// An accelerometer does not measure the length of steps. A length measured over a known distance is accurate to about
/// 5 % for the same manner of walking; see ``init(metres:)``. A body height gives an estimate; see
/// ``init(heightMetres:)``. Running steps are longer by half or more: use a second length for the steps of running
/// segments.
public struct StepLength: Hashable, Sendable {
    /// The share of the body height that a step of easy walking covers.
    private static let shareOfHeight = 0.414

    /// The distance from the heel of one foot to the heel of the other, in metres.
    public var metres: Double

    /// Creates a measured step length: a known distance divided by its number of steps.
    public init(metres: Double) {
        self.metres = metres
    }

    /// Creates a step length from a measured stride length. A stride is two steps.
    public init(strideMetres: Double) {
        metres = strideMetres / 2
    }

    /// Creates an estimate for easy walking from the body height: 0.414 × height.
    ///
    /// Pedometers commonly use 0.413 (women) and 0.415 (men), a rule of thumb without a known original study. The two
    /// differ by less than people do, so one number serves both. People differ from it by about a tenth. The steps of
    /// one person grow with the cadence: their ratio, the walk ratio, is constant above about 98 steps a minute
    /// (Murakami and Otaka, J Phys Ther Sci 2017), so a walk with a 15 % higher cadence has steps about 15 % longer.
    /// Expect the walking distance of a day within 10 to 15 %, and that of a stroll or a hurried walk within 25 %. For
    /// running the estimate is too short.
    public init(heightMetres: Double) {
        metres = Self.shareOfHeight * heightMetres
    }

    /// The distance of a number of steps, in metres.
    public func distance(ofSteps steps: Int) -> Double {
        Double(steps) * metres
    }

    /// The time per metre, in seconds; nil for a speed of 0.
    public func pace(atStepsPerMinute stepsPerMinute: Double) -> Double? {
        let speed = speed(atStepsPerMinute: stepsPerMinute)
        return speed > 0 ? 1 / speed : nil
    }

    /// The speed in metres per second.
    public func speed(atStepsPerMinute stepsPerMinute: Double) -> Double {
        stepsPerMinute / 60 * metres
    }
}

/// How far a step carries, to make a distance of steps and a pace of a cadence.
///
/// ```swift
/// let length = StepLength(heightMetres: 1.72)
/// let metres = length.distance(ofSteps: 8_000)
/// let secondsPerKilometre = length.pace(atStepsPerMinute: 112).map { $0 * 1000 }
/// ```
///
/// An accelerometer counts steps; it does not see how long they are. A length measured over a known distance is the best
/// there is, good to about 5 % while the wearer walks as when it was measured; see ``init(metres:)``. A height gives an
/// estimate, see ``init(heightMetres:)``. Neither knows of running, whose steps are longer by half and more: use a second length
/// for the steps of running segments.
public struct StepLength: Hashable, Sendable {
    /// The share of the body height that a step of easy walking covers.
    private static let shareOfHeight = 0.414

    /// From the heel of one foot to the heel of the other, in metres.
    public var metres: Double

    /// A step length that was measured: a known distance divided by the steps it took.
    public init(metres: Double) {
        self.metres = metres
    }

    /// A stride length that was measured. A stride is two steps: from the heel of one foot to the same heel again.
    public init(strideMetres: Double) {
        metres = strideMetres / 2
    }

    /// The step length that people of this height have at an easy walk: 0.414 × height.
    ///
    /// Pedometers are commonly set with 0.413 (women) and 0.415 (men), a rule of thumb for which no original study is
    /// known to us; the two differ by less than people do, so one number stands for both. Measured gaits scatter around it
    /// by about a tenth from person to person, and one person's steps grow with the cadence: the ratio of the two, the
    /// walk ratio, is constant above about 98 steps a minute (Murakami and Otaka, J Phys Ther Sci 2017), so a walk
    /// 15 % quicker than usual has steps about 15 % longer. Expect a day's walking distance to be right within 10 to 15 %,
    /// a stroll or a hurried walk within 25 %, and too short for running.
    public init(heightMetres: Double) {
        metres = Self.shareOfHeight * heightMetres
    }

    /// The distance that a number of steps covers, in metres.
    public func distance(ofSteps steps: Int) -> Double {
        Double(steps) * metres
    }

    /// The time that a metre takes, in seconds; nil where nobody moves.
    public func pace(atStepsPerMinute stepsPerMinute: Double) -> Double? {
        let speed = speed(atStepsPerMinute: stepsPerMinute)
        return speed > 0 ? 1 / speed : nil
    }

    /// The speed in metres per second.
    public func speed(atStepsPerMinute stepsPerMinute: Double) -> Double {
        stepsPerMinute / 60 * metres
    }
}

public import Footfall

/// The gait measures of a gait bout.
///
/// A measure that the sensor's placement or rate cannot carry is nil, and ``withheld`` has the reason.
public struct GaitMeasures: Codable, Hashable, Sendable {
    /// The range from the first to the last step.
    public let range: Range<Timestamp>
    /// The number of steps, the first and the last one included.
    public let steps: Int
    /// The mean time between two steps, in seconds.
    public let stepTime: Double
    /// The mean time between two contacts of one foot, in seconds.
    public let strideTime: Double
    /// How even the steps are: the coefficient of variation of the times between the steps of the analyzer, at any
    /// placement.
    ///
    /// The analyzer spaces steps by the cadence over 1.6 s, so this is the variation of the cadence along the bout. A
    /// walk with one pace has less than 0.1.
    public let cadenceVariation: Double
    /// The standard deviation of the time between two steps, in seconds.
    public internal(set) var stepTimeDeviation: Double?
    /// The standard deviation of the time between two contacts of one foot, in seconds.
    public internal(set) var strideTimeDeviation: Double?
    /// The difference between the mean times of alternate steps, in seconds: 0 for a symmetric gait.
    public internal(set) var stepTimeAsymmetry: Double?
    /// The unbiased autocorrelation of the vertical acceleration at one step, −1…1.
    ///
    /// R. Moe-Nilssen and J. L. Helbostad, Estimation of gait cycle characteristics by trunk accelerometry, Journal of
    /// Biomechanics 37(1), 2004, pages 121–126.
    public internal(set) var stepRegularity: Double?
    /// The unbiased autocorrelation of the vertical acceleration at one stride, −1…1. The source is that of
    /// ``stepRegularity``.
    public internal(set) var strideRegularity: Double?
    /// The harmonic ratio of the vertical acceleration: the higher, the more the two steps of a stride resemble each
    /// other.
    ///
    /// J. L. Bellanca, K. A. Lowry, J. M. VanSwearingen, J. S. Brach, M. S. Redfern, Harmonic ratios: a quantification
    /// of step to step symmetry, Journal of Biomechanics 46(4), 2013, pages 828–831.
    public internal(set) var harmonicRatio: Double?
    /// The spectral arc length of the vertical acceleration of a stride, negative: the closer to 0, the smoother.
    ///
    /// S. Balasubramanian, A. Melendez-Calderon, A. Roby-Brami, E. Burdet, On the analysis of movement smoothness,
    /// Journal of NeuroEngineering and Rehabilitation 12:112, 2015.
    public internal(set) var spectralArcLength: Double?
    /// The root mean square of the acceleration along each axis of the sensor around its mean, in g.
    ///
    /// H. B. Menz, S. R. Lord, R. C. Fitzpatrick, Acceleration patterns of the head and pelvis when walking on level
    /// and irregular surfaces, Gait & Posture 18(1), 2003, pages 35–46.
    public internal(set) var rms: SIMD3<Double>?
    /// The mean difference between the highest and the lowest position of the sensor in a step, in metres.
    public internal(set) var verticalExcursion: Double?
    /// The measures that are nil, and the reasons.
    public internal(set) var withheld: [Withheld] = []

    /// The steps per minute.
    public var cadence: Double { 60 / stepTime }
    /// The coefficient of variation of the time between two steps: standard deviation / mean.
    public var stepTimeVariation: Double? { stepTimeDeviation.map { $0 / stepTime } }
    /// The coefficient of variation of the time between two contacts of one foot: standard deviation / mean.
    public var strideTimeVariation: Double? { strideTimeDeviation.map { $0 / strideTime } }
    /// The step regularity divided by the stride regularity: 1 for a symmetric gait. Nil where the stride regularity is
    /// not positive.
    public var stepSymmetry: Double? {
        guard let stepRegularity, let strideRegularity, strideRegularity > 0 else { return nil }
        return stepRegularity / strideRegularity
    }

    /// Measures that a bout does not have.
    public struct Withheld: Codable, Hashable, Sendable {
        /// The measures, in the order of `GaitMeasure.allCases`.
        public let measures: [GaitMeasure]
        /// The reason.
        public let reason: Reason

        /// The measures and the reason in words, such as `harmonicRatio: 25 Hz is too low, 36.4 Hz is the least`.
        public var text: String { measures.map(\.rawValue).joined(separator: " ") + ": \(reason)" }
    }

    /// The reason why a bout does not have a measure.
    public enum Reason: Codable, Error, Hashable, Sendable, CustomStringConvertible {
        /// The placement of the sensor is unknown.
        case placementUnknown
        /// The measure is not validated at the placement of the sensor.
        case placementNotValidated(SensorPlacement)
        /// The sensor's rate is below the least one of the measure, both in Hz.
        case rateTooLow(Double, least: Double)
        /// Samples are missing in the bout.
        case samplesMissing
        /// The vertical acceleration has no crest at many steps.
        case contactsUnclear

        /// The reason in words.
        public var description: String {
            switch self {
            case .placementUnknown: "the placement is not stated"
            case .placementNotValidated(let placement): "not validated at the placement \(placement.rawValue)"
            case .rateTooLow(let rate, let least):
                "\(Self.tenths(rate)) Hz is too low, \(Self.tenths(least)) Hz is the least"
            case .samplesMissing: "samples are missing"
            case .contactsUnclear: "the contacts are not clear"
            }
        }

        private static func tenths(_ value: Double) -> Double { (value * 10).rounded() / 10 }
    }

    /// Creates the measures that follow from the steps alone.
    init(steps: [Timestamp], in range: Range<Timestamp>) {
        (self.range, self.steps) = (range, steps.count)
        stepTime = range.seconds / Double(max(1, steps.count - 1))
        strideTime = 2 * stepTime
        let times = zip(steps, steps.dropFirst()).map { $1.seconds(since: $0) }
        cadenceVariation = (times.standardDeviation ?? 0) / stepTime
    }
}

/// A group of gait measures with the same requirements.
public enum GaitMeasure: String, CaseIterable, Codable, Hashable, Sendable {
    /// The deviation and the coefficient of variation of step and stride times.
    case variability
    /// The difference between alternate step times.
    case asymmetry
    /// Step and stride regularity, and their ratio.
    case regularity
    /// The harmonic ratio.
    case harmonicRatio
    /// The spectral arc length.
    case spectralArcLength
    /// The root mean square along each axis.
    case rms
    /// The vertical excursion.
    case verticalExcursion

    /// The placements at which the measures were validated.
    ///
    /// All studies have the sensor at the lower back: its vertical acceleration has one crest for each step, of either
    /// foot. At other places the near foot dominates, or a limb swings.
    public static let placements: [SensorPlacement] = [.lowerBack]

    /// The least rate of the sensor in Hz, for a mean time between two contacts of one foot, in seconds.
    ///
    /// The harmonic ratio needs 20 harmonics of the stride. The other measures need the signal up to 10 Hz, the upper
    /// bound of the spectral arc length in Balasubramanian 2015.
    public func leastRate(strideTime: Double) -> Double {
        self == .harmonicRatio ? 2 * Double(GaitSignal.harmonics) / strideTime : 2 * GaitSignal.highestHertz
    }
}

/// Robust summaries of the gait measures of a time range, usually one day.
///
/// ```swift
/// let day = GaitSummary(bouts: bouts, in: range)
/// print(day.median(\.stepTime) ?? .nan, day.median(\.harmonicRatio) ?? .nan)
/// ```
public struct GaitSummary: Hashable, Sendable {
    /// The bouts that start in the range.
    public let bouts: [GaitMeasures]

    /// Selects the bouts of a range.
    public init(bouts: some Sequence<GaitMeasures>, in range: Range<Timestamp>) {
        self.bouts = bouts.filter { range.contains($0.range.lowerBound) }
    }

    /// The total duration of the bouts, in seconds.
    public var seconds: Double { bouts.reduce(0) { $0 + $1.range.seconds } }

    /// The median of a measure over the bouts that have it; nil without one.
    public func median(_ measure: (GaitMeasures) -> Double?) -> Double? { quantile(0.5, measure) }

    /// The interquartile range of a measure over the bouts that have it; nil without one.
    public func interquartileRange(_ measure: (GaitMeasures) -> Double?) -> Double? {
        guard let lower = quantile(0.25, measure), let upper = quantile(0.75, measure) else { return nil }
        return upper - lower
    }

    private func quantile(_ probability: Double, _ measure: (GaitMeasures) -> Double?) -> Double? {
        bouts.compactMap(measure).sorted().sortedQuantile(probability)
    }
}

/// The place of a sensor on the body.
public enum SensorPlacement: String, CaseIterable, Codable, Hashable, Sendable {
    /// On the spine, at the height of the lumbar vertebrae or of the sacrum.
    case lowerBack = "lower-back"
    /// At the waist, to the side.
    case hip
    /// In a pocket of the trousers.
    case pocket
    /// On the thigh.
    case thigh
    /// On the wrist.
    case wrist
    /// On the upper arm.
    case arm
    /// On the breastbone.
    case chest
    /// At the ankle or on the foot.
    case ankle
}

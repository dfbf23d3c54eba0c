/// The values of a measure of epochs that separate the levels of intensity.
///
/// Cut points are valid for the placement, the sensor and the age for which they were found. There is no default: the
/// caller states the set.
public struct IntensityCutPoints: Hashable, Sendable {
    /// The measure that the cut points apply to.
    public enum Metric: String, Hashable, Sendable {
        /// ``EpochMeasures/enmoMg``.
        case enmo
        /// ``EpochMeasures/madMg``.
        case mad
        /// The ``ActivityCounts/y`` of an epoch of the study: axis 1 of ActiGraph.
        case countsY = "counts-y"
        /// The ``ActivityCounts/vectorMagnitude`` of an epoch of the study.
        case countsVectorMagnitude = "counts-vm"

        /// The unit of the values: mg, or counts in an epoch of the study.
        public var unit: String {
            switch self {
            case .enmo, .mad: "mg"
            case .countsY, .countsVectorMagnitude: "counts"
            }
        }
    }

    /// Cut points that cannot separate levels.
    public struct OrderError: Error, Hashable, CustomStringConvertible {
        /// The problem and the remedy.
        public let description: String
    }

    /// The name of the set, such as `hildebrand-adults-wrist-actigraph`.
    public let name: String
    /// The measure.
    public let metric: Metric
    /// The length of the epochs of the study, in seconds: a multiple of that of ``EpochMeasures``. Counts are summed
    /// over it.
    public let epochSeconds: Double
    /// The placement and the sensor of the study, such as `non-dominant wrist, ActiGraph`.
    public let placement: String
    /// The age of the participants, such as `21–61 years`.
    public let age: String
    /// The publications.
    public let source: String
    /// The least value of light intensity, in the unit of the measure; nil if the study has none. Sedentary and light
    /// are then not separated.
    public let light: Double?
    /// The least value of moderate intensity.
    public let moderate: Double
    /// The least value of vigorous intensity.
    public let vigorous: Double

    /// Creates a set of cut points.
    ///
    /// - Parameters:
    ///   - name: The name of the set.
    ///   - metric: The measure.
    ///   - epochSeconds: The length of the epochs of the study, in seconds; nil for 60 with counts, else 5.
    ///   - placement: The placement and the sensor.
    ///   - age: The age of the wearers.
    ///   - source: The publications.
    ///   - light: The least value of light intensity, in the unit of the measure; nil for none.
    ///   - moderate: The least value of moderate intensity.
    ///   - vigorous: The least value of vigorous intensity.
    /// - Throws: ``OrderError`` unless 0 < light < moderate < vigorous, and for epochs that are no multiple of 5 s.
    public init(
        name: String, metric: Metric, epochSeconds: Double? = nil, placement: String, age: String, source: String,
        light: Double?, moderate: Double, vigorous: Double
    ) throws(OrderError) {
        let epochSeconds = epochSeconds ?? (metric.unit == "counts" ? 60 : EpochMeasures.seconds)
        guard epochSeconds > 0, epochSeconds.remainder(dividingBy: EpochMeasures.seconds) == 0 else {
            throw OrderError(
                description:
                    "\(name): epochs of \(epochSeconds) s are no multiple of 5 s; state the epochs of the study")
        }
        let values = (light.map { [$0] } ?? []) + [moderate, vigorous]
        guard values.allSatisfy({ $0 > 0 && $0.isFinite }), zip(values, values.dropFirst()).allSatisfy(<) else {
            let list = values.map { String($0) }.joined(separator: ", ")
            throw OrderError(
                description: "\(name): \(list) \(metric.unit) are not in ascending order above 0; order the cut points")
        }
        self.init(name, metric, epochSeconds, placement, age, source, light, moderate, vigorous)
    }

    init(
        _ name: String, _ metric: Metric, _ epochSeconds: Double, _ placement: String, _ age: String, _ source: String,
        _ light: Double?, _ moderate: Double, _ vigorous: Double
    ) {
        self.name = name
        self.metric = metric
        self.epochSeconds = epochSeconds
        self.placement = placement
        self.age = age
        self.source = source
        self.light = light
        self.moderate = moderate
        self.vigorous = vigorous
    }

    /// The values of a level; nil if the set does not separate the level from the next.
    public func values(of level: IntensityLevel) -> Range<Double>? {
        switch level {
        case .sedentary: light.map { 0..<$0 }
        case .light: light.map { $0..<moderate }
        case .moderate: moderate..<vigorous
        case .vigorous: vigorous..<Double.infinity
        case .moderateToVigorous: moderate..<Double.infinity
        }
    }
}

/// A level of the intensity of physical activity.
public enum IntensityLevel: String, CaseIterable, Hashable, Sendable {
    /// Below the light cut point.
    case sedentary
    /// From the light cut point up to the moderate one.
    case light
    /// From the moderate cut point up to the vigorous one.
    case moderate
    /// From the vigorous cut point.
    case vigorous
    /// From the moderate cut point: moderate and vigorous (MVPA).
    case moderateToVigorous
}

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

    /// Creates a set of cut points. The parameters are the properties of the same names. Epochs last 60 s with counts
    /// and 5 s without, if nothing else is given.
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
        (self.name, self.metric, self.epochSeconds) = (name, metric, epochSeconds)
        (self.placement, self.age, self.source) = (placement, age, source)
        (self.light, self.moderate, self.vigorous) = (light, moderate, vigorous)
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

extension IntensityCutPoints {
    /// A published set by its name, or own cut points: a measure and two or three values, such as `enmo:45,100,430`,
    /// `mad:91,414` or `counts-y:100,1952,5725`. Counts are per minute. The text is then the name of the set.
    ///
    /// Nil for another text.
    ///
    /// - Throws: ``OrderError`` for values that are not in ascending order above 0.
    public init?(text: String) throws(OrderError) {
        if let set = Self.published(named: text) {
            self = set
            return
        }
        let parts = text.split(separator: ":", maxSplits: 1)
        let values = parts.dropFirst().first?.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
        let numbers = values.map { $0.compactMap(\.self) } ?? []
        guard let metric = parts.first.flatMap({ Metric(rawValue: $0.lowercased()) }), (2...3).contains(numbers.count),
            numbers.count == values?.count
        else { return nil }
        try self.init(
            name: text, metric: metric, placement: "", age: "", source: "",
            light: numbers.count == 3 ? numbers[0] : nil, moderate: numbers[numbers.count - 2],
            vigorous: numbers[numbers.count - 1])
    }
}

extension IntensityCutPoints {
    /// The published sets for ENMO, for MAD and for ActiGraph counts.
    public static let published = ofENMO + ofMAD + ofCounts

    /// The published set with a name; nil for an unknown name.
    public static func published(named name: String) -> IntensityCutPoints? { published.first { $0.name == name } }

    private static let ofENMO: [IntensityCutPoints] = {
        let source =
            "M. Hildebrand et al., Medicine & Science in Sports & Exercise 46(9), 2014 (moderate, vigorous); "
            + "Scandinavian Journal of Medicine & Science in Sports 27(12), 2017 (light)"
        func set(
            _ group: String, _ age: String, _ place: String, _ sensor: String, _ light: Double, _ moderate: Double,
            _ vigorous: Double
        ) -> IntensityCutPoints {
            IntensityCutPoints(
                "hildebrand-\(group)-\(place)-\(sensor.lowercased())", .enmo, EpochMeasures.seconds,
                "\(place == "wrist" ? "non-dominant wrist" : place), \(sensor)", age, source, light, moderate, vigorous)
        }
        return [
            set("adults", "21–61 years", "hip", "ActiGraph", 47.4, 69.1, 258.7),
            set("adults", "21–61 years", "hip", "GENEActiv", 46.9, 68.7, 266.8),
            set("adults", "21–61 years", "wrist", "ActiGraph", 44.8, 100.6, 428.8),
            set("adults", "21–61 years", "wrist", "GENEActiv", 45.8, 93.2, 418.3),
            set("children", "7–11 years", "hip", "ActiGraph", 63.3, 142.6, 464.6),
            set("children", "7–11 years", "hip", "GENEActiv", 64.1, 152.8, 514.3),
            set("children", "7–11 years", "wrist", "ActiGraph", 35.6, 201.4, 707.0),
            set("children", "7–11 years", "wrist", "GENEActiv", 56.3, 191.6, 695.8),
        ]
    }()

    private static let ofMAD = [
        IntensityCutPoints(
            "vaha-ypya-adults-hip-hookie", .mad, EpochMeasures.seconds, "hip, Hookie AM20", "35 ± 11 years",
            "H. Vähä-Ypyä et al., PLoS ONE 10(8), e0134813, 2015", nil, 91, 414)
    ]

    /// Sets for counts of the axis that is vertical on an ActiGraph at the hip, or for their vector magnitude.
    private static let ofCounts: [IntensityCutPoints] = {
        let sedentary = "; C. E. Matthews et al., American Journal of Epidemiology 167(7), 2008 (light)"
        return [
            IntensityCutPoints(
                "freedson-adults-hip-actigraph", .countsY, 60, "hip, ActiGraph, y axis vertical", "adults",
                "P. S. Freedson et al., Medicine & Science in Sports & Exercise 30(5), 1998" + sedentary, 100, 1952,
                5725),
            IntensityCutPoints(
                "troiano-adults-hip-actigraph", .countsY, 60, "hip, ActiGraph, y axis vertical", "18 years and above",
                "R. P. Troiano et al., Medicine & Science in Sports & Exercise 40(1), 2008" + sedentary, 100, 2020, 5999
            ),
            IntensityCutPoints(
                "sasaki-adults-hip-actigraph", .countsVectorMagnitude, 60, "hip, ActiGraph GT3X", "adults",
                "J. E. Sasaki et al., Journal of Science and Medicine in Sport 14(5), 2011", nil, 2690, 6167),
            IntensityCutPoints(
                "evenson-children-hip-actigraph", .countsY, 15, "hip, ActiGraph, y axis vertical", "5–8 years",
                "K. R. Evenson et al., Journal of Sports Sciences 26(14), 2008", 26, 574, 1003),
        ]
    }()
}

/// The values of a measure of epochs that separate the levels of intensity.
///
/// Cut points are valid for the placement, the sensor and the age for which they were found. There is no default: the caller states
/// the set.
public struct IntensityCutPoints: Hashable, Sendable {
    /// The measure that the cut points apply to.
    public enum Metric: String, Hashable, Sendable {
        /// ``EpochMeasures/enmoMg``.
        case enmo
        /// ``EpochMeasures/madMg``.
        case mad
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
    /// The placement and the sensor of the study, such as `non-dominant wrist, ActiGraph`.
    public let placement: String
    /// The age of the participants, such as `21–61 years`.
    public let age: String
    /// The publications.
    public let source: String
    /// The least value of light intensity, in mg; nil if the study has none. Sedentary and light are then not separated.
    public let light: Double?
    /// The least value of moderate intensity, in mg.
    public let moderate: Double
    /// The least value of vigorous intensity, in mg.
    public let vigorous: Double

    /// Creates a set of cut points.
    ///
    /// - Parameters:
    ///   - name: The name of the set.
    ///   - metric: The measure.
    ///   - placement: The placement and the sensor.
    ///   - age: The age of the wearers.
    ///   - source: The publications.
    ///   - light: The least value of light intensity, in mg; nil for none.
    ///   - moderate: The least value of moderate intensity, in mg.
    ///   - vigorous: The least value of vigorous intensity, in mg.
    /// - Throws: ``OrderError`` unless 0 < light < moderate < vigorous.
    public init(
        name: String, metric: Metric, placement: String, age: String, source: String, light: Double?, moderate: Double,
        vigorous: Double
    ) throws(OrderError) {
        let values = (light.map { [$0] } ?? []) + [moderate, vigorous]
        guard values.allSatisfy({ $0 > 0 && $0.isFinite }), zip(values, values.dropFirst()).allSatisfy(<) else {
            let list = values.map { String($0) }.joined(separator: ", ")
            throw OrderError(
                description: "\(name): \(list) mg are not in ascending order above 0; order the cut points")
        }
        self.init(name, metric, placement, age, source, light, moderate, vigorous)
    }

    private init(
        _ name: String, _ metric: Metric, _ placement: String, _ age: String, _ source: String, _ light: Double?,
        _ moderate: Double, _ vigorous: Double
    ) {
        self.name = name
        self.metric = metric
        self.placement = placement
        self.age = age
        self.source = source
        self.light = light
        self.moderate = moderate
        self.vigorous = vigorous
    }

    /// The values of a level, in mg; nil if the set does not separate the level from the next.
    public func values(of level: IntensityLevel) -> Range<Double>? {
        switch level {
        case .sedentary: light.map { 0..<$0 }
        case .light: light.map { $0..<moderate }
        case .moderate: moderate..<vigorous
        case .vigorous: vigorous..<Double.infinity
        case .moderateToVigorous: moderate..<Double.infinity
        }
    }

    /// The published sets of Hildebrand et al. for ENMO at the hip and at the wrist of adults and children, and the set of
    /// Vähä-Ypyä et al. for MAD at the hip of adults.
    public static let published: [IntensityCutPoints] = {
        let hildebrand =
            "M. Hildebrand et al., Medicine & Science in Sports & Exercise 46(9), 2014 (moderate, vigorous); "
            + "Scandinavian Journal of Medicine & Science in Sports 27(12), 2017 (light)"
        func set(
            _ group: String, _ age: String, _ place: String, _ sensor: String, _ light: Double, _ moderate: Double,
            _ vigorous: Double
        ) -> IntensityCutPoints {
            IntensityCutPoints(
                "hildebrand-\(group)-\(place)-\(sensor.lowercased())", .enmo,
                "\(place == "wrist" ? "non-dominant wrist" : place), \(sensor)", age, hildebrand, light, moderate,
                vigorous)
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
            IntensityCutPoints(
                "vaha-ypya-adults-hip-hookie", .mad, "hip, Hookie AM20", "35 ± 11 years",
                "H. Vähä-Ypyä et al., Clinical Physiology and Functional Imaging 35(1), 2015", nil, 91, 414),
        ]
    }()

    /// The published set with a name; nil for an unknown name.
    public static func published(named name: String) -> IntensityCutPoints? {
        published.first { $0.name == name }
    }
}

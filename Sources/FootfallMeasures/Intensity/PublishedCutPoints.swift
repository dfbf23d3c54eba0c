extension IntensityCutPoints {
    /// The published sets for ENMO, for MAD and for ActiGraph counts.
    public static let published = ofENMO + ofMAD + ofCounts

    /// The published set with a name; nil for an unknown name.
    public static func published(named name: String) -> IntensityCutPoints? {
        published.first { $0.name == name }
    }

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
            "H. Vähä-Ypyä et al., Clinical Physiology and Functional Imaging 35(1), 2015", nil, 91, 414)
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

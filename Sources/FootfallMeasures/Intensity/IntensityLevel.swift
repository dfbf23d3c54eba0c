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

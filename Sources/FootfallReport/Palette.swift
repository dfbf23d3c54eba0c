internal import Footfall

/// The colours of pictures: those of Okabe and Ito, which people with any kind of colour vision tell apart (M. Okabe
/// and K. Ito, "Color Universal Design", 2008), and greys.
enum Palette {
    static let ink = "#222222"
    static let label = "#555555"
    static let grid = "#e4e4e4"
    static let frame = "#9a9a9a"
    static let hatch = "#b5b5b5"
    /// The signal: from its least to its greatest, and around its mean.
    static let range = "#b7c9dc"
    static let signal = "#34618c"

    static func color(of activity: Activity) -> String {
        switch activity {
        case .stationary: "#8a8a8a"
        case .walking: "#009e73"
        case .running: "#d55e00"
        case .automotive: "#0072b2"
        case .cycling: "#cc79a7"
        case .unknown: "#e69f00"
        }
    }
}

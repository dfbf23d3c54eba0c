internal import Footfall

/// The colors of pictures: grays and those of Okabe and Ito, which are distinct for every kind of color vision (M.
/// Okabe and K. Ito, "Color Universal Design", 2008).
///
/// Each mark has a contrast of 3:1 or more with its background, light and dark (WCAG 2.2, 1.4.11). An activity has one
/// color in all pictures.
///
/// Pictures have the colors of a light background. On a dark background, a style sheet replaces each by its
/// counterpart, see ``tints``. A viewer without style sheets shows the picture on white.
enum Palette {
    static let ground = "#ffffff"
    static let ink = "#222222"
    static let label = "#555555"
    static let grid = "#e4e4e4"
    static let frame = "#868686"
    /// Time without samples: the stripes and their background.
    static let hatch = "#838383"
    static let gap = "#f4f4f4"
    /// The pattern of time without samples, shared by all pictures of a page, and the fill with it.
    static let gapStripes = "footfall-gap"
    static let gapFill = "url(#\(gapStripes))"
    /// The signal: its range, and its mean with the standard deviation.
    static let range = "#7896b6"
    static let signal = "#1f4a75"
    /// Steps of any gait.
    static let steps = "#5b3fa0"
    /// Time with samples.
    static let covered = "#5e6b78"

    /// The cadence bands with steps, from slow to fast: one hue, which a reader orders without the legend.
    static let bands = ["#6096d1", "#3980cd", "#276db7", "#1c5b9e", "#134984", "#0b3767", "#062545"]
    private static let darkBands = ["#396b96", "#3e7bb1", "#4e8ec5", "#68a0d2", "#84b3dd", "#a4c8e8", "#c8dff3"]

    static func color(of activity: Activity) -> String {
        switch activity {
        case .stationary: "#7b8fb0"
        case .walking: "#009e73"
        case .running: "#d55e00"
        case .automotive: "#0072b2"
        case .cycling: "#cc79a7"
        case .unknown: "#707070"
        }
    }

    // MARK: Dark background

    /// A color: its name in style sheets, and its values on a light and a dark background.
    struct Tint {
        let name: String
        let light: String
        let dark: String
    }

    /// The colors that depend on the background.
    static let tints: [Tint] = [
        Tint(name: "ground", light: ground, dark: "#14181d"), Tint(name: "ink", light: ink, dark: "#eceff3"),
        Tint(name: "label", light: label, dark: "#b0b8c2"), Tint(name: "grid", light: grid, dark: "#2c333b"),
        Tint(name: "frame", light: frame, dark: "#6f7984"), Tint(name: "hatch", light: hatch, dark: "#78828d"),
        Tint(name: "gap", light: gap, dark: "#1d2228"),
        Tint(name: "steps", light: steps, dark: "#b39df0"), Tint(name: "covered", light: covered, dark: "#8e9aa7"),
        Tint(name: "signal", light: signal, dark: "#a9cdf2"),
        Tint(name: "stationary", light: color(of: .stationary), dark: "#63779a"),
        Tint(name: "walking", light: color(of: .walking), dark: "#1fb88d"),
        Tint(name: "running", light: color(of: .running), dark: "#f28440"),
        Tint(name: "automotive", light: color(of: .automotive), dark: "#3f9ee2"),
        Tint(name: "cycling", light: color(of: .cycling), dark: "#e09ac2"),
        Tint(name: "unknown", light: color(of: .unknown), dark: "#858b92"),
    ]

    /// The tints of a page, which has pictures of cadence bands.
    static let pageTints =
        tints + zip(bands, darkBands).enumerated().map { Tint(name: "band\($0)", light: $1.0, dark: $1.1) }

    /// Style rules that replace the color of each tint.
    ///
    /// - Parameters:
    ///   - scope: The start of the selector.
    ///   - tints: The tints that occur.
    ///   - color: The new color of a tint.
    static func rules(_ scope: String = "", of tints: [Tint] = tints, _ color: (Tint) -> String) -> String {
        tints.map { tint in
            ["fill", "stroke"].map { "\(scope)[\($0)='\(tint.light)']{\($0):\(color(tint))}" }.joined()
        }.joined(separator: "\n")
    }
}

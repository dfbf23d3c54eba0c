internal import Footfall

/// The colours of pictures: greys and those of Okabe and Ito, which are distinct for every kind of colour vision (M.
/// Okabe and K. Ito, "Color Universal Design", 2008).
///
/// Pictures have the colours of a light background. On a dark background, a style sheet replaces each by its counterpart,
/// see ``tints``. A viewer without style sheets shows the picture on white.
enum Palette {
    static let ground = "#ffffff"
    static let ink = "#222222"
    static let label = "#555555"
    static let grid = "#e4e4e4"
    static let frame = "#9a9a9a"
    /// Time without samples: the stripes and their background.
    static let hatch = "#b5b5b5"
    static let gap = "#f4f4f4"
    /// The pattern of time without samples, shared by all pictures of a page, and the fill with it.
    static let gapStripes = "footfall-gap"
    static let gapFill = "url(#\(gapStripes))"
    /// The signal: its range, and its mean with the standard deviation.
    static let range = "#b7c9dc"
    static let signal = "#34618c"
    /// Steps of any gait.
    static let steps = "#3f4a57"
    /// Rest as a background of motion.
    static let rest = "#d3d9e0"

    /// The cadence bands with steps, from slow to fast: one hue, which a reader orders without the legend.
    static let bands = ["#d6e4f2", "#b7d0e8", "#8fbadb", "#63a0ce", "#3f86bf", "#2067a8", "#0a437f"]
    private static let darkBands = ["#22384c", "#294b68", "#326085", "#3f79a6", "#5796c7", "#82b7e0", "#bcdcf5"]

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

    /// The colour of an activity, with a pale colour for rest.
    static func quietColor(of activity: Activity) -> String {
        activity == .stationary ? rest : color(of: activity)
    }

    // MARK: Dark background

    /// A colour: its name in style sheets, and its values on a light and a dark background.
    struct Tint {
        let name: String
        let light: String
        let dark: String
    }

    /// The colours that depend on the background.
    static let tints: [Tint] = [
        Tint(name: "ground", light: ground, dark: "#14181d"), Tint(name: "ink", light: ink, dark: "#eceff3"),
        Tint(name: "label", light: label, dark: "#b0b8c2"), Tint(name: "grid", light: grid, dark: "#2c333b"),
        Tint(name: "frame", light: frame, dark: "#6b7580"), Tint(name: "hatch", light: hatch, dark: "#56606b"),
        Tint(name: "gap", light: gap, dark: "#1d2228"), Tint(name: "steps", light: steps, dark: "#c3ccd6"),
        Tint(name: "rest", light: rest, dark: "#3b444e"),
        Tint(name: "walking", light: color(of: .walking), dark: "#1fb88d"),
        Tint(name: "running", light: color(of: .running), dark: "#f28440"),
        Tint(name: "automotive", light: color(of: .automotive), dark: "#3f9ee2"),
        Tint(name: "cycling", light: color(of: .cycling), dark: "#e09ac2"),
        Tint(name: "unknown", light: color(of: .unknown), dark: "#f2bb3c"),
    ]

    /// The tints of a page, which has pictures of cadence bands.
    static let pageTints =
        tints + zip(bands, darkBands).enumerated().map { Tint(name: "band\($0)", light: $1.0, dark: $1.1) }

    /// Style rules that replace the colour of each tint.
    ///
    /// - Parameters:
    ///   - scope: The start of the selector.
    ///   - tints: The tints that occur.
    ///   - color: The new colour of a tint.
    static func rules(_ scope: String = "", of tints: [Tint] = tints, _ color: (Tint) -> String) -> String {
        tints.map { tint in
            ["fill", "stroke"].map { "\(scope)[\($0)='\(tint.light)']{\($0):\(color(tint))}" }.joined()
        }.joined(separator: "\n")
    }
}

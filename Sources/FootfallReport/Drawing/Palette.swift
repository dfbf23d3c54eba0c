internal import Footfall

/// The colours of pictures: those of Okabe and Ito, which people with any kind of colour vision tell apart (M. Okabe
/// and K. Ito, "Color Universal Design", 2008), and greys.
///
/// Pictures are drawn in the colours of a light ground. Where the ground is dark, a style sheet exchanges each of them
/// for its counterpart, see ``tints``: whoever does not know style sheets still shows the picture on white.
enum Palette {
    static let ground = "#ffffff"
    static let ink = "#222222"
    static let label = "#555555"
    static let grid = "#e4e4e4"
    static let frame = "#9a9a9a"
    /// Time without samples: stripes, and what is between them.
    static let hatch = "#b5b5b5"
    static let gap = "#f4f4f4"
    /// The signal: from its least to its greatest, and around its mean.
    static let range = "#b7c9dc"
    static let signal = "#34618c"
    /// Steps, whatever the gait.
    static let steps = "#3f4a57"
    /// Rest as the ground on which motion shows.
    static let rest = "#d3d9e0"

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

    /// The same where rest is most of the picture and must not shout.
    static func quietColor(of activity: Activity) -> String {
        activity == .stationary ? rest : color(of: activity)
    }

    // MARK: On a dark ground

    /// A colour of pictures under the name it has in style sheets, and what it is on a dark ground.
    struct Tint {
        let name: String
        let light: String
        let dark: String
    }

    /// The colours of pictures that follow the ground. Each differs from the others on either ground.
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

    /// Style rules that give every shape in one of ``tints`` another colour.
    ///
    /// - Parameters:
    ///   - scope: Which pictures: the beginning of a selector.
    ///   - color: What a tint is to be instead.
    static func rules(_ scope: String = "", _ color: (Tint) -> String) -> String {
        tints.map { tint in
            ["fill", "stroke"].map { "\(scope)[\($0)='\(tint.light)']{\($0):\(color(tint))}" }.joined()
        }.joined(separator: "\n")
    }
}

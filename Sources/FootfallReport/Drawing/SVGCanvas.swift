internal import Footfall
internal import FootfallTables

/// The elements of an SVG document. Their numbers are rounded to a tenth of a pixel.
struct SVGCanvas {
    /// The part of a text that lies at its position, as in the attribute `text-anchor` of SVG.
    enum Anchor: String {
        case start
        case middle
        case end
    }

    var elements = ""

    /// The document around the elements, with a title and a description for screen readers. The CSS rules are inserted
    /// without escaping.
    func document(width: Double, height: Double, title: String, description: String, style: String? = nil) -> String {
        let (width, height) = (Self.number(width), Self.number(height))
        return """
            <svg data-generator="Footfall" xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)" \
            viewBox="0 0 \(width) \(height)" role="img" font-family="sans-serif">
            <title>\(title.markup)</title>
            <desc>\(description.markup)</desc>
            \(style.map { "<style>\n\($0)\n</style>\n" } ?? "")<rect width="100%" height="100%" fill="\(Palette.ground)"/>
            \(elements)</svg>

            """
    }

    /// The elements as a picture within a page, whose style sheet sets its width. The kind is a class of the style
    /// sheet. No two pictures of a page have the same name and kind.
    func inline(
        width: Double, height: Double, name: String, kind: String, title: String, description: String
    ) -> String {
        // A screen reader reads the parts of a group, but not those of an image.
        """
        <svg class="\(kind)" viewBox="0 0 \(Self.number(width)) \(Self.number(height))" \
        role="\(elements.contains(" class=\"mark\"") ? "group" : "img")" \
        aria-labelledby="\(name)-\(kind)-title" aria-describedby="\(name)-\(kind)-desc">
        <title id="\(name)-\(kind)-title">\(title.markup)</title>
        <desc id="\(name)-\(kind)-desc">\(description.markup)</desc>
        \(elements)</svg>

        """
    }

    mutating func defineStripes(_ name: String, color: String, on background: String) {
        elements += """
            <pattern id="\(name)" width="6" height="6" patternUnits="userSpaceOnUse">\
            <rect width="6" height="6" fill="\(background)"/>\
            <path d="M-1,1 1,-1 M0,6 6,0 M5,7 7,5" stroke="\(color)" stroke-width="1.2"/></pattern>

            """
    }

    /// Draws a rectangle. Its hint appears when a pointer rests on it.
    mutating func rectangle(
        x: Double, y: Double, width: Double, height: Double, fill: String = "none", stroke: String = "none",
        hint: String? = nil
    ) {
        elements += """
            <rect x="\(Self.number(x))" y="\(Self.number(y))" width="\(Self.number(width))" \
            height="\(Self.number(height))" fill="\(fill)" stroke="\(stroke)"\
            \(hint.map { "><title>\($0.markup)</title></rect>" } ?? "/>")

            """
    }

    /// Draws a path with round joins and ends, unless its data is empty.
    mutating func path(_ data: String, fill: String = "none", stroke: String = "none", width: Double = 1) {
        guard !data.isEmpty else { return }
        let line =
            stroke == "none"
            ? "" : #" stroke="\#(stroke)" stroke-width="\#(Self.number(width))" stroke-linecap="round""#
        elements += #"<path fill="\#(fill)"\#(line) stroke-linejoin="round" d="\#(data)"/>"# + "\n"
    }

    /// Writes a line of text, upwards if it is upright. A halo in the color of the background surrounds letters on
    /// other marks.
    mutating func text(
        _ text: String, x: Double, y: Double, size: Double = 11, color: String = Palette.label,
        anchor: Anchor = .start, isBold: Bool = false, isUpright: Bool = false, hasHalo: Bool = false
    ) {
        let turn = isUpright ? #" transform="rotate(-90 \#(Self.number(x)) \#(Self.number(y)))""# : ""
        let halo =
            hasHalo
            ? "stroke=\"\(Palette.ground)\" stroke-width=\"4\" stroke-linejoin=\"round\" paint-order=\"stroke\" " : ""
        elements += """
            <text x="\(Self.number(x))" y="\(Self.number(y))"\(turn) font-size="\(Self.number(size))" \
            \(halo)\(isBold ? "font-weight=\"bold\" " : "")text-anchor="\(anchor)" fill="\(color)">\(text.markup)</text>

            """
    }

    /// A coordinate rounded to a tenth of a pixel; 0 if it is not finite.
    static func number(_ value: Double) -> String { value.isFinite ? value.formatted(decimals: 1, atLeast: 0) : "0" }

    static func point(_ x: Double, _ y: Double) -> String { "\(number(x)),\(number(y))" }
}

extension SVGCanvas {
    /// The size of the text, as in the style sheet.
    private static let tipSize = 12.0
    private static let lineHeight = 14.0
    /// The mean width of a letter, as a share of its height.
    private static let letterWidth = 0.56
    /// The space between a mark and its value.
    private static let tipSpace = 4.0

    /// Adds the value of a part of a picture: its name for a screen reader, and a text without the empty lines, which
    /// appears when a pointer rests on the part, and when a keyboard or a touch selects it. The style sheet of the page
    /// shows the text; elsewhere it stays hidden. Add marks last, because later elements would cover the text. The
    /// address of a link is markup. The link is current if it leads to the date that the page shows. The keyboard
    /// reaches a part without a link if it is a stop.
    mutating func mark(
        _ lines: [String], x: ClosedRange<Double>, y: ClosedRange<Double>, in layout: PictureLayout,
        link: String? = nil, isCurrent: Bool = false, isStop: Bool = true
    ) {
        let lines = lines.filter { !$0.isEmpty }
        let value = lines.joined(separator: ". ").markup
        let current = isCurrent ? " aria-current=\"date\"" : ""
        let start =
            link.map { "a href=\"\($0)\"\(current) aria-label=\"\(value)\"" }
            ?? (isStop ? "g tabindex=\"0\" role=\"img\"" : "g role=\"img\"")
        let right = "H\(Self.number(x.upperBound))V\(Self.number(y.upperBound))H\(Self.number(x.lowerBound))"
        elements += """
            <\(start) class="mark"><title>\(value)</title>\
            <path fill="none" pointer-events="all" d="M\(Self.point(x.lowerBound, y.lowerBound))\(right)z"/>\
            \(tip(lines, above: y.lowerBound, around: (x.lowerBound + x.upperBound) / 2, layout))</\(link == nil ? "g" : "a")>

            """
    }

    /// The lines above a part, within the picture.
    private func tip(_ lines: [String], above top: Double, around middle: Double, _ layout: PictureLayout) -> String {
        let count = Double(lines.count)
        let base = max(Self.tipSize, top - Self.tipSpace - (count - 1) * Self.lineHeight)
        let room = layout.width - 2 * Self.tipSpace
        return lines.enumerated().map { index, line in
            let width = min(room, Double(line.count) * Self.tipSize * Self.letterWidth)
            let left = min(max(middle - width / 2, Self.tipSpace), layout.width - Self.tipSpace - width)
            // A line that is too long is narrowed.
            let narrow = width < room ? "" : " textLength=\"\(Self.number(room))\" lengthAdjust=\"spacingAndGlyphs\""
            return """
                <text class="tip" visibility="hidden" x="\(Self.number(left))" \
                y="\(Self.number(base + Double(index) * Self.lineHeight))"\(narrow)>\(line.markup)</text>
                """
        }.joined()
    }
}

extension String {
    /// The text for XML content and attributes. Entities replace reserved characters, and U+FFFD replaces control
    /// characters and those that XML forbids.
    package var markup: String {
        var escaped = ""
        for scalar in unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "\t", "\n", "\r": escaped += " "
            case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{FFFE}", "\u{FFFF}": escaped += "\u{FFFD}"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}

/// Bars as one path. Adjacent equal bars are joined, and bars without height are left out. The vertical coordinates are
/// text, so that only visible differences separate bars.
struct BarPath {
    private var bars: [(start: Double, end: Double, foot: String, height: String)] = []

    /// Adds a bar to the right of the last one.
    mutating func add(from start: Double, to end: Double, foot: Double, height: Double) {
        let (foot, height) = (SVGCanvas.number(foot), SVGCanvas.number(height))
        guard height != "0" else { return }
        if let last = bars.last, last.end == start, last.foot == foot, last.height == height {
            bars[bars.count - 1].end = end
        } else {
            bars.append((start, end, foot, height))
        }
    }

    var data: String {
        bars.map { bar in
            "M\(SVGCanvas.number(bar.start)),\(bar.foot)v-\(bar.height)H\(SVGCanvas.number(bar.end))v\(bar.height)z"
        }.joined()
    }
}

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
    static let tints: [Tint] =
        [
            Tint(name: "ground", light: ground, dark: "#14181d"), Tint(name: "ink", light: ink, dark: "#eceff3"),
            Tint(name: "label", light: label, dark: "#b0b8c2"), Tint(name: "grid", light: grid, dark: "#2c333b"),
            Tint(name: "frame", light: frame, dark: "#6f7984"), Tint(name: "hatch", light: hatch, dark: "#78828d"),
            Tint(name: "gap", light: gap, dark: "#1d2228"), Tint(name: "steps", light: steps, dark: "#b39df0"),
            Tint(name: "covered", light: covered, dark: "#8e9aa7"),
            Tint(name: "signal", light: signal, dark: "#a9cdf2"),
        ]
        + zip(Activity.allCases, ["#63779a", "#1fb88d", "#f28440", "#3f9ee2", "#e09ac2", "#858b92"]).map {
            Tint(name: $0.rawValue, light: color(of: $0), dark: $1)
        }

    static let pageTints =
        tints + zip(bands, darkBands).enumerated().map { Tint(name: "band\($0)", light: $1.0, dark: $1.1) }

    /// Style rules that replace the color of each tint that occurs. The scope is the start of the selector.
    static func rules(_ scope: String = "", of tints: [Tint] = tints, _ color: (Tint) -> String) -> String {
        tints.map { tint in
            ["fill", "stroke"].map { "\(scope)[\($0)='\(tint.light)']{\($0):\(color(tint))}" }.joined()
        }.joined(separator: "\n")
    }
}

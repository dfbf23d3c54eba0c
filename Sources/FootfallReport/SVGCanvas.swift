/// An SVG document in the making: elements one after the other, with their numbers to a tenth of a pixel.
struct SVGCanvas {
    /// Which end of a text stands at its place.
    enum Anchor: String {
        case start
        case middle
        case end
    }

    private(set) var elements = ""

    /// The document around the elements.
    ///
    /// - Parameters:
    ///   - title: Its name, for whoever cannot see it.
    ///   - description: What is to be seen.
    func document(width: Double, height: Double, title: String, description: String) -> String {
        let (width, height) = (Self.number(width), Self.number(height))
        return """
            <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)" \
            viewBox="0 0 \(width) \(height)" role="img" font-family="sans-serif">
            <title>\(Self.escaped(title))</title>
            <desc>\(Self.escaped(description))</desc>
            <rect width="100%" height="100%" fill="#ffffff"/>
            \(elements)</svg>

            """
    }

    /// Adds what was drawn on another canvas.
    mutating func add(_ canvas: SVGCanvas) {
        elements += canvas.elements
    }

    /// Defines a fill of stripes under a name.
    mutating func defineStripes(_ name: String, color: String, on background: String) {
        elements += """
            <pattern id="\(name)" width="6" height="6" patternUnits="userSpaceOnUse">\
            <rect width="6" height="6" fill="\(background)"/>\
            <path d="M-1,1 1,-1 M0,6 6,0 M5,7 7,5" stroke="\(color)" stroke-width="1.2"/></pattern>

            """
    }

    mutating func rectangle(
        x: Double, y: Double, width: Double, height: Double, fill: String = "none", stroke: String = "none"
    ) {
        elements += """
            <rect x="\(Self.number(x))" y="\(Self.number(y))" width="\(Self.number(width))" \
            height="\(Self.number(height))" fill="\(fill)" stroke="\(stroke)"/>

            """
    }

    /// Draws a path, with round joins and ends; nothing where there is no data.
    mutating func path(_ data: String, fill: String = "none", stroke: String = "none", width: Double = 1) {
        guard !data.isEmpty else { return }
        let line =
            stroke == "none"
            ? "" : #" stroke="\#(stroke)" stroke-width="\#(Self.number(width))" stroke-linecap="round""#
        elements += #"<path fill="\#(fill)"\#(line) stroke-linejoin="round" d="\#(data)"/>"# + "\n"
    }

    /// Writes a line of text on its base line, or upwards.
    mutating func text(
        _ text: String, x: Double, y: Double, size: Double = 11, color: String = Palette.label,
        anchor: Anchor = .start, isBold: Bool = false, isUpright: Bool = false
    ) {
        let turn = isUpright ? #" transform="rotate(-90 \#(Self.number(x)) \#(Self.number(y)))""# : ""
        elements += """
            <text x="\(Self.number(x))" y="\(Self.number(y))"\(turn) font-size="\(Self.number(size))" \
            \(isBold ? "font-weight=\"bold\" " : "")text-anchor="\(anchor)" fill="\(color)">\(Self.escaped(text))</text>

            """
    }

    /// A coordinate to a tenth of a pixel; 0 for what is no number.
    static func number(_ value: Double) -> String {
        value.isFinite ? value.formatted(decimals: 1) : "0"
    }

    /// A point of a path.
    static func point(_ x: Double, _ y: Double) -> String {
        "\(number(x)),\(number(y))"
    }

    /// Text as it may stand in XML: marks of the language as entities, what XML cannot hold replaced.
    static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
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

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
    ///   - style: Style rules, if any; they stand as they are.
    func document(
        width: Double, height: Double, title: String, description: String, style: String? = nil
    ) -> String {
        let (width, height) = (Self.number(width), Self.number(height))
        let styled = style.map { "<style>\n\($0)\n</style>\n" } ?? ""
        return """
            <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)" \
            viewBox="0 0 \(width) \(height)" role="img" font-family="sans-serif">
            <title>\(title.markup)</title>
            <desc>\(description.markup)</desc>
            \(styled)<rect width="100%" height="100%" fill="\(Palette.ground)"/>
            \(elements)</svg>

            """
    }

    /// The elements as a picture within a page, as wide as there is room.
    ///
    /// - Parameters:
    ///   - name: What no other picture of the page is called.
    ///   - kind: What the picture is to a style sheet, of which there may be one each under the name.
    func inline(
        width: Double, height: Double, name: String, kind: String, title: String, description: String
    ) -> String {
        """
        <svg class="\(kind)" viewBox="0 0 \(Self.number(width)) \(Self.number(height))" role="img" \
        aria-labelledby="\(name)-\(kind)-title" aria-describedby="\(name)-\(kind)-desc">
        <title id="\(name)-\(kind)-title">\(title.markup)</title>
        <desc id="\(name)-\(kind)-desc">\(description.markup)</desc>
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

    /// Draws a rectangle.
    ///
    /// - Parameter hint: What a pointer on it is told.
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
            \(isBold ? "font-weight=\"bold\" " : "")text-anchor="\(anchor)" fill="\(color)">\(text.markup)</text>

            """
    }

    /// A coordinate to a tenth of a pixel; 0 for what is no number.
    static func number(_ value: Double) -> String {
        value.isFinite ? value.formatted(decimals: 1, atLeast: 0) : "0"
    }

    /// A point of a path.
    static func point(_ x: Double, _ y: Double) -> String {
        "\(number(x)),\(number(y))"
    }
}

extension String {
    /// The text as it may stand in XML and in an attribute: marks of the language as entities, what XML cannot hold
    /// replaced.
    var markup: String {
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

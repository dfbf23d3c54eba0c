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

    /// The document around the elements.
    ///
    /// - Parameters:
    ///   - title: The title for screen readers.
    ///   - description: The description for screen readers.
    ///   - style: CSS rules, inserted without escaping.
    func document(
        width: Double, height: Double, title: String, description: String, style: String? = nil
    ) -> String {
        let (width, height) = (Self.number(width), Self.number(height))
        let styled = style.map { "<style>\n\($0)\n</style>\n" } ?? ""
        return """
            <svg data-generator="Footfall" xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)" \
            viewBox="0 0 \(width) \(height)" role="img" font-family="sans-serif">
            <title>\(title.markup)</title>
            <desc>\(description.markup)</desc>
            \(styled)<rect width="100%" height="100%" fill="\(Palette.ground)"/>
            \(elements)</svg>

            """
    }

    /// The elements as a picture within a page. The style sheet of the page sets its width.
    ///
    /// - Parameters:
    ///   - name: A name that is unique on the page.
    ///   - kind: The class in the style sheet. Pictures of one name have different kinds.
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

    mutating func add(_ canvas: SVGCanvas) {
        elements += canvas.elements
    }

    mutating func defineStripes(_ name: String, color: String, on background: String) {
        elements += """
            <pattern id="\(name)" width="6" height="6" patternUnits="userSpaceOnUse">\
            <rect width="6" height="6" fill="\(background)"/>\
            <path d="M-1,1 1,-1 M0,6 6,0 M5,7 7,5" stroke="\(color)" stroke-width="1.2"/></pattern>

            """
    }

    /// Draws a rectangle.
    ///
    /// - Parameter hint: The text that appears when a pointer rests on it.
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

    /// Writes a line of text.
    ///
    /// - Parameters:
    ///   - isUpright: Whether the text runs upwards.
    ///   - hasHalo: Whether a rim in the color of the background surrounds the letters, for a text on other marks.
    mutating func text(
        _ text: String, x: Double, y: Double, size: Double = 11, color: String = Palette.label,
        anchor: Anchor = .start, isBold: Bool = false, isUpright: Bool = false,
        hasHalo: Bool = false
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
    static func number(_ value: Double) -> String {
        value.isFinite ? value.formatted(decimals: 1, atLeast: 0) : "0"
    }

    static func point(_ x: Double, _ y: Double) -> String {
        "\(number(x)),\(number(y))"
    }
}

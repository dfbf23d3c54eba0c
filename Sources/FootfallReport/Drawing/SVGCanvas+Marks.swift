extension SVGCanvas {
    /// The size of the text, as in the style sheet.
    private static let tipSize = 12.0
    private static let lineHeight = 14.0
    /// The mean width of a letter, as a share of its height.
    private static let letterWidth = 0.56
    /// The space between a mark and its value.
    private static let tipSpace = 4.0

    /// Adds the value of a part of a picture: its name for a screen reader, and a text that appears when a pointer
    /// rests on the part, and when a keyboard or a touch selects it.
    ///
    /// The style sheet of the page shows the text, see ``ReportStyle``. Elsewhere it stays hidden. Add marks last,
    /// because later elements would cover the text.
    ///
    /// - Parameters:
    ///   - lines: The value in words. Empty lines are left out.
    ///   - x: The left and the right end of the part.
    ///   - y: Its upper and its lower end.
    ///   - link: The address that it leads to, as markup.
    mutating func mark(
        _ lines: [String], x: ClosedRange<Double>, y: ClosedRange<Double>, in layout: PictureLayout, link: String? = nil
    ) {
        let lines = lines.filter { !$0.isEmpty }
        let value = lines.joined(separator: ". ").markup
        let start = link.map { "a href=\"\($0)\" aria-label=\"\(value)\"" } ?? "g tabindex=\"0\" role=\"img\""
        let outline =
            "M\(Self.point(x.lowerBound, y.lowerBound))H\(Self.number(x.upperBound))V\(Self.number(y.upperBound))"
            + "H\(Self.number(x.lowerBound))z"
        elements += """
            <\(start) class="mark"><title>\(value)</title><path fill="none" pointer-events="all" d="\(outline)"/>\
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

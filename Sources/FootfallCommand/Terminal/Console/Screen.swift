/// A text at the bottom of a terminal that is redrawn in place.
struct Screen {
    private var lines = 0
    private var size = (width: 0, height: 0)

    /// Draws a text over the previous one. If it is too tall, the first line and the end are drawn.
    mutating func show(_ text: String) {
        var rows = text.split(separator: "\n", omittingEmptySubsequences: false)
        if rows.last == "" { rows.removeLast() }
        let newSize = (width: Terminal.width, height: Terminal.height)
        let room = max(2, newSize.height - 1)
        if rows.count > room { rows = rows.prefix(1) + rows.suffix(room - 1) }
        // After a change of size, wrapped lines make the position of the previous text unknown: clear the screen.
        let back = lines == 0 ? "" : size == newSize ? "\u{1B}[\(lines)A" : "\u{1B}[H\u{1B}[2J"
        // ESC[?7l clips lines at the edge instead of wrapping them. Each line overwrites the previous one and erases
        // only its rest (ESC[K), which avoids flicker.
        Terminal.out(
            "\r\(back)\u{1B}[?7l\(rows.joined(separator: "\u{1B}[K\n"))\u{1B}[K\n\u{1B}[J\u{1B}[?7h")
        (lines, size) = (rows.count, newSize)
    }

    /// Erases the text.
    mutating func clear() {
        if lines > 0 { Terminal.out("\r\u{1B}[\(lines)A\u{1B}[J") }
        lines = 0
    }
}

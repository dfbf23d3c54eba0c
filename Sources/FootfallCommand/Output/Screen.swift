/// The lower part of a terminal, drawn anew again and again.
struct Screen {
    private var lines = 0
    private var size = (width: 0, height: 0)

    /// Draws text in the place of what was drawn before. Of one that is too tall, the first line and the end are shown.
    mutating func show(_ text: String) {
        var rows = text.split(separator: "\n", omittingEmptySubsequences: false)
        if rows.last == "" { rows.removeLast() }
        let newSize = (width: Terminal.width, height: Terminal.height)
        let room = max(2, newSize.height - 1)
        if rows.count > room { rows = rows.prefix(1) + rows.suffix(room - 1) }
        // A terminal that has become narrower may have broken lines in two: nobody knows how far the way back is.
        let back = lines == 0 ? "" : size == newSize ? "\u{1B}[\(lines)A" : "\u{1B}[H\u{1B}[2J"
        // Lines are cut off at the edge: a wrapped one would take two, and the way back would be too short. Each is
        // written over the one before it, and only what is left of that is erased: nothing flickers.
        Terminal.out(
            "\r\(back)\u{1B}[?7l\(rows.joined(separator: "\u{1B}[K\n"))\u{1B}[K\n\u{1B}[J\u{1B}[?7h")
        (lines, size) = (rows.count, newSize)
    }

    /// Removes what was drawn, to make place for something that stays.
    mutating func clear() {
        if lines > 0 { Terminal.out("\r\u{1B}[\(lines)A\u{1B}[J") }
        lines = 0
    }
}

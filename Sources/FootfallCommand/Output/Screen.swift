/// The lower part of a terminal, drawn anew again and again.
struct Screen {
    private var lines = 0

    /// Draws text in the place of what was drawn before. Of one that is too tall, the first line and the end are shown.
    mutating func show(_ text: String) {
        var rows = text.split(separator: "\n", omittingEmptySubsequences: false)
        if rows.last == "" { rows.removeLast() }
        let room = max(2, Terminal.height - 1)
        if rows.count > room { rows = rows.prefix(1) + rows.suffix(room - 1) }
        let back = lines > 0 ? "\u{1B}[\(lines)A" : ""
        // Lines are cut off at the edge: a wrapped one would take two, and the way back would be too short.
        Terminal.out("\r\(back)\u{1B}[J\u{1B}[?7l\(rows.joined(separator: "\n"))\n\u{1B}[?7h")
        lines = rows.count
    }
}

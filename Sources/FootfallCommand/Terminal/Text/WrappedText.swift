/// Text in lines of a width, broken at words. Colors continue on the next line.
enum WrappedText {
    /// A character and the codes of its color; no codes without a color.
    private typealias Cell = (character: Character, style: String)

    /// The text with its lines broken where the terminal ends; the same text without a terminal.
    static func onTerminal(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { lines(String($0), width: Terminal.lineWidth).joined(separator: "\n") }.joined(separator: "\n")
    }

    /// The lines of one line of text. Each is indented as the text is. Only a word that is too long for a line is cut.
    static func lines(_ text: String, width: Int) -> [String] {
        guard TextTable.width(of: text) > width else { return [text] }
        let cells = cells(of: text)
        let indent = cells.prefix { $0.character == " " }
        // A narrow terminal has at least half of a line for words.
        let margin = indent.count > width / 2 ? [] : indent
        let room = max(1, width - margin.count)
        var rest = cells[indent.endIndex...]
        var lines: [String] = []
        while !rest.isEmpty {
            let isLast = rest.count <= room
            let space = rest.prefix(room + 1).lastIndex { $0.character == " " }
            let end = isLast ? rest.endIndex : space ?? rest.startIndex + room
            lines.append(self.text(of: margin + rest[..<end]))
            rest = rest[end...].drop { $0.character == " " }
        }
        return lines
    }

    private static func cells(of text: String) -> [Cell] {
        var cells: [Cell] = []
        var (style, code) = ("", "")
        for character in text {
            if character == "\u{1B}" || !code.isEmpty {
                code.append(character)
                guard character == "m" else { continue }
                style = code == Color.end ? "" : style + code
                code = ""
            } else {
                cells.append((character, style))
            }
        }
        return cells
    }

    private static func text(of cells: some Sequence<Cell>) -> String {
        var (text, style) = ("", "")
        for cell in cells {
            if cell.style != style {
                text += (style.isEmpty ? "" : Color.end) + cell.style
                style = cell.style
            }
            text.append(cell.character)
        }
        return text + (style.isEmpty ? "" : Color.end)
    }
}

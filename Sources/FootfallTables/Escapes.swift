extension String {
    /// The text with an escape such as `\u{1B}` for each character that can change a terminal or the order of the text:
    /// controls, line ends, and marks of direction.
    package var escaped: String {
        guard unicodeScalars.contains(where: \.isUnsafeOnTerminal) else { return self }
        var text = ""
        for scalar in unicodeScalars {
            switch scalar {
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            case _ where scalar.isUnsafeOnTerminal:
                text += "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}

extension Unicode.Scalar {
    /// Whether the character controls a terminal, ends a line or changes the direction of text.
    package var isUnsafeOnTerminal: Bool {
        switch value {
        case 0..<0x20, 0x7F...0x9F: true
        case 0x061C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}

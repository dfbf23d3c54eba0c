/// Kinds of text that are recognized but not read, so that the error names them.
enum ForeignText {
    /// The refusal of a text, with the kind of text that it is: JSON, a web page, XML or source code.
    static func named(
        _ refusal: Refusal, _ text: Span<UInt8>, _ lines: [CSVOpening.Line]
    ) -> Refusal {
        let first = lines.prefix(64).map { text.string($0.range.prefix(200)) }
        guard let (name, remedy) = kind(of: first) else { return refusal }
        return Refusal("\(name), not a sensor log: \(refusal.problem)", remedy: remedy, line: refusal.line)
    }

    private static func kind(of lines: [String]) -> (name: String, remedy: ParameterText)? {
        guard let first = lines.first?.lowercased() else { return nil }
        if isJSON(first) { return ("JSON", "convert it to a table of time,x,y,z") }
        if first.hasPrefix("<!doctype html") || first.hasPrefix("<html") {
            return ("a web page", "download the file itself")
        }
        if first.hasPrefix("<?xml") { return ("XML", "convert it to a table of time,x,y,z") }
        let isCode = first.hasPrefix("#!/") || first.hasPrefix("<?php") || lines.contains(where: isSourceCode)
        return isCode ? ("source code", Refusal.expectation) : nil
    }

    private static func isJSON(_ line: String) -> Bool {
        let rest = line.dropFirst().drop { $0 == " " }
        switch line.first {
        case "{": return rest.isEmpty || rest.first == "\""
        case "[": return rest.isEmpty || rest.first == "{" || rest.first == "["
        default: return false
        }
    }

    /// Whether a line declares or imports something in a common programming language.
    private static func isSourceCode(_ line: String) -> Bool {
        if line.hasPrefix("#include ") { return true }
        let words = line.split(separator: " ")
        if words.first == "import" { return words.count <= 4 }
        if words.first == "from" { return words.count >= 4 && words[2] == "import" }
        let keywords = [
            "def", "class", "function", "func", "public", "private", "package", "using", "namespace", "struct",
        ]
        return words.first.map { keywords.contains(String($0)) } == true && line.last.map("{;:)".contains) == true
    }
}

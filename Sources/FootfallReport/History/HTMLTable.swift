/// A table of a page. A narrow screen shows each row of many columns as a line of words.
struct HTMLTable {
    /// The most columns that fit a phone.
    private static let mostColumns = 4

    private let caption: String
    private let headers: [String]
    private var rows = ""
    private var foot = ""

    /// Creates a table. The first column names the rows, the others hold numbers.
    init(_ caption: String, _ headers: [String]) {
        self.caption = caption
        self.headers = headers
    }

    mutating func add(_ cells: [String]) { rows += row(cells) }

    mutating func add(foot cells: [String]) { foot += row(cells) }

    /// The table below a line that opens and closes it.
    ///
    /// - Parameter isOpen: Whether it is open at first.
    func folded(isOpen: Bool = false) -> String {
        let head = headers.map { "<th scope=\"col\">\($0.markup)</th>" }.joined()
        return """
            <details\(isOpen ? " open=\"open\"" : "")><summary>Table: \(caption.markup)</summary>
            <div class="scroll" role="region" aria-label="\(caption.markup)" tabindex="0">\
            <table\(hasMany ? " class=\"many\"" : "")>
            <caption>\(caption.markup)</caption>
            <thead><tr>\(head)</tr></thead>
            <tbody>
            \(rows)</tbody>
            \(foot.isEmpty ? "" : "<tfoot>\n\(foot)</tfoot>\n")</table></div>
            </details>

            """
    }

    private var hasMany: Bool { headers.count > Self.mostColumns }

    private func row(_ cells: [String]) -> String {
        let others = zip(headers, cells).dropFirst().map { name, cell in
            "<td\(hasMany ? " data-of=\"\(name.markup)\"" : "")>\(cell.markup)</td>"
        }.joined()
        return "<tr><th scope=\"row\">\((cells.first ?? "").markup)</th>\(others)</tr>\n"
    }
}

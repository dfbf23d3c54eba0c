/// A table of a page, below the picture whose numbers it holds. It scrolls by itself where it is too wide.
struct HTMLTable {
    private let caption: String
    private let headers: [String]
    private var rows = ""
    private var foot = ""

    /// Creates a table whose first column names the rows and whose others hold numbers.
    init(_ caption: String, _ headers: [String]) {
        self.caption = caption
        self.headers = headers
    }

    /// Adds a row, with one text per column.
    mutating func add(_ cells: [String]) { rows += Self.row(cells) }

    /// Adds a last row that sums up the others.
    mutating func add(foot cells: [String]) { foot += Self.row(cells) }

    /// The table by itself.
    var html: String {
        let head = headers.map { "<th scope=\"col\">\($0.markup)</th>" }.joined()
        return """
            <div class="scroll" role="region" aria-label="\(caption.markup)" tabindex="0"><table>
            <caption>\(caption.markup)</caption>
            <thead><tr>\(head)</tr></thead>
            <tbody>
            \(rows)</tbody>
            \(foot.isEmpty ? "" : "<tfoot>\n\(foot)</tfoot>\n")</table></div>

            """
    }

    /// The table behind a line that opens it.
    ///
    /// - Parameter isOpen: Whether it is open to begin with.
    func folded(isOpen: Bool = false) -> String {
        """
        <details\(isOpen ? " open=\"open\"" : "")><summary>Table: \(caption.markup)</summary>
        \(html)</details>

        """
    }

    private static func row(_ cells: [String]) -> String {
        let others = cells.dropFirst().map { "<td>\($0.markup)</td>" }.joined()
        return "<tr><th scope=\"row\">\((cells.first ?? "").markup)</th>\(others)</tr>\n"
    }
}

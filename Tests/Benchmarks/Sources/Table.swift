import Foundation

/// What was measured, as an aligned Markdown table beside the figures of the run before.
struct Table {
    private var rows = [["measured", "figure", "to the run before", "asked for"]]
    /// The figures of this run and of the one before, by what was measured.
    private(set) var figures: [String: Double] = [:]
    private let before: [String: Double]

    /// Begins a table that is compared with the figures in a file, if it is there.
    init(comparedWith file: URL) {
        before = (try? JSONDecoder().decode([String: Double].self, from: Data(contentsOf: file))) ?? [:]
    }

    /// Keeps the figures for the next run. Those that this run did not measure stay.
    func save(to file: URL) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        try encoder.encode(before.merging(figures) { $1 }).write(to: file)
    }

    /// Adds a row that says something no number can be compared with.
    mutating func add(_ measured: String, _ figure: String, asked: String = "") {
        rows.append([measured, figure, "", asked])
    }

    /// Adds a figure and how it compares.
    mutating func add(_ measured: String, _ figure: Double, _ unit: String, note: String = "", asked: String = "") {
        figures[measured] = figure
        let ratio = before[measured].map { "× \((figure / $0).short)" } ?? ""
        rows.append([measured, "\(figure.short) \(unit)" + (note.isEmpty ? "" : ", \(note)"), ratio, asked])
    }

    /// Adds a median, and how much longer the slow ones took.
    mutating func add(_ measured: String, _ latencies: Latencies, asked: String = "", most: Bool = false) {
        var notes: [String] = []
        if latencies.milliseconds.count >= 100 { notes.append("99 % within \(latencies.quantile(0.99).short) ms") }
        if most { notes.append("longest \(latencies.quantile(1).short) ms") }
        add(measured, latencies.median, "ms in the median", note: notes.joined(separator: ", "), asked: asked)
    }

    func print() {
        let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        func line(_ cells: [String], padding: String) -> String {
            let padded = zip(cells, widths).map { $0.padding(toLength: $1, withPad: padding, startingAt: 0) }
            return "| " + padded.joined(separator: " | ") + " |"
        }
        for (index, row) in rows.enumerated() {
            Swift.print(line(row, padding: " "))
            if index == 0 { Swift.print(line(row.map { _ in "" }, padding: "-")) }
        }
    }
}

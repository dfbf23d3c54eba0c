import Foundation

/// The measurements as an aligned Markdown table, beside those of the last run.
struct Table {
    private var rows = [["measured", "figure", "to the run before", "asked for"]]
    /// The figures of this run and of the last run, by the name of the measurement.
    private(set) var figures: [String: Double] = [:]
    private let before: [String: Double]

    /// Begins a table. It compares with the figures in the file, if the file exists.
    init(comparedWith file: URL) {
        before = (try? JSONDecoder().decode([String: Double].self, from: Data(contentsOf: file))) ?? [:]
    }

    /// Stores the figures for the next run. Figures without a new measurement stay.
    func save(to file: URL) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        try encoder.encode(before.merging(figures) { $1 }).write(to: file)
    }

    /// Adds a row with a text.
    mutating func add(_ measured: String, _ figure: String, asked: String = "") {
        rows.append([measured, figure, "", asked])
    }

    /// Adds a figure and its ratio to the last run.
    mutating func add(_ measured: String, _ figure: Double, _ unit: String, note: String = "", asked: String = "") {
        figures[measured] = figure
        let ratio = before[measured].map { "× \((figure / $0).short)" } ?? ""
        rows.append([measured, "\(figure.short) \(unit)" + (note.isEmpty ? "" : ", \(note)"), ratio, asked])
    }

    /// Adds the median and the upper quantiles of latencies.
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

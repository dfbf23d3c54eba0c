import FootfallHistory
import FootfallReaders
import FootfallStudy
import FootfallTables
import Foundation

/// How a log is read and why, as text and as a row: the output of `analyze --explain`.
struct ExplanationText {
    private let file: TraceFile
    private let explanation: TraceExplanation
    /// The options that are given, each as words of a command line.
    private let given: [[String]]
    private var columns: [TableExplanation.Column] { explanation.table?.columns ?? [] }

    init(_ file: TraceFile, _ options: TraceOptions, _ given: [[String]]) {
        (self.file, self.given) = (file, given)
        explanation = TraceExplanation(contentsOf: URL(filePath: file.path), options: options)
    }

    /// Why the log is refused; nil for one that is read.
    var refusal: TraceError? { explanation.refusal }

    /// The command line that reads the log in the same way, or a refused log all the same; nil where no option helps.
    /// It keeps the options that are given. A refusal may propose another value.
    private var command: String? {
        let isRead = explanation.layout != nil
        let options = isRead ? explanation.options : settling
        guard isRead || !options.isEmpty else { return nil }
        let known = Set(given.map { $0[0] })
        var words: [[String]] = []
        for option in options where !known.contains(option.arguments[0]) || !isRead && option.value != nil {
            words.append(option.arguments + (option.value == nil ? ["HERTZ"] : []))
        }
        // Several conditions for rows hold together.
        let rows = ParameterText.Parameter.rows().arguments[0]
        let proposed = Set(words.map { $0[0] }).subtracting([rows])
        words += given.filter { !proposed.contains($0[0]) && !words.contains($0) }
        // A path may begin like an option.
        let path = (file.path.hasPrefix("-") ? "./" : "") + file.path
        return (["footfall", "analyze", path] + words.joined()).map(\.shellWord).joined(separator: " ")
    }

    /// The options that a refusal proposes, one of each kind. A rate may have no value, because only the user knows it.
    private var settling: [ParameterText.Parameter] {
        var options: [ParameterText.Parameter] = []
        _ = explanation.refusal?.message.text { parameter in
            if parameter.value != nil || parameter == .sampleRate(),
                !options.contains(where: { $0.name == parameter.name })
            {
                options.append(parameter)
            }
            return ""
        }
        if options.contains(where: { $0.name == ParameterText.Parameter.rows().name }) {
            options.removeAll { $0.name == ParameterText.Parameter.each().name }
        }
        return options
    }

    var text: String {
        var lines = [Color.bold(file.name.escaped)]
        func add(_ name: String, _ value: String?) {
            if let value { lines.append(WrappedText.onTerminal("  \(name): \(value.escaped)")) }
        }
        add("reading", explanation.layout?.description)
        if let refusal = explanation.refusal {
            let line = refusal.line.map { " (line \($0))" } ?? ""
            lines.append(
                WrappedText.onTerminal(Color.yellow("  refused: \((refusal.problem.asOptions + line).escaped)")))
            add("remedy", refusal.remedy?.asOptions)
        }
        add("header", explanation.table.map { $0.headerLine.map { "line \($0)" } ?? "none" })
        add("rate", explanation.sampleRate.map { "\($0.formatted(decimals: 1)) Hz, the median of the first samples" })
        add(
            "gravity",
            explanation.magnitude.map {
                "the median of |a| is \($0.formatted(decimals: 2)) g over the first samples; at rest it is 1 g"
            })
        for note in explanation.notes { add("note", note.asOptions) }
        if !columns.isEmpty {
            var table = TextTable(">column", "title", "first values", "taken for", "reason")
            for column in columns {
                table.add(
                    String(column.number), (column.name ?? "").escaped, column.values.joined(separator: "  ").escaped,
                    column.role.map { Color.green($0) } ?? Color.dim("-"), column.reason.asOptions.escaped)
            }
            lines += ["", table.text]
        }
        if let command {
            // A given unit is that of every row, also where the log has two.
            let unit = settling.lazy.compactMap { if case .unit(let unit) = $0 { unit } else { nil } }.first
            let refused = "all the same" + (unit.map { ", all of it in \($0)" } ?? "")
            let purpose = explanation.layout == nil ? refused : "in the same way"
            lines += [(columns.isEmpty ? "\n" : "") + "To read it \(purpose):", "  " + command.escaped]
        }
        return lines.joined(separator: "\n") + "\n"
    }
}

extension ExplanationText {
    static let table = Table<ExplanationText>(
        "analyze --explain", row: "a log",
        [
            .text("trace", "The name of the log.") { $0.file.name },
            .text("layout", "How it is read, with the evidence for each choice; empty if it is refused.") {
                $0.explanation.layout?.description
            },
            .text("refusal", "Why it is refused; empty if it is read.") { $0.refusal?.problem.asOptions },
            .text("remedy", "What helps against the refusal.") { $0.refusal?.remedy?.asOptions },
            .text("delimiter", "The separator of columns, or tab; empty for a log that is no table.") {
                $0.explanation.table?.delimiter
            },
            .text("decimalSeparator", "The separator of decimals.") { $0.explanation.table?.decimalSeparator },
            .count("headerLine", "The line of the titles; empty without titles.") { $0.explanation.table?.headerLine },
            .number("sampleRate", "Hz", decimals: 2, "The median rate of the first samples.") {
                $0.explanation.sampleRate
            },
            .number("magnitude", "g", decimals: 3, "The median vector magnitude of the first samples; 1 at rest.") {
                $0.explanation.magnitude
            },
            .texts("notes", "Assumptions that a user should check, as texts.") {
                $0.explanation.notes.map(\.asOptions)
            },
            .list("columns", "The columns of a table.", of: columnFields) { $0.columns },
            .text(
                "command",
                "The command line that reads the log in the same way, or a refused log all the same; empty if none does."
            ) {
                $0.command
            },
        ])

    private static let columnFields: [TableField<TableExplanation.Column>] = [
        .count("number", "The number, from 1.") { $0.number },
        .text("title", "The title; empty without one.") { $0.name },
        .texts("values", "The first values, as texts.") { $0.values },
        .text(
            "role", "What it is taken for: time, date, x, y, z, or gravity along one of them; empty if it is not read."
        ) { $0.role },
        .text("reason", "Why it is taken for that, or why it is not read.") { $0.reason.asOptions },
    ]
}

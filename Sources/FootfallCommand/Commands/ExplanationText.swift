import ArgumentParser
import FootfallAnswers
import FootfallStudy
import FootfallTraces
import FootfallWire
import Foundation

/// How a log is read and why, as text and as a record: the output of `analyze --explain`.
struct ExplanationText {
    private let file: TraceFile
    private let explanation: TraceExplanation
    private var columns: [TableExplanation.Column] { explanation.table?.columns ?? [] }

    init(_ file: TraceFile, _ options: TraceOptions) {
        self.file = file
        explanation = TraceExplanation(contentsOf: URL(filePath: file.path), options: options)
    }

    /// Why the log is refused; nil for one that is read.
    var refusal: TraceError? { explanation.refusal }

    /// The command line that reads the log in the same way; nil for a refused log.
    private var command: String? {
        guard explanation.layout != nil else { return nil }
        return (["footfall", "analyze", file.path] + explanation.options.flatMap(\.arguments)).map(\.shellWord).joined(
            separator: " ")
    }

    var text: String {
        var lines = [Color.bold(file.name.escaped)]
        func add(_ name: String, _ value: String?) {
            if let value { lines.append("  \(name): \(value.escaped)") }
        }
        add("reading", explanation.layout?.description)
        if let refusal = explanation.refusal {
            let line = refusal.line.map { " (line \($0))" } ?? ""
            lines.append(Color.yellow("  refused: \((refusal.problem.asOptions + line).escaped)"))
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
            lines += [
                (columns.isEmpty ? "\n" : "") + "To read it in the same way:", "  " + command.escaped,
            ]
        }
        return lines.joined(separator: "\n") + "\n"
    }

    var record: Record {
        let columns = self.columns.map { column -> JSONValue in
            .object([
                ("number", .integer(column.number)), ("title", .text(column.name)), ("values", .texts(column.values)),
                ("role", .text(column.role)), ("reason", .string(column.reason.asOptions)),
            ])
        }
        return [
            ("trace", .string(file.name)), ("layout", .text(explanation.layout?.description)),
            ("refusal", .text(explanation.refusal?.problem.asOptions)),
            ("remedy", .text(explanation.refusal?.remedy?.asOptions)),
            ("delimiter", .text(explanation.table?.delimiter)),
            ("decimalSeparator", .text(explanation.table?.decimalSeparator)),
            ("headerLine", explanation.table?.headerLine.map { .integer($0) } ?? .null),
            ("sampleRate", .number(explanation.sampleRate, decimals: 2)),
            ("magnitude", .number(explanation.magnitude, decimals: 3)),
            ("notes", .texts(explanation.notes.map(\.asOptions))),
            ("columns", .array(columns.lazy.map { $0 })), ("command", .text(command)),
        ]
    }
}

extension Analyze {
    /// Prints how logs are read, without an analysis.
    ///
    /// - Throws: The exit code of the first refused log.
    func explain(_ files: [TraceFile], _ options: TraceOptions) throws {
        var writer = output.output.makeWriter(columns: TableDescription.explanation.names)
        var codes: [Int32] = []
        for (number, file) in files.enumerated() {
            guard file.isRegular || !FileManager.default.fileExists(atPath: file.path) else {
                codes.append(
                    Failure.report(
                        TraceError(
                            .unreadable, path: file.path, problem: "a pipe can be read only once",
                            remedy: "to explain its reading, write it to a file first")))
                continue
            }
            let explanation = ExplanationText(file, options)
            writer?.write(explanation.record)
            if writer == nil { Terminal.out((number > 0 ? "\n" : "") + explanation.text) }
            if let refusal = explanation.refusal { codes.append(Failure.report(refusal)) }
        }
        writer?.finish()
        if let code = codes.first { throw ExitCode(code) }
    }
}

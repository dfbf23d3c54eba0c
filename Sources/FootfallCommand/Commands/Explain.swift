import ArgumentParser
import FootfallReaders
import FootfallStudy
import FootfallTables
import Foundation

extension Analyze {
    /// Prints how logs are read, without an analysis. `given` are the options of the user, each as words of a command
    /// line. Throws the exit code of the first refused log.
    func explain(_ files: [TraceFile], _ options: TraceOptions, given: [[String]]) throws {
        var writer = output.output.makeWriter(of: ExplanationText.table.description)
        var codes: [Int32] = []
        for (number, file) in files.enumerated() {
            if let refusal = file.refusalOfPipe(to: "explain its reading") {
                codes.append(Failure.report(refusal))
                continue
            }
            let explanation = ExplanationText(file, options, given)
            writer?.write(ExplanationText.table.record(of: explanation))
            if writer == nil { Terminal.out((number > 0 ? "\n" : "") + explanation.text) }
            if let refusal = explanation.refusal { codes.append(Failure.report(refusal)) }
        }
        writer?.finish()
        if let code = codes.first { throw ExitCode(code) }
    }
}

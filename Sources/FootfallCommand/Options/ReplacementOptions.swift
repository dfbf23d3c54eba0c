import ArgumentParser
import FootfallHistory
import FootfallStudy

/// The option of all commands that write files.
struct ReplacementOptions: ParsableArguments {
    @Flag(help: "Replace existing files, even of other programs.")
    var force = false

    /// The rule for the outputs of a command that reads these files.
    func rule(reading paths: [String]) -> OutputRule {
        OutputRule(replacesAll: force, inputs: paths.compactMap { FileIdentity(of: $0) })
    }
}

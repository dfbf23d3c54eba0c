import ArgumentParser
import FootfallHistory

/// The retention of a history that a command records into.
struct RetentionOptions: ParsableArguments {
    @Option(help: ArgumentHelp("How long the history keeps events, such as 30d, or forever.", valueName: "duration"))
    var keep: String?

    func validate() throws { _ = try retention }

    /// The given retention; nil for the one stored in the history.
    var retention: Retention? {
        get throws {
            guard let keep else { return nil }
            if keep == "forever" { return .forever }
            guard let seconds = TimeExpression.span(keep[...]) else {
                throw ValidationError("--keep \(keep): not a duration. Write one such as 30d, or forever.")
            }
            return Retention(.seconds(seconds))
        }
    }
}

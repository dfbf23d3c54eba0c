import ArgumentParser
import FootfallHistory

/// How long a history that is written to is to remember.
struct Keeping: ParsableArguments {
    @Option(
        help: ArgumentHelp("How long the history keeps what it holds, such as 30d, or forever.", valueName: "duration"))
    var keep: String?

    func validate() throws { _ = try retention }

    /// How long to keep; nil for as long as the history does already.
    var retention: Retention? {
        get throws {
            guard let keep else { return nil }
            if keep == "forever" { return .forever }
            guard let seconds = TimeExpression.span(keep[...]) else {
                throw ValidationError("--keep \(keep): write a length of time such as 30d, or forever.")
            }
            return Retention(.seconds(seconds))
        }
    }
}

import ArgumentParser

/// The options of every `footfall query`.
struct QueryOptions: ParsableArguments {
    @OptionGroup var history: HistoryOptions
    @OptionGroup var range: RangeOptions

    @Flag(name: [.short, .long], help: "Print the newest first.")
    var reverse = false

    @Flag(
        name: [.short, .long],
        help: "Continue: print each new or changed row as it is recorded, until interrupted.")
    var follow = false

    @Flag(help: "Exit with code 3 if the range has no data.")
    var requireData = false

    @OptionGroup var output: OutputOptions

    func validate() throws {
        if reverse, follow { throw ValidationError("--reverse and --follow exclude each other. Use only one of them.") }
    }
}

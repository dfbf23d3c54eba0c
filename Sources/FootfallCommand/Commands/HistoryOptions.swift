import ArgumentParser
import Foundation

/// Which history is meant.
struct HistoryLocation: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The history (default: $FOOTFALL_HISTORY, else footfall/history.sqlite in $XDG_DATA_HOME).",
            valueName: "file"))
    var history: String?

    /// Where the history is: as given, else as the environment says (XDG Base Directory Specification).
    var url: URL {
        let environment = ProcessInfo.processInfo.environment
        if let path = history ?? environment["FOOTFALL_HISTORY"], !path.isEmpty { return URL(filePath: path) }
        let home = environment["XDG_DATA_HOME"].flatMap { $0.isEmpty ? nil : URL(filePath: $0) }
        let data = home ?? URL.homeDirectory.appending(path: ".local/share")
        return data.appending(path: "footfall/history.sqlite")
    }
}

/// Whose motion is meant, and from when to when.
struct HistoryRange: ParsableArguments {
    @Option(help: ArgumentHelp("Whose motion; may be left out when the history holds one source.", valueName: "name"))
    var source: String?

    // Times may begin with a minus, so what follows these options is their value whatever it looks like.
    @Option(
        name: [.customShort("S"), .long], parsing: .unconditional,
        help: ArgumentHelp(
            "From when on: today, -2h, 14:30, 2026-11-20, '2026-11-20 08:00', ISO 8601 (default: all that is kept).",
            valueName: "time"))
    var since: String?

    @Option(
        name: [.customShort("U"), .long], parsing: .unconditional,
        help: ArgumentHelp(
            "Until when, this moment not included (default: the newest sample, or now).", valueName: "time"))
    var until: String?

    @Option(help: ArgumentHelp("The time zone to read and show times in (default: the wearer's).", valueName: "zone"))
    var tz: String?

    /// Refuses what cannot be meant before any file is touched: a slip of the hand is the same slip whatever the file.
    func validate() throws {
        _ = try bounds(in: zone ?? .gmt, now: Date())
    }

    /// The zone that was asked for; nil for the wearer's.
    var zone: TimeZone? {
        get throws { try Zone.parse(tz) }
    }

    /// The ends of the range, as far as they were given.
    ///
    /// - Throws: `ValidationError` for times that mean nothing, or leave nothing between them.
    func bounds(in zone: TimeZone, now: Date) throws -> (since: Date?, until: Date?) {
        let since = try since.map { try Zone.read($0, in: zone, now: now) }
        let until = try until.map { try Zone.read($0, in: zone, now: now) }
        if let since, let until, since >= until {
            throw ValidationError("--since lies at or after --until: there is no time in between.")
        }
        return (since, until)
    }
}

import ArgumentParser
import Footfall
import FootfallHistory
import Foundation
import Logging

/// Which history is asked, about whom and about when.
struct HistoryOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The history (default: $FOOTFALL_HISTORY, else footfall/history.sqlite in $XDG_DATA_HOME).",
            valueName: "file"))
    var history: String?

    @Option(help: ArgumentHelp("Whose motion; may be left out when the history holds one source.", valueName: "name"))
    var source: String?

    @Option(
        name: [.customShort("S"), .long],
        help: ArgumentHelp(
            "From when on: today, -2h, 14:30, 2026-11-20, “2026-11-20 08:00”, ISO 8601 (default: all that is kept).",
            valueName: "time"))
    var since: String?

    @Option(
        name: [.customShort("U"), .long],
        help: ArgumentHelp(
            "Until when, this moment not included (default: the newest sample, or now).", valueName: "time"))
    var until: String?

    @Option(help: ArgumentHelp("The time zone to read and show times in (default: the wearer's).", valueName: "zone"))
    var tz: String?

    @OptionGroup var output: OutputOptions

    /// Opens the history for reading, works out what is asked, and answers.
    ///
    /// - Throws: `ValidationError` for times that mean nothing, `HistoryError`, and what `answer` throws.
    func ask(_ answer: (Inquiry) throws -> Void) throws {
        // Options are checked before the file: a slip of the hand is the same slip whatever the file.
        let zone = try Zone.parse(tz)
        _ = try bounds(in: zone ?? .gmt)
        let url = HistoryOptions.location(history)
        let history = try MotionHistory(reading: url)
        output.log.info("asking \(url.path)")
        let info = try chosenSource(of: history)
        let asked = zone ?? info?.timeZone ?? .gmt
        let (since, until) = try bounds(in: asked)
        let kept = info?.keptRange
        let start = since.map { Timestamp($0) } ?? kept?.lowerBound ?? .epoch
        // Without an end, the answer reaches to the newest sample, or, when that is before the start, to now.
        let newest = kept?.upperBound ?? start
        let end = until.map { Timestamp($0) } ?? (newest > start ? newest : Timestamp(Date()))
        try answer(
            Inquiry(history: history, source: source, range: start..<max(start, end), timeZone: asked, kept: kept))
    }

    private func bounds(in zone: TimeZone) throws -> (since: Date?, until: Date?) {
        let since = try since.map { try Zone.read($0, in: zone) }
        let until = try until.map { try Zone.read($0, in: zone) }
        if let since, let until, since >= until {
            throw ValidationError("--since lies at or after --until: there is no time in between.")
        }
        return (since, until)
    }

    private func chosenSource(of history: MotionHistory) throws -> SourceInfo? {
        let sources = try history.sources()
        return sources.first { source == nil || $0.name == source }
    }

    /// Where the history is: as given, else as the environment says (XDG Base Directory Specification).
    static func location(_ path: String?) -> URL {
        let environment = ProcessInfo.processInfo.environment
        if let path = path ?? environment["FOOTFALL_HISTORY"], !path.isEmpty { return URL(filePath: path) }
        let home = environment["XDG_DATA_HOME"].flatMap { $0.isEmpty ? nil : URL(filePath: $0) }
        let data = home ?? URL.homeDirectory.appending(path: ".local/share")
        return data.appending(path: "footfall/history.sqlite")
    }
}

/// A question to a history, ready to be asked.
struct Inquiry {
    let history: MotionHistory
    let source: String?
    let range: Range<Timestamp>
    /// The zone in which times are shown and days begin.
    let timeZone: TimeZone
    /// What there is of the source; nil when nothing is.
    let kept: Range<Timestamp>?

    /// A calendar for buckets, in the zone that was asked for.
    var calendar: Calendar {
        var calendar = Calendar(identifier: .iso8601)
        calendar.timeZone = timeZone
        return calendar
    }

    /// A moment as the clock on the wall shows it, `2026-11-20 08:00`, with seconds where they are asked for.
    func local(_ time: Timestamp, seconds: Bool = true) -> String {
        let parts = calendar.dateComponents([.year, .month, .day, .hour, .minute, .second], from: Date(time))
        func two(_ value: Int?) -> String { (value ?? 0) < 10 ? "0\(value ?? 0)" : String(value ?? 0) }
        let date = "\(parts.year ?? 0)-\(two(parts.month))-\(two(parts.day))"
        let clock = "\(two(parts.hour)):\(two(parts.minute))"
        return "\(date) \(clock)" + (seconds ? ":\(two(parts.second))" : "")
    }

    /// Tells a person why an answer is empty, if it is.
    func explainEmptiness(covered: Double) {
        guard covered == 0 else { return }
        if let kept {
            Terminal.note(
                "footfall: nothing is known of this time; there is data from \(local(kept.lowerBound)) to "
                    + "\(local(kept.upperBound)) (\(timeZone.identifier))")
        } else {
            Terminal.note("footfall: the history is empty")
        }
    }
}

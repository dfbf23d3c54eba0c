import ArgumentParser
import FootfallHistory
import Foundation

/// The file of a history.
struct HistoryOptions: ParsableArguments {
    @Option("The history (default: $FOOTFALL_HISTORY, else footfall/history.sqlite in $XDG_DATA_HOME).", "file")
    var history: String?

    /// The given file, or the default of the environment (XDG Base Directory Specification).
    var url: URL {
        let environment = ProcessInfo.processInfo.environment
        if let path = history ?? environment["FOOTFALL_HISTORY"], !path.isEmpty { return URL(filePath: path) }
        func folder(_ variable: String) -> URL? {
            environment[variable].flatMap { $0.isEmpty ? nil : URL(filePath: $0, directoryHint: .isDirectory) }
        }
        let home = folder("HOME") ?? URL.homeDirectory
        let data = folder("XDG_DATA_HOME") ?? home.appending(path: ".local/share")
        return data.appending(path: "footfall/history.sqlite")
    }

    /// Opens the history for reading. If it is followed, what is recorded later is read, too. If not, the answer has
    /// what a recorder holds back for its next transaction.
    func read(isFollowed: Bool = false) throws -> MotionHistory {
        let history = try isFollowed ? MotionHistory(reading: url) : MotionHistory.withWaiting(reading: url)
        note(history.remarks)
        return history
    }
}

/// The history that a command records into.
struct RecordingOptions: ParsableArguments {
    /// The given retention; nil for the one stored in the history.
    @Option(
        "How long to keep events, such as 30d, or forever.", "duration", name: .customLong("keep"),
        OptionValue.retention)
    var retention: Retention?

    @Flag(help: "Also record what is ahead of the clock.") var acceptFuture = false
    @Flag(help: "Accept under a minute of samples after a long pause.") var acceptLeap = false

    /// Whether any of the options is given.
    var isGiven: Bool { retention != nil || acceptFuture || acceptLeap }

    /// Opens a history for recording.
    ///
    /// - Parameter isLive: Whether the times of samples are those of the host's clock.
    func open(_ url: URL, isLive: Bool = false) throws -> MotionHistory {
        let history = try MotionHistory(
            at: url, retention: retention, acceptsFuture: acceptFuture, acceptsLeap: acceptLeap || isLive)
        note(history.remarks)
        return history
    }
}

/// The source and the range of a query.
struct RangeOptions: ParsableArguments {
    @Option(.source) var source: String?
    @Option(.since, short: "S") var since: TimeExpression?
    @Option(.until, short: "U") var until: TimeExpression?
    @Option(.zone) var zone: TimeZone?

    /// Rejects a reversed range before a file is opened. Only the source has the wearer's zone, so ends that name no
    /// zone are compared as if both were of one zone.
    func validate() throws {
        do {
            _ = try ResolvedRange.ends(since, until, in: zone ?? .gmt, now: Date())
        } catch {
            throw ValidationError("\(error)")
        }
    }

    /// The source and the range in one state of a history. When a query is repeated, the source is that of the previous
    /// range.
    func resolved(
        in history: HistorySnapshot, after previous: ResolvedRange? = nil
    ) throws -> (SourceSnapshot, ResolvedRange) {
        let source = try history.source(source ?? previous?.source)
        return (source, try ResolvedRange(since: since, until: until, zone: zone, of: source, after: previous))
    }
}

extension ResolvedRange.Empty: CustomStringConvertible {
    /// The problem and the remedy.
    public var description: String { "--since is at or after --until. Give an earlier --since or a later --until." }
}

extension ResolvedRange {
    /// Reports on standard error that the range has no data, and the range of the data.
    func noteEmptiness() {
        guard let kept else { return Terminal.note("the history is empty") }
        let (first, last) = (clock.zone(at: kept.lowerBound).name, clock.zone(at: kept.upperBound).name)
        let start = clock.local(kept.lowerBound).full + (first == last ? "" : " (\(first))")
        Terminal.note(
            "no data in this range; there is data from \(start) to \(clock.local(kept.upperBound).full) (\(last))")
    }
}

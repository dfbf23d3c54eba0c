import Footfall
import FootfallHistory
import FootfallReaders
import FootfallTables
import Foundation

/// The contents, the size and the retention of a history.
struct HistoryOverview {
    private let path: String
    /// Bytes on disk, including SQLite's log.
    private let size: Int
    private let version: Int
    private let retention: Retention
    private let sources: [SourceInfo]

    /// Reads a history. Throws `HistoryError`.
    init(of history: MotionHistory, at url: URL) throws {
        path = url.path
        let file = url.resolvingSymlinksInPath().path
        size = ["", "-wal"].reduce(0) { $0 + HistoryOverview.size(of: file + $1) }
        (version, retention, sources) = try history.read { snapshot in
            (try snapshot.formatVersion, try snapshot.retention, try snapshot.sources())
        }
    }

    private static func size(of path: String) -> Int {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        return (attributes?[.size] as? NSNumber)?.intValue ?? 0
    }

    static let table = Table<HistoryOverview>(
        "history info", row: "the history",
        [
            .text("path", "The file.") { $0.path },
            .count("size", unit: "bytes", "The size on disk, with the log of SQLite.") { $0.size },
            .count("schema", "The version of the format.") { $0.version },
            .seconds("retention", "How long events are kept; empty without limit.") { $0.retention.seconds },
            .list("sources", "The sources.", of: SourceInfo.fields) { $0.sources },
        ])

    // MARK: Text

    /// The overview as text, with times in each source's zone.
    var text: String {
        let kept = HistoryOverview.text(of: retention)
        let head = """
            \(Color.bold(path.escaped))
              \(HistoryOverview.bytes(size)), schema \(version), keeps \(kept) of each source

            """
        guard !sources.isEmpty else { return head + "  The history is empty.\n" }
        func time(_ time: Timestamp?, of source: SourceInfo) -> String {
            time.map { WallClock(zone: source.timeZone).local($0).full } ?? ""
        }
        let table = TextTable(
            sources, of: SourceInfo.table, WallClock(zone: .gmt),
            [
                TextColumn("source") { Color.bold($0.name.escaped) },
                TextColumn(as: "from", goes: 2) { time($0.keptRange?.lowerBound, of: $0) },
                TextColumn(as: "to") { time($0.keptRange?.upperBound, of: $0) },
                TextColumn(as: "time zone", goes: 0) { $0.timeZone.name },
                TextColumn("coverage", as: "covered", goes: 1), TextColumn("steps"),
                TextColumn { source in
                    Color.dim(source.forgottenBefore.map { "forgotten before \(time($0, of: source))" } ?? "")
                },
            ])
        return head + "\n" + table.text
    }

    private static func text(of retention: Retention) -> String {
        guard let seconds = retention.seconds else { return "everything" }
        let days = Int(exactly: seconds / 86_400)
        return "the last " + (days.map { NumberText.count($0, "day") } ?? Words.duration(seconds))
    }

    private static func bytes(_ count: Int) -> String {
        var (value, unit) = (Double(count), "bytes")
        for larger in ["kB", "MB", "GB"] where value >= 1000 {
            (value, unit) = (value / 1000, larger)
        }
        return "\(value.formatted(decimals: unit == "bytes" ? 0 : 1)) \(unit)"
    }
}

import Footfall
import FootfallHistory
import FootfallReport
import Foundation

/// What a history holds, where and for how long.
struct HistoryOverview {
    private let path: String
    /// Bytes on disk, with what SQLite keeps beside the file.
    private let size: Int
    private let version: Int
    private let retention: Retention
    private let sources: [SourceInfo]

    init(_ history: MotionHistory, at url: URL) throws {
        path = url.path
        size = ["", "-wal"].reduce(0) { $0 + HistoryOverview.size(of: url.path + $1) }
        version = try history.formatVersion
        retention = try history.retention
        sources = try history.sources()
    }

    private static func size(of path: String) -> Int {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        return (attributes?[.size] as? NSNumber)?.intValue ?? 0
    }

    // MARK: Records

    static let columns = ["path", "size", "schema", "retention", "sources"]

    /// The overview as a JSON object; the retention is in seconds, null for ever.
    var record: Record {
        [
            ("path", .string(path)), ("size", .integer(size)), ("schema", .integer(version)),
            ("retention", retention.duration.map { .seconds($0 / .seconds(1)) } ?? .null),
            ("sources", .array(sources.map { .object(HistoryOverview.record(of: $0)) })),
        ]
    }

    private static func record(of source: SourceInfo) -> Record {
        [
            ("source", .string(source.name)), ("timeZone", .string(source.timeZone.identifier)),
            ("start", .time(source.keptRange?.lowerBound)), ("end", .time(source.keptRange?.upperBound)),
            ("steps", .integer(source.steps)), ("coverage", .seconds(source.coverage)),
            ("forgottenBefore", .time(source.forgottenBefore)),
        ]
    }

    // MARK: Text

    /// The overview for a person, times on each wearer's clock.
    var text: String {
        let kept = HistoryOverview.words(retention)
        let head = """
            \(Color.bold(path))
              \(HistoryOverview.bytes(size)), schema \(version), keeps \(kept) of each source

            """
        guard !sources.isEmpty else { return head + "  There is nothing in it yet.\n" }
        var table = Table("source", "from", "to", "time zone", ">covered", ">steps", "")
        for source in sources {
            let clock = WallClock(zone: source.timeZone)
            table.add(
                Color.bold(source.name), source.keptRange.map { clock.local($0.lowerBound).full } ?? "",
                source.keptRange.map { clock.local($0.upperBound).full } ?? "", source.timeZone.identifier,
                Words.duration(source.coverage), String(source.steps),
                Color.dim(source.forgottenBefore.map { "forgotten before \(clock.local($0).full)" } ?? ""))
        }
        return head + "\n" + table.text
    }

    private static func words(_ retention: Retention) -> String {
        guard let duration = retention.duration else { return "everything" }
        let (seconds, rest) = duration.components
        let isDays = rest == 0 && seconds % 86400 == 0
        return "the last " + (isDays ? "\(seconds / 86400) days" : Words.duration(duration / .seconds(1)))
    }

    private static func bytes(_ count: Int) -> String {
        var (value, unit) = (Double(count), "bytes")
        for larger in ["kB", "MB", "GB"] where value >= 1000 {
            (value, unit) = (value / 1000, larger)
        }
        return "\(value.formatted(decimals: unit == "bytes" ? 0 : 1)) \(unit)"
    }
}

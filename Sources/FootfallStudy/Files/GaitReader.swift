internal import Footfall
internal import FootfallTraces

/// The gait bouts of one trace, read range by range in the order of time.
final class GaitReader {
    /// A row of the table.
    struct Bout {
        let start: Timestamp
        /// The steps per minute.
        let cadence: Double
        /// In metres.
        let verticalExcursion: Double
    }

    private let table: TableReader
    private var waiting: Bout?

    /// Opens a table of gait. A table of an earlier version has no bouts here, because it lacks the column.
    init(_ path: String) throws(TraceError) {
        table = try TableReader(path, columns: ["start", "cadence"], optional: ["verticalExcursion"])
    }

    /// The bouts that start in a range and have a vertical excursion. Ranges are asked for in the order of time.
    ///
    /// - Parameter shift: Seconds between the times of the table and those of the results.
    func bouts(of range: Range<Timestamp>, shift: Double) throws(TraceError) -> [Bout] {
        var found: [Bout] = []
        while true {
            while waiting == nil {
                guard try table.next() else { return found }
                guard !table.isEmpty(2) else { continue }
                waiting = Bout(
                    start: try table.time(0).advanced(bySeconds: shift), cadence: try table.number(1),
                    verticalExcursion: try table.number(2))
            }
            guard let bout = waiting, bout.start < range.upperBound else { return found }
            if range.contains(bout.start) { found.append(bout) }
            waiting = nil
        }
    }
}

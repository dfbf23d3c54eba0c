internal import Footfall
internal import FootfallMeasures
internal import FootfallReaders
internal import FootfallTables

/// The epochs of one trace, read range by range in the order of time.
final class EpochReader {
    /// A day is asked for after the night that follows it, which starts at noon. On the day on which clocks are set
    /// back, noon is 13 h after midnight.
    static let reachSeconds = 13.0 * 3600

    private let table: TableReader
    private let length: EpochLength
    /// The latest epochs.
    private var recent: [EpochMeasures] = []

    /// Opens a table of epochs of a length.
    init(_ path: String, length: EpochLength) throws(TraceError) {
        self.length = length
        table = try TableReader(
            path, columns: ["start", "enmoMg", "madMg", "worn", "angleZDeg"],
            optional: ["countsX", "countsY", "countsZ", "clipped"], isOwn: true)
    }

    /// The epochs that end after the start of a range and start before its end. Ranges are asked for in the order of
    /// time, but a range may start up to 13 h before the one that was asked for last.
    ///
    /// - Parameter shift: Seconds between the times of the table and those of the results.
    func epochs(of range: Range<Timestamp>, shift: Double) throws(TraceError) -> [EpochMeasures] {
        // An epoch may start before the first sample.
        let first = range.lowerBound.advanced(bySeconds: -length.seconds)
        let kept = first.advanced(bySeconds: -Self.reachSeconds)
        recent.removeFirst(recent.prefix { $0.start <= kept }.count)
        while recent.last.map({ $0.start < range.upperBound }) ?? true, try table.next() {
            let epoch = try epoch(shift)
            if let last = recent.last, epoch.start <= last.start { throw table.error("the time runs backwards") }
            if epoch.start > kept { recent.append(epoch) }
        }
        return Array(recent.drop { $0.start <= first }.prefix { $0.start < range.upperBound })
    }

    /// The epoch in the last row that was read.
    private func epoch(_ shift: Double) throws(TraceError) -> EpochMeasures {
        EpochMeasures(
            start: try table.time(0).advanced(bySeconds: shift), length: length, enmoMg: try table.number(1),
            madMg: try table.number(2), angleZDegrees: table.isEmpty(4) ? nil : try table.number(4),
            clipped: table.isEmpty(8) ? 0 : try table.number(8), isWorn: table.text(3) == "true", counts: try counts())
    }

    private func counts() throws(TraceError) -> ActivityCounts? {
        guard !table.isEmpty(5) else { return nil }
        return ActivityCounts(x: try count(5), y: try count(6), z: try count(7))
    }

    private func count(_ column: Int) throws(TraceError) -> Int {
        // A count above a million in an epoch is none, and has no room in the sum of a day.
        guard let count = Int(exactly: try table.number(column)), (0...1_000_000).contains(count) else {
            throw table.invalid(column, "a number of counts")
        }
        return count
    }
}

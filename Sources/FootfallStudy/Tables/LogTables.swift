internal import Footfall
internal import FootfallHistory
internal import FootfallMeasures
internal import FootfallTables
internal import Foundation

/// The tables of one log: steps, epochs, gait, bouts, activities, minutes, hours and days.
struct LogTables {
    private let log: PlacedLog
    private let folder: URL
    private let rule: OutputRule

    /// The tables of a log in its own zone. ``write(_:)`` creates the folder where it is missing. `rule` states which
    /// existing files are not replaced.
    init(of log: PlacedLog, in folder: URL, _ rule: OutputRule) {
        (self.log, self.folder, self.rule) = (log, folder, rule)
    }

    /// Writes the tables. None of them is in its place yet.
    func write(_ rows: [DayRow]) throws -> [OutputTable] {
        try OutputTable.make(folder)
        let (start, days) = (log.range.lowerBound, try log.days())
        var bouts: [Bout] = []
        let steps = try table(.steps) { table in
            for day in days {
                for step in try log.steps(of: day) {
                    table.write(PlacedStep.table.record(of: PlacedStep(step: step, start: start)))
                    bouts.add(step.time)
                }
            }
        }
        let epochs = try table(.epochs) { table in
            for day in days {
                for epoch in try log.epochs(of: day) where day.contains(epoch.start) || epoch.start < start {
                    table.write(EpochMeasures.table.record(of: epoch))
                }
            }
        }
        let gait = try gaitTables()
        let boutTable = try table(.bouts) { table in
            let times = { (range: Range<Timestamp>) in try log.steps(of: range).map(\.time) }
            try MeasuredBout.forEach(bouts, stepTimes: times) { table.write(MeasuredBout.table.record(of: $0)) }
        }
        let activities = try table(.activities) { table in
            try log.forEachSegment { table.write(PlacedSegment.record(of: $0, from: start)) }
        }
        let (minutes, hours) = (try table(BucketRow.minutes.description), try table(BucketRow.hours.description))
        for day in days {
            let parts = try DayParts(of: log, in: day)
            for row in parts.rows(.minutes(1)) { minutes.write(BucketRow.minutes.record(of: row)) }
            for row in parts.rows(.hour) { hours.write(BucketRow.hours.record(of: row)) }
        }
        let dayTable = try table(.days) { table in for row in rows { table.write(row.record) } }
        let tables = [steps, epochs] + gait + [boutTable, activities, minutes, hours, dayTable]
        for table in tables { try table.flush() }
        return tables
    }

    private func table(
        _ description: TableDescription, _ rows: (OutputTable) throws -> Void = { _ in }
    ) throws -> OutputTable {
        let table = try OutputTable(description, in: folder, zone: log.timeZone, rule)
        try rows(table)
        return table
    }

    /// The tables of gait: a row for each bout, and for each day with bouts.
    private func gaitTables() throws -> [OutputTable] {
        let (bouts, days) = (try table(.gait), try table(.gaitDays))
        var day: Range<Timestamp>?
        var boutsOfDay: [GaitMeasures] = []
        func endDay() {
            guard let day, !boutsOfDay.isEmpty else { return }
            let summary = GaitSummary(bouts: boutsOfDay, in: day)
            let noon = day.middle
            days.write(
                GaitDay.table.record(of: GaitDay(date: LocalTime(noon, in: log.timeZone).date, summary: summary)))
            boutsOfDay = []
        }
        try log.forEachGaitBout { bout in
            bouts.write(GaitMeasures.table.record(of: bout))
            if !(day?.contains(bout.range.lowerBound) ?? false) {
                endDay()
                day = log.timeZone.day(of: bout.range.lowerBound)
            }
            boutsOfDay.append(bout)
        }
        endDay()
        return [bouts, days]
    }
}

/// What a day of a log is divided into minutes and hours from.
private struct DayParts {
    private let range: Range<Timestamp>
    private let zone: TimeZone
    private let steps: [Timestamp]
    private let segments: [Segment]
    /// By `Timestamp.minute`.
    private let minutes: [Int64: MinuteMeans]

    init(of log: PlacedLog, in day: Range<Timestamp>) throws {
        range = day.clamped(to: log.range)
        zone = log.timeZone
        steps = try log.steps(of: day).map(\.time)
        segments = try log.segments(of: day)
        minutes = try log.epochs(of: day).reduce(into: [:]) { minutes, epoch in
            minutes[epoch.start.minute, default: MinuteMeans(epochs: 60 / epoch.length.rawValue)].add(epoch)
        }
    }

    func rows(_ bucket: CalendarBucket) -> [BucketRow] {
        var (steps, segments) = (steps[...], segments[...])
        return bucket.ranges(in: range, [(.min, Calendar(.iso8601, in: zone))]).map { range in
            let counted = steps.prefix { $0 < range.upperBound }
            steps = steps.dropFirst(counted.count)
            segments = segments.drop { $0.range.upperBound <= range.lowerBound }
            var nanoseconds: [Activity: Int64] = [:]
            var unworn: Int64 = 0
            for segment in segments.prefix(while: { $0.range.lowerBound < range.upperBound }) {
                let length = segment.range.clamped(to: range).nanoseconds
                nanoseconds[segment.activity, default: 0] += length
                if segment.reason == .notWorn { unworn += length }
            }
            return BucketRow(
                range: range, steps: counted.count, coverage: Double(nanoseconds.values.reduce(0, +)) / 1e9,
                durations: nanoseconds.mapValues { Double($0) / 1e9 }, nonWear: Double(unworn) / 1e9,
                means: minutes[range.lowerBound.minute])
        }
    }
}

struct MinuteMeans {
    /// The epochs of a whole minute.
    private let epochs: Int
    private var (enmo, mad, angle) = (0.0, 0.0, 0.0)
    private var (count, angles, counted) = (0, 0, 0)
    private var counts = ActivityCounts.zero

    fileprivate init(epochs: Int) { self.epochs = epochs }

    fileprivate mutating func add(_ epoch: EpochMeasures) {
        enmo += epoch.enmoMg
        mad += epoch.madMg
        angle += epoch.angleZDegrees ?? 0
        count += 1
        counts = counts + (epoch.counts ?? .zero)
        counted += epoch.counts == nil ? 0 : 1
        angles += epoch.angleZDegrees == nil ? 0 : 1
    }

    var enmoMg: Double? { Self.mean(enmo, count) }
    var madMg: Double? { Self.mean(mad, count) }
    var angleZDegrees: Double? { Self.mean(angle, angles) }
    /// The counts; nil if those of an epoch are missing.
    var wholeCounts: ActivityCounts? { counted == epochs ? counts : nil }

    private static func mean(_ sum: Double, _ count: Int) -> Double? { count > 0 ? sum / Double(count) : nil }
}

package import Footfall
internal import FootfallHistory
package import FootfallMeasures
internal import FootfallTables
package import Foundation
internal import Synchronization

/// The tables of one trace: steps, epochs, gait, bouts, activities, minutes, hours and days.
///
/// Steps, epochs and gait are written as they come. Bouts, minutes and hours are queries of a temporary history, so
/// memory does not grow with the length of the trace. Days are computed from the tables of steps, epochs and
/// activities, as `summarize` does.
package struct TraceTables {
    private let folder: URL
    private let name: String
    private let rule: OutputRule
    private let timeZone: TimeZone
    private let measures: DayRules
    private let history: MotionHistory
    /// The events that wait for one transaction of the temporary history.
    private var waiting: [MotionEvent] = []
    private var steps: OutputTable?
    /// The table of epochs. The reading thread fills it.
    package let epochs: EpochTable
    private let gaitMeter: GaitMeter
    private var gait: GaitTables?

    /// Starts the tables.
    ///
    /// - Parameters:
    ///   - folder: Created with the first event.
    ///   - name: The name of the trace without its extensions.
    ///   - timeZone: The zone of hours, days and local times.
    ///   - measures: The rules of the measures of days.
    ///   - epochs: The length of the epochs.
    ///   - gait: The stage of the gait measures, without samples.
    ///   - rule: Which existing files are not replaced.
    /// - Throws: `HistoryError` where there is no room for temporary files.
    package init(
        in folder: URL, of name: String, timeZone: TimeZone, _ measures: DayRules, epochs length: EpochLength,
        _ gait: GaitMeter, _ rule: OutputRule
    ) throws {
        (self.folder, self.name, self.timeZone, self.measures, self.rule) = (folder, name, timeZone, measures, rule)
        epochs = EpochTable(in: folder, of: length, timeZone: timeZone, rule)
        gaitMeter = gait
        history = try MotionHistory.temporary(retention: .forever)
    }

    /// Adds the next events; `start` is the time of the first sample of the trace.
    package mutating func add(_ events: [MotionEvent], start: Timestamp) throws {
        let steps = try stepsTable()
        for case .step(let step) in events {
            steps.write(PlacedStep.table.record(of: PlacedStep(step: step, start: start)))
        }
        try startGait()
        gait?.add(events)
        waiting += events
        if waiting.count >= Self.longTransaction { try record() }
    }

    /// Adds the next samples. ``epochs`` gets them separately.
    ///
    /// - Throws: `FileError`.
    package mutating func add(_ samples: RepairedSamples) throws {
        try startGait()
        gait?.add(samples)
    }

    /// The events of a few hours. Fewer transactions are faster, and the events of one wait in memory.
    private static let longTransaction = 4096

    private mutating func record() throws {
        try history.record(waiting, from: "trace", timeZone: timeZone)
        waiting.removeAll(keepingCapacity: true)
    }

    private mutating func stepsTable() throws -> OutputTable {
        if let steps { return steps }
        let table = try table(.steps)
        steps = table
        return table
    }

    private mutating func startGait() throws(FileError) {
        if gait == nil { gait = try GaitTables(gaitMeter, timeZone: timeZone, table: table) }
    }

    private func table(_ description: TableDescription) throws(FileError) -> OutputTable {
        try OutputTable.start(description, in: folder, zone: timeZone, rule).get()
    }

    /// Writes the other tables, and puts all in place. Without this call none of them is in the folder.
    package mutating func finish(_ analysis: TraceAnalysis) throws {
        let (minutes, epochTable) = try epochs.finish()
        try startGait()
        let gaitTables = gait?.finish() ?? []
        try record()
        let start = analysis.quality.start ?? .epoch
        let range = start..<max(start, analysis.quality.end ?? start).advanced(bySeconds: 1e-9)
        let bouts = try table(.bouts) { table in
            try history.read { snapshot in
                let source = try snapshot.source("trace")
                try MeasuredBout.forEach(source.bouts(in: range), stepTimes: { try source.stepTimes(in: $0) }) {
                    table.write(MeasuredBout.table.record(of: $0))
                }
            }
        }
        let activities = try table(.activities) { table in
            for segment in analysis.segments { table.write(PlacedSegment.record(of: segment, from: start)) }
            try analysis.checkWhole()
        }
        // A clock that was set may have jumped over decades: days without samples get no rows.
        let days = try history.steps(in: range, by: .day).filter { $0.coverage > 0 }
        let buckets = try [(BucketRow.minutes, CalendarBucket.minutes(1)), (BucketRow.hours, .hour)].map {
            rowTable, bucket in
            try self.table(rowTable.description) { table in
                for day in days {
                    for row in try rows(bucket, day.range, analysis.nonWear, minutes) {
                        table.write(rowTable.record(of: row))
                    }
                }
            }
        }
        let steps = try stepsTable()
        for table in [steps, epochTable, activities] { try table.flush() }
        let results = try TraceResults(
            of: name, activities: activities.path, steps: steps.path, epochs: epochTable.path,
            days.map { timeZone.day(of: $0.range.lowerBound) }, range, in: timeZone, by: measures.cutPoints,
            CalibrationState(analysis.calibration), epochLength: self.epochs.length, gaitMeter.placement)
        let dayTable = try table(.days) { table in
            for row in try [results].days(of: name, by: measures, note: { _ in }) { table.write(row.record) }
        }
        try TableFolder(folder).place([steps, epochTable] + gaitTables + [bouts, activities] + buckets + [dayTable])
    }

    /// A row for each bucket of a range.
    private func rows(
        _ bucket: CalendarBucket, _ range: Range<Timestamp>, _ nonWear: [Range<Timestamp>], _ minutes: EpochMinutes
    ) throws -> [BucketRow] {
        let counts = try history.steps(in: range, by: bucket)
        return zip(counts, try history.durations(in: counts.map(\.range))).map { count, durations in
            let unworn = nonWear.filter { $0.overlaps(count.range) }
                .reduce(0) { $0 + $1.clamped(to: count.range).seconds }
            return BucketRow(
                count: count, durations: durations, nonWear: unworn, means: minutes.means(from: count.range.lowerBound))
        }
    }

    /// A table with its rows, which is not in its place yet.
    private func table(
        _ description: TableDescription, _ rows: (OutputTable) throws -> Void
    ) throws -> OutputTable {
        let table = try table(description)
        try rows(table)
        return table
    }
}

/// The table of epochs of one trace, and their means by minute.
///
/// The measures of the epochs take nearly as long as the analysis. The thread that reads the trace computes them, so
/// that both processors have work.
package final class EpochTable: Sendable {
    private struct State {
        var meter: EpochMeter
        /// Created with the first samples.
        var table: Result<OutputTable, FileError>?
        var minutes: EpochMinutes
    }

    private let folder: URL
    private let rule: OutputRule
    private let timeZone: TimeZone
    private let state: Mutex<State>
    /// The length of the epochs.
    let length: EpochLength

    /// - Parameters:
    ///   - folder: Created with the first samples.
    ///   - length: The length of the epochs.
    ///   - timeZone: The zone of the local times.
    ///   - rule: Which existing files are not replaced.
    package init(in folder: URL, of length: EpochLength, timeZone: TimeZone, _ rule: OutputRule) {
        (self.folder, self.length, self.timeZone, self.rule) = (folder, length, timeZone, rule)
        state = Mutex(State(meter: EpochMeter(length: length), minutes: EpochMinutes(length: length)))
    }

    /// Adds the next samples.
    package func add(_ samples: RepairedSamples) {
        state.withLock { state in _ = write(state.meter.add(samples), &state) }
    }

    /// Writes the last epochs, and returns their means and the table, which is not in its place yet.
    ///
    /// - Throws: `FileError`, also for an earlier error.
    func finish() throws(FileError) -> (minutes: EpochMinutes, table: OutputTable) {
        try state.withLock { state throws(FileError) in
            let table = write(state.meter.finish(), &state)
            return (state.minutes, try table.get())
        }
    }

    private func write(_ epochs: [EpochMeasures], _ state: inout State) -> Result<OutputTable, FileError> {
        let table = state.table ?? OutputTable.start(.epochs, in: folder, zone: timeZone, rule)
        state.table = table
        for epoch in epochs {
            (try? table.get())?.write(EpochMeasures.table.record(of: epoch))
            state.minutes.add(epoch)
        }
        return table
    }
}

internal import Footfall
internal import FootfallHistory
internal import FootfallMeasures
internal import FootfallTables
internal import Foundation

/// The tables of gait: a row for each gait bout as it comes, and a row for each day when it is over.
struct GaitTables {
    private var meter: GaitMeter
    private let timeZone: TimeZone
    private let bouts: OutputTable
    private let days: OutputTable
    /// The day of the last bout, and its bouts so far.
    private var day: Range<Timestamp>?
    private var boutsOfDay: [GaitMeasures] = []

    /// Starts the tables.
    ///
    /// - Parameters:
    ///   - meter: The stage, without samples.
    ///   - table: Starts the file of a table.
    init(
        _ meter: GaitMeter, timeZone: TimeZone, table: (TableDescription) throws(FileError) -> OutputTable
    ) throws(FileError) {
        (self.meter, self.timeZone) = (meter, timeZone)
        bouts = try table(.gait)
        days = try table(.gaitDays)
    }

    mutating func add(_ samples: RepairedSamples) { meter.add(samples) }

    mutating func add(_ events: [MotionEvent]) { write(meter.add(events)) }

    /// Writes the last bouts, and returns the tables, which are not in their places yet.
    mutating func finish() -> [OutputTable] {
        write(meter.finish())
        endDay()
        return [bouts, days]
    }

    private mutating func write(_ measures: [GaitMeasures]) {
        for bout in measures {
            bouts.write(GaitMeasures.table.record(of: bout))
            let start = bout.range.lowerBound
            if let day, day.contains(start) {
                boutsOfDay.append(bout)
            } else {
                endDay()
                day = timeZone.day(of: start)
                boutsOfDay = [bout]
            }
        }
    }

    private mutating func endDay() {
        guard let day, !boutsOfDay.isEmpty else { return }
        let summary = GaitSummary(bouts: boutsOfDay, in: day)
        let noon = day.lowerBound.advanced(bySeconds: day.seconds / 2)
        days.write(GaitDay.table.record(of: GaitDay(date: LocalTime(noon, in: timeZone).date, summary: summary)))
        boutsOfDay = []
    }
}

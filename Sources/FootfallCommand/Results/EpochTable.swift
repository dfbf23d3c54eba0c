import Footfall
import FootfallMeasures
import FootfallReport
import Foundation
import Synchronization

/// The table of epochs of one trace, and their totals by day and minute.
///
/// The measures of the epochs take nearly as long as the analysis. The thread that reads the trace computes them, so that both
/// processors have work.
final class EpochTable: Sendable {
    private struct State {
        var meter = EpochMeter()
        /// Created with the first samples.
        var table: Result<OutputTable, FileError>?
        var totals: EpochTotals
    }

    private let folder: URL
    private let rule: OutputRule
    private let printedZone: TimeZone?
    private let state: Mutex<State>

    /// - Parameters:
    ///   - folder: Created with the first samples.
    ///   - timeZone: The zone of days.
    ///   - cutPoints: The cut points of the totals of intensity, if any.
    ///   - printedZone: The zone of times in the table; nil for UTC.
    ///   - rule: Which existing files are not replaced.
    init(
        in folder: URL, timeZone: TimeZone, printing printedZone: TimeZone?, _ cutPoints: IntensityCutPoints?,
        _ rule: OutputRule
    ) {
        (self.folder, self.printedZone, self.rule) = (folder, printedZone, rule)
        state = Mutex(State(totals: EpochTotals(in: timeZone, by: cutPoints)))
    }

    /// Adds the next samples.
    func add(_ samples: RepairedSamples) {
        state.withLock { state in write(state.meter.add(samples), &state) }
    }

    /// Writes the last epochs, and returns the totals and the table, which is not in its place yet.
    ///
    /// - Throws: `FileError`, also for an earlier error.
    func finish() throws(FileError) -> (totals: EpochTotals, table: OutputTable?) {
        try state.withLock { state throws(FileError) in
            write(state.meter.finish(), &state)
            state.totals.finish()
            return (state.totals, try state.table?.get())
        }
    }

    private func write(_ epochs: [EpochMeasures], _ state: inout State) {
        let table = state.table ?? OutputTable.start(.epochs, in: folder, zone: printedZone, rule)
        state.table = table
        for epoch in epochs {
            (try? table.get())?.write(epoch.record)
            state.totals.add(epoch)
        }
    }
}

extension EpochMeasures {
    /// The epoch as a record.
    fileprivate var record: Record {
        [
            ("start", .time(start)), ("enmoMg", .number(enmoMg, decimals: 2)), ("madMg", .number(madMg, decimals: 2)),
            ("angleZDeg", angleZDegrees.map { .number($0, decimals: 2) } ?? .null),
            ("clipped", .number(clipped, decimals: 4)), ("worn", .bool(isWorn)),
        ]
    }
}

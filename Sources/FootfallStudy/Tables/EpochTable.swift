package import Footfall
internal import FootfallMeasures
internal import FootfallTables
package import Foundation
internal import Synchronization

/// The table of epochs of one trace, and their means by minute.
///
/// The measures of the epochs take nearly as long as the analysis. The thread that reads the trace computes them, so
/// that both processors have work.
package final class EpochTable: Sendable {
    private struct State {
        var meter = EpochMeter()
        /// Created with the first samples.
        var table: Result<OutputTable, FileError>?
        var minutes = EpochMinutes()
    }

    private let folder: URL
    private let rule: OutputRule
    private let printedZone: TimeZone?
    private let state = Mutex(State())

    /// - Parameters:
    ///   - folder: Created with the first samples.
    ///   - printedZone: The zone of times in the table; nil for UTC.
    ///   - rule: Which existing files are not replaced.
    package init(in folder: URL, printing printedZone: TimeZone?, _ rule: OutputRule) {
        (self.folder, self.printedZone, self.rule) = (folder, printedZone, rule)
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
        let table = state.table ?? OutputTable.start(.epochs, in: folder, zone: printedZone, rule)
        state.table = table
        for epoch in epochs {
            (try? table.get())?.write(EpochMeasures.table.record(of: epoch))
            state.minutes.add(epoch)
        }
        return table
    }
}

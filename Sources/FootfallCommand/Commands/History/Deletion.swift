import Footfall
import FootfallHistory
import FootfallReaders
import FootfallTables

/// The result of a deletion.
struct Deletion {
    private let source: String?
    private let removed: StepCount
    /// The part of the range that held data; nil if there was none.
    private let range: Range<Timestamp>?
    private let clock: WallClock

    init(_ resolved: ResolvedRange, _ removed: StepCount) {
        (source, clock, self.removed) = (resolved.source, resolved.clock, removed)
        let part = resolved.kept.map { removed.range.clamped(to: $0) }
        range = removed.count > 0 || removed.coverage > 0 ? part : nil
    }

    static let table = Table<Deletion>(
        "history delete", row: "the deletion",
        [
            .text("source", "The wearer or the device; empty if nothing was removed.") { $0.source },
            .time("start", "The start of what was removed.") { $0.range?.lowerBound },
            .time("end", "The end of what was removed.") { $0.range?.upperBound },
            .count("steps", "The removed steps.") { $0.removed.count },
            .seconds("coverage", "The removed time with samples.") { $0.removed.coverage },
        ])

    /// The result as a sentence.
    var text: String {
        guard let range, let source else { return "There is nothing to remove.\n" }
        return "Removed \(removed.count) steps in \(Words.duration(removed.coverage)) of \(source.escaped), "
            + "from \(clock.local(range.lowerBound).full) to \(clock.local(range.upperBound).full).\n"
    }
}

import ArgumentParser
import Footfall
import FootfallHistory
import FootfallReaders
import FootfallStudy
import FootfallTables

/// The results of a command that are not in the history, reported in a line for each reason.
struct RecordingReport: Sendable {
    /// Whether the user decided how long the history keeps events.
    private let hasRetention: Bool
    private var outcome = RecordingOutcome()
    /// The steps of before that a device has replaced.
    private var repeated = 0
    private var leaping = 0
    private var traces: [RecordedTrace] = []

    init(_ options: RecordingOptions) { hasRetention = options.retention != nil }

    mutating func add(_ outcome: RecordingOutcome) { self.outcome += outcome }

    /// Adds the outcome of the recording of a device. Its samples are new, so they should replace nothing.
    mutating func add(ofDevice outcome: RecordingOutcome) {
        add(outcome)
        repeated += outcome.replaced
    }

    mutating func add(_ trace: RecordedTrace) {
        add(trace.outcome)
        traces.append(trace)
    }

    /// Adds the counts of a trace's or a device's samples.
    mutating func add(_ quality: SignalQuality) { leaping += quality.leaping }

    /// Prints what the history does not hold, and throws the exit code of the first line. Throws `HistoryError`, too.
    func end(_ history: MotionHistory) throws {
        try noteLeaps(in: history)
        noteUndated()
        let problems = try [setAside, leap, repetition, expired(in: history), replaced(in: history)].compactMap(\.self)
        for problem in problems { Terminal.note(problem.line) }
        if let problem = problems.first { throw ExitCode(problem.code) }
    }

    /// Reports the sources whose newest part does not move the window of the retention.
    private func noteLeaps(in history: MotionHistory) throws {
        let (retention, leaps) = try history.read { snapshot in
            (
                try snapshot.retention,
                try snapshot.sources().compactMap { source in
                    try snapshot.source(source.name).leap().map { (source, $0) }
                }
            )
        }
        for (source, leap) in leaps {
            let clock = WallClock(zone: source.timeZone)
            let pause = leap.start.seconds(since: leap.range.lowerBound)
            Terminal.note(
                "\(source.name.escaped) has less than a minute of samples from "
                    + "\(clock.local(leap.start).full) on, after \(Words.duration(pause)) without any. All is kept: the "
                    + "\(retention.keptTime) end before them. If their time is right, --accept-leap makes \(NumberText.count(leap.steps, "step")) "
                    + "before \(clock.local(leap.limit).full) old; if it is wrong, 'footfall history delete --source "
                    + "\(source.name.escaped) --since \(leap.start.description.prefix(19))Z' removes them")
        }
    }

    /// Reports the days to which logs without a date went.
    private func noteUndated() {
        let starts = traces.compactMap(\.range?.lowerBound).filter { $0 < .endOfUndated }
        guard let first = starts.min() else { return }
        let logs = starts.count == 1 ? "a log without a date is" : "\(starts.count) logs without a date are"
        Terminal.note(
            "\(logs) recorded from \(first.description.prefix(10)) on; --start, such as --start 2026-11-20T08:00, "
                + "gives a log its time")
    }

    private typealias Problem = (line: String, code: Int32)

    private var setAside: Problem? {
        guard outcome.setAside > 0 else { return nil }
        let latest = outcome.latestSetAside.map { " (up to \($0.description.prefix(19))Z)" } ?? ""
        return (
            "events ahead of the clock\(latest) are not recorded: \(outcome.setAside); --accept-future records them",
            Failure.badData
        )
    }

    private var leap: Problem? {
        guard leaping > 0 else { return nil }
        return (
            "\(leaping) samples are more than 7 days ahead of those before, with less than a minute of samples "
                + "behind them, and are not recorded", Failure.badData
        )
    }

    private var repetition: Problem? {
        guard repeated > 0 else { return nil }
        return (
            "\(repeated) steps recorded before are replaced by those of this session, because the clock was set back to "
                + "their time", Failure.notKept
        )
    }

    /// The numbers of recorded traces that the history does not hold any more.
    private func expired(in history: MotionHistory) throws -> Problem? {
        guard !hasRetention else { return nil }
        let (retention, lost) = try history.read { snapshot in
            (try snapshot.retention, try traces.compactMap { try missing($0, in: snapshot) })
        }
        let reason = "are not in the history, which keeps \(retention.keptTime) before its newest sample"
        guard !lost.isEmpty else {
            guard outcome.expired > 0 else { return nil }
            return (
                "\(outcome.expired) steps and segments \(reason); --keep 30d or --keep forever keeps more",
                Failure.notKept
            )
        }
        let (steps, all) = (lost.reduce(0) { $0 + $1.steps }, traces.reduce(0) { $0 + $1.steps })
        let seconds = lost.reduce(0) { $0 + $1.seconds }
        let days = (lost.map(\.age).max() ?? 0) / 86400
        let keep = days < 3650 ? "\(Int(clamping: days.rounded(.up)))d" : "forever"
        return (
            "\(steps) of \(NumberText.count(all, "step")), in \(Words.duration(seconds)) of "
                + "\(Words.duration(traces.reduce(0) { $0 + $1.coverage })), \(reason); --keep \(keep) keeps them",
            Failure.notKept
        )
    }

    /// What the history does not hold of a trace that no other one overlaps; nil if it holds all of it.
    private func missing(
        _ trace: RecordedTrace, in snapshot: HistorySnapshot
    ) throws -> (steps: Int, seconds: Double, age: Double)? {
        guard let range = trace.range, trace.outcome.setAside == 0, !isOverlapped(trace) else { return nil }
        let source = try snapshot.sources().first { $0.name == trace.source }
        let kept = try source.map { try snapshot.source($0.name).steps(in: range) }
        let (steps, seconds) = (trace.steps - (kept?.count ?? 0), trace.coverage - (kept?.coverage ?? 0))
        guard kept?.isTruncated ?? true, steps > 0 || seconds > 1 else { return nil }
        let newest = source?.keptRange?.upperBound ?? range.upperBound
        return (max(0, steps), max(0, seconds), newest.seconds(since: range.lowerBound))
    }

    private func isOverlapped(_ trace: RecordedTrace) -> Bool {
        traces.count { $0.source == trace.source && $0.overlaps(trace) } > 1
    }

    /// Traces of one source that overlap: each replaced a part of the one before.
    private func replaced(in history: MotionHistory) throws -> Problem? {
        let replaced = traces.filter(isOverlapped)
        guard !replaced.isEmpty else { return nil }
        let all = replaced.reduce(0) { $0 + $1.steps }
        let kept = try history.read { snapshot in
            try Dictionary(grouping: replaced, by: \.source).reduce(0) { sum, group in
                let ranges = group.value.compactMap(\.range)
                guard let start = ranges.map(\.lowerBound).min(), let end = ranges.map(\.upperBound).max() else {
                    return sum
                }
                return sum + (try snapshot.source(group.key).steps(in: start..<end).count)
            }
        }
        let isUndated = replaced.allSatisfy { $0.range.map { $0.lowerBound < .endOfUndated } ?? false }
        let remedy =
            isUndated
            ? "they have no date: give each its --start, or --after-last to append them, or --source-from name"
            : "if they are of several people, --source-from name keeps them apart"
        return (
            "\(replaced.count) traces of one source overlap in time, and each replaced the one before: \(kept) of "
                + "\(all) steps are in the history; \(remedy)", Failure.notKept
        )
    }
}

extension Retention {
    /// `7 d`
    fileprivate var keptTime: String { seconds.map { Words.duration($0) } ?? "time" }
}

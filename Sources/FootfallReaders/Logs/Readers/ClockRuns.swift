package import Footfall

/// The runs of a trace: samples whose times go on, without a step back and without a long pause. A clock that is set
/// back ends a run, and so does one that is set forward by more than a pause. The runs then have their own places in
/// time, like the boots of a machine in its journal, whatever their order in the file.
package struct ClockRuns: Sendable {
    /// Samples in succession.
    package struct Run: Sendable {
        /// Their numbers in the trace, counted from 0.
        package fileprivate(set) var samples: Range<Int>
        /// The times of the first and of the last one.
        package fileprivate(set) var start: Timestamp
        package fileprivate(set) var end: Timestamp
    }

    /// A clock that was set back.
    package struct StepBack: Sendable {
        /// The times before and after.
        package let from: Timestamp
        package let to: Timestamp
        /// The line of the first row after it; nil where there are no lines.
        package let line: Int?
        /// The clock that was set forward before, if this step takes it back to the times of then.
        package var forward: StepForward?
    }

    /// A clock that was set forward, and back after some samples. A clock that stays ahead cannot be told from a gap.
    package struct StepForward: Sendable {
        /// The times before and after.
        package let from: Timestamp
        package let to: Timestamp
        /// The samples until the step back.
        package let samples: Int
    }

    /// The longest pause inside a run, in nanoseconds.
    private static let longestPause: Int64 = 600_000_000_000
    /// The bits of an interval that is longer, or negative. 2³⁹ ns are nine minutes.
    private static let unusual: Int64 = -1 << 39
    /// The shortest run with a place of its own, in nanoseconds: as long as a jump is on probation in
    /// `TimestampRepair`.
    private static let shortest: Int64 = 1_000_000_000
    /// The shortest run after a clock that was set, in nanoseconds. Rows that a program wrote late are fewer.
    private static let shortestAfterSetting: Int64 = 10_000_000_000
    /// The most runs. A table of several series has thousands.
    private static let most = 1024
    /// The most steps back of a clock. Each may need one more pass over the file.
    package static let mostStepsBack = 16

    /// The runs in the order of the file.
    private var runs: [Run] = []
    private var count = 0
    private var previous = Timestamp.epoch
    private var isOverfull = false
    /// The lines of the first steps back.
    var lines: [Int] = []

    init() {}

    mutating func add(_ batch: SampleBatch) {
        defer { count += batch.count }
        guard let first = batch.times.first, let last = batch.times.last, !isOverfull else { return }
        addStart(first, at: 0)
        let times = batch.times.span
        var union: Int64 = 0
        for index in 1..<max(times.count, 1) {
            // In bounds: positions of times.
            let (time, before) = (times[unchecked: index], times[unchecked: index - 1])
            union |= time.nanosecondsSince1970 &- before.nanosecondsSince1970
        }
        if union & Self.unusual != 0 {
            for index in times.indices.dropFirst() {
                previous = times[index - 1]
                addStart(times[index], at: index)
            }
        }
        previous = last
        if let run = runs.indices.last {
            runs[run].samples = runs[run].samples.lowerBound..<count + batch.count
            runs[run].end = last
        }
    }

    /// Starts a run with a sample that does not continue the last one.
    private mutating func addStart(_ time: Timestamp, at index: Int) {
        let step = time.nanosecondsSince1970 &- previous.nanosecondsSince1970
        guard runs.isEmpty || previous.isSetBack(to: time) || step > Self.longestPause else { return }
        guard runs.count < Self.most else {
            isOverfull = true
            return
        }
        if let run = runs.indices.last {
            runs[run].samples = runs[run].samples.lowerBound..<count + index
            runs[run].end = previous
        }
        runs.append(Run(samples: count + index..<count + index + 1, start: time, end: time))
    }

    /// The steps back of a clock, after which it went on; empty for a table of several series.
    package var stepsBack: [StepBack] { allStepsBack.count <= Self.mostStepsBack ? allStepsBack : [] }

    /// The number of steps back where they are too many to be put in order; else 0.
    package var excessiveStepsBack: Int { stepsBack.isEmpty ? allStepsBack.count : 0 }

    /// A run whose time an earlier run has already, from its first sample to the last one, is a second series.
    private var allStepsBack: [StepBack] {
        guard !isOverfull else { return [] }
        var (found, number, latest) = ([StepBack](), 0, Timestamp?.none)
        for (index, run) in runs.enumerated() {
            let isBack = index > 0 && run.start < runs[index - 1].end
            defer {
                if isBack { number += 1 }
                if run.length >= Self.shortest { latest = max(latest ?? run.end, run.end) }
            }
            guard isBack, let latest, run.start < latest, run.length >= Self.shortestAfterSetting,
                !runs[..<index].contains(where: { $0.start <= run.start && run.end <= $0.end })
            else { continue }
            let line = number < lines.count ? lines[number] : nil
            found.append(
                StepBack(from: runs[index - 1].end, to: run.start, line: line, forward: stepForward(before: index)))
        }
        return found
    }

    /// The step forward with which the run before this one began, if this one goes on where the clock would be without
    /// it.
    private func stepForward(before index: Int) -> StepForward? {
        guard index >= 2 else { return nil }
        let (before, ahead, after) = (runs[index - 2], runs[index - 1], runs[index])
        let longest = ahead.length + Self.longestPause
        guard ahead.start > before.end, after.start >= before.end,
            after.start.nanosecondsSince1970 - before.end.nanosecondsSince1970 <= longest
        else { return nil }
        return StepForward(from: before.end, to: ahead.start, samples: ahead.samples.count)
    }

    /// The samples in the order in which their runs began on the clock; nil if no clock was set back. Each range is a
    /// run, or several that follow each other in the file and in time. A run of less than a second stays behind the one
    /// before it.
    package var order: [Range<Int>]? {
        !stepsBack.isEmpty && excessiveSpans == 0 ? spans.map(\.samples) : nil
    }

    /// The number of spans where they are too many to be put in order, with those between shorter steps back; else 0.
    package var excessiveSpans: Int { spans.count > Self.mostStepsBack + 1 ? spans.count : 0 }

    private var spans: [Run] {
        var long: [Run] = []
        for run in runs {
            if run.length >= Self.shortest || long.isEmpty {
                long.append(run)
            } else {
                let last = long.count - 1
                long[last].samples = long[last].samples.lowerBound..<run.samples.upperBound
            }
        }
        var order: [Run] = []
        for run in long.sorted(by: { $0.start < $1.start }) {
            if let last = order.last, last.samples.upperBound == run.samples.lowerBound, last.end <= run.start {
                order[order.count - 1].samples = last.samples.lowerBound..<run.samples.upperBound
                order[order.count - 1].end = run.end
            } else {
                order.append(run)
            }
        }
        return order
    }
}

extension ClockRuns.Run {
    /// In nanoseconds.
    fileprivate var length: Int64 { end.nanosecondsSince1970 - start.nanosecondsSince1970 }
}

package import Footfall
internal import FootfallHistory
internal import FootfallReaders
internal import FootfallTables
internal import Foundation

/// What an analysis says about a trace that is doubtful, and the refusal of one that loses too much.
package enum TraceWarnings {
    /// The rate in Hz above which the unit of time is doubtful: that of the fastest sensors of worn devices, such as
    /// the BMI160. Minutes that are read as seconds lie above it.
    private static let highestRate = 1600.0

    /// What an assumed unit leaves in doubt.
    static let assumedUnit: ParameterText =
        "the unit is assumed: steps hardly depend on it, but activities do, so none has high confidence; "
        + "if you know it, give \(.unit()) and \(.zero())"

    /// Refuses times of which no sensor takes as many a second: those of a column that is too coarse, or holds no
    /// times.
    static func checkRate(of file: TraceFile, _ quality: SignalQuality, _ table: TableLayout?) throws(TraceError) {
        guard let rate = quality.sampleRate, rate > RowRate.highest, let table, table.timeColumn != nil else { return }
        let axes = table.axisColumns.map { SensorColumns.Column.number($0.number) }
        let columns = SensorColumns(time: nil, x: axes[0], y: axes[1], z: axes[2])
        throw TraceError(
            .badData, path: file.path,
            problem: "no sensor takes \(Int(clamping: rate)) samples a second: the times are too coarse, or no times",
            remedy: "if they are right, give \(.timeUnit()); without them, give \(.columns(columns)) and the rate with "
                + "\(.sampleRate())")
    }

    /// The share of rows that may be dropped.
    private static let acceptedLoss = 0.1

    /// Refuses a trace that loses more than a tenth of its rows. A row that repeats the one before is no loss.
    /// `overlap` states whether a clock of dates was set back. What overlaps then is no loss: its time is there.
    /// `obstacle`: why the spans of a clock that was set back are not all used; nil without such a clock. `remedy`
    /// states how a user accepts the loss.
    static func checkLoss(
        of file: TraceFile, _ options: TraceOptions, _ quality: SignalQuality, rows: Int, overlap: Bool,
        obstacle: String?, remedy: ParameterText
    ) throws(TraceError) {
        let all = quality.samples + rows - quality.duplicates
        let lost = rows + (overlap ? 0 : quality.backward) + quality.unusable
        guard Double(lost) > acceptedLoss * Double(all) else { return }
        let isBackward = quality.backward * 2 > lost
        // A pipe can be read only once.
        let search = isBackward && file.canBeReadAgain ? SeriesSearch.remedy(path: file.path, options) : nil
        let series = search ?? obstacle.map { ParameterText($0) }
        throw TraceError(
            .badData, path: file.path,
            problem: "\(lost) of \(all) rows cannot be used"
                + (isBackward ? ", \(quality.backward) of them because the time runs backwards" : ""),
            remedy: (series.map { "\($0); " } ?? "") + remedy)
    }

    /// Why the spans of a clock that was set back are not put in order; nil without such a clock.
    static func obstacle(to clock: ClockRuns, of file: TraceFile) -> String? {
        if clock.excessiveStepsBack > 0 {
            return "if these are no series, the clock was set back \(clock.excessiveStepsBack) times, and "
                + "\(ClockRuns.mostStepsBack) are the most that are put in order"
        }
        guard let step = clock.stepsBack.first else { return nil }
        if clock.excessiveSpans > 0 {
            return "if these are no series, the clock was set back, and the times are in \(clock.excessiveSpans) "
                + "spans; \(ClockRuns.mostStepsBack + 1) are the most that are put in order"
        }
        guard !file.canBeReadAgain else { return nil }
        return "the clock was set back by \(NumberText.duration(step.from.seconds(since: step.to), atLeast: 1))"
            + (step.line.map { " at line \($0)" } ?? "")
            + ", and a pipe can be read only once: to keep all spans, write it to a file first"
    }

    /// What to do with the times of a device that began again.
    static func obstacle(_ step: ClockRuns.StepBack) -> String? {
        step.line.map { "the device began to count again at line \($0): split the log there" }
    }

    /// A line for each of the first steps back of the clock. `zone` is the zone of the times; nil for a trace without a
    /// date. `isWhole` states whether every row is a sample, so that samples count lines.
    static func warnings(about steps: [ClockRuns.StepBack], in zone: TimeZone?, isWhole: Bool) -> [String] {
        func text(_ verb: String, _ from: Timestamp, _ to: Timestamp, line: Int?) -> String {
            let times = zone.map { ", from \(LocalTime(from, in: $0).full) to \(LocalTime(to, in: $0).full)" }
            return "the clock was set \(verb) by \(NumberText.duration(abs(from.seconds(since: to)), atLeast: 1))"
                + (line.map { " at line \($0)" } ?? "") + (times ?? "")
        }
        let most = 3
        let lines = steps.prefix(most).flatMap { step in
            let forward = step.forward.map { forward in
                text("forward", forward.from, forward.to, line: isWhole ? step.line.map { $0 - forward.samples } : nil)
            }
            return (forward.map { [$0] } ?? []) + [text("back", step.from, step.to, line: step.line)]
        }
        return lines + (steps.count > most ? ["the clock was set back \(steps.count - most) more times"] : [])
    }

    /// `overlap` states whether times that ran backwards are those of a clock that was set back.
    static func warnings(about quality: SignalQuality, overlap: Bool) -> [ParameterText] {
        var warnings = [quality.losses(overlap: overlap)].compactMap { $0.map { ParameterText($0) } }
        if let slowness = SignalQuality.slowness(of: quality.sampleRate) { warnings.append(ParameterText(slowness)) }
        if let rate = quality.sampleRate, rate > highestRate {
            warnings.append(
                "\(rate.formatted(decimals: 1)) Hz is too fast for a worn sensor: check whether the times are seconds, "
                    + "not minutes; \(.timeUnit()) may help")
        }
        return warnings
    }

    /// A warning where the name of the file states another sensor, and no title of a column states the accelerometer.
    static func warning(aboutNameOf file: TraceFile, _ layout: TraceLayout) -> ParameterText? {
        guard let table = layout.table, table.gravityColumns.isEmpty,
            let sensor = SensorKind(fileName: layout.member ?? file.name), sensor != .accelerometer,
            !table.axisColumns.contains(where: { $0.name.flatMap(SensorKind.init(title:)) == .accelerometer })
        else { return nil }
        return "the file name states another sensor (\(sensor.rawValue)), not the accelerometer; "
            + "if the columns hold acceleration, name them with \(.columns())"
    }

    /// The share of jumps after held samples above which the log has a higher rate than its sensor.
    private static let heldShareOfSlowSensor = 0.5

    /// What a check of the sensor says about its values.
    package static func warnings(about sensor: SensorCheck) -> [String] {
        var warnings: [String] = []
        if sensor.heldShare > heldShareOfSlowSensor {
            warnings.append("most samples repeat the one before, also in motion: the sensor is slower than its data")
        }
        if sensor.overflowed > 0 {
            warnings.append(
                "\(NumberText.count(sensor.overflowed, "value")) left the sensor's range at one end and came out at the "
                    + "other; they were put back, but set a wider range")
        } else if sensor.clipped > 0 {
            let values = sensor.clipped == 1 ? "1 value is" : "\(sensor.clipped) values are"
            warnings.append("\(values) clipped at the end of the sensor's range")
        }
        return warnings
    }
}

extension SignalQuality {
    /// The rate in Hz below which steps are missed: 12.5 Hz, less the few samples that watches of that rate lose.
    private static let lowestRate = 11.5

    /// What a sample rate in Hz is too slow for; nil for one that is fast enough, and for an unknown one.
    package static func slowness(of rate: Double?) -> String? {
        guard let rate, rate < lowestRate else { return nil }
        return "\(rate.formatted(decimals: 1)) Hz is too slow to find steps reliably; 12.5 Hz is the least"
    }

    /// The dropped samples with the reasons, such as `10 samples dropped: time ran backwards`; nil for none. `overlap`
    /// states whether times that ran backwards are those of a clock that was set back.
    package func losses(overlap: Bool = false) -> String? {
        let reasons = [
            (duplicates, "repeated"), (backward, overlap ? "other samples have their times" : "time ran backwards"),
            (leaping, "time leapt more than 7 days ahead, with less than a minute of samples behind the leap"),
            (unusable, "not usable"),
            (impulses, "isolated values that no motion of a body makes; check the cable or the sensor"),
        ].filter { $0.0 > 0 }
        guard !reasons.isEmpty else { return nil }
        let texts = reasons.map { reasons.count > 1 ? "\($0) \($1)" : $1 }
        return "\(NumberText.count(dropped, "sample")) dropped: \(texts.joined(separator: ", "))"
    }
}

package import Footfall
internal import FootfallAnswers
package import FootfallText
package import FootfallTraces
package import Foundation

/// One trace, read and analyzed.
package struct TraceAnalysis: Sendable {
    /// The name of the trace in results.
    package let name: String
    /// How the log was read: format, columns, units.
    package let layout: String
    /// Assumptions and repairs made while reading.
    package private(set) var notes: [String] = []
    package private(set) var quality = SignalQuality()
    package private(set) var steps = 0
    private var spans = SpanList()
    package var segments: some Sequence<Segment> { spans.segments }
    package var gaps: some Sequence<Range<Timestamp>> { spans.gaps }
    /// The spans in which the sensor was not worn. ``segments`` has them with the reason `notWorn`.
    package private(set) var nonWear: [Range<Timestamp>] = []
    /// The wearer's zone: the given one, else the one that the file states, else UTC.
    package let timeZone: TimeZone
    /// The totals of each day in that zone.
    package private(set) var days: [DayTotal] = []
    /// The correction of the samples, or the reason for none; nil if no calibration was requested.
    package private(set) var calibration: Result<SensorCalibration, SensorCalibration.Obstacle>?
    package private(set) var warnings: [String] = []
    /// Whether the analysis was stopped before the end of the trace.
    package private(set) var isInterrupted = false
    /// A clock that was set back in the middle of a trace.
    private struct ClockSetBack: Error {
        let steps: [ClockRuns.StepBack]
        /// The samples in the order of time.
        let order: [Range<Int>]
    }

    /// Reads and analyses a trace to its end, or until it is stopped.
    ///
    /// If its clock was set back, it is read again, span by span in the order of time.
    ///
    /// - Parameters:
    ///   - file: The sensor log.
    ///   - options: How to read it.
    ///   - timeZone: The wearer's zone; nil for the one that the file states, if any.
    ///   - lossRemedy: How a user accepts a trace that loses more than a tenth of its rows, for the error; nil accepts
    ///     it.
    ///   - calibrates: Whether to correct the sensor's scale and offset first, which reads the file twice.
    ///   - wording: How ``notes`` and ``warnings`` name parameters.
    ///   - isStopped: Whether to stop.
    ///   - progress: Receives the share of the work that is done, 0…1, after each batch.
    ///   - opened: Receives the wearer's zone before the first batch, and again before the second reading; nil if
    ///     neither the options nor the file state it. Returns what the reading thread does with the samples, if
    ///     anything.
    ///   - takeSamples: Receives the corrected and repaired samples, in the order of the file.
    ///   - take: Receives the settled events, batch by batch, and the time of the first sample; they are not kept here.
    ///   - takeSeconds: Receives what the stages compute for each second; nil if nobody asks.
    /// - Throws: `TraceError` for a trace that cannot be read, and what `takeSamples` and `take` throw.
    package init(
        _ file: TraceFile, options: TraceOptions, lossRemedy: ParameterText?, calibrates: Bool = false,
        timeZone: TimeZone? = nil, wording: (ParameterText) -> String = \.description,
        unless isStopped: () -> Bool = { false }, progress: (Double) -> Void = { _ in },
        opened: (TimeZone?) throws -> (@Sendable (RepairedSamples) -> Void)? = { _ in nil },
        samples takeSamples: (RepairedSamples) throws -> Void = { _ in },
        events take: ([MotionEvent], _ start: Timestamp) throws -> Void = { _, _ in },
        seconds takeSeconds: ((AnalyzedSecond) -> Void)? = nil
    ) throws {
        let url = URL(filePath: file.path)
        let calibration =
            try calibrates ? Self.calibration(of: url, options, unless: isStopped) { progress($0 / 2) } : nil
        func analysis(_ clock: ClockSetBack?) throws -> TraceAnalysis {
            try TraceAnalysis(
                file, options, lossRemedy, calibration, timeZone, wording, isStopped, progress, opened, takeSamples,
                take, takeSeconds, clock)
        }
        do {
            self = try analysis(nil)
        } catch let clock as ClockSetBack {
            self = try analysis(clock)
        }
    }

    private init(
        _ file: TraceFile, _ options: TraceOptions, _ lossRemedy: ParameterText?,
        _ calibration: Result<SensorCalibration, SensorCalibration.Obstacle>?, _ timeZone: TimeZone?,
        _ wording: (ParameterText) -> String, _ isStopped: () -> Bool, _ progress: (Double) -> Void,
        _ opened: (TimeZone?) throws -> (@Sendable (RepairedSamples) -> Void)?,
        _ takeSamples: (RepairedSamples) throws -> Void, _ take: ([MotionEvent], _ start: Timestamp) throws -> Void,
        _ takeSeconds: ((AnalyzedSecond) -> Void)?, _ clock: ClockSetBack?
    ) throws {
        name = file.name
        self.calibration = calibration
        var options = options
        options.order = clock?.order
        let log = try Trace(contentsOf: URL(filePath: file.path), options: options)
        layout = log.layout.description
        let zone = timeZone ?? log.layout.timeZone
        self.timeZone = zone ?? options.timeZone
        let readerWork = try opened(zone)
        let nameWarning = options.columns == nil ? Self.warning(aboutNameOf: file, log.layout) : nil
        // A span of a clock that was set is a signal of its own.
        let ends = (clock?.order ?? []).map(\.count).reduce(into: [0]) { $0.append(($0.last ?? 0) + $1) }
        var trace = ReadAheadTrace(
            log, correctedBy: try? calibration?.get(), endingSignalsAt: Set(ends), forEach: readerWork)
        var analyzer = MotionAnalyzer(recordsSeconds: takeSeconds != nil)
        var totals = DayTotals(in: self.timeZone)
        func pass(_ events: [MotionEvent]) throws {
            if let takeSeconds { analyzer.takeSeconds().forEach(takeSeconds) }
            guard !events.isEmpty, let start = analyzer.quality.start else { return }
            try add(events)
            for event in events { totals.add(event) }
            try take(events, start)
        }
        while !isStopped(), let samples = try trace.nextSamples(unless: isStopped) {
            try takeSamples(samples)
            try pass(analyzer.analyze(samples))
            progress(calibration == nil ? trace.progress : 0.5 + trace.progress / 2)
        }
        let summary = trace.finish()
        if clock == nil, !isStopped(), file.isRegular, let order = summary.clock.order {
            throw ClockSetBack(steps: summary.clock.stepsBack, order: order)
        }
        try pass(analyzer.finish())
        quality = analyzer.quality
        guard quality.sampleRate != nil else {
            throw TraceError(
                .badData, path: file.path,
                problem: "too few usable samples to analyze: \(quality.samples - quality.dropped)")
        }
        isInterrupted = isStopped()
        let obstacle = clock == nil ? Self.obstacle(to: summary.clock, of: file) : nil
        if let lossRemedy, !isInterrupted {
            try Self.checkLoss(
                of: file, options, quality, rows: summary.warnings.reduce(0) { $0 + $1.droppedRows },
                overlap: clock != nil, obstacle: obstacle, remedy: lossRemedy)
        }
        days = totals.days
        if !nonWear.isEmpty {
            spans = try spans.divided { $0.overlaid(byNonWear: nonWear) }
            nonWear = segments.filter { $0.reason == .notWorn }.map(\.range)
        }
        notes = summary.notes.map(wording)
        warnings =
            Self.warnings(
                about: clock?.steps ?? [], in: isDated ? self.timeZone : nil,
                isWhole: summary.warnings.allSatisfy { $0.droppedRows == 0 })
            + (obstacle.map { [$0] } ?? [])
            + summary.warnings.filter {
                clock == nil || $0.kind != .timeStepsBack || $0.count > clock?.steps.count ?? 0
            }
            .lines + Self.warnings(about: quality, overlap: clock != nil).map(wording)
            + Self.warnings(about: summary.sensor)
        if let nameWarning { warnings.append(wording(nameWarning)) }
        if case .failure(let obstacle) = calibration { warnings.append("not calibrated: \(obstacle)") }
        if isInterrupted { warnings.append("interrupted: the rest of the trace was not read") }
    }

    /// Refuses an analysis with spans that cannot be read again.
    ///
    /// - Throws: `FileError`.
    package func checkWhole() throws(FileError) {
        if spans.isBroken {
            throw FileError(
                path: FileManager.default.temporaryDirectory.path, problem: "a temporary file cannot be read")
        }
    }

    /// Whether the times have a date: a log without one starts in 1970.
    package var isDated: Bool { quality.start ?? .epoch >= .endOfUndated }

    private mutating func add(_ events: [MotionEvent]) throws(FileError) {
        for event in events {
            switch event {
            case .step: steps += 1
            case .segment(let segment): try spans.join(segment)
            case .gap(let gap): try spans.add(gap: gap)
            case .nonWear(let span): nonWear.join(span)
            }
        }
    }

    private static func calibration(
        of url: URL, _ options: TraceOptions, unless isStopped: () -> Bool, progress: (Double) -> Void
    ) throws(TraceError) -> Result<SensorCalibration, SensorCalibration.Obstacle> {
        let attributes = try? FileManager.default.attributesOfItem(atPath: url.resolvingSymlinksInPath().path)
        guard attributes?[.type] as? FileAttributeType != .typeUnknown else {
            throw TraceError(
                .unreadable, path: url.relativePath, problem: "a pipe can be read only once",
                remedy: "to calibrate, write it to a file first")
        }
        var trace = try Trace(contentsOf: url, options: options)
        var check = SensorCheck()
        while !isStopped(), let batch = try trace.nextBatch() {
            check.add(batch)
            progress(trace.progress)
        }
        return check.calibration()
    }

    /// The rate in Hz below which steps are missed: 12.5 Hz, less the few samples that watches of that rate lose.
    private static let lowestRate = 11.5
    /// The rate in Hz above which the unit of time is wrong. The fastest motion sensors take about 7000 samples a
    /// second.
    private static let highestRate = 10_000.0

    /// The share of rows that may be dropped.
    private static let acceptedLoss = 0.1

    /// Refuses a trace that loses more than a tenth of its rows. A row that repeats the one before is no loss.
    ///
    /// - Parameters:
    ///   - overlap: Whether the clock was set back. What overlaps then is no loss: its time is there.
    ///   - obstacle: Why the spans of a clock that was set back are not in order; nil without such a clock.
    ///   - remedy: How a user accepts the loss.
    private static func checkLoss(
        of file: TraceFile, _ options: TraceOptions, _ quality: SignalQuality, rows: Int, overlap: Bool,
        obstacle: String?, remedy: ParameterText
    ) throws(TraceError) {
        let all = quality.samples + rows - quality.duplicates
        let lost = rows + (overlap ? 0 : quality.backward) + quality.unusable
        guard Double(lost) > acceptedLoss * Double(all) else { return }
        let isBackward = quality.backward * 2 > lost
        // A pipe can be read only once.
        let search = isBackward && file.isRegular ? SeriesSearch.remedy(path: file.path, options) : nil
        let series = search ?? obstacle.map { ParameterText($0) }
        throw TraceError(
            .badData, path: file.path,
            problem: "\(lost) of \(all) rows cannot be used"
                + (isBackward ? ", \(quality.backward) of them because the time runs backwards" : ""),
            remedy: (series.map { "\($0); " } ?? "") + remedy)
    }

    /// Why the spans of a clock that was set back are not put in order; nil without such a clock.
    private static func obstacle(to clock: ClockRuns, of file: TraceFile) -> String? {
        if clock.excessiveStepsBack > 0 {
            return "if these are no series, the clock was set back \(clock.excessiveStepsBack) times, and "
                + "\(ClockRuns.mostStepsBack) are the most that are put in order"
        }
        guard let step = clock.stepsBack.first, !file.isRegular else { return nil }
        return "the clock was set back by \(NumberText.duration(step.from.seconds(since: step.to), atLeast: 1))"
            + (step.line.map { " at line \($0)" } ?? "")
            + ", and a pipe can be read only once: to keep all spans, write it to a file first"
    }

    /// A line for each of the first steps back of the clock.
    ///
    /// - Parameters:
    ///   - zone: The zone of the times; nil for a trace without a date.
    ///   - isWhole: Whether every row is a sample, so that samples count lines.
    private static func warnings(
        about steps: [ClockRuns.StepBack], in zone: TimeZone?, isWhole: Bool
    ) -> [String] {
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

    /// - Parameter overlap: Whether times that ran backwards are those of a clock that was set back.
    private static func warnings(about quality: SignalQuality, overlap: Bool) -> [ParameterText] {
        let dropped = [
            (quality.duplicates, "repeated"),
            (quality.backward, overlap ? "other samples have their times" : "time ran backwards"),
            (quality.leaping, "time leapt more than 7 days ahead, with less than a minute of samples behind the leap"),
            (quality.unusable, "not usable"),
            (quality.impulses, "isolated values that no motion of a body makes; check the cable or the sensor"),
        ].filter { $0.0 > 0 }
        var warnings: [ParameterText] = []
        if quality.dropped > 0 {
            let reasons = dropped.map { dropped.count > 1 ? "\($0) \($1)" : $1 }.joined(separator: ", ")
            warnings.append("\(NumberText.count(quality.dropped, "sample")) dropped: \(reasons)")
        }
        if let rate = quality.sampleRate, rate < lowestRate {
            warnings.append(
                "\(rate.formatted(decimals: 1)) Hz is too slow to find steps reliably; 12.5 Hz is the least")
        }
        if let rate = quality.sampleRate, rate > highestRate {
            warnings.append("no sensor takes \(rate.formatted(decimals: 1)) samples a second; \(.timeUnit()) may help")
        }
        return warnings
    }

    /// A warning where the name of the file states another sensor, and no title of a column states the accelerometer.
    private static func warning(aboutNameOf file: TraceFile, _ layout: TraceLayout) -> ParameterText? {
        guard let table = layout.table, table.gravityColumns.isEmpty,
            let sensor = SensorKind(fileName: layout.member ?? file.name), sensor != .accelerometer,
            !table.axisColumns.contains(where: { $0.name.flatMap(SensorKind.init(title:)) == .accelerometer })
        else { return nil }
        return "the file name states another sensor (\(sensor.rawValue)), not the accelerometer; "
            + "if the columns hold acceleration, name them with \(.columns())"
    }

    /// The share of jumps after held samples above which the log has a higher rate than its sensor.
    private static let heldShareOfSlowSensor = 0.5

    private static func warnings(about sensor: SensorCheck) -> [String] {
        var warnings: [String] = []
        if sensor.heldShare > heldShareOfSlowSensor {
            warnings.append("most samples repeat the one before, also in motion: the sensor is slower than the log")
        }
        if sensor.clipped > 0 {
            let values = sensor.clipped == 1 ? "1 value is" : "\(sensor.clipped) values are"
            warnings.append("\(values) clipped at the end of the sensor's range")
        }
        return warnings
    }
}

extension Timestamp {
    /// The end of the first year: logs without a date start in 1970.
    package static let endOfUndated = Timestamp.epoch.advanced(bySeconds: 365 * 86400)
}

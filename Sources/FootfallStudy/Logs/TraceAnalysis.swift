package import Footfall
internal import FootfallHistory
package import FootfallReaders
package import Foundation

/// One trace, read and analyzed.
package struct TraceAnalysis: Sendable {
    /// The name of the trace in results.
    package let name: String
    /// How the log was read: format, columns, units.
    package let layout: String
    /// The logger, such as `AX3 39434`; nil if the log does not state one.
    let device: String?
    /// What the logger stated about itself.
    private(set) var logger = LoggerState()
    /// The source of the unit: `option`, `header`, `values`, or `assumed` if none of them confirms it.
    let unitEvidence: String
    /// Whether the unit is assumed.
    private let isUnitAssumed: Bool
    /// Assumptions and repairs made while reading.
    package private(set) var notes: [String] = []
    package private(set) var quality = SignalQuality()
    package private(set) var steps = 0
    private var (segmentList, gapList) = (SpanList(), SpanList())
    package var segments: some Sequence<Segment> { segmentList }
    /// The spans without samples.
    package var gaps: some Sequence<Range<Timestamp>> { gapList.lazy.map(\.range) }
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
    /// Set when the trace has to be read again, in the order of time.
    private var setClock: SetClock?

    /// A clock that was set back in the middle of a trace.
    private struct SetClock {
        let steps: [ClockRuns.StepBack]
        /// The samples in the order of time.
        let order: [Range<Int>]
    }

    /// Reads and analyzes a trace to its end, or until it is stopped. If its clock was set back, it is read again, span
    /// by span in the order of time. `progress` receives the share of the work that is done, 0…1, after each batch.
    /// Throws `TraceError` for a trace that cannot be read, and what the listener throws.
    package init(
        _ file: TraceFile, _ request: AnalysisRequest, to listener: inout some TraceListener,
        unless isStopped: () -> Bool = { false }, progress: (Double) -> Void = { _ in }
    ) throws {
        let calibration =
            try request.calibrates
            ? Self.calibration(of: file, request.options, unless: isStopped) { progress($0 / 2) } : nil
        var analysis = try TraceAnalysis(file, request, calibration, nil, &listener, isStopped, progress)
        if let clock = analysis.setClock {
            analysis = try TraceAnalysis(file, request, calibration, clock, &listener, isStopped, progress)
        }
        self = analysis
        try listener.finish(self)
    }

    private init(
        _ file: TraceFile, _ request: AnalysisRequest,
        _ calibration: Result<SensorCalibration, SensorCalibration.Obstacle>?, _ clock: SetClock?,
        _ listener: inout some TraceListener, _ isStopped: () -> Bool, _ progress: (Double) -> Void
    ) throws {
        name = file.name
        self.calibration = calibration
        var options = request.options
        options.order = clock?.order
        let log = try Trace(contentsOf: URL(filePath: file.path), options: options)
        layout = log.layout.description
        device = log.layout.recording?.device
        // Numbers since a start are those of a device, which begins again when it restarts.
        let table = log.layout.table
        let isClockSet = if case .sinceStart? = table?.time { false } else { true }
        let evidence = log.layout.unitEvidence
        isUnitAssumed = evidence == .assumption
        unitEvidence = isUnitAssumed ? "assumed" : evidence.rawValue
        let zone = request.timeZone ?? log.layout.timeZone
        timeZone = zone ?? options.timeZone
        let readerWork = try listener.begin(in: zone)
        let nameWarning = options.columns == nil ? TraceWarnings.warning(aboutNameOf: file, log.layout) : nil
        // A span of a clock that was set is a signal of its own.
        let ends = (clock?.order ?? []).map(\.count).reduce(into: [0]) { $0.append(($0.last ?? 0) + $1) }
        var trace = ReadAheadTrace(
            log, correctedBy: try? calibration?.get(), endingSignalsAt: Set(ends), forEach: readerWork)
        var analyzer = MotionAnalyzer(recordsSeconds: request.keepsSeconds)
        var totals = DayTotals(in: timeZone)
        while !isStopped(), let samples = try trace.nextSamples(unless: isStopped) {
            try listener.take(samples)
            try pass(analyzer.analyze(samples), of: &analyzer, to: &listener, &totals)
            progress(calibration == nil ? trace.progress : 0.5 + trace.progress / 2)
        }
        let summary = trace.finish()
        if clock == nil, !isStopped(), file.canBeReadAgain, let order = summary.clock.order {
            if let refusal = SeriesSearch.refusal(path: file.path, options) { throw refusal }
            setClock = SetClock(steps: summary.clock.stepsBack, order: order)
            return
        }
        try pass(analyzer.finish(), of: &analyzer, to: &listener, &totals)
        // A table that names its columns, or chooses rows, is one series.
        if clock == nil, options.columns == nil, options.rows.isEmpty, !isStopped(), file.canBeReadAgain,
            gaps.contains(where: { $0.upperBound.seconds(since: $0.lowerBound) >= SeriesTable.pause }),
            let refusal = SeriesSearch.refusal(path: file.path, options, isForward: true)
        {
            throw refusal
        }
        quality = analyzer.quality
        guard quality.sampleRate != nil else {
            throw TraceError(
                .badData, path: file.path,
                problem: "too few usable samples to analyze: \(quality.samples - quality.dropped)")
        }
        isInterrupted = isStopped()
        days = totals.days
        if !nonWear.isEmpty {
            segmentList = try segmentList.divided { $0.overlaid(byNonWear: nonWear) }
            nonWear = segments.filter { $0.reason == .notWorn }.map(\.range)
        }
        if options.timeUnit == nil { try TraceWarnings.checkRate(of: file, quality, table) }
        try judge(summary, of: file, request, clock, isClockSet: isClockSet, nameWarning)
    }

    /// Passes settled events on.
    private mutating func pass(
        _ events: [MotionEvent], of analyzer: inout MotionAnalyzer, to listener: inout some TraceListener,
        _ totals: inout DayTotals
    ) throws {
        for second in analyzer.takeSeconds() { listener.take(second) }
        guard !events.isEmpty, let start = analyzer.quality.start else { return }
        try add(events)
        for event in events { totals.add(event) }
        try listener.take(events, start: start)
    }

    /// Sets ``notes`` and ``warnings``. Throws `TraceError` for a trace that loses more than it may.
    private mutating func judge(
        _ summary: ReadAheadTrace.Summary, of file: TraceFile, _ request: AnalysisRequest, _ clock: SetClock?,
        isClockSet: Bool, _ nameWarning: ParameterText?
    ) throws(TraceError) {
        let obstacle = clock == nil ? TraceWarnings.obstacle(to: summary.clock, of: file) : nil
        let restart = isClockSet ? nil : clock?.steps.first.flatMap(TraceWarnings.obstacle)
        if let lossRemedy = request.lossRemedy, !isInterrupted {
            try TraceWarnings.checkLoss(
                of: file, request.options, quality, rows: summary.warnings.reduce(0) { $0 + $1.droppedRows },
                overlap: clock != nil && isClockSet,
                obstacle: obstacle ?? restart, remedy: lossRemedy)
        }
        let (wording, steps) = (request.wording, clock?.steps ?? [])
        notes = summary.notes.map(wording)
        logger = summary.logger
        warnings = TraceWarnings.warnings(
            about: steps, in: isDated ? timeZone : nil,
            isWhole: summary.warnings.allSatisfy { $0.droppedRows == 0 })
        if let obstacle { warnings.append(obstacle) }
        warnings +=
            summary.warnings.filter { clock == nil || $0.kind != .timeStepsBack || $0.count > steps.count }.lines
        warnings += TraceWarnings.warnings(about: quality, overlap: clock != nil).map(wording)
        warnings += TraceWarnings.warnings(about: summary.sensor)
        if isUnitAssumed { warnings.append(wording(TraceWarnings.assumedUnit)) }
        if let nameWarning { warnings.append(wording(nameWarning)) }
        if case .failure(let obstacle) = calibration { warnings.append("not calibrated: \(obstacle)") }
        if isInterrupted { warnings.append("interrupted: the rest of the trace was not read") }
    }

    /// Refuses an analysis with spans that cannot be read again.
    package func checkWhole() throws(FileError) {
        if segmentList.isBroken || gapList.isBroken {
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
            case .segment(let segment): try segmentList.join(segment)
            case .gap(let gap): try gapList.add(gap: gap)
            case .nonWear(let span): nonWear.join(span)
            }
        }
    }

    private static func calibration(
        of file: TraceFile, _ options: TraceOptions, unless isStopped: () -> Bool, progress: (Double) -> Void
    ) throws(TraceError) -> Result<SensorCalibration, SensorCalibration.Obstacle> {
        if let refusal = file.refusalOfPipe(to: "calibrate") { throw refusal }
        var trace = try Trace(contentsOf: URL(filePath: file.path), options: options)
        var check = SensorCheck()
        while !isStopped(), let batch = try trace.nextBatch() {
            check.add(batch)
            progress(trace.progress)
        }
        return check.calibration()
    }
}

/// The steps and the covered seconds of a local day.
package struct DayTotal: Sendable {
    /// From midnight to midnight.
    package let range: Range<Timestamp>
    package var steps = 0
    package var coverage = 0.0
}

/// The totals of each local day, added up as the events come.
struct DayTotals: Sendable {
    private let zone: TimeZone
    /// The days with samples, in the order of time.
    private(set) var days: [DayTotal] = []

    init(in zone: TimeZone) { self.zone = zone }

    mutating func add(_ event: MotionEvent) {
        switch event {
        case .step(let step): days[day(of: step.time)].steps += 1
        case .segment(let segment):
            var rest = segment.range
            while !rest.isEmpty {
                let day = day(of: rest.lowerBound)
                let part = rest.clamped(to: days[day].range)
                days[day].coverage += part.seconds
                guard days[day].range.contains(rest.lowerBound) else { return }
                rest = part.upperBound..<rest.upperBound
            }
        case .gap, .nonWear: break
        }
    }

    /// The position of the day around a moment. Events come in order of time, so it is nearly always the last one.
    private mutating func day(of moment: Timestamp) -> Int {
        if let last = days.indices.last, days[last].range.contains(moment) { return last }
        let range = zone.day(of: moment)
        let next = days.firstIndex { range.lowerBound <= $0.range.lowerBound } ?? days.endIndex
        if next == days.endIndex || days[next].range != range { days.insert(DayTotal(range: range), at: next) }
        return next
    }
}

/// How a trace is read for its analysis.
package struct AnalysisRequest: Sendable {
    package var options: TraceOptions
    /// The wearer's zone; nil for the one that the file states, if any.
    package var timeZone: TimeZone?
    /// Whether to correct the sensor's scale and offset first, which reads the file twice.
    package var calibrates: Bool
    /// Whether to record what the stages compute for each second.
    package var keepsSeconds: Bool
    /// How a user accepts a trace that loses more than a tenth of its rows, for the error; nil accepts it.
    package var lossRemedy: ParameterText?
    /// How notes and warnings name parameters.
    package var wording: @Sendable (ParameterText) -> String

    package init(
        _ options: TraceOptions, timeZone: TimeZone? = nil, calibrates: Bool = false, keepsSeconds: Bool = false,
        lossRemedy: ParameterText?, wording: @escaping @Sendable (ParameterText) -> String = \.description
    ) {
        (self.options, self.timeZone, self.calibrates) = (options, timeZone, calibrates)
        (self.keepsSeconds, self.lossRemedy, self.wording) = (keepsSeconds, lossRemedy, wording)
    }
}

/// Receives the results of an analysis as they come.
package protocol TraceListener {
    /// The trace is open. If its clock was set back, it is read again, and all results come again after this call.
    /// `timeZone` is the wearer's zone; nil if neither the options nor the file state it. Returns what the reading
    /// thread does with the samples, if anything.
    mutating func begin(in timeZone: TimeZone?) throws -> (@Sendable (RepairedSamples) -> Void)?

    /// The next samples, corrected and repaired, in the order of the file.
    mutating func take(_ samples: RepairedSamples) throws

    /// The next settled events. `start` is the time of the first sample.
    mutating func take(_ events: [MotionEvent], start: Timestamp) throws

    /// What the stages computed for a second, if ``AnalysisRequest/keepsSeconds``.
    mutating func take(_ second: AnalyzedSecond)

    /// The end of the analysis, which may be interrupted.
    mutating func finish(_ analysis: TraceAnalysis) throws
}

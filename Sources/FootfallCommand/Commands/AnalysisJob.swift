import Footfall
import FootfallHistory
import FootfallMeasures
import FootfallReaders
import FootfallReport
import FootfallStudy
import FootfallTables
import Foundation
import Logging

/// The work of `analyze` on each trace: its events go into the tables and the history as they come.
struct AnalysisJob: Sendable {
    /// How the logs are read.
    let request: AnalysisRequest
    /// The folder of the tables; nil if none were requested.
    let study: StudyRun?
    let draws: Bool
    /// Whether the picture also says why each second has steps or none.
    let drawsWhy: Bool
    let keepsStepTimes: Bool
    /// The path, the zone and the rule of the table of seconds; nil if none was requested.
    let seconds: (path: String, zone: TimeZone?, rule: OutputRule)?
    /// The history to record into; nil if none was named.
    let history: MotionHistory?
    /// The wearer or device in the history; nil for the name of each trace.
    let source: String?
    /// Whether a trace without absolute time starts after the last event of its source.
    let startsAfterLast: Bool
    let log: Logger

    /// Analyses a trace unless it is stopped before its end. `progress` receives the share of the work that is done,
    /// 0…1, after each batch. Throws `TraceError` for a trace that cannot be read, `FileError` and `HistoryError` for
    /// results that cannot be written.
    func run(_ file: TraceFile, unless isStopped: () -> Bool, progress: (Double) -> Void) throws -> AnalyzedTrace {
        log.info("\(FilePath.shown(file.path)): reading")
        let source = source ?? file.stem
        var request = request
        if let series = file.series { request.options.rows.append(series) }
        if startsAfterLast, let end = try history?.end(of: source) { request.options.start = end }
        var results = TraceOutputs(of: file, source: source, hasStart: request.options.start != nil, job: self)
        let analysis: TraceAnalysis
        do {
            analysis =
                if let study {
                    try study.analyze(file, request, to: &results, unless: isStopped, progress: progress)
                } else {
                    try TraceAnalysis(file, request, to: &results, unless: isStopped, progress: progress)
                }
        } catch var error as TraceError where file.series != nil {
            error.path = file.name
            throw error
        }
        let recording = results.recorded
        if let outcome = recording?.outcome {
            log.info("\(analysis.name): \(outcome.recorded) events recorded as \(source)")
            if outcome.expired > 0 {
                log.warning("\(analysis.name): \(outcome.expired) events are older than the history keeps")
            }
        }
        return AnalyzedTrace(analysis: analysis, stepTimes: results.stepTimes, recording: recording, plot: results.plot)
    }
}

/// The results of one trace that were requested.
private struct TraceOutputs: TraceListener {
    private let file: TraceFile
    private let source: String
    private let hasStart: Bool
    private let job: AnalysisJob
    private(set) var stepTimes: [Timestamp]?
    private(set) var plot: TracePlot?
    private var recording: EventRecording?
    private var seconds: OutputTable?

    /// Starts an analysis. `hasStart` means that the user has placed the trace in time.
    init(of file: TraceFile, source: String, hasStart: Bool, job: AnalysisJob) {
        (self.file, self.source, self.hasStart, self.job) = (file, source, hasStart, job)
    }

    mutating func begin(in timeZone: TimeZone?) throws -> (@Sendable (RepairedSamples) -> Void)? {
        stepTimes = job.keepsStepTimes ? [] : nil
        plot = job.draws ? TracePlot() : nil
        seconds = try job.seconds.map {
            try OutputTable(AnalyzedSecond.table.description, at: $0.path, zone: $0.zone, $0.rule)
        }
        recording = job.history.map {
            EventRecording(
                of: file.path, into: $0, from: source, timeZone: timeZone, hasStart: hasStart,
                remedy: .forUndatedTrace)
        }
        return nil
    }

    mutating func take(_ samples: RepairedSamples) throws { plot?.add(samples.batch) }

    mutating func take(_ events: [MotionEvent], start: Timestamp) throws {
        plot?.add(events)
        try recording?.add(events)
        for case .step(let step) in events { stepTimes?.append(step.time) }
    }

    mutating func take(_ second: AnalyzedSecond) {
        seconds?.write(AnalyzedSecond.table.record(of: second))
        if job.drawsWhy { plot?.add(second) }
    }

    mutating func finish(_ analysis: TraceAnalysis) throws {
        // A log is recorded as a whole or not at all. What arrived through a pipe is all that there will be of it.
        if analysis.isInterrupted, file.canBeReadAgain {
            recording = nil
        } else {
            try recording?.finish()
        }
        if !analysis.isInterrupted { try seconds?.finish() }
    }

    /// What was recorded of the trace, if it was.
    var recorded: RecordedTrace? { recording?.trace }
}

/// An analyzed trace, with its step times and its recording where they were requested.
struct AnalyzedTrace: Sendable {
    let analysis: TraceAnalysis
    let stepTimes: [Timestamp]?
    let recording: RecordedTrace?
    /// The picture; nil if none was requested.
    let plot: TracePlot?
}

import Footfall
import FootfallHistory
import FootfallMeasures
import FootfallReport
import FootfallStudy
import FootfallTraces
import FootfallWire
import Foundation
import Logging

/// The work of `analyze` on each trace: its events go into the tables and the history as they come.
struct AnalysisJob: Sendable {
    let options: TraceOptions
    let calibrates: Bool
    let draws: Bool
    let keepsStepTimes: Bool
    /// Whether a trace may lose more than a tenth of its rows.
    let isLenient: Bool
    /// The folder of the tables; nil if none were requested.
    let tables: ResultTables?
    /// The stage of the gait measures in the tables, without samples.
    let gait: GaitMeter
    /// The table of seconds; nil if none was requested.
    let seconds: SecondsFile?
    /// The history to record into; nil if none was named.
    let history: MotionHistory?
    /// The wearer or device in the history; nil for the name of each trace.
    let source: String?
    /// Whether a trace without absolute time starts after the last event of its source.
    let startsAfterLast: Bool
    /// The wearer's zone; nil keeps the one in the history.
    let timeZone: TimeZone?
    let log: Logger

    /// Analyses a trace.
    ///
    /// - Parameters:
    ///   - isStopped: Whether to stop before the end of the trace.
    ///   - progress: Receives the share of the work that is done, 0…1, after each batch.
    /// - Throws: `TraceError` for a trace that cannot be read, `FileError` and `HistoryError` for results that cannot
    ///   be written.
    func run(_ file: TraceFile, unless isStopped: () -> Bool, progress: (Double) -> Void) throws -> AnalyzedTrace {
        log.info("\(FilePath.shown(file.path)): reading")
        let source = source ?? file.stem
        let identity = self.tables.flatMap { _ in LogIdentity(of: file.path) }
        var options = options
        if startsAfterLast, let end = try history?.end(of: source) { options.start = end }
        var tables: TraceTables?
        var recording: EventRecording?
        var stepTimes: [Timestamp]? = keepsStepTimes ? [] : nil
        var plot: TracePlot?
        var seconds: SecondsTable?
        let analysis = try TraceAnalysis(
            file, options: options, lossRemedy: isLenient ? nil : "to analyze the other rows, give --lenient",
            calibrates: calibrates, timeZone: timeZone,
            wording: \.asOptions, unless: isStopped, progress: progress,
            opened: { zone in
                stepTimes = keepsStepTimes ? [] : nil
                plot = draws ? TracePlot() : nil
                seconds = try self.seconds?.start()
                tables = try self.tables?.tables(
                    of: file, timeZone: zone ?? options.timeZone, printing: self.timeZone, gait)
                recording = history.map {
                    EventRecording(
                        of: file.path, into: $0, from: source, timeZone: zone, hasStart: options.start != nil,
                        isWhole: true)
                }
                guard let epochs = tables?.epochs else { return nil }
                return { epochs.add($0) }
            },
            samples: {
                plot?.add($0.batch)
                try tables?.add($0)
            },
            events: { events, start in
                plot?.add(events)
                try recording?.add(events)
                try tables?.add(events, start: start)
                stepTimes?.append(contentsOf: events.lazy.compactMap(\.step?.time))
            },
            seconds: self.seconds == nil ? nil : { seconds?.write($0) })
        // A log is recorded as a whole or not at all. What arrived through a pipe is all that there will be of it.
        if analysis.isInterrupted, file.isRegular {
            recording = nil
        } else {
            try recording?.finish()
        }
        // Complete tables mark a trace as done; an interrupted one is not.
        if !analysis.isInterrupted {
            try tables?.finish(analysis)
            try seconds?.finish()
        }
        if let outcome = recording?.trace.outcome {
            log.info("\(analysis.name): \(outcome.recorded) events recorded as \(source)")
            if outcome.expired > 0 {
                log.warning("\(analysis.name): \(outcome.expired) events are older than the history keeps")
            }
        }
        return AnalyzedTrace(
            analysis: analysis, log: identity, stepTimes: stepTimes, recording: recording?.trace, plot: plot)
    }
}

/// An analyzed trace, with its step times and its recording where they were requested.
struct AnalyzedTrace: Sendable {
    let analysis: TraceAnalysis
    /// The log before the analysis; nil without tables, and for a pipe.
    let log: LogIdentity?
    let stepTimes: [Timestamp]?
    let recording: RecordedTrace?
    /// The picture; nil if none was requested.
    let plot: TracePlot?
}

extension MotionEvent {
    /// The step; nil for other events.
    var step: Step? {
        if case .step(let step) = self { step } else { nil }
    }
}

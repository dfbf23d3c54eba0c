import Footfall
import FootfallHistory
import FootfallTraces
import Foundation
import Logging

/// What `analyze` does with each trace: its events go into the tables and the history as they come.
struct AnalysisJob: Sendable {
    let options: TraceOptions
    let calibrates: Bool
    let draws: Bool
    let keepsStepTimes: Bool
    /// Whether a trace may lose more than a tenth of its rows.
    let isLenient: Bool
    /// Where tables go; nil where none were requested.
    let tables: ResultTables?
    /// Where to record; nil where no history was named.
    let history: MotionHistory?
    /// The wearer or device in the history.
    let source: String
    /// The wearer's zone; nil keeps the one in the history.
    let timeZone: TimeZone?
    let log: Logger

    /// Analyses a trace.
    ///
    /// - Parameter progress: Receives the share of the work that is done, 0…1, after each batch.
    /// - Throws: `TraceError` for a trace that cannot be read, `FileError` and `HistoryError` for results that cannot be written.
    func run(_ file: TraceFile, progress: (Double) -> Void) throws -> AnalyzedTrace {
        log.info("\(file.path): reading")
        var tables = try tables?.tables(of: file)
        var recording = history.map { EventRecording(into: $0, from: source, timeZone: timeZone) }
        var stepTimes: [Timestamp]? = keepsStepTimes ? [] : nil
        let analysis = try TraceAnalysis(
            file, options: options, isLenient: isLenient, calibrates: calibrates, draws: draws, progress: progress,
            samples: { batch in try tables?.add(batch) },
            events: { events, start in
                try recording?.add(events)
                try tables?.add(events, start: start)
                stepTimes?.append(contentsOf: events.lazy.compactMap(\.step?.time))
            })
        // Complete tables mark a trace as done; an interrupted one is not.
        if !analysis.isInterrupted { try tables?.finish(analysis) }
        try recording?.finish()
        if let outcome = recording?.outcome {
            log.info("\(analysis.name): \(outcome.recorded) events recorded as \(source)")
            if outcome.expired > 0 {
                log.warning("\(analysis.name): \(outcome.expired) events are older than the history keeps")
            }
        }
        return AnalyzedTrace(analysis: analysis, stepTimes: stepTimes, recording: recording?.outcome)
    }
}

/// An analysed trace, with its step times where they were requested, and the outcome of its recording.
struct AnalyzedTrace: Sendable {
    let analysis: TraceAnalysis
    let stepTimes: [Timestamp]?
    let recording: RecordingOutcome?
}

/// Records events as they come, many in one transaction.
struct EventRecording {
    /// The events of a few hours. Fewer transactions are faster, and the events of one wait in memory.
    private static let transactionLength = 4096

    private let history: MotionHistory
    private let source: String
    private let timeZone: TimeZone?
    private var waiting: [MotionEvent] = []
    private(set) var outcome = RecordingOutcome()

    /// Starts a recording of one source.
    init(into history: MotionHistory, from source: String, timeZone: TimeZone?) {
        (self.history, self.source, self.timeZone) = (history, source, timeZone)
    }

    /// Adds the next events.
    ///
    /// - Throws: `HistoryError`; earlier transactions stay.
    mutating func add(_ events: [MotionEvent]) throws {
        waiting += events
        if waiting.count >= Self.transactionLength { try commit() }
    }

    /// Records the rest.
    ///
    /// - Throws: `HistoryError`; earlier transactions stay.
    mutating func finish() throws { try commit() }

    private mutating func commit() throws {
        outcome += try history.record(waiting, from: source, timeZone: timeZone)
        waiting.removeAll(keepingCapacity: true)
    }
}

extension MotionEvent {
    /// The step; nil for other events.
    var step: Step? {
        if case .step(let step) = self { step } else { nil }
    }
}

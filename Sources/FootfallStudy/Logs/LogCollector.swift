internal import Footfall
internal import FootfallMeasures
internal import Foundation
internal import Synchronization

/// Collects what an analysis of a log gives in a draft of a study file, so that memory does not grow with the log.
final class LogCollector: Sendable {
    /// The rows that wait for one transaction of the draft.
    private static let batch = 4096

    /// The measures of the epochs take nearly as long as the analysis. The thread that reads the log computes them, so
    /// that both processors have work.
    private struct Epochs {
        var meter: EpochMeter
        var waiting: [EpochMeasures] = []
        var failure: FileError?
    }

    private struct Events {
        var gait: GaitMeter
        var steps: [Step] = []
    }

    let draft: StudyFile
    private let epochs: Mutex<Epochs>
    private let events: Mutex<Events>

    /// - Parameters:
    ///   - length: The length of the epochs.
    ///   - gait: The stage of the gait measures, without samples.
    /// - Throws: `FileError` where there is no room for a temporary file.
    init(epochs length: EpochLength, _ gait: GaitMeter) throws(FileError) {
        draft = try StudyFile()
        epochs = Mutex(Epochs(meter: EpochMeter(length: length)))
        events = Mutex(Events(gait: gait))
    }

    /// Adds the next samples to the epochs, on the thread that reads.
    func addToEpochs(_ samples: RepairedSamples) {
        epochs.withLock { epochs in
            epochs.waiting += epochs.meter.add(samples)
            if epochs.waiting.count >= Self.batch { flush(&epochs) }
        }
    }

    private func flush(_ epochs: inout Epochs) {
        do { try draft.add(epochs.waiting) } catch { epochs.failure = epochs.failure ?? error }
        epochs.waiting.removeAll(keepingCapacity: true)
    }

    /// Adds the next samples to the gait.
    func add(_ samples: RepairedSamples) { events.withLock { $0.gait.add(samples) } }

    /// Adds the next events.
    ///
    /// - Throws: `FileError`.
    func add(_ new: [MotionEvent]) throws(FileError) {
        try events.withLock { events throws(FileError) in
            for case .step(let step) in new { events.steps.append(step) }
            let bouts = events.gait.add(new)
            if !bouts.isEmpty { try draft.add(bouts) }
            guard events.steps.count >= Self.batch else { return }
            try draft.add(events.steps)
            events.steps.removeAll(keepingCapacity: true)
        }
    }

    /// Adds the rest to the draft.
    ///
    /// - Throws: `FileError`, also for an earlier error.
    func finish(_ analysis: TraceAnalysis) throws(FileError) {
        try epochs.withLock { epochs throws(FileError) in
            epochs.waiting += epochs.meter.finish()
            flush(&epochs)
            if let failure = epochs.failure { throw failure }
        }
        try events.withLock { events throws(FileError) in
            try draft.add(events.steps)
            try draft.add(events.gait.finish())
        }
        try draft.add(analysis.segments)
        try analysis.checkWhole()
    }
}

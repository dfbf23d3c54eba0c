internal import Dispatch
public import Footfall
internal import Foundation
internal import Synchronization

/// A trace that a separate thread reads, ahead of the caller.
///
/// Reading and analysis of one long log then use two processors. The batches and their order are those of ``Trace``.
/// The reading thread also corrects the samples, repairs their times and checks the sensor: it is the intake of all
/// later stages.
///
/// ```swift
/// var trace = ReadAheadTrace(try Trace(contentsOf: url))
/// while let samples = try trace.nextSamples() {
///     record(analyzer.analyze(samples))
/// }
/// let summary = trace.finish()
/// for warning in summary.warnings { print(warning) }
/// print(summary.sensor.clipped)
/// ```
///
/// At most ``capacity`` batches wait, so memory is bounded by about 5 MB.
public struct ReadAheadTrace: ~Copyable, Sendable {
    /// What is known about a trace after its last batch.
    public struct Summary: Sendable {
        /// How the file was understood; see ``Trace/notes``.
        public let notes: [ParameterText]
        /// What could not be used; see ``Trace/warnings``.
        public let warnings: [TraceWarning]
        /// Held and clipped samples, after the correction.
        public let sensor: SensorCheck
        /// The runs of the file's clock.
        package let clock: ClockRuns
        /// What the logger stated about itself.
        package let logger: LoggerState
    }

    /// The largest number of batches that wait: half of them in the queue, which the caller takes as a whole, and half
    /// at the caller. A batch of 4096 samples takes 80 kB.
    public static let capacity = 64

    /// How much of the file had been read at the latest batch, 0…1, by bytes.
    public private(set) var progress = 0.0

    private let reader: Reader
    /// The items taken from the queue, the next one last.
    private var taken: [Reader.Item] = []
    /// The samples that were returned last, and the batches before them, whose memory is written again unless the
    /// caller keeps them.
    private var current = RepairedSamples()
    private var spent: [SampleBatch] = []
    /// What is known about the trace; nil before its end.
    public private(set) var summary: Summary?
    private var isAtEnd = false

    /// Starts reading.
    ///
    /// - Parameters:
    ///   - trace: An open trace, none of whose batches has been read.
    ///   - calibration: The correction of the samples; nil returns them as they are in the file.
    ///   - body: Receives all samples on the reading thread, in the order of the file, before ``nextSamples(unless:)``
    ///     returns them. Work that needs no events is done there, beside the analysis.
    public init(
        _ trace: consuming Trace, correctedBy calibration: SensorCalibration? = nil,
        forEach body: (@Sendable (RepairedSamples) -> Void)? = nil
    ) {
        self.init(trace, correctedBy: calibration, endingSignalsAt: [], forEach: body)
    }

    /// Starts reading. A contiguous signal ends after each of the numbers of samples `ends`, each of which is the end
    /// of a batch.
    package init(
        _ trace: consuming Trace, correctedBy calibration: SensorCalibration?, endingSignalsAt ends: Set<Int>,
        forEach body: (@Sendable (RepairedSamples) -> Void)?
    ) {
        let reader = Reader(trace, calibration, ends, body)
        self.reader = reader
        Thread.detachNewThread { reader.run() }
    }

    deinit { reader.stop() }

    /// The next batch of at most 4096 samples as the file has them, corrected; nil at its end.
    ///
    /// - Parameter isStopped: Asked ten times a second while the reader waits for a pipe. After true the result is nil.
    /// - Throws: As ``nextSamples(unless:)``.
    public mutating func nextBatch(unless isStopped: () -> Bool = { false }) throws(TraceError) -> SampleBatch? {
        while let samples = try nextSamples(unless: isStopped) {
            if !samples.batch.isEmpty { return samples.batch }
        }
        return nil
    }

    /// The next samples, repaired, in the order of the file; nil at its end. The last ones settle everything.
    ///
    /// - Parameter isStopped: Asked ten times a second while the reader waits for a pipe. After true the result is nil.
    /// - Throws: ``TraceError`` when reading fails, or when the file ends without one usable sample.
    public mutating func nextSamples(
        unless isStopped: () -> Bool = { false }
    ) throws(TraceError) -> RepairedSamples? {
        guard !isAtEnd else { return nil }
        spent.append(current.batch)
        current = RepairedSamples()
        while taken.isEmpty {
            taken = reader.next(returning: &spent)
            if taken.isEmpty, isStopped() { return nil }
        }
        switch taken.removeLast() {
        case .samples(let samples, let progress):
            self.progress = progress
            current = samples
            return samples
        case .end(let error, let summary):
            isAtEnd = true
            self.summary = summary
            if let error { throw error }
            return nil
        }
    }

    /// Stops reading, also before the end, and returns the summary of the part that was read. It is empty while the
    /// reading thread waits for a pipe.
    public consuming func finish() -> Summary {
        reader.stop()
        if let summary { return summary }
        var items = taken
        repeat {
            // The end follows all batches.
            if case .end(_, let summary)? = items.first { return summary }
            items = reader.next(returning: &spent)
        } while !items.isEmpty
        return Summary(notes: [], warnings: [], sensor: SensorCheck(), clock: ClockRuns(), logger: LoggerState())
    }
}

/// The reading thread and its bounded queue.
private final class Reader: Sendable {
    enum Item: Sendable {
        case samples(RepairedSamples, progress: Double)
        /// Indirect, because it is large and comes once. The batches then take no room for it.
        indirect case end(TraceError?, ReadAheadTrace.Summary)
    }

    private let trace: Mutex<Trace>
    private let calibration: SensorCalibration?
    private let ends: Set<Int>
    private let body: (@Sendable (RepairedSamples) -> Void)?
    private let queue = Mutex(Queue())
    private let room = DispatchSemaphore(value: 0)
    private let filled = DispatchSemaphore(value: 0)
    private let isStopped = Atomic(false)

    init(
        _ trace: consuming Trace, _ calibration: SensorCalibration?, _ ends: Set<Int>,
        _ body: (@Sendable (RepairedSamples) -> Void)?
    ) {
        self.trace = Mutex(trace)
        (self.calibration, self.ends, self.body) = (calibration, ends, body)
    }

    /// Reads until the end of the trace, an error, or ``stop()``.
    func run() {
        trace.withLock { trace in
            var intake = SampleIntake()
            var count = 0
            var failure: TraceError?
            do throws(TraceError) {
                while !isStopped.load(ordering: .relaxed), let batch = try trace.nextBatch(reusing: spare()) {
                    put(intake.add(calibration.map(batch.calibrated) ?? batch), trace.progress)
                    count += batch.count
                    if ends.contains(count) { put(intake.finish(), trace.progress) }
                }
                if !isStopped.load(ordering: .relaxed) { put(intake.finish(), trace.progress) }
            } catch {
                failure = error
            }
            put(
                .end(
                    failure,
                    .init(
                        notes: trace.notes, warnings: trace.warnings, sensor: intake.sensor, clock: trace.clockRuns,
                        logger: trace.logger)))
        }
    }

    /// A batch that the caller no longer uses; an empty one if there is none.
    private func spare() -> SampleBatch { queue.withLock { $0.spare.popLast() } ?? SampleBatch() }

    private func put(_ samples: RepairedSamples, _ progress: Double) {
        body?(samples)
        put(.samples(samples, progress: progress))
    }

    private func put(_ item: Item) {
        var isEnd = isStopped.load(ordering: .relaxed)
        if case .end = item { isEnd = true }
        let (wakes, sleeps) = queue.withLock { $0.add(item, isEnd: isEnd) }
        if wakes { filled.signal() }
        if sleeps { room.wait() }
    }

    /// Takes all items, the first one last, and gives spent batches back. Waits for an item, but 0.1 s at most.
    func next(returning spent: inout [SampleBatch]) -> [Item] {
        queue.withLock { $0.spare += spent }
        spent.removeAll(keepingCapacity: true)
        let deadline = DispatchTime.now() + .milliseconds(100)
        var items = take()
        while items.isEmpty, filled.wait(timeout: deadline) == .success { items = take() }
        return items.isEmpty ? take() : items
    }

    private func take() -> [Item] {
        let (items, wakes) = queue.withLock { $0.removeAll() }
        if wakes { room.signal() }
        return items
    }

    /// Ends the reading after the batch that is being read.
    func stop() {
        isStopped.store(true, ordering: .relaxed)
        room.signal()
    }
}

/// The items between the two threads, and whether a thread sleeps. A wake-up for each batch took a twentieth of the
/// processor time. So the caller sleeps until ``fewest`` items are in the queue. Once ``most`` items are in it, the
/// reader sleeps until the caller takes them.
private struct Queue {
    private static let fewest = 8
    private static let most = ReadAheadTrace.capacity / 2

    /// Batches whose memory the reader writes again.
    var spare: [SampleBatch] = []
    private var items: [Reader.Item] = []
    private var isReaderAsleep = false
    private var isCallerAsleep = false

    /// Returns whether to wake the caller, and whether the reader sleeps because the queue is full.
    mutating func add(_ item: Reader.Item, isEnd: Bool) -> (wakes: Bool, sleeps: Bool) {
        items.append(item)
        let wakes = isCallerAsleep && (isEnd || items.count >= Self.fewest)
        if wakes { isCallerAsleep = false }
        isReaderAsleep = !isEnd && items.count >= Self.most
        return (wakes, isReaderAsleep)
    }

    /// Returns all items, the first one last, and whether to wake the reader. If there are none, the caller sleeps.
    mutating func removeAll() -> (items: [Reader.Item], wakes: Bool) {
        var removed: [Reader.Item] = []
        swap(&removed, &items)
        removed.reverse()
        isCallerAsleep = removed.isEmpty
        defer { isReaderAsleep = false }
        return (removed, isReaderAsleep)
    }
}

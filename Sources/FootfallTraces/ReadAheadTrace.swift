internal import Dispatch
public import Footfall
internal import Foundation
internal import Synchronization

/// A trace that is read on a thread of its own, ahead of the caller.
///
/// Reading and analysis of one long log then use two processors. The batches and their order are those of ``Trace``.
/// The reading thread also corrects the samples and checks the sensor.
///
/// ```swift
/// var trace = ReadAheadTrace(try Trace(contentsOf: url))
/// while let batch = try trace.nextBatch() {
///     record(analyzer.analyze(batch))
/// }
/// let summary = trace.finish()
/// for warning in summary.warnings { print(warning) }
/// print(summary.sensor.nonWear)
/// ```
///
/// The reading thread waits while ``capacity`` batches are in the queue, so memory is bounded by about 5 MB.
public struct ReadAheadTrace: ~Copyable, Sendable {
    /// What is known about a trace after its last batch.
    public struct Summary: Sendable {
        /// How the file was understood; see ``Trace/notes``.
        public let notes: [String]
        /// What could not be used; see ``Trace/warnings``.
        public let warnings: [TraceWarning]
        /// Wear, held and clipped samples, as the file has them, before any correction.
        public let sensor: SensorCheck
    }

    /// The largest number of batches in the queue. A batch of 4096 samples takes 80 kB.
    public static let capacity = 64

    /// How much of the file had been read at the latest batch, 0…1, by bytes.
    public private(set) var progress = 0.0

    private let reader: Reader
    /// What is known about the trace; nil before its end.
    public private(set) var summary: Summary?
    private var isAtEnd = false

    /// Starts reading.
    ///
    /// - Parameters:
    ///   - trace: An open trace, none of whose batches has been read.
    ///   - calibration: The correction of the samples; nil returns them as they are in the file.
    ///   - body: Receives each corrected batch on the reading thread, in the order of the file, before ``nextBatch(unless:)``
    ///     returns it. Work that needs no events is done there, beside the analysis.
    public init(
        _ trace: consuming Trace, correctedBy calibration: SensorCalibration? = nil,
        forEachBatch body: (@Sendable (SampleBatch) -> Void)? = nil
    ) {
        let reader = Reader(trace, calibration, body)
        self.reader = reader
        Thread.detachNewThread { reader.run() }
    }

    deinit {
        reader.stop()
    }

    /// The next samples, at most 4096, in the order of the file; nil at its end.
    ///
    /// - Parameter isStopped: Asked ten times a second while the reader waits for a pipe. After true the result is nil.
    /// - Throws: ``TraceError`` when reading fails, or when the file ends without one usable sample.
    public mutating func nextBatch(unless isStopped: () -> Bool = { false }) throws(TraceError) -> SampleBatch? {
        guard !isAtEnd else { return nil }
        var item = reader.next()
        while item == nil {
            if isStopped() { return nil }
            item = reader.next()
        }
        switch item {
        case nil: return nil
        case .batch(let batch, let progress):
            self.progress = progress
            return batch
        case .end(let error, let summary):
            isAtEnd = true
            self.summary = summary
            if let error { throw error }
            return nil
        }
    }

    /// Stops reading, wherever it is, and returns what is known about the part that was read. While the reading thread
    /// waits for a pipe, nothing is known.
    public consuming func finish() -> Summary {
        reader.stop()
        if let summary { return summary }
        while let item = reader.next() {
            if case .end(_, let summary) = item { return summary }
        }
        return Summary(notes: [], warnings: [], sensor: SensorCheck())
    }
}

/// The reading thread and its bounded queue.
private final class Reader: Sendable {
    enum Item: Sendable {
        case batch(SampleBatch, progress: Double)
        case end(TraceError?, ReadAheadTrace.Summary)
    }

    private let trace: Mutex<Trace>
    private let calibration: SensorCalibration?
    private let body: (@Sendable (SampleBatch) -> Void)?
    private let queue = Mutex(Queue())
    private let room = DispatchSemaphore(value: 0)
    private let filled = DispatchSemaphore(value: 0)
    private let isStopped = Atomic(false)

    init(
        _ trace: consuming Trace, _ calibration: SensorCalibration?, _ body: (@Sendable (SampleBatch) -> Void)?
    ) {
        self.trace = Mutex(trace)
        self.calibration = calibration
        self.body = body
    }

    /// Reads until the end of the trace, an error, or ``stop()``.
    func run() {
        trace.withLock { trace in
            var sensor = SensorCheck()
            var failure: TraceError?
            do throws(TraceError) {
                while !isStopped.load(ordering: .relaxed), let batch = try trace.nextBatch() {
                    sensor.add(batch)
                    let corrected = calibration.map(batch.calibrated) ?? batch
                    body?(corrected)
                    put(.batch(corrected, progress: trace.progress))
                }
            } catch {
                failure = error
            }
            put(.end(failure, .init(notes: trace.notes, warnings: trace.warnings, sensor: sensor)))
        }
    }

    private func put(_ item: Item) {
        var isEnd = isStopped.load(ordering: .relaxed)
        if case .end = item { isEnd = true }
        let (wakes, sleeps) = queue.withLock { $0.add(item, isEnd: isEnd) }
        if wakes { filled.signal() }
        if sleeps { room.wait() }
    }

    /// Removes the first item; waits for it where the queue is empty, and returns nil after 0.1 s.
    func next() -> Item? {
        let deadline = DispatchTime.now() + .milliseconds(100)
        var item = take()
        while item == nil, filled.wait(timeout: deadline) == .success { item = take() }
        return item ?? take()
    }

    private func take() -> Item? {
        let (item, wakes) = queue.withLock { $0.removeFirst() }
        if wakes { room.signal() }
        return item
    }

    /// Ends the reading after the batch that is being read.
    func stop() {
        isStopped.store(true, ordering: .relaxed)
        room.signal()
    }
}

/// The items on their way, and whether a thread sleeps.
///
/// A wake-up for each batch took a twentieth of the processor time. So the caller sleeps until ``fewest`` items are in the queue, and
/// the reader until half of the queue is free.
private struct Queue {
    private static let fewest = 8

    private var items: [Reader.Item] = []
    private var isReaderAsleep = false
    private var isCallerAsleep = false

    /// Returns whether to wake the caller, and whether the reader sleeps because the queue is full.
    mutating func add(_ item: Reader.Item, isEnd: Bool) -> (wakes: Bool, sleeps: Bool) {
        items.append(item)
        let wakes = isCallerAsleep && (isEnd || items.count >= Self.fewest)
        if wakes { isCallerAsleep = false }
        isReaderAsleep = !isEnd && items.count >= ReadAheadTrace.capacity
        return (wakes, isReaderAsleep)
    }

    /// Returns the first item, or nil where the caller sleeps, and whether to wake the reader.
    mutating func removeFirst() -> (item: Reader.Item?, wakes: Bool) {
        let item = items.isEmpty ? nil : items.removeFirst()
        isCallerAsleep = item == nil
        let wakes = isReaderAsleep && items.count <= ReadAheadTrace.capacity / 2
        if wakes { isReaderAsleep = false }
        return (item, wakes)
    }
}

import Dispatch
import Footfall
import FootfallTraces
import Foundation
import Synchronization

/// Reads a trace on a thread of its own and brings it onto the analysis grid, some minutes ahead of whoever looks for motion
/// in it, so that one long trace keeps two cores busy. What comes out, and in which order, is the same as without.
struct ReadAhead: ~Copyable {
    /// What is handed over at once.
    struct Piece: Sendable {
        var signal = EvenSignal()
        /// The batch that the signal begins in; nil in the pieces of a batch after the first, and where samples are not wanted.
        var samples: SampleBatch?
        /// Which share of the trace, 0…1, has been read.
        var progress = 0.0
    }

    /// What was found out on the way.
    struct Findings: Sendable {
        let quality: SignalQuality
        let check: SensorCheck
        let notes: [String]
        let warnings: [TraceWarning]
    }

    private let reader: Reader

    /// Begins to read.
    ///
    /// - Parameters:
    ///   - correction: What the samples are to be corrected by; nil to leave them as they are.
    ///   - keepsSamples: Whether the samples are wanted beside the signal.
    init(_ trace: consuming Trace, correction: SensorCalibration?, keepsSamples: Bool) {
        let reader = Reader(TraceSignal(trace, correction, keepsSamples))
        self.reader = reader
        Thread.detachNewThread { reader.run() }
    }

    deinit {
        reader.stop()
    }

    /// The next piece; nil at the end of the trace, or of what was read before the command was interrupted. After that there is
    /// nothing more to ask for.
    ///
    /// - Throws: `TraceError` when reading fails, or when the trace ends without one usable sample.
    func next() throws(TraceError) -> Piece? {
        try reader.next()
    }

    /// Ends the reading, wherever it is, and returns what was found out on the way.
    consuming func finish() -> Findings {
        reader.stop()
        return reader.findings
    }
}

/// What the thread that reads has in its hands: a trace on its way onto the grid.
private struct TraceSignal: ~Copyable {
    private var trace: Trace
    private let correction: SensorCalibration?
    private let keepsSamples: Bool
    private var check = SensorCheck()
    private var conditioner = SignalConditioner()
    private var isOver = false

    init(_ trace: consuming Trace, _ correction: SensorCalibration?, _ keepsSamples: Bool) {
        self.trace = trace
        self.correction = correction
        self.keepsSamples = keepsSamples
    }

    mutating func next() throws(TraceError) -> ReadAhead.Piece? {
        var piece = ReadAhead.Piece(progress: trace.progress)
        if conditioner.fill(&piece.signal) { return piece }
        guard !isOver else { return nil }
        if !Interruption.isRequested, let batch = try trace.nextBatch() {
            check.add(batch)
            let corrected = correction.map(batch.calibrated) ?? batch
            conditioner.add(corrected)
            piece.samples = keepsSamples ? corrected : nil
            piece.progress = trace.progress
        } else {
            conditioner.finish()
            isOver = true
        }
        _ = conditioner.fill(&piece.signal)
        return piece
    }

    var findings: ReadAhead.Findings {
        ReadAhead.Findings(
            quality: conditioner.quality, check: check, notes: trace.notes, warnings: trace.warnings)
    }
}

/// What the thread that reads and the one that analyses share.
private final class Reader: Sendable {
    private struct Queue {
        var pieces: [Result<ReadAhead.Piece?, TraceError>] = []
        /// How many have been taken out of it.
        var taken = 0
    }

    /// How many pieces may wait, of up to a minute each. Rest is analysed faster than it is read, motion more slowly: the
    /// thread that reads gets ahead in the one and lives on it in the other. When it has filled the queue, it sleeps until half
    /// of it has been taken: a thread that is woken for every piece takes its core from the one that wakes it.
    private static let depth = 256

    /// In the hands of the thread that reads, while it does.
    private let source: Mutex<TraceSignal>
    private let queue = Mutex(Queue())
    private let room = DispatchSemaphore(value: 0)
    private let ready = DispatchSemaphore(value: 0)
    private let isStopped = Atomic(false)

    init(_ source: consuming TraceSignal) {
        self.source = Mutex(source)
        for _ in 0..<Self.depth { room.signal() }
    }

    /// Reads until the trace ends, fails, or nobody wants more.
    func run() {
        var isOver = false
        while !isOver {
            room.wait()
            let piece = read()
            if case .success(.some) = piece {} else { isOver = true }
            queue.withLock { $0.pieces.append(piece) }
            ready.signal()
        }
    }

    private func read() -> Result<ReadAhead.Piece?, TraceError> {
        source.withLock { source in
            Result { () throws(TraceError) in
                isStopped.load(ordering: .relaxed) ? nil : try source.next()
            }
        }
    }

    func next() throws(TraceError) -> ReadAhead.Piece? {
        ready.wait()
        let (piece, taken) = queue.withLock { queue in
            queue.taken += 1
            return (queue.pieces.removeFirst(), queue.taken)
        }
        if taken.isMultiple(of: Self.depth / 2) {
            for _ in 0..<Self.depth / 2 { room.signal() }
        }
        return try piece.get()
    }

    func stop() {
        isStopped.store(true, ordering: .relaxed)
        room.signal()
    }

    var findings: ReadAhead.Findings {
        source.withLock { $0.findings }
    }
}

import Dispatch
import Footfall
import FootfallTraces
import Foundation
import Synchronization

/// Reads a trace on a thread of its own, a few batches ahead of whoever analyses them, so that one long trace keeps two
/// cores busy. What is read, and in which order, is the same as without.
struct ReadAhead: ~Copyable {
    /// A batch, and which share of the trace, 0…1, was read with it.
    struct Piece: Sendable {
        let batch: SampleBatch
        let progress: Double
    }

    /// What was found out on the way.
    struct Findings: Sendable {
        let check: SensorCheck
        let notes: [String]
        let warnings: [TraceWarning]
    }

    private let reader: Reader

    /// Begins to read.
    init(_ trace: consuming Trace) {
        let reader = Reader(trace)
        self.reader = reader
        Thread.detachNewThread { reader.run() }
    }

    deinit {
        reader.stop()
    }

    /// The next batch; nil at the end of the trace, after which there is nothing more to ask for.
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

/// What the thread that reads and the one that analyses share.
private final class Reader: Sendable {
    private struct Source: ~Copyable {
        var trace: Trace
        var check = SensorCheck()
    }

    private struct Queue {
        var pieces: [Result<ReadAhead.Piece?, TraceError>] = []
        /// How many have been taken out of it.
        var taken = 0
    }

    /// How many batches may wait. The thread that reads is the faster one mostly. When it has filled the queue, it sleeps until half
    /// of it has been taken: a thread that is woken for every batch takes its core from the one that wakes it.
    private static let depth = 32

    /// In the hands of the thread that reads, while it does.
    private let source: Mutex<Source>
    private let queue = Mutex(Queue())
    private let room = DispatchSemaphore(value: 0)
    private let ready = DispatchSemaphore(value: 0)
    private let isStopped = Atomic(false)

    init(_ trace: consuming Trace) {
        source = Mutex(Source(trace: trace))
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
                guard !isStopped.load(ordering: .relaxed), let batch = try source.trace.nextBatch() else { return nil }
                source.check.add(batch)
                return ReadAhead.Piece(batch: batch, progress: source.trace.progress)
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
        source.withLock { ReadAhead.Findings(check: $0.check, notes: $0.trace.notes, warnings: $0.trace.warnings) }
    }
}

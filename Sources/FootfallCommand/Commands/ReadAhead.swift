import Dispatch
import Footfall
import FootfallTraces
import Foundation
import Synchronization

/// Reads a trace and brings it onto the analysis grid; where there is a processor for it, on a thread of its own and some
/// hours ahead of whoever looks for motion in it, so that one long trace keeps two cores busy. What comes out, and in which
/// order, is the same with it and without.
struct ReadAhead: ~Copyable {
    /// What is handed over at once.
    struct Piece: Sendable {
        let signal: EvenSignal
        /// The batch that the piece comes of; nil in the pieces of a batch after the first, and where samples are not wanted.
        let samples: SampleBatch?
        /// Which share of the trace, 0…1, has been read.
        let progress: Double
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
    ///   - hasThread: Whether there is a processor for a thread that reads; without, a piece is read when it is asked for.
    init(_ trace: consuming Trace, correction: SensorCalibration?, keepsSamples: Bool, hasThread: Bool) {
        let reader = Reader(trace, SignalMaker(correction, keepsSamples), hasThread: hasThread)
        self.reader = reader
        if hasThread { Thread.detachNewThread { reader.run() } }
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

/// What was read at once.
private enum Reading: Sendable {
    /// Samples, and which share of the trace, 0…1, was read with them.
    case batch(SampleBatch, progress: Double)
    /// The trace is over, or could not be read on.
    case end(TraceError?)
}

/// Checks samples and makes signal of them.
private struct SignalMaker {
    private let correction: SensorCalibration?
    let keepsSamples: Bool
    private(set) var check = SensorCheck()
    private var conditioner = SignalConditioner()
    /// The next piece, still empty.
    private var signal = EvenSignal()
    private var progress = 0.0

    init(_ correction: SensorCalibration?, _ keepsSamples: Bool) {
        self.correction = correction
        self.keepsSamples = keepsSamples
    }

    var quality: SignalQuality { conditioner.quality }

    mutating func pieces(of reading: Reading) -> [ReadAhead.Piece] {
        var samples: SampleBatch?
        switch reading {
        case .batch(let batch, let progress):
            check.add(batch)
            let corrected = correction.map(batch.calibrated) ?? batch
            conditioner.add(corrected)
            samples = keepsSamples ? corrected : nil
            self.progress = progress
        case .end(let error):
            guard error == nil else { return [] }
            conditioner.finish()
        }
        var pieces: [ReadAhead.Piece] = []
        while conditioner.fill(&signal) {
            pieces.append(ReadAhead.Piece(signal: signal, samples: samples, progress: progress))
            (signal, samples) = (EvenSignal(), nil)
        }
        // Samples that say nothing yet are wanted all the same.
        if samples != nil { pieces.append(ReadAhead.Piece(signal: signal, samples: samples, progress: progress)) }
        return pieces
    }
}

/// What waits between the thread that reads and the one that analyses.
private struct Queue {
    /// How many pieces of signal may wait, of up to a minute each. Rest is analysed faster than it is read, motion more slowly: the
    /// thread that reads gets ahead in the one and lives on it in the other. Where they carry their samples, they are larger
    /// and fewer.
    let mostPieces: Int
    /// How many batches may wait to become signal.
    static let mostReadings = 8

    var readings: [Reading] = []
    var pieces: [ReadAhead.Piece] = []
    /// How the trace ended; nil before all that was read of it has become signal.
    var end: Result<Void, TraceError>?
    /// Whether the thread that reads sleeps because there is no room, and the one that analyses because there is nothing to do.
    var isReaderAsleep = false
    var isAnalyserAsleep = false

    init(keepsSamples: Bool) {
        mostPieces = keepsSamples ? 64 : 256
    }

    /// Whether the thread that reads must be woken. It sleeps until half of what it had read is used: a thread that is
    /// woken for every piece takes its core from the one that wakes it.
    mutating func wakesReader() -> Bool {
        guard isReaderAsleep, pieces.count <= mostPieces / 2 else { return false }
        isReaderAsleep = false
        return true
    }

    /// Whether the thread that analyses must be woken, for the same reason not for each batch.
    mutating func wakesAnalyser() -> Bool {
        var isOver = false
        if case .end = readings.last { isOver = true }
        guard isAnalyserAsleep, isOver || !pieces.isEmpty || end != nil || readings.count >= Self.mostReadings / 2
        else {
            return false
        }
        isAnalyserAsleep = false
        return true
    }
}

/// What the thread that reads and the one that analyses share.
///
/// Batches wait until one of the two makes signal of them: the one that analyses where it has nothing else to do, which is so
/// at rest, and the one that reads elsewhere. So both are equally busy.
private final class Reader: Sendable {
    private let trace: Mutex<Trace>
    private let maker: Mutex<SignalMaker>
    private let queue: Mutex<Queue>
    private let room = DispatchSemaphore(value: 0)
    private let ready = DispatchSemaphore(value: 0)
    private let isStopped = Atomic(false)
    private let hasThread: Bool

    init(_ trace: consuming Trace, _ maker: SignalMaker, hasThread: Bool) {
        self.trace = Mutex(trace)
        self.maker = Mutex(maker)
        queue = Mutex(Queue(keepsSamples: maker.keepsSamples))
        self.hasThread = hasThread
    }

    /// Reads until the trace ends, fails, or nobody wants more.
    func run() {
        var isOver = false
        while !isOver, !isStopped.load(ordering: .relaxed) {
            let reading = read()
            if case .end = reading { isOver = true }
            let (wakes, hasOthers) = queue.withLock { queue in
                queue.readings.append(reading)
                // The other thread has enough to do, or does not get round to it.
                return (queue.wakesAnalyser(), !queue.pieces.isEmpty || queue.readings.count >= Queue.mostReadings)
            }
            if wakes { ready.signal() }
            if hasOthers { makeSignal() }
            let sleeps = queue.withLock { queue in
                queue.isReaderAsleep = queue.pieces.count >= queue.mostPieces
                return queue.isReaderAsleep
            }
            if sleeps { room.wait() }
        }
    }

    private func read() -> Reading {
        trace.withLock { trace in
            do throws(TraceError) {
                guard !Interruption.isRequested, let batch = try trace.nextBatch() else { return .end(nil) }
                return .batch(batch, progress: trace.progress)
            } catch {
                return .end(error)
            }
        }
    }

    /// Makes signal of the first batch that waits for it.
    ///
    /// - Returns: Whether there was one.
    @discardableResult
    private func makeSignal() -> Bool {
        maker.withLock { maker in
            let reading = queue.withLock { $0.readings.isEmpty ? nil : $0.readings.removeFirst() }
            guard let reading else { return false }
            let pieces = maker.pieces(of: reading)
            let wakes = queue.withLock { queue in
                queue.pieces += pieces
                if case .end(let error) = reading { queue.end = error.map { .failure($0) } ?? .success(()) }
                return queue.wakesAnalyser()
            }
            if wakes { ready.signal() }
            return true
        }
    }

    func next() throws(TraceError) -> ReadAhead.Piece? {
        while true {
            let (piece, end, wakes) = queue.withLock { queue in
                let piece = queue.pieces.isEmpty ? nil : queue.pieces.removeFirst()
                return (piece, queue.end, queue.wakesReader())
            }
            if wakes { room.signal() }
            if let piece { return piece }
            if let end {
                try end.get()
                return nil
            }
            // Once this has had its turn, whatever the other thread was making is there as well.
            if makeSignal() { continue }
            guard hasThread else {
                let reading = read()
                queue.withLock { $0.readings.append(reading) }
                continue
            }
            let sleeps = queue.withLock { queue in
                queue.isAnalyserAsleep = queue.pieces.isEmpty && queue.readings.isEmpty && queue.end == nil
                return queue.isAnalyserAsleep
            }
            if sleeps { ready.wait() }
        }
    }

    func stop() {
        isStopped.store(true, ordering: .relaxed)
        room.signal()
    }

    var findings: ReadAhead.Findings {
        let (quality, check) = maker.withLock { ($0.quality, $0.check) }
        return trace.withLock {
            ReadAhead.Findings(quality: quality, check: check, notes: $0.notes, warnings: $0.warnings)
        }
    }
}

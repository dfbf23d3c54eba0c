import Footfall
import FootfallTraces
import Foundation

/// Everything the analyzer said of a trace, kept until the trace's turn comes: the latest events in memory, those before in a
/// temporary file, so that a long trace takes no more memory than a short one.
///
/// The file has no name: it is gone with the last copy of the spool, however the process ends. At most one copy may be
/// added to.
struct EventSpool: Sequence, Sendable {
    /// Events that go to the file at a time, and come back: a few hours of them. A trace with fewer makes no file.
    private static let pageLength = 4096
    private static let pageBytes = pageLength * MemoryLayout<StoredEvent>.stride

    private let trace: String
    private var latest: [StoredEvent] = []
    private var file: FileHandle?
    /// Pages in the file.
    private var pages = 0

    /// A spool without events.
    ///
    /// - Parameter trace: The path of the trace, for errors.
    init(of trace: String) {
        self.trace = trace
    }

    /// Adds what the analyzer said next.
    ///
    /// - Throws: `TraceError` when there is no room for it.
    mutating func add(_ events: [MotionEvent]) throws(TraceError) {
        for event in events {
            latest.append(StoredEvent(event))
            if latest.count == Self.pageLength { try writePage() }
        }
    }

    private mutating func writePage() throws(TraceError) {
        do {
            let file = try file ?? Self.temporaryFile()
            try file.seek(toOffset: UInt64(pages * Self.pageBytes))
            try latest.withUnsafeBytes { try file.write(contentsOf: Data($0)) }
            self.file = file
        } catch {
            let reason = FileError(error, path: trace, isInput: false).problem
            throw TraceError(
                .unreadable, path: trace, problem: "its steps, in a temporary file, \(reason)",
                remedy: "make room there, or name another folder with TMPDIR")
        }
        pages += 1
        latest.removeAll(keepingCapacity: true)
    }

    private static func temporaryFile() throws -> FileHandle {
        var name = Array(FileManager.default.temporaryDirectory.appending(path: "footfall-XXXXXX").path.utf8CString)
        let descriptor = name.withUnsafeMutableBufferPointer { $0.baseAddress.map { mkstemp($0) } ?? -1 }
        guard descriptor >= 0 else { throw POSIXError.latest }
        name.withUnsafeBufferPointer { _ = $0.baseAddress.map { unlink($0) } }
        return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    // MARK: Reading

    /// The steps among the events, one by one.
    var steps: some Sequence<Step> {
        lazy.compactMap { if case .step(let step) = $0 { step } else { nil } }
    }

    /// Starts with the first event.
    func makeIterator() -> Iterator { Iterator(spool: self) }

    /// Goes through the events, a page of the file at a time.
    struct Iterator: IteratorProtocol {
        fileprivate let spool: EventSpool
        private var page: ArraySlice<StoredEvent> = []
        private var number = 0

        fileprivate init(spool: EventSpool) {
            self.spool = spool
        }

        /// The next event.
        mutating func next() -> MotionEvent? {
            if page.isEmpty, number <= spool.pages {
                page = spool.page(number)[...]
                number += 1
            }
            return page.popFirst()?.event
        }
    }

    private func page(_ number: Int) -> [StoredEvent] {
        guard let file, number < pages else { return latest }
        do {
            try file.seek(toOffset: UInt64(number * Self.pageBytes))
            let data = try file.read(upToCount: Self.pageBytes) ?? Data()
            guard data.count == Self.pageBytes else { throw POSIXError(.EIO) }
            return data.withUnsafeBytes { bytes in
                stride(from: 0, to: bytes.count, by: MemoryLayout<StoredEvent>.stride).map {
                    bytes.loadUnaligned(fromByteOffset: $0, as: StoredEvent.self)
                }
            }
        } catch {
            // A sequence cannot throw, and one that just ended would lose steps silently.
            let reason = FileError(error, path: trace).problem
            Terminal.note("footfall: \(trace): its steps, in a temporary file, \(reason)")
            exit(Failure.failure)
        }
    }
}

/// An event of the analyzer in 32 bytes.
///
/// The analyzer's own segments are of one piece, so what they hold besides follows from their flags.
private struct StoredEvent: BitwiseCopyable {
    private enum Kind: UInt8 {
        case step, segment, gap
    }

    private let start: Timestamp
    private let end: Timestamp
    private let steps: Int
    /// The quality of a step, the probability of a segment.
    private let value: Float
    private let flags: UInt8
    /// 0 where nobody said.
    private let reason: UInt8
    private let kind: Kind

    init(_ event: MotionEvent) {
        switch event {
        case .step(let step):
            self.init(.step, step.time..<step.time, value: step.quality)
        case .segment(let segment):
            self.init(
                .segment, segment.range, steps: segment.steps, value: segment.probability,
                flags: segment.flags.rawValue, reason: segment.reason?.rawValue ?? 0)
        case .gap(let gap):
            self.init(.gap, gap)
        }
    }

    private init(
        _ kind: Kind, _ range: Range<Timestamp>, steps: Int = 0, value: Float = 0, flags: UInt8 = 0, reason: UInt8 = 0
    ) {
        (self.kind, start, end) = (kind, range.lowerBound, range.upperBound)
        (self.steps, self.value, self.flags, self.reason) = (steps, value, flags, reason)
    }

    var event: MotionEvent {
        switch kind {
        case .step: .step(Step(time: start, quality: value))
        case .segment:
            .segment(
                Segment(
                    range: start..<end, flags: ActivityFlags(rawValue: flags), reason: UnknownReason(rawValue: reason),
                    probability: value, steps: steps))
        case .gap: .gap(start..<end)
        }
    }
}

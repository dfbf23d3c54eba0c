internal import Footfall
internal import Foundation
internal import Synchronization

/// The segments and gaps of a trace in the order of time. Most of a long list are in a temporary file, so memory does
/// not grow with it.
struct SpanList: Sendable {
    /// The most spans in memory: those of a quiet month, in half a megabyte.
    private static let most = 8192

    /// The spans after those in the file.
    fileprivate private(set) var latest: [Entry] = []
    /// Nil before there are many spans.
    fileprivate private(set) var file: SpanFile?

    /// Adds a segment, joined with the last one where the two touch and differ by halts at most.
    ///
    /// - Throws: `FileError` if there is no room for the temporary file.
    mutating func join(_ segment: Segment) throws(FileError) {
        guard case .segment(let last) = latest.last else { return try append(.segment(segment)) }
        var joined = [last]
        joined.join(segment)
        latest.removeLast()
        for segment in joined { try append(.segment(segment)) }
    }

    /// Adds a gap.
    ///
    /// - Throws: As ``join(_:)``.
    mutating func add(gap: Range<Timestamp>) throws(FileError) { try append(.gap(gap)) }

    /// The list with its contiguous segments in another division, such as one with spans of non-wear.
    ///
    /// - Throws: As ``join(_:)``.
    func divided(_ divide: ([Segment]) -> [Segment]) throws(FileError) -> SpanList {
        var list = SpanList()
        var waiting: [Segment] = []
        func pass() throws(FileError) {
            for segment in divide(waiting) {
                if segment.reason == .notWorn { try list.join(segment) } else { try list.append(.segment(segment)) }
            }
            waiting.removeAll(keepingCapacity: true)
        }
        for span in Entries(list: self) {
            if case .segment(let segment) = span { waiting.append(segment) }
            if case .gap(let gap) = span {
                try pass()
                try list.add(gap: gap)
            } else if waiting.count == Self.most {
                try pass()
            }
        }
        try pass()
        return list
    }

    private mutating func append(_ span: Entry) throws(FileError) {
        if latest.count == Self.most {
            if file == nil { file = try SpanFile() }
            try file?.append(latest.flatMap(\.words))
            latest.removeAll(keepingCapacity: true)
        }
        latest.append(span)
    }

    /// Whether spans are missing because the temporary file could not be read.
    var isBroken: Bool { file?.isBroken ?? false }

    /// The segments.
    var segments: some Sequence<Segment> {
        Entries(list: self).lazy.compactMap { if case .segment(let segment) = $0 { segment } else { nil } }
    }

    /// The spans without samples.
    var gaps: some Sequence<Range<Timestamp>> {
        Entries(list: self).lazy.compactMap { if case .gap(let gap) = $0 { gap } else { nil } }
    }
}

/// A segment or a gap.
private enum Entry: Sendable {
    case segment(Segment)
    case gap(Range<Timestamp>)

    /// The words of a gap, and the words of a segment before those of its halts.
    static let wordsOfGap = 3
    static let wordsOfSegment = 6

    /// The start, the end and the number of halts, or −1 for a gap; then the other values of a segment, and its halts.
    var words: [Int64] {
        switch self {
        case .gap(let gap): return gap.words + [-1]
        case .segment(let segment):
            let reason = segment.reason.map { Int64($0.rawValue) } ?? -1
            return segment.range.words + [
                Int64(segment.halts.count), Int64(segment.flags.rawValue) | reason << 8,
                Int64(segment.probability.bitPattern), Int64(segment.steps),
            ] + segment.halts.flatMap(\.words)
        }
    }

    /// Reads a span from words; nil if more are needed.
    init?(_ words: ArraySlice<Int64>) {
        let first = words.startIndex
        guard words.count >= Self.wordsOfGap else { return nil }
        let range = Range(words: words[first...])
        let halts = Int(words[first + 2])
        guard halts >= 0 else {
            self = .gap(range)
            return
        }
        guard words.count >= Self.wordsOfSegment + 2 * halts else { return nil }
        let kind = words[first + 3]
        self = .segment(
            Segment(
                range: range, flags: ActivityFlags(rawValue: UInt8(truncatingIfNeeded: kind)),
                reason: UnknownReason(rawValue: UInt8(truncatingIfNeeded: kind >> 8)),
                probability: Float(bitPattern: UInt32(truncatingIfNeeded: words[first + 4])),
                steps: Int(words[first + 5]),
                halts: (0..<halts).map { Range(words: words[(first + Self.wordsOfSegment + 2 * $0)...]) }))
    }

    var count: Int {
        if case .segment(let segment) = self { Self.wordsOfSegment + 2 * segment.halts.count } else { Self.wordsOfGap }
    }
}

/// The spans of a list, first those in its file.
private struct Entries: Sequence {
    let list: SpanList

    func makeIterator() -> Iterator { Iterator(list: list) }

    struct Iterator: IteratorProtocol {
        let list: SpanList
        private var words: ArraySlice<Int64> = []
        private var offset = 0
        private var position = 0

        init(list: SpanList) { self.list = list }

        mutating func next() -> Entry? {
            while let file = list.file {
                if let span = Entry(words) {
                    words = words.dropFirst(span.count)
                    return span
                }
                let more = file.words(at: offset)
                guard !more.isEmpty else { break }
                offset += more.count
                words = (words + more)[...]
            }
            guard position < list.latest.count else { return nil }
            defer { position += 1 }
            return list.latest[position]
        }
    }
}

extension Range where Bound == Timestamp {
    fileprivate var words: [Int64] { [lowerBound.nanosecondsSince1970, upperBound.nanosecondsSince1970] }

    fileprivate init(words: ArraySlice<Int64>) {
        let (start, end) = (words[words.startIndex], words[words.startIndex + 1])
        self = Timestamp(nanosecondsSince1970: start)..<Timestamp(nanosecondsSince1970: Swift.max(start, end))
    }
}

/// A temporary file of 64-bit words without a name. The system deletes it when it is closed.
final class SpanFile: Sendable {
    /// The words of one read.
    private static let chunk = 8192

    private let descriptor: Int32
    private let broken = Atomic(false)
    /// Whether words could not be read.
    var isBroken: Bool { broken.load(ordering: .relaxed) }
    private let count = Atomic(0)

    /// Creates the file.
    init() throws(FileError) {
        let folder = FileManager.default.temporaryDirectory
        var name = Array(folder.appending(path: "footfall-XXXXXX").path.utf8CString)
        descriptor = name.withUnsafeMutableBufferPointer { $0.baseAddress.map { mkstemp($0) } ?? -1 }
        guard descriptor >= 0 else { throw FileError(POSIXError.latest, path: folder.path, .writing) }
        name.withUnsafeBufferPointer { _ = $0.baseAddress.map { unlink($0) } }
    }

    deinit { close(descriptor) }

    /// Adds words at the end.
    func append(_ words: [Int64]) throws(FileError) {
        if let failure = OutputFile.write(words.withUnsafeBytes { Array($0) }, to: descriptor) {
            throw FileError(failure, path: FileManager.default.temporaryDirectory.path, .writing)
        }
        count.add(words.count, ordering: .relaxed)
    }

    /// The next words from a position on; none at the end, and if they cannot be read, which ``isBroken`` states.
    func words(at position: Int) -> [Int64] {
        let size = MemoryLayout<Int64>.stride
        let length = min(Self.chunk, count.load(ordering: .relaxed) - position)
        guard length > 0 else { return [] }
        var words = [Int64](repeating: 0, count: length)
        let read = words.withUnsafeMutableBytes {
            pread(descriptor, $0.baseAddress, $0.count, off_t(position * size))
        }
        guard read == length * size else {
            broken.store(true, ordering: .relaxed)
            return []
        }
        return words
    }
}

internal import Footfall
internal import Synchronization

/// The segments of a trace, or its gaps, in the order of time. Most of a long list are in a temporary file, so memory
/// does not grow with it.
struct SpanList: Sendable, Sequence {
    /// The most spans in memory: those of a quiet month, in half a megabyte.
    private static let most = 8192

    /// The spans after those in the file.
    private var latest: [Segment] = []
    /// Nil before there are many spans.
    private var overflow: Overflow?

    private final class Overflow: Sendable {
        let draft: StudyFile
        let isBroken = Atomic(false)

        init() throws(FileError) { draft = try StudyFile() }
    }

    /// Whether spans are missing because the temporary file could not be read.
    var isBroken: Bool { overflow?.isBroken.load(ordering: .relaxed) ?? false }

    /// Adds a segment, joined with the last one where the two touch and differ by halts at most. Throws `FileError` if
    /// there is no room for the temporary file.
    mutating func join(_ segment: Segment) throws(FileError) {
        latest.join(segment)
        try shorten()
    }

    /// Adds a gap, as a segment without an activity.
    mutating func add(gap: Range<Timestamp>) throws(FileError) {
        try append(Segment(range: gap, flags: [], probability: 0, steps: 0))
    }

    /// The list in another division, such as one with spans of non-wear.
    func divided(_ divide: ([Segment]) -> [Segment]) throws(FileError) -> SpanList {
        var list = SpanList()
        var waiting: [Segment] = []
        func pass() throws(FileError) {
            for segment in divide(waiting) {
                if segment.reason == .notWorn { try list.join(segment) } else { try list.append(segment) }
            }
            waiting.removeAll(keepingCapacity: true)
        }
        for segment in self {
            waiting.append(segment)
            if waiting.count == Self.most { try pass() }
        }
        try pass()
        return list
    }

    private mutating func append(_ segment: Segment) throws(FileError) {
        latest.append(segment)
        try shorten()
    }

    private mutating func shorten() throws(FileError) {
        guard latest.count > Self.most, let last = latest.last else { return }
        if overflow == nil { overflow = try Overflow() }
        try overflow?.draft.add(latest.dropLast())
        latest = [last]
    }

    func makeIterator() -> AnyIterator<Segment> {
        var (file, page) = (overflow, overflow == nil ? latest[...] : [])
        var last: Timestamp?
        return AnyIterator {
            if page.isEmpty, let open = file {
                do { page = try open.draft.segments(after: last, most: Self.most)[...] } catch {
                    open.isBroken.store(true, ordering: .relaxed)
                }
                last = page.last?.range.lowerBound
                if page.isEmpty { (file, page) = (nil, latest[...]) }
            }
            return page.popFirst()
        }
    }
}

internal import Footfall
internal import GRDB

/// A row of `piece` or `segment`: a span of time with one set of flags.
struct StoredSpan: Hashable {
    var start: Int64
    var end: Int64
    /// The activity flags in the lowest eight bits and, above them, the reason of an unknown activity; 0 for none.
    var flags: Int64
    /// Nil in the table `segment`.
    var probability: Double?

    /// The same span for the table `segment`: without probability, and without a halt in an activity that continues.
    var asSegment: StoredSpan {
        let lasting = Int64(ActivityFlags(stored: flags).withoutHalt.rawValue)
        return StoredSpan(start: start, end: end, flags: flags & ~0xFF | lasting, probability: nil)
    }
}

extension StoredSpan {
    /// The largest stored flags: eight bits of flags and eight bits of the reason.
    private static let flagsMask: Int64 = 0xFFFF

    /// Reads the columns start, end, flags and probability, in this order.
    ///
    /// - Throws: An error for damage if a value is out of range.
    init(row: Row) throws {
        self.init(
            start: try row.moment(0), end: try row.moment(1), flags: try row.integer(2),
            probability: try row.probability(3))
        guard start < end else { throw DatabaseError.damaged("a span ends before its start") }
        guard flags & ~Self.flagsMask == 0 else { throw DatabaseError.damaged("the flags of a span are unknown") }
    }
}

extension [StoredSpan] {
    /// Throws unless the spans are in the order of time and do not overlap.
    func checkOrder() throws {
        for (left, right) in zip(self, dropFirst()) where right.start < left.end {
            throw DatabaseError.damaged("spans overlap")
        }
    }

    /// Adds a span. Touching spans with equal values become one.
    mutating func join(_ span: StoredSpan) {
        guard span.start < span.end else { return }
        if let last, last.end == span.start, last.flags == span.flags, last.probability == span.probability {
            self[count - 1].end = span.end
        } else {
            append(span)
        }
    }
}

extension Segment {
    /// The flags and the reason in the form of ``StoredSpan/flags``.
    var storedFlags: Int64 { Int64(flags.rawValue) | Int64(reason?.rawValue ?? 0) << 8 }
}

extension ActivityFlags {
    /// Reads the flags of a ``StoredSpan``.
    init(stored flags: Int64) { self.init(rawValue: UInt8(truncatingIfNeeded: flags)) }
}

extension UnknownReason {
    /// Reads the reason of a ``StoredSpan``; nil for none, and for one of a newer version.
    init?(stored flags: Int64) { self.init(rawValue: UInt8(truncatingIfNeeded: flags >> 8)) }
}

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
    /// The number of steps in a row of `segment`; 0 in other tables.
    var steps: Int64 = 0
    /// The sum of the nanoseconds of a row of `segment`, each times its probability; 0 in other tables.
    var certainty = 0.0

    /// The same span for the table `segment`: with the sums of a segment, and without a halt in an activity that
    /// continues.
    func asSegment(steps: Int) -> StoredSpan {
        let lasting = Int64(ActivityFlags(stored: flags).withoutHalt.rawValue)
        return StoredSpan(
            start: start, end: end, flags: flags & ~0xFF | lasting, probability: nil, steps: Int64(steps),
            certainty: (probability ?? 0) * Double(end - start))
    }
}

extension StoredSpan {
    /// The largest stored flags: eight bits of flags and eight bits of the reason.
    private static let flagsMask: Int64 = 0xFFFF

    /// Reads the columns of a row of `segment`.
    ///
    /// - Throws: An error for damage if a value is out of range.
    init(segment row: Row) throws {
        try self.init(row: row)
        (steps, certainty) = (try row.integer(4), try row.number(5))
        guard steps >= 0, certainty >= 0 else { throw DatabaseError.damaged("a sum of a segment is negative") }
    }

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

    /// Adds a span. Touching spans with equal values become one, with the sums of both.
    mutating func join(_ span: StoredSpan) {
        guard span.start < span.end else { return }
        if let last, last.end == span.start, last.flags == span.flags, last.probability == span.probability {
            self[count - 1].end = span.end
            self[count - 1].steps += span.steps
            self[count - 1].certainty += span.certainty
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

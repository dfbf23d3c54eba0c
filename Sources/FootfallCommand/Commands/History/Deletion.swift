import Footfall
import FootfallHistory
import FootfallReport

/// What a deletion removed.
struct Deletion {
    private let source: String?
    private let removed: StepCount
    /// The part of the range in which there was something; nil when there was nothing.
    private let range: Range<Timestamp>?
    private let inquiry: Inquiry

    init(_ inquiry: Inquiry, _ removed: StepCount) {
        self.inquiry = inquiry
        self.removed = removed
        source = inquiry.source
        let part = inquiry.kept.map { removed.range.clamped(to: $0) }
        range = removed.count > 0 || removed.coverage > 0 ? part : nil
    }

    static let columns = ["source", "start", "end", "steps", "coverage"]

    var record: Record {
        [
            ("source", source.map { .string($0) } ?? .null), ("start", .time(range?.lowerBound)),
            ("end", .time(range?.upperBound)), ("steps", .integer(removed.count)),
            ("coverage", .seconds(removed.coverage)),
        ]
    }

    /// One sentence for a person.
    var text: String {
        guard let range, let source else { return "There was nothing to remove.\n" }
        return "Removed \(removed.count) steps in \(Words.duration(removed.coverage)) of \(source), "
            + "from \(inquiry.clock.local(range.lowerBound).full) to \(inquiry.clock.local(range.upperBound).full).\n"
    }
}

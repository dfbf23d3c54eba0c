internal import Footfall
internal import Foundation

/// A line of an export, as JSON. Times are nanoseconds since 1970.
struct ExportLine: Codable {
    struct Zone: Codable {
        var since: Int64
        var name: String
    }

    /// The version of the export's format; the first line only.
    var version: Int?
    /// The retention, null without limit; the first line only.
    var retention: Int64?
    /// The name, the zones and the expired time of a source; the lines of its events follow.
    var source: String?
    var zones: [Zone]?
    var forgottenBefore: Int64?

    /// The text of a mark, which has otherwise only a start and, unless it is open, an end.
    var mark: String?
    /// A span, with its steps in `steps`.
    var start: Int64?
    var end: Int64?
    var flags: UInt8?
    /// True for a span of non-wear, which has no other keys; nil for a segment.
    var nonWear: Bool?
    /// The raw value of the reason of an unknown activity.
    var reason: UInt8?
    var probability: Float?
    /// The steps of the span; in a line without a span, steps outside segments.
    var steps: [Int64]?

    /// The number of the lines before; the last line only.
    var count: Int?
}

extension ExportLine {
    private static let encoder = {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }()

    /// A value as a line of JSON without its end. The keys have the order of the alphabet.
    static func text(of value: some Encodable) throws -> String {
        String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    /// The line without its end.
    var text: String { get throws { try Self.text(of: self) } }

    /// The newest version of the format. Version 1 had no last line with a count, version 2 no lines of non-wear,
    /// version 3 none of marks.
    static let newestVersion = 4

    /// The first line.
    init(retention: Retention) { (version, self.retention) = (Self.newestVersion, retention.nanoseconds) }

    /// The line of a mark.
    init(_ mark: StoredMark) { (self.mark, start, end) = (mark.text, mark.start, mark.end) }

    /// The mark of a line; nil for another line, and for one with a value that no export has.
    var storedMark: StoredMark? {
        guard let mark, Mark.isValid(mark), let start, start < end ?? .max else { return nil }
        return StoredMark(start: start, end: end, text: mark)
    }

    /// The line of an event, a segment without its steps; nil for a gap.
    init?(_ event: MotionEvent) {
        switch event {
        case .step(let step): steps = [step.time.nanosecondsSince1970]
        case .segment(let segment):
            start = segment.range.lowerBound.nanosecondsSince1970
            end = segment.range.upperBound.nanosecondsSince1970
            flags = segment.flags.rawValue
            reason = segment.reason?.rawValue
            probability = segment.probability
        case .gap: return nil
        case .nonWear(let range):
            start = range.lowerBound.nanosecondsSince1970
            end = range.upperBound.nanosecondsSince1970
            nonWear = true
        }
    }

    /// The steps and the segment of a line; nil for a line with a value that no export has.
    var events: [MotionEvent]? {
        var events = (steps ?? []).map { MotionEvent.step(Step(time: Timestamp(nanosecondsSince1970: $0))) }
        guard let start else { return events }
        guard let end, start < end else { return nil }
        let range = Timestamp(nanosecondsSince1970: start)..<Timestamp(nanosecondsSince1970: end)
        if nonWear == true { return events + [.nonWear(range)] }
        guard let flags, let probability, (0...1).contains(probability) else { return nil }
        events.append(
            .segment(
                Segment(
                    range: range, flags: ActivityFlags(rawValue: flags),
                    reason: reason.flatMap(UnknownReason.init(rawValue:)), probability: probability,
                    steps: steps?.count ?? 0)))
        return events
    }
}

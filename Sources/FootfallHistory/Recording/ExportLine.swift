package import Footfall
package import Foundation

/// A line of an export, as JSON. Times are nanoseconds since 1970.
package struct ExportLine: Codable {
    struct Zone: Codable {
        var since: Int64
        var name: String
    }

    /// Whether the export is the journal of a live session; the first line only.
    var live: Bool?
    /// The version of the export's format; the first line only.
    var version: Int?
    /// The retention, null without limit; the first line only.
    var retention: Int64?
    /// The name, the zones and the expired time of a source; the lines of its events follow.
    var source: String?
    var zones: [Zone]?
    var forgottenBefore: Int64?

    /// A span, with its steps in `steps`.
    var start: Int64?
    var end: Int64?
    var flags: UInt8?
    /// The raw value of the reason of an unknown activity.
    var reason: UInt8?
    var probability: Float?
    /// The steps of the span; in a line without a span, steps outside segments.
    var steps: [Int64]?
}

extension ExportLine {
    private static let encoder = {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }()

    /// The line without its end. The keys have the order of the alphabet.
    package var text: String { get throws { String(decoding: try Self.encoder.encode(self), as: UTF8.self) } }

    /// The first line.
    package init(retention: Retention, live: Bool? = nil) {
        (self.live, version, self.retention) = (live, 1, retention.nanoseconds)
    }

    /// The line of a source with one zone.
    package init(source: String, zone: TimeZone?) {
        self.source = source
        zones = zone.map { [Zone(since: .min, name: $0.identifier)] }
    }

    /// The line of an event, a segment without its steps; nil for a gap.
    package init?(_ event: MotionEvent) {
        switch event {
        case .step(let step): steps = [step.time.nanosecondsSince1970]
        case .segment(let segment):
            start = segment.range.lowerBound.nanosecondsSince1970
            end = segment.range.upperBound.nanosecondsSince1970
            flags = segment.flags.rawValue
            reason = segment.reason?.rawValue
            probability = segment.probability
        case .gap: return nil
        }
    }
}

package import Footfall
internal import FootfallReaders
package import Foundation

/// The values of the parameters of a query, read from text.
package enum QueryValue {
    /// A text that is no valid value: what to write instead.
    package struct Invalid: LocalizedError, CustomStringConvertible {
        package let description: String

        package init(_ description: String) { self.description = description }

        package var errorDescription: String? { description }
    }

    package static func activity(_ text: String) throws -> Activity {
        try require(Activity(rawValue: text), Activity.allCases.map(\.rawValue).joined(separator: ", "))
    }

    /// `low`, `medium` or `high`.
    package static func confidence(_ text: String) throws -> Confidence {
        try require(Confidence.allCases.first { $0.description == text }, "low, medium or high")
    }

    /// A duration in seconds.
    package static func duration(_ text: String) throws -> Double {
        try require(TimeExpression.span(text[...]), "a duration such as 30s, 5min or 1h 30min")
    }

    /// The parts of a range whose steps are counted.
    package enum StepParts: Sendable {
        case buckets(CalendarBucket)
        case marks
    }

    /// `hour`, `day`, `week`, minutes such as `15m`, or `mark`.
    package static func stepParts(_ text: String) throws -> StepParts {
        let named: [String: StepParts] = [
            "hour": .buckets(.hour), "day": .buckets(.day), "week": .buckets(.week), "mark": .marks,
        ]
        let seconds = TimeExpression.span(text[...]).flatMap { (60...86400).contains($0) ? $0 : nil }
        let minutes = seconds.flatMap { Int(exactly: $0 / 60) }.map { StepParts.buckets(.minutes($0)) }
        return try require(named[text] ?? minutes, "hour, day, week, minutes such as 15m, or mark")
    }

    /// The text of a mark.
    package static func mark(_ text: String) throws -> String {
        try require(Mark.isValid(text) ? text : nil, "a text of 1 to \(Mark.longestText) characters, without NUL")
    }

    /// The name of a source to record.
    package static func source(_ text: String) throws -> String {
        try require(Mark.isValid(text) ? text : nil, "a name of 1 to \(Mark.longestText) characters, without NUL")
    }

    /// The zone of a name or an offset. A name with dots or NUL could be another path in the folder of zones.
    package static func zone(_ name: String) throws -> TimeZone {
        let isName = !name.contains("..") && !name.utf8.contains(0)
        return try require(isName ? TimeZone(named: name) : nil, "a time zone, such as Europe/Berlin, UTC or +02:00")
    }

    /// The segments that match all of some conditions; nil without a condition.
    package static func filter(
        _ activities: [Activity], minDuration: Double?, confidence: Confidence?
    ) -> SegmentFilter? {
        var filters: [SegmentFilter] = []
        if !activities.isEmpty { filters.append(.activity(activities)) }
        if let minDuration { filters.append(.duration(atLeast: minDuration)) }
        if let confidence { filters.append(.confidence(atLeast: confidence)) }
        return filters.isEmpty ? nil : filters.reduce(.all) { $0 && $1 }
    }

    package static func require<Value>(_ value: Value?, _ valid: String) throws -> Value {
        guard let value else { throw Invalid("Write \(valid).") }
        return value
    }
}

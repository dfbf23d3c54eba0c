package import Footfall
internal import FootfallReaders
package import Foundation

/// A parameter of a query: an option of the command, and a parameter of an address of the server.
package protocol NamedParameter: Sendable {
    var name: String { get }
    /// The meaning, with the default, for the help of the command and for OpenAPI.
    var meaning: String { get }
    /// All values, where they are few.
    var choices: [String] { get }
    var examples: [String] { get }
}

/// A parameter of a query, and how its values are read from text.
package struct QueryParameter<Value>: NamedParameter {
    package let name: String
    package let meaning: String
    package let choices: [String]
    package let examples: [String]
    /// The name of a value in the help of the command; nil for that of the parameter.
    package let valueName: String?
    package let read: @Sendable (String) throws -> Value

    package init(
        _ name: String, _ meaning: String, valueName: String? = nil, choices: [String] = [], examples: String...,
        read: @escaping @Sendable (String) throws -> Value
    ) {
        (self.name, self.meaning, self.valueName) = (name, meaning, valueName)
        (self.choices, self.examples, self.read) = (choices, examples, read)
    }
}

extension QueryParameter<String> {
    package static let source = QueryParameter(
        "source", "The source; optional if the history holds only one.", valueName: "name"
    ) { $0 }
    package static let text = QueryParameter("text", "The text.", read: QueryValue.mark)
}

extension QueryParameter<TimeExpression> {
    package static let since = since(orElse: "the oldest kept time")
    package static let until = until(orElse: "the newest sample, or now")

    /// The start of a range, whose default is that of a command.
    package static func since(orElse missing: String) -> Self {
        QueryParameter(
            "since",
            "The start: today, -2h, 14:30, 2026-11-20, '2026-11-20 08:00', ISO 8601 (default: \(missing)).",
            valueName: "time", examples: "today", "-2h", "2026-11-20 08:00", read: TimeExpression.init)
    }

    /// The end of a range, whose default is that of a command.
    package static func until(orElse missing: String) -> Self {
        QueryParameter(
            "until", "The end, not included (default: \(missing)).", valueName: "time", examples: "now", "-1h",
            read: TimeExpression.init)
    }
}

extension QueryParameter<TimeZone> {
    package static let zone = QueryParameter(
        "tz", "The time zone of all times (default: the wearer's).", valueName: "zone", examples: "Europe/Berlin",
        "+02:00", read: QueryValue.zone)
}

extension QueryParameter<Bool> {
    package static let reverse = QueryParameter("reverse", "Print the newest first.", choices: ["true", "false"]) {
        try QueryValue.require(["true": true, "false": false][$0], "true or false")
    }
}

extension QueryParameter<QueryValue.StepParts> {
    package static let parts = QueryParameter(
        "by", "The bucket: hour, day, week or a number of minutes such as 15m; or mark, for each mark.",
        valueName: "bucket", examples: "day", "15m", "mark", read: QueryValue.stepParts)
}

extension QueryParameter<CalendarBucket> {
    /// The bucket of the measures: peaks and times of day belong to a day.
    package static let day = QueryParameter(
        "by", "The bucket: day, which is the default.", valueName: "bucket", choices: ["day"]
    ) {
        try QueryValue.require($0 == "day" ? .day : nil, "day")
    }
}

extension QueryParameter<Activity> {
    package static let activity = QueryParameter(
        "activity",
        "Only this activity: stationary, walking, running, automotive, cycling or unknown; may be repeated.",
        choices: Activity.allCases.map(\.rawValue),
        read: QueryValue.activity)
}

extension QueryParameter<Double> {
    package static let minDuration = QueryParameter(
        "min-duration", "Only segments with at least this length before clipping, such as 30s or 5min.",
        valueName: "duration", examples: "30s", "1h 30min", read: QueryValue.duration)
    package static let validDay = QueryParameter(
        "valid-day", "The wear of a valid day, such as 16h (default: 10h).", valueName: "duration", examples: "10h"
    ) {
        try QueryValue.require(
            TimeExpression.span($0[...]).flatMap { $0 <= 86_400 ? $0 : nil }, "a duration such as 10h, 24h at most")
    }
}

extension QueryParameter<Confidence> {
    package static let confidence = QueryParameter(
        "confidence", "Only segments with at least this confidence: low, medium or high.", valueName: "grade",
        choices: Confidence.allCases.map(\.description), read: QueryValue.confidence)
}

/// The values of the parameters of a query, read from text.
package enum QueryValue {
    /// A text that is no valid value: what to write instead.
    package struct Invalid: Error, CustomStringConvertible {
        package let description: String
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
        guard let value else { throw Invalid(description: "Write \(valid).") }
        return value
    }
}

package import Footfall
package import Foundation

/// A parameter of a query: an option of the command, and a parameter of an address of the server.
package protocol NamedParameter: Sendable {
    var name: String { get }
    /// The meaning, with the default, for the help of the command and for OpenAPI.
    var meaning: String { get }
    /// All values, where they are few.
    var choices: [String] { get }
    /// Values for example.
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
    /// The text of a mark.
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
        "valid-day", "The wear of a valid day, such as 16h (default: 10h).", valueName: "duration", examples: "10h",
        read: QueryValue.duration)
}

extension QueryParameter<Confidence> {
    package static let confidence = QueryParameter(
        "confidence", "Only segments with at least this confidence: low, medium or high.", valueName: "grade",
        choices: Confidence.allCases.map(\.description), read: QueryValue.confidence)
}

internal import Footfall
internal import FootfallHistory
internal import FootfallTables
internal import Foundation

/// The description of the API as OpenAPI 3.1. The answers follow from the descriptions of their columns.
enum OpenAPI {
    private static let withMarks = document(marks: [("/api/v1/marks", marks)]).text + "\n"
    private static let withoutMarks = document(marks: []).text + "\n"

    /// The text for a server that takes marks, or none.
    static func text(takesMarks: Bool) -> String { takesMarks ? withMarks : withoutMarks }

    private static func document(marks: Record) -> JSONValue {
        [
            "openapi": "3.1.0",
            "info": [
                "title": "Footfall", "version": "1",
                "description": "Steps and activities of a history. No data is not zero: each answer has its coverage.",
            ],
            "security": [[:], ["token": []]],
            "paths": .object(
                Endpoint.all.map { ("/api/v1/\($0.name)", path($0)) }
                    + [("/api/v1/live", live), ("/api/v1/trail", trail)] + marks),
            "components": [
                "schemas": ["Problem": problem],
                "securitySchemes": ["token": ["type": "http", "scheme": "bearer"]],
            ],
        ]
    }

    private static var problem: JSONValue {
        [
            "type": "object",
            "properties": [
                "type": schema("string"), "title": schema("string"), "status": schema("integer"),
                "detail": schema("string"), "parameter": schema("string"),
            ],
            "required": ["type", "title", "status", "detail"],
        ]
    }

    // MARK: Queries

    private static func path(_ query: Endpoint) -> JSONValue {
        let rows = query.tableByMark.map { ["anyOf": [object(query.table.all), object($0.all)]] as JSONValue }
        let content: JSONValue = [
            "application/json": ["schema": ["type": "array", "items": rows ?? object(query.table.all)]],
            "text/csv": ["schema": schema("string")],
            "application/x-ndjson": ["schema": schema("string")],
        ]
        return operation(
            query.name, "Each row is \(query.table.row).", query.parameters.map { parameter($0) }, content,
            problems: ["400", "401", "403", "404", "406", "414", "421", "429", "503"])
    }

    private static var live: JSONValue {
        operation(
            "live", "Server-sent events: the live state and the settled events, at most one in 0.2 s.", [],
            ["text/event-stream": ["schema": schema("string")]],
            problems: ["400", "401", "403", "414", "421", "429", "503"], hasTag: false)
    }

    /// The numbers of ``LiveTrail``.
    private static var trail: JSONValue {
        func array(_ items: JSONValue, _ meaning: String) -> JSONValue {
            ["type": "array", "items": items, "description": .string(meaning)]
        }
        func length(_ meaning: String) -> JSONValue { ["type": "integer", "description": .string(meaning)] }
        let number: JSONValue = ["type": ["number", "null"]]
        let properties: Record = [
            ("source", ["type": ["string", "null"]]),
            ("seconds", length("The length of the signal. Unit: s.")),
            ("rate", length("The magnitudes of a second. Unit: Hz.")),
            ("magnitudes", array(number, "Mean magnitudes, the oldest first; null without samples. Unit: g.")),
            ("steps", array(schema("number"), "The steps, as ages. Unit: s.")),
            ("cadenceSeconds", length("The length of the cadence. Unit: s.")),
            ("cadences", array(array(number, "An age in s, and steps/min or null."), "The cadence.")),
        ]
        return operation(
            "trail", "The last seconds of the live signal, with its steps and the cadence.", [],
            ["application/json": ["schema": object(properties)]],
            problems: ["400", "401", "403", "414", "421", "429", "503"], hasTag: false)
    }

    /// The one address that changes the history, if the server permits it.
    private static var marks: JSONValue {
        let form = Endpoint.mark.map {
            ($0.name, JSONValue.object([("description", .string($0.meaning))] + schema(of: $0)))
        }
        let body: JSONValue = [
            "required": .bool(true),
            "content": [
                "application/x-www-form-urlencoded": [
                    "schema": ["type": "object", "properties": .object(form), "required": ["text"]]
                ]
            ],
        ]
        let summary = "Adds a mark. Without until it is open: it lasts until the next open one starts."
        let added: JSONValue = ["application/json": ["schema": object(Mark.table.description.all)]]
        let responses: Record =
            [("201", ["description": "The mark.", "content": added])]
            + ["400", "401", "403", "404", "405", "413", "414", "421", "429", "503"].map { ($0, failure) }
        return [
            "post": [
                "operationId": "mark", "summary": .string(summary), "security": [["token": []]],
                "requestBody": body, "responses": .object(responses),
            ]
        ]
    }

    private static var failure: JSONValue {
        [
            "description": "The parameter, the problem and the remedy.",
            "content": ["application/problem+json": ["schema": ["$ref": "#/components/schemas/Problem"]]],
        ]
    }

    /// `hasTag` states whether the answer has an ETag, so that the client may have it already.
    private static func operation(
        _ name: String, _ summary: String, _ parameters: [JSONValue], _ content: JSONValue, problems: [String],
        hasTag: Bool = true
    ) -> JSONValue {
        let answer: Record = [("200", ["description": .string(summary), "content": content])]
        let same: Record = hasTag ? [("304", ["description": "The client has this answer."])] : []
        let responses = answer + same + problems.map { ($0, failure) }
        return [
            "get": [
                "operationId": .string(name), "summary": .string(summary), "parameters": .array(parameters),
                "responses": .object(responses),
            ]
        ]
    }

    // MARK: Parameters

    private static func parameter(_ parameter: any NamedParameter) -> JSONValue {
        [
            "name": .string(parameter.name), "in": "query", "description": .string(parameter.meaning),
            "schema": .object(schema(of: parameter)),
        ]
    }

    /// The values of a parameter. Of those that the reader of the parameter takes, the schema has examples.
    private static func schema(of parameter: any NamedParameter) -> Record {
        let value: Record =
            parameter.choices.isEmpty
            ? [("type", "string"), ("maxLength", .integer(QueryParameters.longestValue))]
                + (parameter.examples.isEmpty ? [] : [("examples", .texts(parameter.examples))])
            : [("type", "string"), ("enum", .texts(parameter.choices))]
        return parameter.name == QueryParameter.activity.name
            ? [("type", "array"), ("items", .object(value))] : value
    }

    // MARK: Rows

    private static func object(_ columns: [Column]) -> JSONValue { object(columns.map { ($0.name, column($0)) }) }

    /// An object that has all of these properties.
    private static func object(_ properties: Record) -> JSONValue {
        ["type": "object", "properties": .object(properties), "required": .texts(properties.map(\.key))]
    }

    private static func column(_ column: Column) -> JSONValue {
        let unit = column.unit.map { " Unit: \($0)." } ?? ""
        let type: JSONValue =
            switch column.kind {
            case .text, .time, .localTime, .date: ["string", "null"]
            case .count: ["integer", "null"]
            case .number: ["number", "null"]
            case .boolean: "boolean"
            case .object: ["object", "null"]
            case .list: "array"
            }
        return ["type": type, "description": .string(column.meaning + unit)]
    }

    private static func schema(_ type: String) -> JSONValue { ["type": .string(type)] }
}

/// The numbers of a history in the text format of Prometheus. The counters of steps and of covered time are those of
/// `RecordedTotal`, because old events expire: the total of the kept ones would fall.
enum Metrics {
    /// The text for all sources. Throws `HistoryError`.
    static func text(of snapshot: HistorySnapshot, _ feed: LiveFeed, at now: Timestamp) throws -> String {
        var (steps, covered, age) = ("", "", "")
        for info in try snapshot.sources() {
            let label = label(info.name)
            let total = try snapshot.source(info.name).recordedTotal()
            steps += "footfall_steps_total\(label) \(total.steps)\n"
            covered += "footfall_covered_seconds_total\(label) \(number(total.coverage))\n"
            if let newest = info.newest {
                let seconds = max(0, now.seconds(since: newest))
                age += "footfall_last_sample_age_seconds\(label) \(number(seconds))\n"
            }
        }
        var text =
            family("footfall_steps_total", "counter", "Steps ever recorded.", steps)
            + family("footfall_covered_seconds_total", "counter", "Seconds with samples ever recorded.", covered)
            + family("footfall_last_sample_age_seconds", "gauge", "Seconds since the newest recorded sample.", age)
        if let source = feed.source, let signal = feed.signal {
            let label = label(source)
            if let rate = signal.rate {
                text += family(
                    "footfall_sample_rate_hertz", "gauge", "Samples per second of the live device.",
                    "footfall_sample_rate_hertz\(label) \(number(rate))\n")
            }
            text += family(
                "footfall_signal_age_seconds", "gauge", "Seconds since the last sample of the live device.",
                "footfall_signal_age_seconds\(label) \(number(signal.silence))\n")
            text += family(
                "footfall_dropped_samples_total", "counter", "Samples dropped since the device was started.",
                "footfall_dropped_samples_total\(label) \(signal.dropped)\n")
        }
        return text
    }

    private static func family(_ name: String, _ type: String, _ help: String, _ samples: String) -> String {
        samples.isEmpty ? "" : "# HELP \(name) \(help)\n# TYPE \(name) \(type)\n\(samples)"
    }

    private static func number(_ value: Double) -> String { value.formatted(decimals: 3) }

    private static func label(_ source: String) -> String {
        let value = source.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
        return "{source=\"\(value)\"}"
    }
}

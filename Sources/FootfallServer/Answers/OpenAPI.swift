internal import Footfall
internal import FootfallHistory
internal import FootfallTables

/// The description of the API as OpenAPI 3.1. The answers follow from the descriptions of their columns.
enum OpenAPI {
    static let text = document.text + "\n"

    private static var document: JSONValue {
        [
            "openapi": "3.1.0",
            "info": [
                "title": "Footfall", "version": "1",
                "description": "Steps and activities of a history. No data is not zero: each answer has its coverage.",
            ],
            "security": [[:], ["token": []]],
            "paths": .object(
                Endpoint.all.map { ("/api/v1/\($0.name)", path($0)) }
                    + [("/api/v1/live", live), ("/api/v1/trail", trail), ("/api/v1/\(Endpoint.marks)", marks)]),
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
            query.name, "Each row is \(query.table.row).", query.parameters.map { parameter($0, of: query.name) },
            content,
            problems: ["400", "401", "403", "404", "406", "414", "421", "429", "503"])
    }

    private static var live: JSONValue {
        operation(
            "live", "Server-sent events: the live state and the settled events, at most one in 0.2 s.", [],
            ["text/event-stream": ["schema": schema("string")]], problems: ["400", "401", "403", "421", "429", "503"])
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
            ["application/json": ["schema": object(properties)]], problems: ["400", "401", "403", "421", "429", "503"])
    }

    /// The one address that changes the history, if the server permits it.
    private static var marks: JSONValue {
        func described(_ meaning: String, _ schema: JSONValue) -> JSONValue {
            guard case .object(let record) = schema else { return schema }
            return .object([("description", .string(meaning))] + record)
        }
        let form =
            [("text", described("The text of the mark, which is not empty.", text()))]
            + Endpoint.markedTime.map { parameter in
                let (meaning, schema) = values(parameter, of: Endpoint.marks)
                return (parameter.rawValue, described(meaning, schema))
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
            + ["400", "401", "404", "405", "413", "421", "503"].map { ($0, failure) }
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

    private static func operation(
        _ name: String, _ summary: String, _ parameters: [JSONValue], _ content: JSONValue, problems: [String]
    ) -> JSONValue {
        let responses: Record =
            [
                ("200", ["description": .string(summary), "content": content]),
                ("304", ["description": "The client has this answer."]),
            ] + problems.map { ($0, failure) }
        return [
            "get": [
                "operationId": .string(name), "summary": .string(summary), "parameters": .array(parameters),
                "responses": .object(responses),
            ]
        ]
    }

    // MARK: Parameters

    private static func parameter(_ parameter: Endpoint.Parameter, of query: String) -> JSONValue {
        let (meaning, schema) = values(parameter, of: query)
        return ["name": .string(parameter.rawValue), "in": "query", "description": .string(meaning), "schema": schema]
    }

    private static func values(
        _ parameter: Endpoint.Parameter, of query: String
    ) -> (meaning: String, schema: JSONValue) {
        switch parameter {
        case .source: ("The source; optional if there is only one.", text())
        case .since where query == Endpoint.marks: ("The start; now without it. \(time)", text(Pattern.time, "-2h"))
        case .until where query == Endpoint.marks: ("The end, not included. \(time)", text(Pattern.time, "now"))
        case .since: ("The start; the oldest kept time without it. \(time)", text(Pattern.time, "-2h"))
        case .until: ("The end, not included; the newest sample without it. \(time)", text(Pattern.time, "now"))
        case .tz:
            ("The time zone of all times; the wearer's without it.", text(Pattern.zone, "Europe/Berlin", "+02:00"))
        case .reverse: ("Whether the newest comes first.", schema("boolean"))
        case .by where query == "measures": ("The bucket.", ["type": "string", "enum": ["day"]])
        case .by: ("The bucket: hour, day, week, or minutes; or mark.", text("\(Pattern.bucket)|mark", "15m", "mark"))
        case .activity:
            (
                "Only these activities.",
                ["type": "array", "items": ["type": "string", "enum": .texts(Activity.allCases.map(\.rawValue))]]
            )
        case .confidence:
            (
                "Only segments with at least this confidence.",
                ["type": "string", "enum": ["low", "medium", "high"]]
            )
        case .leastDuration: ("Only segments of at least this length.", text(Pattern.duration, "5min"))
        case .validDay: ("The wear of a valid day; ten hours without it.", text(Pattern.duration, "10h"))
        }
    }

    private static let time = "Such as today, -2h, 14:30, 2026-11-20, 2026-11-20 08:00 or ISO 8601."

    private static func text(_ pattern: String? = nil, _ examples: String...) -> JSONValue {
        var text: Record = [("type", "string"), ("maxLength", .integer(QueryParameters.longestValue))]
        if let pattern { text.append(("pattern", "^(\(pattern))$")) }
        if !examples.isEmpty { text.append(("examples", .texts(examples))) }
        return .object(text)
    }

    /// The values that clients write, as regular expressions of ECMA-262. `QueryValue` and `TimeExpression` also read
    /// rarer forms, such as long names of units.
    private enum Pattern {
        static let duration = "(\(term) ?){1,4}"
        private static let term = "([0-9]{1,5}(\\.[0-9]{1,3})? ?(s|m|min|h)|[0-9]{1,3} ?(d|w))"
        static let bucket = "hour|day|week|[1-9][0-9]{0,2}m(in)?|([1-9]|1[0-9]|2[0-4])h"
        static let zone = "\(offset)|[A-Za-z][A-Za-z0-9_+-]*(/[A-Za-z0-9_+-]+){0,2}"
        private static let offset = "[+-](0[0-9]|1[0-7])(:?[0-5][0-9])?"
        static let time = [
            "now|today|yesterday|tomorrow", "@[0-8]?[0-9]{1,9}", "[+-]\(duration)", "\(duration) ago", clock,
            "\(date)([T ]\(clock)(Z| UTC| ?\(offset)| [A-Za-z_]+/[A-Za-z_]+)?)?",
        ].joined(separator: "|")
        private static let clock = "([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9](\\.[0-9]{1,9})?)?"
        private static let date = "(19|20)[0-9]{2}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])"
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

internal import Footfall
internal import FootfallAnswers
internal import FootfallHistory
internal import FootfallTables

/// The description of the API as OpenAPI 3.1. The answers follow from the descriptions of their columns.
enum OpenAPI {
    static let text = document.text + "\n"

    private static var document: JSONValue {
        .object([
            ("openapi", .string("3.1.0")),
            (
                "info",
                .object([
                    ("title", .string("Footfall")), ("version", .string("1")),
                    (
                        "description",
                        .string("Steps and activities of a history. No data is not zero: each answer has its coverage.")
                    ),
                ])
            ),
            ("security", .array([.object([]), .object([("token", .array([JSONValue]()))])])),
            (
                "paths",
                .object(
                    Endpoint.all.map { ("/api/v1/\($0.name)", path($0)) }
                        + [("/api/v1/live", live), ("/api/v1/trail", trail)])
            ),
            (
                "components",
                .object([
                    ("schemas", .object([("Problem", problem)])),
                    (
                        "securitySchemes",
                        .object([("token", .object([("type", .string("http")), ("scheme", .string("bearer"))]))])
                    ),
                ])
            ),
        ])
    }

    private static var problem: JSONValue {
        schema(
            "object",
            [
                (
                    "properties",
                    .object([
                        ("type", schema("string")), ("title", schema("string")), ("status", schema("integer")),
                        ("detail", schema("string")), ("parameter", schema("string")),
                    ])
                ),
                ("required", .texts(["type", "title", "status", "detail"])),
            ])
    }

    // MARK: Queries

    private static func path(_ query: Endpoint) -> JSONValue {
        let rows = schema("array", [("items", object(query.table.all))])
        let content: JSONValue = .object([
            ("application/json", .object([("schema", rows)])),
            ("text/csv", .object([("schema", schema("string"))])),
            ("application/x-ndjson", .object([("schema", schema("string"))])),
        ])
        return operation(
            query.name, "Each row is \(query.table.row).", query.parameters.map { parameter($0, of: query.name) },
            content,
            problems: ["400", "401", "404", "406", "414", "421", "503"])
    }

    private static var live: JSONValue {
        operation(
            "live", "Server-sent events: the live state and the settled events, at most one in 0.2 s.", [],
            .object([("text/event-stream", .object([("schema", schema("string"))]))]),
            problems: ["400", "401", "421", "503"])
    }

    /// The numbers of ``LiveTrail``.
    private static var trail: JSONValue {
        func array(_ items: JSONValue, _ meaning: String) -> JSONValue {
            schema("array", [("items", items), ("description", .string(meaning))])
        }
        func length(_ meaning: String) -> JSONValue { schema("integer", [("description", .string(meaning))]) }
        let number: JSONValue = .object([("type", .texts(["number", "null"]))])
        let properties: Record = [
            ("source", .object([("type", .texts(["string", "null"]))])),
            ("seconds", length("The length of the signal. Unit: s.")),
            ("rate", length("The magnitudes of a second. Unit: Hz.")),
            ("magnitudes", array(number, "Mean magnitudes, the oldest first; null without samples. Unit: g.")),
            ("steps", array(schema("number"), "The steps, as ages. Unit: s.")),
            ("cadenceSeconds", length("The length of the cadence. Unit: s.")),
            ("cadences", array(array(number, "An age in s, and steps/min or null."), "The cadence.")),
        ]
        let row = schema("object", [("properties", .object(properties)), ("required", .texts(properties.map(\.0)))])
        return operation(
            "trail", "The last seconds of the live signal, with its steps and the cadence.", [],
            .object([("application/json", .object([("schema", row)]))]), problems: ["400", "401", "421", "503"])
    }

    private static func operation(
        _ name: String, _ summary: String, _ parameters: [JSONValue], _ content: JSONValue, problems: [String]
    ) -> JSONValue {
        let reference: JSONValue = .object([("$ref", .string("#/components/schemas/Problem"))])
        let failure: JSONValue = .object([
            ("description", .string("The parameter, the problem and the remedy.")),
            ("content", .object([("application/problem+json", .object([("schema", reference)]))])),
        ])
        let success: JSONValue = .object([("description", .string(summary)), ("content", content)])
        let responses =
            [("200", success), ("304", .object([("description", .string("The client has this answer."))]))]
            + problems.map { ($0, failure) }
        return .object([
            (
                "get",
                .object([
                    ("operationId", .string(name)), ("summary", .string(summary)),
                    ("parameters", .array(parameters)), ("responses", .object(responses.map { ($0.0, $0.1) })),
                ])
            )
        ])
    }

    // MARK: Parameters

    private static func parameter(_ name: String, of query: String) -> JSONValue {
        let (meaning, schema) = values(name, of: query)
        return .object([
            ("name", .string(name)), ("in", .string("query")), ("description", .string(meaning)), ("schema", schema),
        ])
    }

    private static func values(_ name: String, of query: String) -> (meaning: String, schema: JSONValue) {
        switch name {
        case "source": ("The source; optional if there is only one.", text())
        case "since": ("The start; the oldest kept time without it. \(time)", text(Pattern.time, "-2h"))
        case "until": ("The end, not included; the newest sample without it. \(time)", text(Pattern.time, "now"))
        case "tz":
            ("The time zone of all times; the wearer's without it.", text(Pattern.zone, "Europe/Berlin", "+02:00"))
        case "reverse": ("Whether the newest comes first.", schema("boolean"))
        case "by" where query == "measures": ("The bucket.", schema("string", [("enum", .texts(["day"]))]))
        case "by": ("The bucket: hour, day, week, or minutes.", text(Pattern.bucket, "15m"))
        case "activity":
            (
                "Only these activities.",
                schema(
                    "array",
                    [("items", schema("string", [("enum", .texts(Activity.allCases.map(\.rawValue)))]))])
            )
        case "confidence":
            (
                "Only segments with at least this confidence.",
                schema("string", [("enum", .texts(["low", "medium", "high"]))])
            )
        case "min-duration": ("Only segments of at least this length.", text(Pattern.duration, "5min"))
        default: ("The wear of a valid day; ten hours without it.", text(Pattern.duration, "10h"))
        }
    }

    private static let time = "Such as today, -2h, 14:30, 2026-11-20, 2026-11-20 08:00 or ISO 8601."

    private static func text(_ pattern: String? = nil, _ examples: String...) -> JSONValue {
        var more: Record = [("maxLength", .integer(QueryParameters.longestValue))]
        if let pattern { more.append(("pattern", .string("^(\(pattern))$"))) }
        if !examples.isEmpty { more.append(("examples", .texts(examples))) }
        return schema("string", more)
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

    private static func object(_ columns: [Column]) -> JSONValue {
        schema(
            "object",
            [
                ("properties", .object(columns.map { ($0.name, self.column($0)) })),
                ("required", .texts(columns.map(\.name))),
            ])
    }

    private static func column(_ column: Column) -> JSONValue {
        let unit = column.unit.map { " Unit: \($0)." } ?? ""
        let type: JSONValue
        switch column.kind {
        case .text, .time, .date: type = .texts(["string", "null"])
        case .count: type = .texts(["integer", "null"])
        case .number: type = .texts(["number", "null"])
        case .boolean: type = .string("boolean")
        case .object: type = .texts(["object", "null"])
        case .list: type = .string("array")
        }
        return .object([("type", type), ("description", .string(column.meaning + unit))])
    }

    private static func schema(_ type: String, _ more: Record = []) -> JSONValue {
        .object([("type", .string(type))] + more)
    }
}

internal import Footfall
internal import FootfallHistory
internal import FootfallReport
internal import FootfallTables
internal import Foundation
internal import NIOHTTP1

/// The answers of `/api/v1`: those of `footfall query`, with the same parameters, names and values.
struct QueryAPI {
    /// The most rows of an answer: two weeks of minutes.
    static let mostRows = 20_160
    /// The most days of a summary and of measures: ten years. A day takes several queries, and other clients wait.
    private static let mostDays = 3660

    let history: ServedHistory
    let work: Work

    /// The answer to a request; nil for a path that is none of the API. Throws ``Problem``, and ``Work/IsLong``.
    func answer(_ request: Request, _ name: some StringProtocol) throws -> Response? {
        guard let endpoint = Endpoint.all.first(where: { $0.name == name }) else { return nil }
        let parameters = try QueryParameters(request.parameters, known: endpoint.parameters)
        guard let query = try endpoint.query(parameters) else { return try sources(request) }
        return try answer(query, request, parameters)
    }

    private func sources(_ request: Request) throws -> Response {
        let format = try request.format()
        return try history.read(work) { snapshot in
            try respond(to: request, format, SourceInfo.table.description, tag: [try snapshot.revision]) { write in
                for source in try snapshot.sources() { write(SourceInfo.table.record(of: source)) }
            }
        }
    }

    private func answer<Query: HistoryQuery>(
        _ query: Query, _ request: Request, _ parameters: QueryParameters
    ) throws -> Response {
        let mostRows = Query.isByDay ? Self.mostDays : Self.mostRows
        let (format, ends) = (try request.format(), try parameters.ends())
        let (name, isReversed) = (try parameters.value(.source), try parameters.value(.reverse) ?? false)
        return try history.read(work) { snapshot in
            let source = try snapshot.source(name)
            let range = try ResolvedRange(since: ends.since, until: ends.until, zone: ends.zone, of: source)
            // The range is part of the tag, because relative times move. The retention decides whether it is truncated.
            let moments = [range.range.lowerBound, range.range.upperBound].map { Int($0.nanosecondsSince1970) }
            let keeps = try snapshot.retention.seconds.map { Int(clamping: $0) } ?? -1
            let tag = [try snapshot.revision, keeps] + moments
            return try respond(to: request, format, Query.Row.table.description, tag: tag, zone: ends.zone) { write in
                let cost = try query.cost(in: range, of: source)
                guard cost.rows <= mostRows else { throw Self.tooMany(mostRows) }
                try work.begin(cost)
                var rows: [Query.Row] = []
                var count = 0
                try query.rows(in: range, of: source) { row in
                    try work.check()
                    count += 1
                    guard count <= mostRows else { throw Self.tooMany(mostRows) }
                    if isReversed { rows.append(row) } else { write(row.record) }
                }
                for row in rows.reversed() { write(row.record) }
            }
        }
    }

    /// The records that `rows` writes, or 304 if the client has them: `tag` has numbers that change with them. CSV has
    /// local times in a zone; nil for none.
    private func respond(
        to request: Request, _ format: RecordFormat, _ table: TableDescription, tag: [Int], zone: TimeZone? = nil,
        _ rows: ((Record) -> Void) throws -> Void
    ) throws -> Response {
        let numbers = tag.map { String($0, radix: 36) }.joined(separator: ".")
        let tag = "\"\(history.session).\(numbers).\(format.rawValue)\""
        if request.has(tag) { return Response(.notModified, nil, "", [("ETag", tag)]) }
        let text = Text()
        let local = LocalTimes(of: table, in: zone)
        var writer = RecordWriter(format: format, columns: table.names, local: local) { text.bytes += $0 }
        try rows { writer.write($0) }
        writer.finish()
        let type = format == .csv ? "text/csv; charset=utf-8; header=present" : format.mediaType
        return Response(.ok, type, String(decoding: text.bytes, as: UTF8.self), [("ETag", tag)])
    }

    private final class Text {
        var bytes: [UInt8] = []
    }

    static func tooMany(_ mostRows: Int) -> Problem {
        Problem(
            .badRequest, "The answer has more than \(mostRows) rows. Ask for a shorter range, or for longer buckets.",
            parameter: "since")
    }
}

/// An address of `/api/v1` with a query: its name, its rows, its parameters, and the query of their values.
struct Endpoint: Sendable {
    let name: String
    let table: TableDescription
    /// The rows of `by=mark`; nil where there are none.
    let tableByMark: TableDescription?
    let parameters: [any NamedParameter]
    /// The query of a request; nil for the list of sources.
    let query: @Sendable (QueryParameters) throws -> (any HistoryQuery)?

    private init(
        _ name: String, _ table: TableDescription, byMark: TableDescription? = nil,
        _ parameters: [any NamedParameter],
        query: @escaping @Sendable (QueryParameters) throws -> (any HistoryQuery)?
    ) {
        (self.name, self.table, tableByMark, self.parameters, self.query) = (name, table, byMark, parameters, query)
    }

    private static let range: [any NamedParameter] = [
        QueryParameter.source, QueryParameter.since, QueryParameter.until, QueryParameter.zone, QueryParameter.reverse,
    ]
    private static let filter: [any NamedParameter] = [
        QueryParameter.activity, QueryParameter.minDuration, QueryParameter.confidence,
    ]

    static let all = [
        Endpoint("sources", SourceInfo.table.description, []) { _ in nil },
        Endpoint("steps", StepsQuery.table, byMark: MarkedStepsQuery.table, range + [QueryParameter.parts] + filter) {
            let filter = try $0.filter()
            return switch try $0.value(.parts) {
            case .marks: MarkedStepsQuery(where: filter)
            case .buckets(let bucket): StepsQuery(by: bucket, where: filter)
            case nil: StepsQuery(by: nil, where: filter)
            }
        },
        Endpoint("activities", ActivitiesQuery.table, range + filter) { ActivitiesQuery(where: try $0.filter()) },
        Endpoint("bouts", BoutsQuery.table, range) { _ in BoutsQuery() },
        Endpoint("coverage", CoverageQuery.table, range) { _ in CoverageQuery() },
        Endpoint("summary", SummaryQuery.table, range) { _ in SummaryQuery() },
        Endpoint("measures", MeasuresQuery.table, range + [QueryParameter.day, QueryParameter.validDay]) {
            _ = try $0.value(.day)
            return MeasuresQuery(validDay: try $0.value(.validDay))
        },
    ]

    /// The parameters of a mark, which stand in the body of the request.
    static let mark: [any NamedParameter] = [
        QueryParameter.text, QueryParameter.source, QueryParameter.since(orElse: "now"),
        QueryParameter.until(orElse: "none"), QueryParameter.zone,
    ]
}

struct QueryParameters {
    /// The longest value in Unicode scalars, as `maxLength` in JSON Schema.
    static let longestValue = 256

    private let parameters: [Request.Parameter]

    /// Checks the names and the lengths of parameters. Throws ``Problem`` for unknown, repeated and long ones.
    init(_ parameters: [Request.Parameter], known: [any NamedParameter]) throws {
        var seen: Set<String> = []
        for (name, value) in parameters {
            guard known.contains(where: { $0.name == name }) else {
                let names = known.map(\.name).joined(separator: ", ")
                let remedy = names.isEmpty ? "This address has none." : "Write one of \(names)."
                throw Problem(.badRequest, "There is no such parameter. \(remedy)", parameter: String(name.prefix(40)))
            }
            guard value.unicodeScalars.count <= Self.longestValue else {
                throw Problem(
                    .badRequest, "The value is too long. Write at most \(Self.longestValue) characters.",
                    parameter: name)
            }
            guard seen.insert(name).inserted || name == QueryParameter.activity.name else {
                throw Problem(.badRequest, "The parameter occurs twice. Write it once.", parameter: name)
            }
        }
        self.parameters = parameters
    }

    /// The value of a parameter; nil without it. Throws ``Problem`` for an invalid value.
    func value<Value>(_ parameter: QueryParameter<Value>) throws -> Value? { try values(parameter).first }

    /// All values of a parameter. Throws ``Problem`` for an invalid value.
    func values<Value>(_ parameter: QueryParameter<Value>) throws -> [Value] {
        try parameters.filter { $0.name == parameter.name }.map { given in
            try naming(parameter.name) { try parameter.read(given.value) }
        }
    }

    /// Names the parameter in the error of a value.
    func naming<Value>(_ name: String, _ read: () throws -> Value) throws -> Value {
        do {
            return try read()
        } catch let error as QueryValue.Invalid {
            throw Problem(.badRequest, error.description, parameter: name)
        } catch let error as TimeExpression.Invalid {
            throw Problem(.badRequest, error.description, parameter: name)
        }
    }

    /// The ends of the range, and the zone of times; nil where the request does not state them. Throws ``Problem`` for
    /// an invalid value.
    func ends() throws -> (since: TimeExpression?, until: TimeExpression?, zone: TimeZone?) {
        (try value(.since), try value(.until), try value(.zone))
    }

    /// The conditions for segments. Throws ``Problem`` for an invalid value.
    func filter() throws -> SegmentFilter? {
        QueryValue.filter(
            try values(.activity), minDuration: try value(.minDuration), confidence: try value(.confidence))
    }
}

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

    /// The answer to a request; nil for a path that is none of the API.
    ///
    /// - Throws: ``Problem``, and ``Work/IsLong``.
    func answer(_ request: Request, _ name: some StringProtocol) throws -> Response? {
        func parameters(_ endpoint: Endpoint) throws -> QueryParameters {
            try QueryParameters(request.parameters, of: endpoint)
        }
        switch String(name) {
        case Endpoint.sources.name:
            _ = try parameters(.sources)
            return try sources(request)
        case Endpoint.steps.name:
            let parameters = try parameters(.steps)
            let filter = try parameters.filter()
            switch try parameters.value("by", QueryValue.stepParts) {
            case .marks: return try answer(MarkedStepsQuery(where: filter), request, parameters)
            case .buckets(let bucket):
                return try answer(StepsQuery(by: bucket, where: filter), request, parameters)
            case nil: return try answer(StepsQuery(by: nil, where: filter), request, parameters)
            }
        case Endpoint.activities.name:
            let parameters = try parameters(.activities)
            return try answer(ActivitiesQuery(where: parameters.filter()), request, parameters)
        case Endpoint.bouts.name: return try answer(BoutsQuery(), request, parameters(.bouts))
        case Endpoint.coverage.name: return try answer(CoverageQuery(), request, parameters(.coverage))
        case Endpoint.summary.name:
            return try answer(SummaryQuery(), request, parameters(.summary), mostRows: Self.mostDays)
        case Endpoint.measures.name:
            let parameters = try parameters(.measures)
            _ = try parameters.value("by") { try QueryValue.require($0 == "day" ? $0 : nil, "day") }
            let validDay = try parameters.value("valid-day", QueryValue.duration)
            return try answer(MeasuresQuery(validDay: validDay), request, parameters, mostRows: Self.mostDays)
        default: return nil
        }
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
        _ query: Query, _ request: Request, _ parameters: QueryParameters, mostRows: Int = mostRows
    ) throws -> Response {
        let (format, ends) = (try request.format(), try parameters.ends())
        let (name, isReversed) = (try parameters.value("source", \.self), try parameters.flag("reverse"))
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

    /// The records that `rows` writes, or 304 if the client has them.
    ///
    /// - Parameters:
    ///   - tag: Numbers that change with the records.
    ///   - zone: The zone of local times in CSV; nil for none.
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

    /// The refusal of an answer with too many rows.
    static func tooMany(_ mostRows: Int) -> Problem {
        Problem(
            .badRequest, "The answer has more than \(mostRows) rows. Ask for a shorter range, or for longer buckets.",
            parameter: "since")
    }
}

extension QueryParameters {
    /// The conditions for segments.
    fileprivate func filter() throws -> SegmentFilter? {
        QueryValue.filter(
            try values("activity", QueryValue.activity), minDuration: try value("min-duration", QueryValue.duration),
            confidence: try value("confidence", QueryValue.confidence))
    }
}

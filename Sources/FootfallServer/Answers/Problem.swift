internal import FootfallTables
internal import NIOHTTP1

/// An error as `application/problem+json` (RFC 9457): the parameter, the problem and the remedy.
struct Problem: Error {
    let status: HTTPResponseStatus
    let detail: String
    /// The name of the invalid parameter.
    var parameter: String?
    /// Further fields of the answer.
    var headers: [(String, String)] = []

    init(
        _ status: HTTPResponseStatus, _ detail: String, parameter: String? = nil, headers: [(String, String)] = []
    ) {
        (self.status, self.detail, self.parameter, self.headers) = (status, detail, parameter, headers)
    }

    var response: Response {
        let record: Record = [
            ("type", .string("about:blank")), ("title", .string(status.reasonPhrase)),
            ("status", .integer(Int(status.code))), ("detail", .string(detail)), ("parameter", .text(parameter)),
        ]
        let body = JSONValue.object(record.filter { $0.key != "parameter" || parameter != nil }).text + "\n"
        return Response(status, "application/problem+json", body, headers)
    }
}

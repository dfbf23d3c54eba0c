internal import FootfallTables
internal import NIOHTTP1

/// An answer to a request.
struct Response: Sendable {
    let status: HTTPResponseStatus
    private(set) var headers: HTTPHeaders
    let body: String
    /// For a stream of live updates: the place of the last update that the client has. The body is empty then.
    private(set) var stream: LiveFeed.Place?

    /// The stream of live updates.
    init(streamAfter place: LiveFeed.Place) {
        // A proxy that waits for the end of the answer would hold the updates back.
        self.init(.ok, "text/event-stream", "", [("Cache-Control", "no-store"), ("X-Accel-Buffering", "no")])
        stream = place
    }

    /// - Parameters:
    ///   - type: The media type; nil without a body.
    ///   - fields: Further fields.
    init(
        _ status: HTTPResponseStatus = .ok, _ type: String?, _ body: String = "", _ fields: [(String, String)] = []
    ) {
        self.status = status
        self.body = body
        headers = HTTPHeaders(Self.safety + fields)
        if let type { headers.add(name: "Content-Type", value: type) }
        // An answer is valid as long as the history is unchanged, which the client asks with If-None-Match.
        if !headers.contains(name: "Cache-Control") { headers.add(name: "Cache-Control", value: "no-cache") }
    }

    /// Fields of all answers: a browser runs, shows and sends nothing that this server did not send.
    private static let safety = [
        (
            "Content-Security-Policy",
            "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self'; "
                + "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
        ),
        ("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer"),
        ("Cross-Origin-Resource-Policy", "same-origin"), ("Vary", "Accept, Authorization, Cookie"),
    ]
}

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

internal import Footfall
internal import FootfallTables
internal import Foundation
internal import NIOHTTP1

/// A request: its method, the decoded path and parameters, the fields, and a short body.
struct Request: Sendable {
    let method: HTTPMethod
    let path: String
    let parameters: [Parameter]
    let headers: HTTPHeaders
    let body: String
    /// The address of the client; empty on a Unix socket.
    let client: String

    /// A parameter in the order of the address.
    typealias Parameter = (name: String, value: String)

    /// Throws ``Problem`` for a malformed address.
    init(_ head: HTTPRequestHead, body: String, from client: String) throws {
        (method, headers, self.body, self.client) = (head.method, head.headers, body, client)
        guard head.uri.hasPrefix("/") else {
            throw Problem(.badRequest, "The address does not begin with a slash. Write its path only.")
        }
        let parts = head.uri.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        guard let path = parts.first?.removingPercentEncoding else {
            throw Problem(.badRequest, "The path of the address is malformed. Percent-encode it as UTF-8.")
        }
        self.path = path
        parameters = try parts.count > 1 ? Self.parameters(in: parts[1]) : []
    }

    /// The pairs of a text such as `since=today&by=hour` (application/x-www-form-urlencoded). Throws ``Problem`` for
    /// malformed pairs.
    static func parameters(in text: some StringProtocol) throws -> [Parameter] {
        try text.split(separator: "&").map { pair in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                .map { String($0).replacing("+", with: " ").removingPercentEncoding }
            guard let name = parts.first ?? nil, let value = parts.count > 1 ? parts[1] : "" else {
                throw Problem(.badRequest, "The parameters are malformed. Percent-encode them as UTF-8.")
            }
            return (name, value)
        }
    }

    /// The values of a field that is a list, without spaces around them.
    func list(_ field: String) -> [Substring] {
        headers[field].flatMap { $0.split(separator: ",") }.map { Substring($0.trimmingCharacters(in: .whitespaces)) }
    }

    func cookie(_ name: String) -> String? {
        headers["Cookie"].flatMap { $0.split(separator: ";") }.lazy
            .map { $0.trimmingCharacters(in: .whitespaces) }
            .first { $0.hasPrefix(name + "=") }.map { String($0.dropFirst(name.count + 1)) }
    }

    /// Whether a browser asks on behalf of a page of another site. A link to the start page that a person follows does
    /// not count. Browsers send these fields, and pages cannot change them (https://www.w3.org/TR/fetch-metadata/).
    var isOfOtherSite: Bool {
        guard let site = headers.first(name: "Sec-Fetch-Site"), !["same-origin", "none"].contains(site) else {
            return false
        }
        let isLink =
            headers.first(name: "Sec-Fetch-Mode") == "navigate" && headers.first(name: "Sec-Fetch-Dest") == "document"
        return !(isLink && method == .GET && path == "/")
    }

    /// Whether the client has the answer with a tag already.
    func has(_ tag: String) -> Bool { list("If-None-Match").contains { $0 == "*" || $0 == tag || $0 == "W/" + tag } }

    /// The format that the client prefers; JSON without a preference. Throws ``Problem`` if the client accepts none.
    func format() throws -> RecordFormat {
        let ranges = list("Accept").map { entry -> (type: String, quality: Double) in
            let parts = entry.split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces).lowercased() }
            let quality = parts.dropFirst().first { $0.hasPrefix("q=") }.flatMap { Double($0.dropFirst(2)) }
            return (parts.first ?? "", quality ?? 1)
        }
        guard !ranges.isEmpty else { return .json }
        func quality(_ format: RecordFormat) -> Double {
            let names = [format.mediaType, String(format.mediaType.prefix { $0 != "/" }) + "/*", "*/*"]
            return names.lazy.compactMap { name in ranges.first { $0.type == name }?.quality }.first ?? 0
        }
        // Of equal ones, the first.
        let formats: [RecordFormat] = [.json, .csv, .ndjson]
        let best = formats.reduce(formats[0]) { quality($1) > quality($0) ? $1 : $0 }
        guard quality(best) > 0 else {
            let types = formats.map(\.mediaType).joined(separator: ", ")
            throw Problem(.notAcceptable, "Accept names no type of this answer. Write one of \(types).")
        }
        return best
    }
}

extension RecordFormat {
    /// The media type, without parameters.
    var mediaType: String {
        switch self {
        case .json: "application/json"
        case .csv: "text/csv"
        case .ndjson: "application/x-ndjson"
        }
    }
}

/// An answer to a request.
struct Response: Sendable {
    let status: HTTPResponseStatus
    private(set) var headers: HTTPHeaders
    let body: String
    /// For a stream of live updates: the place of the last update that the client has. The body is empty then.
    private(set) var stream: LiveFeed.Place?

    init(streamAfter place: LiveFeed.Place) {
        // A proxy that waits for the end of the answer would hold the updates back.
        self.init(.ok, "text/event-stream", "", [("Cache-Control", "no-store"), ("X-Accel-Buffering", "no")])
        stream = place
    }

    /// A response of a media type; nil without a body.
    init(
        _ status: HTTPResponseStatus = .ok, _ type: String?, _ body: String = "", _ fields: [(String, String)] = []
    ) {
        self.status = status
        self.body = body
        headers = HTTPHeaders(Self.safety + fields)
        if let type { headers.add(name: "Content-Type", value: type) }
        // An answer is valid as long as the history is unchanged. The client asks with If-None-Match whether it is.
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

    /// A problem that is gone a little later.
    init(busy detail: String) { self.init(.serviceUnavailable, detail, headers: [("Retry-After", "10")]) }

    var response: Response {
        let record: Record = [
            ("type", .string("about:blank")), ("title", .string(status.reasonPhrase)),
            ("status", .integer(Int(status.code))), ("detail", .string(detail)), ("parameter", .text(parameter)),
        ]
        let body = JSONValue.object(record.filter { $0.key != "parameter" || parameter != nil }).text + "\n"
        return Response(status, "application/problem+json", body, headers)
    }
}

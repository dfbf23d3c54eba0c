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

    /// - Throws: ``Problem`` for a malformed address.
    init(_ head: HTTPRequestHead, body: String, from client: String) throws {
        (method, headers, self.body, self.client) = (head.method, head.headers, body, client)
        let parts = head.uri.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        guard head.uri.hasPrefix("/"), let path = parts.first?.removingPercentEncoding else {
            throw Problem(.badRequest, "The path of the address is malformed. Percent-encode it as UTF-8.")
        }
        self.path = path
        parameters = try parts.count > 1 ? Self.parameters(in: parts[1]) : []
    }

    /// The pairs of a text such as `since=today&by=hour` (application/x-www-form-urlencoded).
    ///
    /// - Throws: ``Problem`` for malformed pairs.
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

    /// The value of a cookie.
    func cookie(_ name: String) -> String? {
        headers["Cookie"].flatMap { $0.split(separator: ";") }.lazy
            .map { $0.trimmingCharacters(in: .whitespaces) }
            .first { $0.hasPrefix(name + "=") }.map { String($0.dropFirst(name.count + 1)) }
    }

    /// Whether a page of another site makes a browser ask. A link that a person follows to the page is none.
    ///
    /// Browsers send these fields, and pages cannot change them (https://www.w3.org/TR/fetch-metadata/).
    var isOfOtherSite: Bool {
        guard let site = headers.first(name: "Sec-Fetch-Site"), !["same-origin", "none"].contains(site) else {
            return false
        }
        let isLink =
            headers.first(name: "Sec-Fetch-Mode") == "navigate" && headers.first(name: "Sec-Fetch-Dest") == "document"
        return !(isLink && method == .GET && path == "/")
    }

    /// Whether the client has the answer with a tag already.
    func has(_ tag: String) -> Bool {
        list("If-None-Match").contains { $0 == "*" || $0 == tag || $0 == "W/" + tag }
    }

    /// The format that the client prefers; JSON without a preference.
    ///
    /// - Throws: ``Problem`` if the client accepts none.
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

internal import FootfallHistory
internal import Foundation
internal import NIOHTTP1

/// The answers of a server: who may ask, and what is where.
struct Service: Sendable {
    private static let prefix = "/api/v1/"
    private static let cookie = "footfall"

    let history: ServedHistory
    let access: ServerAccess
    /// The value of the cookie after a login. It ends with the server.
    private let login = (0..<4).map { _ in String(UInt64.random(in: 0 ... .max), radix: 16) }.joined()

    init(_ history: ServedHistory, _ access: ServerAccess) {
        (self.history, self.access) = (history, access)
    }

    /// The answer to a request.
    func answer(_ head: HTTPRequestHead, body: String) -> Response {
        do {
            try checkHost(head)
            let request = try Request(head, body: body)
            try checkToken(request)
            guard request.method == .GET || request.method == .HEAD else {
                throw Problem(
                    .methodNotAllowed, "This server only answers questions. Use GET.", headers: [("Allow", "GET, HEAD")]
                )
            }
            if request.path.hasPrefix(Self.prefix),
                let answer = try QueryAPI(history: history).answer(request, request.path.dropFirst(Self.prefix.count))
            {
                return answer
            }
            throw Problem(.notFound, "There is nothing at this path. The queries are below \(Self.prefix).")
        } catch let problem as Problem {
            return problem.response
        } catch {
            return Problem(.internalServerError, "The answer failed inside the server. Please report it.").response
        }
    }

    /// Refuses a request under a foreign name.
    private func checkHost(_ head: HTTPRequestHead) throws {
        let fields = head.headers["Host"]
        guard let name = fields.first.flatMap(HostName.name), fields.count == 1,
            HostName.isAddress(name) || access.hostNames.contains(name)
        else {
            throw Problem(
                .misdirectedRequest,
                "The server does not have this name. Use its address, or start it with --host and the name.")
        }
    }

    /// Refuses a request without the token or the cookie.
    private func checkToken(_ request: Request) throws {
        guard let token = access.token else { return }
        let scheme = "bearer "
        if let field = request.headers.first(name: "Authorization"), field.lowercased().hasPrefix(scheme),
            ServerAccess.isEqual(String(field.dropFirst(scheme.count)), token)
        {
            return
        }
        if let cookie = request.cookie(Self.cookie), ServerAccess.isEqual(cookie, login) { return }
        throw Problem(
            .unauthorized, "The server needs its token. Send “Authorization: Bearer” and the token.",
            headers: [("WWW-Authenticate", "Bearer")])
    }
}

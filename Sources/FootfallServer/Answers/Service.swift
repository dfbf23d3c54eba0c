internal import Footfall
internal import FootfallHistory
internal import FootfallReaders
internal import FootfallReport
internal import FootfallTables
internal import Foundation
internal import NIOHTTP1
internal import Synchronization

/// The answers of a server: the rules of access, and the answer at each path.
struct Service: Sendable {
    private static let prefix = "/api/v1/"
    private static let marks = prefix + "marks"
    private static let cookie = "footfall"
    private static let challenge = ("WWW-Authenticate", "Bearer")
    /// Fills in the live state of the page, and replaces the sections that change with the history.
    private static let script = String(decoding: PackageResources.live_js, as: UTF8.self)

    let history: ServedHistory
    let access: ServerAccess
    let feed: LiveFeed
    /// The steps of a day on the page that the wearer aims at; nil for none.
    let goal: Int?
    private let guesses = GuessLimit()
    /// The value of the cookie after a login. It ends with the server.
    private let login = (0..<4).map { _ in String(UInt64.random(in: 0 ... .max), radix: 16) }.joined()

    /// The answer to a request; nil if it is long, and the work accepts none. The address of the client is empty on a
    /// Unix socket.
    func answer(_ head: HTTPRequestHead, body: String, from client: String, _ work: Work) -> Response? {
        do {
            try work.check()
            try checkHost(head)
            return try answer(Request(head, body: body, from: client), work)
        } catch let problem as Problem {
            return problem.response
        } catch is Work.IsLong {
            return nil
        } catch {
            return Problem(.internalServerError, "The answer failed inside the server. Please report it.").response
        }
    }

    private func answer(_ request: Request, _ work: Work) throws -> Response {
        let isTokenGiven = try hasToken(request)
        guard !request.isOfOtherSite || isTokenGiven else {
            throw Problem(.forbidden, "A page of another site asks. Open the page of this server instead.")
        }
        if request.path == "/login", request.method == .POST, access.token != nil { return try logIn(request) }
        let isRead = request.method == .GET || request.method == .HEAD
        // The login page needs the style sheet and the icon, which have no data.
        if isRead, request.path == "/style.css" { return Response(.ok, "text/css; charset=utf-8", DayPage.css) }
        if isRead, request.path == "/icon.svg" { return Response(.ok, "image/svg+xml", DayPage.icon) }
        guard access.token == nil || isTokenGiven || hasCookie(request) else {
            if isRead, request.path == "/" { return loginPage(isRepeated: false) }
            throw Self.missingToken
        }
        if request.path == Self.marks, access.takesMarks { return try mark(request, isTokenGiven) }
        guard isRead else {
            if request.path == Self.marks {
                throw Problem(
                    .methodNotAllowed,
                    "This server takes no marks. “footfall serve --marks --token-file FILE” starts one that does.",
                    headers: [("Allow", "GET, HEAD")])
            }
            throw Problem(
                .methodNotAllowed, "This server only answers questions. Use GET.", headers: [("Allow", "GET, HEAD")])
        }
        switch request.path {
        case "/": return try page(request, work)
        case "/live.js": return Response(.ok, "text/javascript; charset=utf-8", Self.script)
        case Self.prefix + "openapi.json":
            return Response(.ok, "application/json", OpenAPI.text(takesMarks: access.takesMarks))
        case "/metrics":
            let text = try history.read(work) { try Metrics.text(of: $0, feed, at: Timestamp(Date())) }
            return Response(.ok, "text/plain; version=0.0.4; charset=utf-8", text)
        case Self.prefix + "live":
            _ = try QueryParameters(request.parameters, known: [])
            return Response(streamAfter: feed.place(of: request.headers.first(name: "Last-Event-ID")))
        case Self.prefix + "trail":
            _ = try QueryParameters(request.parameters, known: [])
            return Response(.ok, "application/json", feed.trail.json(of: feed.source), [("Cache-Control", "no-store")])
        default:
            let name = request.path.hasPrefix(Self.prefix) ? request.path.dropFirst(Self.prefix.count) : ""
            if let answer = try QueryAPI(history: history, work: work).answer(request, name) { return answer }
            throw Problem(.notFound, "There is nothing at this path. The queries are below \(Self.prefix).")
        }
    }

    /// Marks the history as the form in the body states, and answers with the mark. Another server on this machine is
    /// the same site for a browser, which sends it the cookie. So only the token permits a change.
    private func mark(_ request: Request, _ isTokenGiven: Bool) throws -> Response {
        guard request.method == .POST else {
            throw Problem(
                .methodNotAllowed, "Marks are added here with POST. Read them at \(Self.prefix)steps?by=mark.",
                headers: [("Allow", "POST")])
        }
        guard isTokenGiven else { throw Self.missingToken }
        guard request.headers.first(name: "Content-Type")?.contains("json") != true else {
            throw Problem(.badRequest, "The body is JSON. Write it as a form, such as text=lap&since=today.")
        }
        let parameters = try QueryParameters(Request.parameters(in: request.body), known: Endpoint.mark)
        guard let text = try parameters.value(.text) else {
            throw Problem(.badRequest, "Write the text of the mark, such as text=lap.", parameter: "text")
        }
        let (source, ends) = (try parameters.value(.source), try parameters.ends())
        let mark = try history.change {
            try $0.mark(text, since: ends.since, until: ends.until, zone: ends.zone, from: source)
        }
        return Response(.created, "application/json", JSONValue.object(Mark.table.record(of: mark)).text + "\n")
    }

    /// The page of a day, or a page that leads back to it from an address without one.
    private func page(_ request: Request, _ work: Work) throws -> Response {
        do {
            return try dayPage(request, work)
        } catch let problem as Problem {
            let detail = "<p>\(problem.detail.markup)</p>\n"
            let html = NoticePage.html(problem.status.reasonPhrase, detail + NoticePage.back)
            return Response(problem.status, "text/html; charset=utf-8", html, problem.headers)
        }
    }

    /// The page of a day. Without a source, that of the live device or, without one, the first.
    private func dayPage(_ request: Request, _ work: Work) throws -> Response {
        let dayParameter = QueryParameter("day", "The date of the page.") { $0 }
        let parameters = try QueryParameters(request.parameters, known: [QueryParameter.source, dayParameter])
        let (source, day) = (try parameters.value(.source), try parameters.value(dayParameter))
        return try history.read(work) { snapshot in
            let names = try snapshot.sources().map(\.name)
            let name = source ?? feed.source.flatMap { names.contains($0) ? $0 : nil } ?? names.first
            let page = try parameters.naming(dayParameter.name) {
                try DayPage(
                    of: snapshot.source(name), among: names, on: day, at: Timestamp(Date()), generator: "Footfall",
                    goal: goal)
            }
            return Response(.ok, "text/html; charset=utf-8", page.html)
        }
    }

    // MARK: Access

    /// Refuses a request under a foreign name.
    private func checkHost(_ head: HTTPRequestHead) throws {
        let fields = head.headers["Host"]
        guard let name = fields.first.flatMap(HostName.name), fields.count == 1,
            HostName.isAddress(name) || access.hostNames.contains(name)
        else {
            throw Problem(
                .misdirectedRequest,
                "The server does not have this name. Use its address, or add the name to its host names.")
        }
    }

    private static let missingToken = Problem(
        .unauthorized, "The server needs its token. Send “Authorization: Bearer” and the token.", headers: [challenge])

    /// Whether a request has the token in its field; false without a token. Throws ``Problem`` after too many wrong
    /// ones.
    private func hasToken(_ request: Request) throws -> Bool {
        let scheme = "bearer "
        guard let field = request.headers.first(name: "Authorization"), field.lowercased().hasPrefix(scheme) else {
            return false
        }
        return try isToken(String(field.dropFirst(scheme.count)), of: request)
    }

    /// Whether a text is the token. Counts a wrong one. Throws ``Problem`` after too many wrong ones.
    private func isToken(_ text: String, of request: Request) throws -> Bool {
        guard let token = access.token else { return false }
        guard guesses.admits(request.client) else {
            throw Problem(
                .tooManyRequests, "This address has sent many wrong tokens. Try again in a second.",
                headers: [("Retry-After", "1")])
        }
        let isRight = ServerAccess.isEqual(text, token)
        if !isRight { guesses.add(text, from: request.client) }
        return isRight
    }

    private func hasCookie(_ request: Request) -> Bool {
        request.cookie(Self.cookie).map { ServerAccess.isEqual($0, login) } ?? false
    }

    private func loginPage(isRepeated: Bool) -> Response {
        let html = NoticePage.login(isRepeated: isRepeated)
        return Response(.unauthorized, "text/html; charset=utf-8", html, [Self.challenge])
    }

    /// Gives a browser with the token a cookie that scripts do not see and other sites do not send.
    private func logIn(_ request: Request) throws -> Response {
        let given = try Request.parameters(in: request.body).first { $0.name == "token" }?.value ?? ""
        guard try isToken(given, of: request) else { return loginPage(isRepeated: true) }
        let cookie = "\(Self.cookie)=\(login); HttpOnly; SameSite=Strict; Path=/"
        return Response(.seeOther, nil, "", [("Location", "/"), ("Set-Cookie", cookie)])
    }
}

/// Slows guesses of the token: after some wrong ones, an address may try one token a second. Further tries are refused
/// before the token is read, because the answer to a right one would otherwise show it. A program that keeps an old
/// token sends the same one again and again, which is no guess: alone, it locks out no other program of its address.
final class GuessLimit: Sendable {
    /// The wrong tokens before the limit. A person mistypes fewer.
    private static let mostWrong = 20.0
    /// The addresses that are remembered. An address is forgotten after ``mostWrong`` seconds without a wrong token.
    private static let mostAddresses = 4096

    /// The wrong tokens of an address, of which one is forgiven each second.
    private struct Wrong {
        var count: Double
        var time: ContinuousClock.Instant
        /// The hash of the latest one.
        var latest: Int

        func count(at now: ContinuousClock.Instant) -> Double { max(0, count - time.duration(to: now) / .seconds(1)) }
    }

    private let wrong = Mutex<[String: Wrong]>([:])

    /// Whether an address may try a token.
    func admits(_ address: String) -> Bool {
        wrong.withLock { ($0[address]?.count(at: .now) ?? 0) <= Self.mostWrong - 1 }
    }

    /// Counts a wrong token, unless it is the same as before.
    func add(_ token: String, from address: String) {
        let (now, latest) = (ContinuousClock.now, token.hashValue)
        wrong.withLock { wrong in
            guard wrong[address]?.latest != latest else { return }
            let count = wrong[address]?.count(at: now) ?? 0
            wrong[address] = Wrong(count: count + 1, time: now, latest: latest)
            guard wrong.count > Self.mostAddresses else { return }
            wrong = wrong.filter { $0.value.count(at: now) > 0 }
            // So many addresses at a time belong to an attack, which a longer list does not slow.
            if wrong.count > Self.mostAddresses { wrong = [:] }
        }
    }
}

/// A page without data: a heading and a few lines.
enum NoticePage {
    /// A link to the page that is there without parameters.
    static let back = "<p><a href=\"/\">To the newest day</a></p>"

    /// A page with a heading and lines of HTML below it.
    static func html(_ title: String, _ content: String) -> String {
        """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8"/>
        <meta name="viewport" content="width=device-width, initial-scale=1"/>
        <title>Footfall: \(title.markup)</title>
        <link rel="icon" href="/icon.svg"/>
        <link rel="stylesheet" href="/style.css"/>
        </head>
        <body>
        <header>
        <p class="brand">Footfall</p>
        <h1>\(title.markup)</h1>
        </header>
        <main id="content">
        \(content)
        </main>
        </body>
        </html>

        """
    }

    /// The page on which a reader gives the token to a browser, once more after a wrong one.
    static func login(isRepeated: Bool) -> String {
        html(
            "Token",
            """
            <p>\(isRepeated ? "That is not the token. " : "")Give the token of this server. The person who
            started the server has it.</p>
            <form method="post" action="/login">
            <label for="token">Token</label>
            <input id="token" name="token" type="password" autocomplete="current-password" required="required"/>
            <button>Read</button>
            </form>
            """)
    }
}

/// The work for one answer. It is over when the client has left, or when the time of an answer has passed. Long answers
/// have threads of their own, so that a short answer never waits for a long one.
final class Work: Sendable {
    /// An answer is long, and its thread makes only short ones.
    struct IsLong: Error {}

    /// The seconds from which on an answer is long: more than the activities of a day, less than its minutes.
    private static let longAnswer = 0.05

    private let end: ContinuousClock.Instant
    private let isAbandoned = Atomic(false)
    private let acceptsLong = Atomic(false)

    /// The limit is the time until the answer, with that in which it waits for others.
    init(limit: Duration) { end = .now + limit }

    /// Ends the work after its client has left.
    func abandon() { isAbandoned.store(true, ordering: .relaxed) }

    /// Allows a long answer from now on.
    func acceptLong() { acceptsLong.store(true, ordering: .relaxed) }

    var isOver: Bool { isAbandoned.load(ordering: .relaxed) || .now >= end }

    /// Ends the work when it is over.
    func check() throws(Problem) {
        guard isOver else { return }
        throw Problem(busy: "The answer takes too long. Ask for a shorter range, or try again when fewer clients ask.")
    }

    /// Begins an answer of a known cost. Throws ``IsLong`` where only short answers are allowed.
    func begin(_ cost: QueryCost) throws(IsLong) {
        guard cost.seconds < Self.longAnswer || acceptsLong.load(ordering: .relaxed) else { throw IsLong() }
    }
}

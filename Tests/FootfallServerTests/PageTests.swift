import Footfall
import FootfallHistory
import FootfallServer
import Foundation
import TestSupport
import Testing

#if canImport(FoundationXML)
    import FoundationXML
#endif

@Suite("The page of a server")
struct PageTests {
    @Test("shows a day, the strip of its hours and the week, with the numbers of the report")
    func day() throws {
        let served = try Served()
        try served.record("wrist", at: "2026-11-18T10:00:00Z")
        try served.record("<b>&\"pocket", at: "2026-11-18T10:00:00Z")
        let reply = try served.get("/?source=wrist")
        #expect(reply.status == 200 && reply.headers["content-type"] == "text/html; charset=utf-8")
        let page = reply.body
        for text in [
            "<title>Steps and activities of wrist, Fri\u{A0}20\u{A0}November\u{A0}2026</title>", "568", "Steps per day",
            "no data",
            "href=\"/?source=wrist&amp;day=2026%2D11%2D20\" aria-current=\"date\"",
            "&lt;b&gt;&amp;&quot;pocket", "<section id=\"live\" aria-labelledby=\"live-title\" hidden=\"hidden\">",
        ] {
            #expect(page.contains(text), "\(text)")
        }
        #expect(!page.contains("<b>"))
        let other = try served.get("/?source=%3Cb%3E%26%22pocket").body
        #expect(other.contains("<strong class=\"value\">1,000</strong>") && other.contains("1,000 steps from 10:00<"))
        // XML parsers accept the page, so every element is closed.
        let parser = XMLParser(data: Data(page.utf8))
        #expect(parser.parse(), "\(String(describing: parser.parserError)) in line \(parser.lineNumber)")
    }

    @Test("keeps a place for each day of the week, and leads to it from its strip")
    func week() throws {
        let served = try Served()
        #expect(try served.get("/").body.contains("<section id=\"part-week\" hidden=\"hidden\"></section>"))
        try served.record("wrist", at: "2026-11-18T10:00:00Z")
        let page = try served.get("/?source=wrist").body.replacing("%2D", with: "-")
        // A day has a seventh of the chart, and a bar seven tenths of it.
        let chart = try #require(page.components(separatedBy: "Steps per day</title>").dropFirst().first)
        let bar = try #require(
            chart.firstMatch(of: /<rect x="([0-9.]+)" y="[0-9.]+" width="([0-9.]+)" height="[0-9.]+" fill="#5b3fa0"/))
        let (left, width) = (try #require(Double(bar.1)), try #require(Double(bar.2)))
        #expect(abs(width - 71) < 1 && abs(left - 480.9) < 1)  // 60 + 4.15 · 710 / 7
        #expect(chart.contains(">Sat 14</text>") && page.contains("784 steps a day, on 2 days with data."))
        let strip = try #require(page.components(separatedBy: "from midnight to midnight</title>").dropFirst().first)
        let links = strip.components(separatedBy: "</svg>")[0].matches(of: /href="([^"]+)"/)
        #expect(links.map { String($0.1) } == (14...20).map { "/?source=wrist&amp;day=2026-11-\($0)" })
        #expect(strip.contains("Sat\u{A0}14\u{A0}November\u{A0}2026: no data"))
    }

    @Test("compares the day and the week with a goal")
    func goal() throws {
        let served = try Served(goal: 500)
        try served.record("wrist", at: "2026-11-19T10:00:00Z")
        let page = try served.get("/?source=wrist").body
        #expect(page.contains("<b>114\u{A0}%</b> of the goal of 500") && page.contains("stroke-dasharray=\"100 100\""))
        #expect(page.contains("<b>432 fewer</b> than the day before"))
        #expect(page.contains("The line is the goal of 500, reached on 2 of 2 days with data."))
        #expect(try !Served().get("/?source=wrist").body.contains("goal"))
    }

    @Test("loads only from the server, without inline styles and scripts, and all its links work")
    func links() throws {
        let served = try Served()
        try served.record("pocket", at: "2026-11-18T10:00:00Z")
        try served.record("wrist", at: "2026-11-18T10:00:00Z")
        let reply = try served.get("/?source=wrist")
        #expect(reply.headers["content-security-policy"]?.hasPrefix("default-src 'none'") == true)
        #expect(!reply.body.contains("style=") && !reply.body.contains("<style") && !reply.body.contains("<script>"))
        let targets = reply.body.matches(of: /(?:href|src)="([^"#]+)"/).map { String($0.1) }
        #expect(targets.count > 8)
        for target in Set(targets) {
            #expect(target.hasPrefix("/") && !target.hasPrefix("//"))
            #expect(try served.get(target.replacing("&amp;", with: "&")).status == 200, "\(target)")
        }
    }

    @Test("leads back from wrong parameters, and states that a day or a history has no data")
    func emptiness() throws {
        let served = try Served()
        for day in ["2026-13-01", "yesterday", "-2h", "2026-11-2x"] {
            let reply = try served.get("/?day=\(day)")
            #expect(reply.status == 400 && reply.headers["content-type"] == "text/html; charset=utf-8", "\(day)")
            #expect(reply.body.contains("a date such as 2026-11-20") && reply.body.contains("<a href=\"/\">"))
        }
        let past = try served.get("/?day=2020-01-01").body
        #expect(past.contains("<p>No data. The history has Fri\u{A0}20\u{A0}November\u{A0}2026 only.</p>"))
        #expect(past.contains("rel=\"next\" href=\"/?source=wrist&amp;day=2026%2D11%2D20\""))
        // The weekdays of midnights before 1970 are right, too.
        try served.record("old", at: "1970-01-01T10:00:00Z")
        try served.record("old", at: "1970-01-02T10:00:00Z")
        #expect(try served.get("/?source=old").body.contains(">Sat 27</text>"))
        let unknown = try served.get("/?source=ankle")
        #expect(unknown.status == 404 && unknown.body.contains("Sources: old, wrist") && !unknown.body.hasPrefix("{"))
    }

    @Test("walks from day to day, among the kept ones, and keeps the day when the source changes")
    func walk() throws {
        let served = try Served()
        try served.record("wrist", at: "2026-11-18T10:00:00Z")
        try served.record("pocket", at: "2026-11-19T10:00:00Z")
        func links(_ path: String) throws -> [String: String] {
            let page = try served.get(path).body.replacing("&amp;", with: "&").replacing("%2D", with: "-")
            return page.matches(of: /rel="(prev|next)" href="([^"]+)"/).reduce(into: [:]) {
                $0[String($1.1)] = String($1.2)
            }
        }
        #expect(try links("/?source=wrist") == ["prev": "/?source=wrist&day=2026-11-19"])
        let middle = "/?source=wrist&day=2026-11-19"
        #expect(
            try links(middle) == ["prev": "/?source=wrist&day=2026-11-18", "next": "/?source=wrist&day=2026-11-20"])
        #expect(try links("/?source=wrist&day=2026-11-18") == ["next": "/?source=wrist&day=2026-11-19"])
        #expect(try links("/?source=wrist&day=2026-12-24") == ["prev": "/?source=wrist&day=2026-11-20"])
        let page = try served.get(middle).body
        #expect(page.contains("href=\"/?source=pocket&amp;day=2026%2D11%2D19\""))
        #expect(page.contains("aria-label=\"Wed\u{A0}18\u{A0}November\">‹</a>") && page.contains(">Newest day</a>"))
        #expect(try served.get("/?source=wrist").body.contains("href=\"/?source=pocket\""))
    }

    @Test("shows the week once two days have data, with bars that lead to their days")
    func bars() throws {
        let served = try Served()
        let bar = "<a href=\"/?source=wrist&amp;day=2026%2D11%2D18\" aria-label="
        try served.record("wrist", at: "2026-11-18T10:00:00Z")
        #expect(try !served.get("/?source=wrist&day=2026-11-18").body.contains(bar))
        try served.record("wrist", at: "2026-11-19T10:00:00Z")
        #expect(try served.get("/?source=wrist&day=2026-11-19").body.contains(bar))
    }

    @Test("has the steps that wait for their transaction, as every other answer has")
    func waiting() throws {
        let served = try Served()
        let recorder = try MotionHistory(at: URL(filePath: served.path), acceptsFuture: true)
        defer { recorder.close() }
        let waiting = try #require(try WaitingEvents(of: recorder, from: "wrist", timeZone: .gmt))
        defer { waiting.remove() }
        let first = try #require(Timestamp(year: 2026, month: 11, day: 20, hour: 9, minute: 0))
        func walk(_ seconds: Range<Int>) -> [MotionEvent] {
            let times = seconds.map { first.advanced(bySeconds: Double($0)) }
            let end = first.advanced(bySeconds: Double(seconds.upperBound))
            let segment = Segment(range: times[0]..<end, flags: .walking, probability: 0.9, steps: times.count)
            return times.map { .step(Step(time: $0)) } + [.segment(segment)]
        }
        func expect(_ steps: Int, _ place: SourceLocation = #_sourceLocation) throws -> String? {
            let answer = try served.get("/api/v1/steps")
            #expect(answer.body.contains("\"steps\":\(steps),"), "\(answer.body)", sourceLocation: place)
            #expect(try served.get("/").body.contains(">\(steps)<"), sourceLocation: place)
            let total = "footfall_steps_total{source=\"wrist\"} \(steps)\n"
            #expect(try served.get("/metrics").body.contains(total), sourceLocation: place)
            return answer.headers["etag"]
        }
        var tags = [try expect(568)]
        waiting.add(walk(0..<10))
        tags.append(try expect(578))
        waiting.add(walk(10..<15))
        tags.append(try expect(583))
        try recorder.record(walk(0..<10) + walk(10..<15), from: "wrist", timeZone: .gmt)
        // The events are in both for a moment.
        tags.append(try expect(583))
        waiting.restart(with: [])
        tags.append(try expect(583))
        #expect(Set(tags).count == 5)
    }

    @Test("asks a browser for the token, and gives it a strict cookie")
    func login() throws {
        let token = "correct-horse-battery-staple"
        let served = try Served(access: ServerAccess(token: token))
        let form = try served.get("/")
        #expect(form.status == 401 && form.body.contains("action=\"/login\"") && !form.body.contains("wrist"))
        #expect(try served.get("/style.css").status == 200)
        let wrong = try served.get("/login", method: "POST", body: "token=\(token)x")
        #expect(
            wrong.status == 401 && wrong.headers["set-cookie"] == nil && wrong.body.contains("That is not the token"))
        let right = try served.get("/login", method: "POST", body: "token=\(token)")
        let cookie = try #require(right.headers["set-cookie"])
        #expect(right.status == 303 && right.headers["location"] == "/")
        #expect(cookie.hasSuffix("; HttpOnly; SameSite=Strict; Path=/") && !cookie.contains(token))
        let session = String(cookie.prefix { $0 != ";" })
        #expect(try served.get("/", ["Cookie": "a=b; \(session)"]).body.contains("wrist"))
        #expect(try served.get("/", ["Cookie": "\(session)0"]).status == 401)
        // Without a token there is nothing to log in to.
        #expect(try Served().get("/login", method: "POST", body: "token=").status == 405)
    }
}

package import Footfall
package import FootfallHistory
internal import FootfallTables
internal import Foundation

/// The page of a server: one day of a source, the days of its week, and the live state.
///
/// It is complete without its script, which fills the live state and replaces the parts that change. The style sheet
/// and the script are files of their own, because the server allows no inline ones.
package struct DayPage {
    /// The days of the week around the day, the chosen one and the newest at the end.
    private static let days = 7

    private let source: String?
    private let sources: [String]
    private let day: HistoryReport
    private let week: HistoryReport
    /// The midnights of the week's days.
    private let midnights: [Timestamp]
    private let isToday: Bool
    private let navigation: DayNavigation
    /// The chosen date, which other sources show, too; nil for the newest day.
    private let date: String?

    /// Creates the page of a day.
    ///
    /// - Parameters:
    ///   - source: The source.
    ///   - sources: The names of all sources.
    ///   - date: A date such as `2026-11-20` in the wearer's zone; nil for today or, without data today, the newest
    ///     day.
    ///   - now: The current time.
    ///   - goal: The steps of a day that the wearer aims at; nil for none.
    /// - Throws: ``QueryValue/Invalid`` for an invalid date, and `HistoryError`.
    package init(
        of source: SourceSnapshot, among sources: [String], on date: String?, at now: Timestamp, generator: String,
        goal: Int? = nil
    ) throws {
        let clock = WallClock(zone: nil, changes: try source.timeZones())
        let kept = try source.info()?.keptRange
        let zone = clock.zone(at: kept?.upperBound ?? now)
        let today = zone.day(of: now)
        let newest = kept.map { zone.day(of: $0.upperBound.advanced(bySeconds: -1e-3)) } ?? today
        let last = newest.lowerBound > today.lowerBound || !(kept?.overlaps(today) ?? true) ? newest : today
        let chosen = try date.map { try Self.day($0, in: zone) } ?? last
        isToday = chosen == today
        navigation = DayNavigation(
            from: chosen, last: last, isToday: last == today, kept: kept, in: zone, PageAddress(source: source.name))
        // Time to come is not time without data.
        func past(_ range: Range<Timestamp>) -> Range<Timestamp> {
            let end = max(now, kept?.upperBound ?? now)
            return range.lowerBound..<max(range.lowerBound, min(range.upperBound, end))
        }
        let end = last.contains(chosen.lowerBound) || chosen.lowerBound > last.lowerBound ? last : chosen
        midnights = (0..<Self.days).reversed().map {
            zone.day(of: end.lowerBound.advanced(bySeconds: Double($0) * -86400 + 43200)).lowerBound
        }
        self.source = source.name
        self.sources = sources
        self.date = date
        day = try HistoryReport(of: source, in: past(chosen), generator: generator, goal: goal)
        week = try HistoryReport(
            of: source, in: past((midnights.first ?? end.lowerBound)..<end.upperBound), generator: generator, goal: goal
        )
    }

    private static func day(_ date: String, in zone: TimeZone) throws -> Range<Timestamp> {
        let isDate = date.utf8.count == 10 && date.contains("-")
        let noon = isDate ? try? TimeExpression(date + " 12:00").time(in: zone, now: Date()) : nil
        return try zone.day(of: QueryValue.require(noon, "a date such as 2026-11-20"))
    }

    /// The page as HTML.
    package var html: String {
        let title = source.map { "Steps and activities of \($0)" } ?? "Steps and activities"
        return """
            \(ReportPage.head("\(title), \(day.period)", by: day.generator))
            <link rel="icon" href="/icon.svg"/>
            <link rel="stylesheet" href="/style.css"/>
            <script src="/live.js" defer="defer"></script>
            </head>
            <body data-source="\((source ?? "").markup)">
            <a class="skip" href="#content">Skip to the content</a>
            \(ReportPage.stripes)<header id="part-header">
            <p class="brand">Footfall</p>
            <h1>\(title.markup)</h1>
            \(sourceLinks)</header>
            <main id="content" tabindex="-1">
            \(live)\(part("day", isToday ? "Today" : day.period, isToday ? dayHTML(day.period) : dayHTML(nil)))\
            \(part("week", "The week", weekHTML))</main>
            <footer>
            <p>“No data” is not zero: stripes mark time without samples, and all numbers refer to the covered time.
            Programs read the same numbers below <a href="/api/v1/openapi.json">/api/v1/</a> and at
            <a href="/metrics">/metrics</a>.</p>
            </footer>
            </body>
            </html>

            """
    }

    private func part(_ name: String, _ title: String, _ html: String) -> String {
        """
        <section id="part-\(name)" aria-labelledby="\(name)">
        <h2 id="\(name)">\(title.markup)</h2>
        \(html)</section>

        """
    }

    /// The place of the live state, which the script shows as soon as there is one.
    private var live: String {
        let cards = [("steps", "Steps now"), ("activity", "Activity"), ("cadence", "Cadence"), ("signal", "Signal")]
            .map { name, title in
                """
                <div><dt>\(title)</dt><dd class="value" id="live-\(name)"></dd>\
                <dd class="more" id="live-\(name)-more"></dd></div>
                """
            }
        return """
            <section id="live" aria-labelledby="live-title" hidden="hidden">
            <h2 id="live-title">Now</h2>
            <dl class="numbers now">
            \(cards.joined(separator: "\n"))
            </dl>
            \(Self.trail("trail", "Acceleration of the last ten seconds: 0 to 2 g or more; each mark is a step", Palette.signal))\
            \(Self.trail("pace", "Cadence of the last minute: 0 to 200 steps per minute", Palette.steps))\
            </section>

            """
    }

    /// The place of a moving picture. Its height stays, its width is that of the page.
    private static func trail(_ name: String, _ caption: String, _ color: String) -> String {
        """
        <figure id="\(name)" hidden="hidden">
        <svg class="trail" viewBox="0 0 1000 100" preserveAspectRatio="none" aria-hidden="true">
        <path class="line" fill="none" stroke="\(color)" stroke-width="2"/>
        <path class="marks" fill="none" stroke="\(Palette.steps)" stroke-width="3"/>
        </svg>
        <figcaption>\(caption).</figcaption>
        </figure>

        """
    }

    private func dayHTML(_ date: String?) -> String {
        let head = (date.map { "<p>\($0.markup)</p>\n" } ?? "") + navigation.html
        guard !day.days.isEmpty else {
            return head + "<p>\("No data. \(navigation.note ?? "")".trimmingCharacters(in: .whitespaces).markup)</p>\n"
        }
        var page = ReportPage(day)
        page.comparison = comparison
        return head + "<p class=\"brand\">All times are those of \(page.zones.markup).</p>\n" + page.glance + page.hours
            + page.marks
    }

    /// The steps of the day before; without data of it, the mean of the other days of the week.
    private var comparison: String? {
        let others = week.days.filter { $0.total.range.lowerBound != day.range.lowerBound }
        guard !others.isEmpty else { return nil }
        let noon = day.range.lowerBound.advanced(bySeconds: -43200)
        if let before = others.first(where: { $0.whole.contains(noon) }) {
            return "\(NumberText.count(before.total.steps)) on the day before"
        }
        let mean = others.reduce(0) { $0 + $1.total.steps } / others.count
        return "the mean of the week’s other days is \(NumberText.count(mean))"
    }

    private var weekHTML: String {
        let places = midnights.map { DayPlace(around: $0, in: week) }
        let address = PageAddress(source: source)
        let links = places.map { place in
            let (start, found) = (place.start, place.data)
            let current = start.date == day.clock.local(day.range.lowerBound).date ? " aria-current=\"date\"" : ""
            return """
                <li><a href="\(address.markup(on: start.date))"\(current)><span>\(start.shortDay)</span> \
                <strong>\(found.map { NumberText.count($0.total.steps) } ?? "no data")</strong> \
                <span>\((found.map { "\($0.total.covered) covered" } ?? "").markup)</span></a></li>
                """
        }
        func link(_ place: DayPlace) -> String? { address.markup(on: place.start.date) }
        let page = ReportPage(week, places: places)
        return """
            <nav aria-label="Days"><ul class="days">
            \(links.joined(separator: "\n"))
            </ul></nav>
            \(week.days.isEmpty ? "<p>No data.</p>\n" : page.strip(link: link) + page.perDay(link: link))
            """
    }

    private var sourceLinks: String {
        guard sources.count > 1 else { return "" }
        let links = sources.map { name in
            let current = name == source ? " aria-current=\"page\"" : ""
            return "<li><a href=\"\(PageAddress(source: name).markup(on: date))\"\(current)>\(name.markup)</a></li>"
        }
        return "<nav aria-label=\"Sources\"><ul>\(links.joined())</ul></nav>\n"
    }

    /// The style sheet of the page.
    package static var css: String { ReportStyle.css + "\n" + rules }

    /// The icon of the page: two footprints.
    package static let icon = """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><g fill="\(Palette.color(of: .walking))">\
        <ellipse cx="5" cy="9" rx="2.2" ry="4"/><ellipse cx="11" cy="6" rx="2.2" ry="4"/></g></svg>

        """

    private static let rules = """
        [hidden]{display:none}
        .numbers.now{grid-template-columns:repeat(4,1fr)}
        .numbers.now .value{min-height:1.4em}
        @media screen and (max-width:40rem){.numbers.now{grid-template-columns:1fr 1fr}}
        .days{list-style:none;padding:0;margin:.75rem 0;display:grid;gap:.5rem}
        nav .days{grid-template-columns:repeat(auto-fit,minmax(7rem,1fr))}
        .days a{display:block;height:100%;padding:.5rem .6rem;border:1px solid var(--grid);border-radius:.5rem}
        .days a{background:var(--card);color:var(--ink);text-decoration:none}
        .days a:hover{border-color:var(--link)}
        .days span{display:block;font-size:.9rem;color:var(--label)}
        .days [aria-current]{border-color:var(--link);box-shadow:inset 0 -3px var(--link)}
        @media (forced-colors:active){.days [aria-current]{border:3px solid Highlight}}
        .trail{display:block;width:100%;height:7rem;border-bottom:1px solid var(--frame)}
        .lost .trail{opacity:.3}
        .trail path{vector-effect:non-scaling-stroke}
        #pace .trail{height:4rem}
        figcaption{font-size:.9rem;color:var(--label)}
        form{display:flex;flex-wrap:wrap;align-items:center;gap:.5rem;margin:1rem 0}
        .walk{display:flex;flex-wrap:wrap;align-items:center;gap:.25rem 1.5rem;margin:.5rem 0}
        .walk ul,.walk form{margin:0}
        input,button{font:inherit;padding:.4rem .6rem;border:1px solid var(--frame);border-radius:.4rem}
        input,button{background:var(--card);color:var(--ink)}
        @media print{.walk{display:none}}
        """
}

/// The way from one day of a source to another: the days beside it, the newest one, and a calendar of the kept days.
struct DayNavigation {
    private let address: PageAddress
    private let zone: TimeZone
    private let chosen: Range<Timestamp>
    /// From the first kept day to the one that the page shows without a choice; nil without data.
    private let days: (first: Range<Timestamp>, last: Range<Timestamp>)?
    private let isToday: Bool

    /// - Parameters:
    ///   - chosen: The day of the page, from midnight to midnight.
    ///   - last: The day that the page shows without a choice.
    ///   - isToday: Whether that day is today.
    ///   - kept: The time of the source in the history; nil without data.
    init(
        from chosen: Range<Timestamp>, last: Range<Timestamp>, isToday: Bool, kept: Range<Timestamp>?,
        in zone: TimeZone, _ address: PageAddress
    ) {
        (self.address, self.zone, self.chosen, self.isToday) = (address, zone, chosen, isToday)
        days = kept.map { (zone.day(of: $0.lowerBound), last) }
    }

    /// The day before: the nearest kept one.
    private var previous: Range<Timestamp>? {
        guard let days, chosen.lowerBound > days.first.lowerBound else { return nil }
        return Self.earlier(zone.day(of: chosen.lowerBound.advanced(bySeconds: -Self.halfDay)), days.last)
    }

    private var next: Range<Timestamp>? {
        guard let days, chosen.lowerBound < days.last.lowerBound else { return nil }
        let day = zone.day(of: chosen.upperBound.advanced(bySeconds: Self.halfDay))
        return day.lowerBound > days.first.lowerBound ? day : days.first
    }

    /// A step into the day beside, also where that day has 23 hours.
    private static let halfDay = 43200.0

    private static func earlier(_ one: Range<Timestamp>, _ other: Range<Timestamp>) -> Range<Timestamp> {
        one.lowerBound < other.lowerBound ? one : other
    }

    /// A sentence for a day that is not kept; nil for the others.
    var note: String? {
        guard let days else { return "The history is empty." }
        guard chosen.lowerBound < days.first.lowerBound || chosen.lowerBound > days.last.lowerBound else { return nil }
        let (first, last) = (start(days.first).fullDay, start(days.last).fullDay)
        return first == last ? "The history has \(first) only." : "The history has \(first) to \(last)."
    }

    var html: String {
        guard let days else { return "" }
        var links: [String] = []
        if let previous { links.append(link(previous, "prev", "← \(start(previous).dayAndMonth)")) }
        if let next { links.append(link(next, "next", "\(start(next).dayAndMonth) →")) }
        if chosen != days.last {
            links.append("<li><a href=\"\(address.markup())\">\(isToday ? "Today" : "Newest day")</a></li>")
        }
        let list = links.isEmpty ? "" : "<ul>\(links.joined())</ul>\n"
        return """
            <nav class="walk" aria-label="Day">
            \(list)<form method="get" action="/">\(address.field)<label for="calendar">Day</label>
            <input id="calendar" name="day" type="date" required="required" value="\(start(chosen).date)" \
            min="\(start(days.first).date)" max="\(start(days.last).date)"/>
            <button>Show</button></form>
            </nav>

            """
    }

    private func link(_ day: Range<Timestamp>, _ relation: String, _ title: String) -> String {
        "<li><a rel=\"\(relation)\" href=\"\(address.markup(on: start(day).date))\">\(title)</a></li>"
    }

    private func start(_ day: Range<Timestamp>) -> LocalTime { LocalTime(day.lowerBound, in: zone) }
}

/// The address of a source's page.
struct PageAddress {
    let source: String?

    /// The address of a day, or of the newest one, for an attribute.
    func markup(on date: String? = nil) -> String {
        let pairs = [("source", source), ("day", date)].compactMap { name, value in
            value?.addingPercentEncoding(withAllowedCharacters: .alphanumerics).map { "\(name)=\($0)" }
        }
        return ("/?" + pairs.joined(separator: "&")).markup
    }

    /// The source as a hidden field of a form.
    var field: String {
        source.map { "<input type=\"hidden\" name=\"source\" value=\"\($0.markup)\"/>" } ?? ""
    }
}

/// A day that has a place in the pictures of several days, with data or without.
struct DayPlace {
    /// From midnight to midnight.
    let range: Range<Timestamp>
    let start: LocalTime
    /// Nil for a day without data.
    let data: ReportDay?

    init(_ day: ReportDay) {
        (range, start, data) = (day.whole, day.total.start, day)
    }

    /// A day around a moment, with its data among those of a report.
    init(around moment: Timestamp, in report: HistoryReport) {
        let zone = report.clock.zone(at: moment)
        let day = zone.day(of: moment)
        range = day
        start = LocalTime(day.lowerBound, in: zone)
        data = report.days.first { $0.whole.contains(moment) }
    }

    /// `Mon 16 November 2026: 15,206 steps, 100 % covered`
    var heading: String { data?.heading ?? "\(start.fullDay): no data" }

    /// `stationary 22 h 30 min, walking 1 h 10 min`; empty without data.
    var activities: String { data.map { NumberText.activities($0.total.durations) } ?? "" }
}

extension HistoryReport {
    /// The longest time, in days, of which each day has a place.
    private static let mostPlaces = 31.0

    /// The days from the first to the last one with data. Of a longer time, only those with data.
    var places: [DayPlace] {
        let isShort = (known?.seconds ?? 0) <= Self.mostPlaces * 86400
        return days.reduce(into: []) { places, day in
            while isShort, let last = places.last {
                let noon = last.range.upperBound.advanced(bySeconds: 43200)
                guard noon < day.whole.lowerBound else { break }
                places.append(DayPlace(around: noon, in: self))
            }
            places.append(DayPlace(day))
        }
    }
}

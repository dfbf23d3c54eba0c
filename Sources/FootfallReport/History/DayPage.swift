package import Footfall
package import FootfallHistory
internal import FootfallTables
internal import Foundation

/// The page of a server: one day of a source, the days of its week, and the live state. Without its script it is
/// complete but for the live state, and states its time. The script fills in the live state and replaces the parts that
/// change. The style sheet and the script are files of their own, because the server allows no inline ones.
package struct DayPage {
    /// The days of the week around the day, the chosen one and the newest at the end.
    private static let days = 7

    private let sources: [String]
    private let day: HistoryReport
    private let week: HistoryReport
    /// The midnights of the week's days.
    private let midnights: [Timestamp]
    private let isToday: Bool
    /// From midnight to midnight.
    private let chosen: Range<Timestamp>
    /// The steps of the day before; of today, those until the same time of day. Nil without data of it.
    private let before: StepCount?
    /// When the page was made, on the wearer's clock.
    private let made: LocalTime
    private let zone: TimeZone
    /// From the first kept day to the newest one, which the page shows without a choice; nil without data.
    private let kept: (first: Range<Timestamp>, last: Range<Timestamp>)?
    private let isNewestToday: Bool
    /// The chosen date, which other sources show, too; nil for the newest day.
    private let date: String?

    /// Creates the page of a day of a source, with the names of all sources. The date, such as `2026-11-20`, is in the
    /// wearer's zone; nil for today or, without data today, the newest day. A goal is the steps of a day that the
    /// wearer aims at. Throws ``QueryValue/Invalid`` for an invalid date, and `HistoryError`.
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
        (self.chosen, isToday) = (chosen, chosen == today)
        made = LocalTime(now, in: zone)
        (self.zone, isNewestToday) = (zone, last == today)
        self.kept = kept.map { (zone.day(of: $0.lowerBound), last) }
        // Time to come is not time without data. The page shows nothing before the first sample. If the only day is
        // over, it shows nothing after the last sample either.
        let isOver =
            !isToday
            && kept.map { zone.day(of: $0.lowerBound) == chosen && $0.upperBound <= chosen.upperBound } ?? false
        let newestTime = kept?.upperBound ?? now
        let present = isOver ? newestTime : max(now, newestTime)
        func past(_ range: Range<Timestamp>) -> Range<Timestamp> {
            let first = kept.flatMap { range.contains($0.lowerBound) ? $0.lowerBound : nil } ?? range.lowerBound
            return first..<max(first, min(range.upperBound, present))
        }
        let yesterday = zone.day(of: chosen.lowerBound.advanced(bySeconds: -Self.halfDay))
        let length = isToday ? past(chosen).upperBound.seconds(since: chosen.lowerBound) : yesterday.seconds
        let reach = yesterday.lowerBound..<min(yesterday.upperBound, yesterday.lowerBound.advanced(bySeconds: length))
        let count = try source.steps(in: reach)
        before = count.coverage > 0 || count.count > 0 ? count : nil
        let end = last.contains(chosen.lowerBound) || chosen.lowerBound > last.lowerBound ? last : chosen
        midnights = (0..<Self.days).reversed().map {
            zone.day(of: end.lowerBound.advanced(bySeconds: Double($0) * -86400 + Self.halfDay)).lowerBound
        }
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
        """
        \(ReportPage.head("\(day.heading), \(dayName)", by: day.generator))
        <link rel="icon" href="/icon.svg"/>
        <link rel="stylesheet" href="/style.css"/>
        <script src="/live.js" defer="defer"></script>
        </head>
        <body data-source="\((source ?? "").markup)">
        <a class="skip" href="#content">Skip to the content</a>
        \(ReportPage.stripes)<header id="part-header">
        <h1>\(day.heading.markup)</h1>
        \(sourceLinks)</header>
        <main id="content" tabindex="-1">
        \(live)<section id="part-day" aria-labelledby="day">
        \(navigation)
        \(dayHTML)</section>
        \(weekHTML)</main>
        <footer>
        <p>“No data” is not zero: a thin line of stripes marks time without samples, and all numbers refer to the
        covered time. Programs read the same numbers below <a href="/api/v1/openapi.json">/api/v1/</a> and at
        <a href="/metrics">/metrics</a>.</p>
        <noscript><p>This page shows the state of \(made.minute). Load it again to see the newest.</p></noscript>
        </footer>
        </body>
        </html>

        """
    }

    private var source: String? { day.source }
    /// The date of the chosen day.
    private var dayName: String { day.dates(of: chosen) }
    /// A moment well within the chosen day, even if that has 23 hours.
    private var noon: Timestamp { chosen.lowerBound.advanced(bySeconds: Self.halfDay) }

    /// The place of the live state, which the script shows as soon as there is one.
    private var live: String {
        """
        <section id="live" aria-labelledby="live-title" hidden="hidden">
        <p class="now"><strong id="live-title">Now</strong> <span id="live-activity"></span>
        <span id="live-cadence"></span> <span id="live-signal"></span></p>
        <details id="trails" hidden="hidden"><summary>Acceleration and cadence</summary>
        \(Self.trail("trail", "Acceleration in g; each mark is a step", ["2", "1", "0"], "10 s ago", Palette.signal))\
        \(Self.trail("pace", "Cadence in steps per minute", ["200", "100", "0"], "60 s ago", Palette.steps))\
        </details>
        </section>

        """
    }

    /// The place of a moving picture, with the numbers of its axes. Its height stays, its width is that of the page.
    private static func trail(
        _ name: String, _ caption: String, _ values: [String], _ start: String, _ color: String
    ) -> String {
        """
        <figure id="\(name)" class="axes">
        <figcaption>\(caption)</figcaption>
        <p class="values">\(values.map { "<span>\($0)</span>" }.joined(separator: " "))</p>
        <svg class="trail" viewBox="0 0 1000 100" preserveAspectRatio="none" aria-hidden="true">
        <path class="line" fill="none" stroke="\(color)" stroke-width="2"/>
        <path class="marks" fill="none" stroke="\(Palette.steps)" stroke-width="3"/>
        </svg>
        <p class="times"><span>\(start)</span> <span>now</span></p>
        </figure>

        """
    }

    private var dayHTML: String {
        guard !day.days.isEmpty else {
            return "<p>\("No data. \(note)".trimmingCharacters(in: .whitespaces).markup)</p>\n"
        }
        var page = ReportPage(day)
        page.comparisons = comparisons
        return page.headline + page.hour + page.numbers + page.marks
            + "<p class=\"brand\">All times are those of \(page.zones.markup).</p>\n"
    }

    /// The steps beside those of the day before, and the mean of the other days of the week.
    private var comparisons: [ReportPage.Fact] {
        var facts: [ReportPage.Fact] = []
        if let before {
            let difference = day.total.steps - before.count
            let name = isToday ? "yesterday by \(day.clock.local(before.range.upperBound).minute)" : "the day before"
            let more = difference >= 0 ? "more" : "fewer"
            facts.append(("\(NumberText.count(abs(difference))) \(more)", "than \(name)"))
        }
        let others = week.days.filter { !$0.whole.contains(noon) }
        if others.count > 1 {
            let mean = (others.reduce(0) { $0 + $1.total.steps } + others.count / 2) / others.count
            facts.append((NumberText.count(mean), "a day on the other \(others.count) days of the week"))
        }
        return facts
    }

    /// The days of the week, once there are two with data.
    private var weekHTML: String {
        guard week.days.count > 1 else { return "<section id=\"part-week\" hidden=\"hidden\"></section>\n" }
        let places = midnights.map { midnight in
            var place = DayPlace(around: midnight, in: week)
            place.isCurrent = place.range.contains(noon)
            return place
        }
        func link(_ place: DayPlace) -> String? { Self.address(of: source, on: place.start.date) }
        let page = ReportPage(week, places: places)
        return """
            <section id="part-week" aria-labelledby="week">
            <h2 id="week">The week</h2>
            \(page.perDay(isOpen: false, link: link))\
            <details><summary>Activities of each day</summary>
            \(page.strip(link: link))</details>
            </section>

            """
    }

    private var sourceLinks: String {
        guard sources.count > 1 else { return "" }
        let links = sources.map { name in
            let current = name == source ? " aria-current=\"page\"" : ""
            return "<li><a href=\"\(Self.address(of: name, on: date))\"\(current)>\(name.markup)</a></li>"
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

    /// Without the end of the last line.
    private static let rules = String(decoding: PackageResources.day_css.dropLast(), as: UTF8.self)
}

// The way from one day of a source to another: the days beside it, and the newest one.
extension DayPage {
    /// In seconds. So far from a midnight lies the day beside it, even if that has 23 hours.
    fileprivate static let halfDay = 43200.0

    /// The nearest kept day before.
    private var previous: Range<Timestamp>? {
        guard let kept, chosen.lowerBound > kept.first.lowerBound else { return nil }
        let day = zone.day(of: chosen.lowerBound.advanced(bySeconds: -Self.halfDay))
        return day.lowerBound < kept.last.lowerBound ? day : kept.last
    }

    private var next: Range<Timestamp>? {
        guard let kept, chosen.lowerBound < kept.last.lowerBound else { return nil }
        let day = zone.day(of: chosen.upperBound.advanced(bySeconds: Self.halfDay))
        return day.lowerBound > kept.first.lowerBound ? day : kept.first
    }

    /// A sentence for a day that is not kept; empty for the others.
    private var note: String {
        guard let kept else { return "The history is empty." }
        guard chosen.lowerBound < kept.first.lowerBound || chosen.lowerBound > kept.last.lowerBound else { return "" }
        let (first, last) = (start(kept.first).fullDay, start(kept.last).fullDay)
        return first == last ? "The history has \(first) only." : "The history has \(first) to \(last)."
    }

    /// The heading of the day between arrows to the days beside it.
    private var navigation: String {
        let isNewest = kept.map { chosen == $0.last } ?? true
        let word = isNewestToday ? "Today" : "Newest day"
        let newest = "<p class=\"newest\"><a href=\"\(Self.address(of: source))\">\(word)</a></p>\n"
        let title = isToday ? "Today <span>\(dayName.markup)</span>" : dayName.markup
        return """
            <nav class="walk" aria-label="Day">
            \(link(previous, "prev", "‹"))
            <h2 id="day">\(title)</h2>
            \(link(next, "next", "›"))
            </nav>
            \(isNewest ? "" : newest)
            """
    }

    private func link(_ day: Range<Timestamp>?, _ relation: String, _ arrow: String) -> String {
        day.map { day in
            let start = start(day)
            return """
                <a rel="\(relation)" href="\(Self.address(of: source, on: start.date))" \
                aria-label="\(start.dayAndMonth)">\(arrow)</a>
                """
        } ?? "<span></span>"
    }

    private func start(_ day: Range<Timestamp>) -> LocalTime { LocalTime(day.lowerBound, in: zone) }

    /// The address of a day of a source, or of its newest one, for an attribute.
    private static func address(of source: String?, on date: String? = nil) -> String {
        let pairs = [("source", source), ("day", date)].compactMap { name, value in
            value?.addingPercentEncoding(withAllowedCharacters: .alphanumerics).map { "\(name)=\($0)" }
        }
        return ("/?" + pairs.joined(separator: "&")).markup
    }
}

/// A day that has a place in the pictures of several days, with data or without.
struct DayPlace {
    /// From midnight to midnight.
    let range: Range<Timestamp>
    let start: LocalTime
    /// Nil for a day without data.
    let data: ReportDay?
    /// Whether the page shows this day.
    var isCurrent = false

    init(_ day: ReportDay) { (range, start, data) = (day.whole, day.total.start, day) }

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
    /// The most days of which each one has a place, with data or without.
    private static let mostPlaces = 31.0

    /// The days from the first to the last one with data. Of more than ``mostPlaces``, only those with data.
    var places: [DayPlace] {
        let isShort = (known?.seconds ?? 0) <= Self.mostPlaces * 86400
        return days.reduce(into: []) { places, day in
            while isShort, let last = places.last {
                let noon = last.range.upperBound.advanced(bySeconds: DayPage.halfDay)
                guard noon < day.whole.lowerBound else { break }
                places.append(DayPlace(around: noon, in: self))
            }
            places.append(DayPlace(day))
        }
    }
}

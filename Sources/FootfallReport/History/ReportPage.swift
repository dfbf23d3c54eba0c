internal import Footfall
internal import FootfallHistory
internal import Foundation

/// A report as a page: a header, sections, and a footer.
struct ReportPage {
    let report: HistoryReport
    /// The days that have a place in the pictures of several days.
    let places: [DayPlace]
    let scale: DayScale
    /// What the steps of a single day are compared with, such as those of the day before.
    var comparisons: [Fact] = []

    /// The pictures have the days of `places`; nil for those of the report.
    init(_ report: HistoryReport, places: [DayPlace]? = nil) {
        self.report = report
        self.places = places ?? report.places
        scale = DayScale(report.days)
    }

    private typealias Section = (name: String, title: String, html: String)

    /// The beginning of a page, up to its style.
    static func head(_ title: String, by generator: String) -> String {
        """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8"/>
        <meta name="viewport" content="width=device-width, initial-scale=1"/>
        <meta name="generator" content="\(generator.markup)"/>
        <title>\(title.markup)</title>
        """
    }

    var html: String {
        let sections = report.days.isEmpty ? [] : sections
        return """
            \(Self.head("\(report.heading), \(report.period)", by: report.generator))
            <style>
            \(ReportStyle.css)
            </style>
            </head>
            <body>
            <a class="skip" href="#content">Skip to the content</a>
            \(Self.stripes)\(header(sections))<main id="content" tabindex="-1">
            \(sections.isEmpty ? emptiness : sections.map(Self.html).joined())</main>
            \(footer)</body>
            </html>

            """
    }

    private var zone: TimeZone { report.clock.zone(at: report.range.lowerBound) }

    private var sections: [Section] {
        let hasDays = report.days.count > 1
        guard report.hasDetails else {
            return [("glance", "At a glance", glance), ("periods", "Steps per day", perPeriod)] + steps
                + [("coverage", "Coverage", coverage)]
        }
        let hoursTitle = hasDays ? "Day by day" : "The day, \(scale.barName) by \(scale.barName)"
        var sections: [Section] = []
        if hasDays { sections.append(("strip", "Activities of each day", strip(link: link))) }
        sections.append(("glance", "At a glance", glance))
        if hasDays { sections.append(("days", "Steps per day", perDay(link: link))) }
        sections.append(("hours", hoursTitle, hours))
        if !report.marks.isEmpty { sections.append(("marks", "Marks", marks)) }
        return sections + steps + [("coverage", "Coverage", coverage)]
    }

    private var steps: [Section] {
        report.total.steps == 0 ? [] : [("cadence", "Cadence", cadence), ("bouts", "Bouts", bouts)]
    }

    /// The address of a day on the page, as markup.
    private func link(_ place: DayPlace) -> String? { place.data.map { "#\(name(of: $0))" } }

    private static func html(_ section: Section) -> String {
        """
        <section aria-labelledby="\(section.name)">
        <h2 id="\(section.name)">\(section.title)</h2>
        \(section.html)</section>

        """
    }

    // MARK: Header and footer

    /// The pattern of time without samples, which all pictures of a page share.
    static var stripes: String {
        var canvas = SVGCanvas()
        canvas.defineStripes(Palette.gapStripes, color: Palette.hatch, on: Palette.gap)
        return """
            <svg class="defs" width="0" height="0" aria-hidden="true">
            \(canvas.elements)</svg>

            """
    }

    private func header(_ sections: [Section]) -> String {
        let contents = sections.map { "<li><a href=\"#\($0.name)\">\($0.title)</a></li>\n" }.joined()
        return """
            <header>
            <p class="brand">Footfall report</p>
            <h1>\(report.heading.markup)</h1>
            <p>\(report.period.markup), \(zones.markup)</p>
            <nav aria-label="Contents"><ul>
            \(contents)<li><a href="#asked">About this report</a></li>
            </ul></nav>
            </header>

            """
    }

    private var emptiness: String {
        let text = report.kept.map { kept in
            let (start, end) = (LocalTime(kept.lowerBound, in: zone), LocalTime(kept.upperBound, in: zone))
            return "No data in this range. There is data from \(start.full) to \(end.full) (\(zone.name))."
        }
        return """
            <section aria-labelledby="none">
            <h2 id="none">No data</h2>
            <p>\((text ?? "The history is empty.").markup)</p>
            </section>

            """
    }

    /// The query, and how to read the page.
    private var footer: String {
        var facts = [
            ("History", report.name), ("Source", report.source ?? "none"),
            ("From", LocalTime(report.range.lowerBound, in: zone).full),
            ("Until, not included", LocalTime(report.range.upperBound, in: zone).full), ("Time zone", zones),
            ("Made by", report.generator),
        ]
        if report.isTruncated { facts.append(("Note", "The range starts before the time that the history keeps.")) }
        let list = facts.map { "<dt>\($0)</dt><dd>\($1.markup)</dd>" }.joined(separator: "\n")
        return """
            <footer>
            <h2 id="asked">About this report</h2>
            <dl class="facts">
            \(list)
            </dl>
            <p>“No data” is not zero: a thin line of stripes marks time without samples, and all numbers refer to the covered time. A step
            counts in the hour of its initial contact, so hours and days add up exactly. Open tables are printed.</p>
            </footer>

            """
    }

    /// The zones of all days. A wearer who travels has several.
    var zones: String {
        let zones = report.days.flatMap { [$0.total.timeZone] + $0.bars.map(\.timeZone) }
        let names = (zones.isEmpty ? [zone] : zones).map(\.name)
        return names.reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }.joined(separator: ", ")
    }
}

/// The style sheet of a report: light and dark, wide and narrow screens, and paper. It has no external references, and
/// no character that starts an element.
enum ReportStyle {
    /// The light and the dark colors by name, then the rules.
    static var css: String {
        """
        :root{color-scheme:light dark;--link:#0a58a6;--card:#f5f7f9;
        \(properties { $0.light })}
        @media screen and (prefers-color-scheme:dark){:root{--link:#86bdf5;--card:#1d2329;
        \(properties { $0.dark })}}
        \(Palette.rules("svg ", of: Palette.pageTints) { "var(--\($0.name))" })
        \(page)
        """
    }

    private static func properties(_ color: (Palette.Tint) -> String) -> String {
        Palette.pageTints.map { "--\($0.name):\(color($0))" }.joined(separator: ";")
    }

    /// Without the end of the last line.
    private static let page = String(decoding: PackageResources.report_css.dropLast(), as: UTF8.self)
}

/// A table of a page. A narrow screen shows each row of many columns as a line of words.
struct HTMLTable {
    /// The most columns that fit a phone.
    private static let mostColumns = 4

    private let caption: String
    private let headers: [String]
    private var rows = ""
    private var foot = ""

    /// Creates a table. The first column names the rows, the others hold numbers.
    init(_ caption: String, _ headers: [String]) {
        self.caption = caption
        self.headers = headers
    }

    mutating func add(_ cells: [String]) { rows += row(cells) }

    mutating func add(foot cells: [String]) { foot += row(cells) }

    /// The table below a line that opens and closes it. It may be open at first.
    func folded(isOpen: Bool = false) -> String {
        let head = headers.map { "<th scope=\"col\">\($0.markup)</th>" }.joined()
        return """
            <details\(isOpen ? " open=\"open\"" : "")><summary>Table: \(caption.markup)</summary>
            <div class="scroll" role="region" aria-label="\(caption.markup)" tabindex="0">\
            <table\(hasMany ? " class=\"many\"" : "")>
            <caption>\(caption.markup)</caption>
            <thead><tr>\(head)</tr></thead>
            <tbody>
            \(rows)</tbody>
            \(foot.isEmpty ? "" : "<tfoot>\n\(foot)</tfoot>\n")</table></div>
            </details>

            """
    }

    private var hasMany: Bool { headers.count > Self.mostColumns }

    private func row(_ cells: [String]) -> String {
        let others = zip(headers, cells).dropFirst().map { name, cell in
            "<td\(hasMany ? " data-of=\"\(name.markup)\"" : "")>\(cell.markup)</td>"
        }.joined()
        return "<tr><th scope=\"row\">\((cells.first ?? "").markup)</th>\(others)</tr>\n"
    }
}

internal import Footfall
internal import Foundation

/// A report as a page: a head, one section for each question that people ask, and how to read it.
struct ReportPage {
    let report: HistoryReport
    /// Time without samples among the days of which anything is known.
    let gaps: [Range<Timestamp>]
    let scale: DayScale

    init(_ report: HistoryReport) {
        self.report = report
        gaps = report.known.map(report.gaps) ?? []
        scale = DayScale(report.days)
    }

    /// A part of the page, with a place in its contents.
    struct Section {
        var name: String
        var title: String
        var html: String
    }

    var html: String {
        let sections = report.days.isEmpty ? [] : sections
        let title = [
            report.subject.source.map { "Steps and activities of \($0)" } ?? "Steps and activities", report.period,
        ]
        .joined(separator: ", ")
        return """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8"/>
            <meta name="viewport" content="width=device-width, initial-scale=1"/>
            <meta name="generator" content="Footfall \(report.subject.version.markup)"/>
            <title>\(title.markup)</title>
            <style>
            \(ReportStyle.css)
            </style>
            </head>
            <body>
            <a class="skip" href="#content">Skip to the content</a>
            \(stripes)\(header(sections))<main id="content" tabindex="-1">
            \(sections.isEmpty ? emptiness : sections.map(Self.html).joined())</main>
            \(footer)</body>
            </html>

            """
    }

    private var sections: [Section] {
        var sections = [Section(name: "glance", title: "At a glance", html: glance)]
        if report.days.count > 1 { sections.append(Section(name: "days", title: "Steps per day", html: perDay)) }
        sections.append(
            Section(
                name: "hours",
                title: report.days.count > 1 ? "Day by day" : "The day, \(scale.barName) by \(scale.barName)",
                html: hours))
        if !report.stepTimes.isEmpty {
            sections.append(Section(name: "cadence", title: "Cadence", html: cadence))
            sections.append(Section(name: "bouts", title: "Bouts", html: bouts))
        }
        sections.append(Section(name: "coverage", title: "Coverage", html: coverage))
        return sections
    }

    private static func html(_ section: Section) -> String {
        """
        <section aria-labelledby="\(section.name)">
        <h2 id="\(section.name)">\(section.title)</h2>
        \(section.html)</section>

        """
    }

    // MARK: Around the sections

    /// What all pictures of the page fill time without samples with.
    private var stripes: String {
        var canvas = SVGCanvas()
        canvas.defineStripes(DayPicture.gapStripes, color: Palette.hatch, on: Palette.gap)
        return """
            <svg class="defs" width="0" height="0" aria-hidden="true">
            \(canvas.elements)</svg>

            """
    }

    private func header(_ sections: [Section]) -> String {
        let contents = sections.map { "<li><a href=\"#\($0.name)\">\($0.title)</a></li>\n" }.joined()
        let heading = report.subject.source.map { "Steps and activities of \($0)" } ?? "Steps and activities"
        return """
            <header>
            <p class="brand">Footfall report</p>
            <h1>\(heading.markup)</h1>
            <p>\(report.period.markup)</p>
            <nav aria-label="Contents"><ul>
            \(contents)<li><a href="#asked">What was asked</a></li>
            </ul></nav>
            </header>

            """
    }

    private var emptiness: String {
        let subject = report.subject
        let kept = subject.kept.map { kept in
            "There is data from \(LocalTime(kept.lowerBound, in: subject.timeZone).full) to "
                + "\(LocalTime(kept.upperBound, in: subject.timeZone).full) (\(subject.timeZone.name))."
        }
        return """
            <section aria-labelledby="none">
            <h2 id="none">No data</h2>
            <p>\((kept.map { "Nothing is known of this time. \($0)" } ?? "The history is empty.").markup)</p>
            </section>

            """
    }

    /// What was asked, and what the words mean.
    private var footer: String {
        let subject = report.subject
        let (start, end) = (subject.range.lowerBound, subject.range.upperBound)
        var facts = [
            ("History", subject.history), ("Source", subject.source ?? "none"),
            ("From", LocalTime(start, in: subject.timeZone).full),
            ("Until, not included", LocalTime(end, in: subject.timeZone).full), ("Time zone", zones),
            ("Made by", "Footfall \(subject.version)"),
        ]
        if subject.isTruncated { facts.append(("Note", "The range reaches back beyond what the history keeps.")) }
        let list = facts.map { "<dt>\($0)</dt><dd>\($1.markup)</dd>" }.joined(separator: "\n")
        return """
            <footer>
            <h2 id="asked">What was asked</h2>
            <dl class="facts">
            \(list)
            </dl>
            <p>No data is not zero: time without samples is striped and says “no data”, and every number holds for the
            covered time alone. A step counts in the hour in which the foot struck the ground, so hours and days add up
            exactly. Tables that are open are printed.</p>
            </footer>

            """
    }

    /// The zones that the days are told in; a wearer who travels has several.
    private var zones: String {
        let zones = report.days.flatMap { [$0.total.timeZone] + $0.bars.map(\.timeZone) }
        let names = (zones.isEmpty ? [report.subject.timeZone] : zones).map(\.name)
        return names.reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }.joined(separator: ", ")
    }
}

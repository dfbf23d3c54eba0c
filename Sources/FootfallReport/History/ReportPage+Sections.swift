internal import Footfall
internal import FootfallHistory
internal import FootfallMeasures
internal import FootfallTables
internal import Foundation

extension ReportPage {
    var glance: String { headline + numbers }

    /// The steps as one large number, a ring for the goal, and what the number means.
    var headline: String {
        let number = """
            <strong class="value">\(NumberText.count(report.total.steps))</strong> \
            <small>\(report.total.steps == 1 ? "step" : "steps")</small>
            """
        let ring = report.days.count == 1 ? report.goal.map(goalRing) : nil
        let list = facts.map { "<li><b>\($0.value.markup)</b> \($0.text.markup)</li>" }.joined(separator: "\n")
        return """
            <div class="total">
            <div\(ring == nil ? "" : " class=\"ring\"")>\(ring ?? "")\(number)</div>
            \(list.isEmpty ? "" : "<ul>\n\(list)\n</ul>")
            </div>

            """
    }

    /// A ring that is closed when a goal is reached. Its number stands beside it in words.
    private func goalRing(_ goal: Int) -> String {
        let share = min(100, 100 * Double(report.total.steps) / Double(goal))
        let line = "cx=\"60\" cy=\"60\" r=\"54\" fill=\"none\" stroke-width=\"9\""
        let arc = """
            <circle \(line) stroke="\(Palette.steps)" stroke-linecap="round" pathLength="100" \
            stroke-dasharray="\(SVGCanvas.number(share)) 100" transform="rotate(-90 60 60)"/>
            """
        return """
            <svg viewBox="0 0 120 120" aria-hidden="true"><circle \(line) stroke="\(Palette.grid)"/>\
            \(report.total.steps > 0 ? arc : "")</svg>
            """
    }

    /// A number that the steps are compared with, and the words after it.
    typealias Fact = (value: String, text: String)

    private var facts: [Fact] {
        guard report.days.count > 1, let most = report.days.max(by: { $0.total.steps < $1.total.steps }) else {
            guard let goal = report.goal else { return comparisons }
            let share = NumberText.percentage(Double(report.total.steps), of: Double(goal), space: "\u{A0}")
            return [(share, "of the goal of \(NumberText.count(goal))")] + comparisons
        }
        let days = report.days.count
        var facts = [
            (NumberText.count(report.stepsPerDay), "a day on \(days) days with data"),
            (NumberText.count(most.total.steps), "on \(most.total.start.dayAndMonth), the most"),
        ]
        if let goal = report.goal {
            facts.append(("\(daysReaching(goal)) of \(days) days", "reach the goal of \(NumberText.count(goal))"))
        }
        return facts
    }

    private func daysReaching(_ goal: Int) -> Int { report.days.count { $0.total.steps >= goal } }

    var numbers: String {
        let total = report.total
        let hasDays = report.days.count > 1
        let (coverage, length) = (total.coverage, total.range.seconds)
        let covered = "\(NumberText.unbrokenDuration(coverage)) of \(NumberText.unbrokenDuration(length))"
        var cards = [("On foot", NumberText.duration(total.onFoot), onFoot)]
        if let bout = report.bouts.max(by: { $0.duration < $1.duration }) {
            let start = report.clock.local(bout.range.lowerBound)
            let moment = hasDays ? "\(start.shortDate), \(start.minute)" : start.minute
            let more = "\(NumberText.steps(bout.steps)) from \(moment)"
            cards.append(("Longest bout", NumberText.duration(bout.duration), more))
        }
        if let cadence = total.walking.cadence {
            cards.append(("Cadence", "\(Int(clamping: cadence.rounded()))", "steps per minute while walking"))
        }
        // Of less time on foot it is the mean of many minutes without a step.
        let walked = report.days.filter { $0.total.onFoot >= 60 * Double(ReportDay.peakMinutes) }
        if let best = walked.compactMap(\.peakCadence).max() {
            let more = "steps per minute in the best \(ReportDay.peakMinutes) minutes\(hasDays ? " of a day" : "")"
            cards.append(("Peak cadence", "\(Int(clamping: best.rounded()))", more))
        }
        cards.append(("Covered", total.covered, covered))
        let list = cards.map { name, value, more in
            """
            <div><dt>\(name)</dt><dd class="value">\(value.markup)</dd><dd class="more">\(more.markup)</dd></div>
            """
        }
        return "<dl class=\"numbers\">\n\(list.joined(separator: "\n"))\n</dl>\n"
    }

    /// The sentence about the line in a picture of days; empty without a goal.
    private var goalLine: String {
        report.goal.map { goal in
            " The line is the goal of \(NumberText.count(goal)), reached on \(daysReaching(goal)) of "
                + "\(NumberText.count(report.days.count, "day")) with data."
        } ?? ""
    }

    private var onFoot: String {
        [Activity.walking, .running].compactMap { activity in
            report.total.durations[activity].map { "\(activity.rawValue) \(NumberText.unbrokenDuration($0))" }
        }.joined(separator: ", ")
    }

    // MARK: Days

    private var columns: [String] {
        ["steps", "covered"] + report.activities.map(\.rawValue) + (report.total.nonWear > 0 ? ["not worn"] : [])
    }

    private func whole(_ cadence: Double?) -> String { cadence.map { String(Int(clamping: $0.rounded())) } ?? "" }

    private func cells(_ bucket: ReportBucket) -> [String] {
        let activities = report.activities.map { activity in
            (bucket.durations[activity] ?? 0) - (activity == .unknown ? bucket.nonWear : 0)
        }
        return [bucket.stepsCell, bucket.covered]
            + (activities + (report.total.nonWear > 0 ? [bucket.nonWear] : []))
            .map { $0 > 0 ? NumberText.duration($0) : "" }
    }

    /// Calls `known` for each day with data, and `absent` with the dates of each run of days without data, in order.
    private func eachDay(known: (Int, ReportDay) -> Void, absent: (String) -> Void) {
        var end = report.total.range.lowerBound
        func pass(to next: Timestamp) {
            guard end < next else { return }
            absent(report.dates(of: end..<next))
        }
        for (index, day) in report.days.enumerated() {
            pass(to: day.total.range.lowerBound)
            known(index, day)
            end = day.total.range.upperBound
        }
        pass(to: report.total.range.upperBound)
    }

    func name(of day: ReportDay) -> String { "day-\(day.total.start.date)" }

    /// The activities of each day, a row for each. The address of a day is markup; nil for a row without a link.
    func strip(link: @escaping (DayPlace) -> String?) -> String {
        Self.legend(report.legend) + "\n" + figure(.strip(places, of: report, link: link), "picture-strip", "")
    }

    /// The mean of the days with data.
    private var average: String {
        let (days, mean) = (report.days.count, NumberText.steps(report.stepsPerDay))
        return days == 1 ? "\(mean) on the only day with data." : "\(mean) a day, on \(days) days with data."
    }

    /// The steps of each day, and their table, which may be open. The address of a day is markup; nil for a bar without
    /// a link.
    func perDay(isOpen: Bool = true, link: (DayPlace) -> String?) -> String {
        var table = HTMLTable("Steps and activities of each day", ["day"] + columns + ["cadence"])
        eachDay { _, day in
            table.add([day.total.start.fullDay] + cells(day.total) + [whole(day.total.walking.cadence)])
        } absent: {
            table.add([$0, "no data"] + Array(repeating: "", count: columns.count))
        }
        table.add(foot: ["all"] + cells(report.total) + [whole(report.total.walking.cadence)])
        return "<p>\(average)\(goalLine)</p>\n"
            + figure(.stepsPerDay(places, of: report, link: link), "picture-days", table.folded(isOpen: isOpen))
    }

    /// The steps a day of each week or month, where the days are too many.
    var perPeriod: String {
        let periods = ReportPeriod.all(of: report)
        let unit = periods.first?.unit.rawValue ?? ""
        var table = HTMLTable(
            "Steps and activities of each \(unit)", [unit, "days", "steps a day"] + columns + ["cadence"])
        for period in periods {
            table.add(
                [period.name, NumberText.count(period.days), NumberText.count(period.stepsPerDay)]
                    + cells(period.total) + [whole(period.total.walking.cadence)])
        }
        table.add(
            foot: ["all"] + [report.days.count, report.stepsPerDay].map(NumberText.count) + cells(report.total)
                + [whole(report.total.walking.cadence)])
        return "<p>\(average) The bars are the means of the days with data.\(goalLine)</p>\n"
            + figure(.stepsPerPeriod(periods, goal: report.goal), "picture-periods", table.folded(isOpen: true))
    }

    /// The number of days up to which a keyboard reaches each hour. Tables have those of longer reports.
    private static let mostDaysWithValues = 14

    /// The only day, without a heading.
    var hour: String {
        guard let day = report.days.first else { return "" }
        return dayFigure(day, 0, hasValues: true) + Self.legend(report.legend)
    }

    private func dayFigure(_ day: ReportDay, _ index: Int, hasValues: Bool) -> String {
        let picture = ReportPicture(
            title: day.heading, description: DayPicture(day, scale, .wide).description,
            height: DayPicture.height(scale)
        ) { layout, canvas in
            let picture = DayPicture(day, scale, layout)
            picture.draw(on: &canvas, top: 0)
            if hasValues { picture.drawValues(on: &canvas, top: 0) }
        }
        return figure(picture, "picture-day-\(index + 1)", table(of: day).folded())
    }

    var hours: String {
        let hasValues = report.days.count <= Self.mostDaysWithValues
        var days = ""
        eachDay { index, day in
            days += "<h3 id=\"\(name(of: day))\">\(day.total.start.fullDay) <span>\(day.summary.markup)</span></h3>\n"
            days += dayFigure(day, index, hasValues: hasValues)
        } absent: {
            days += "<h3>\($0) <span>no data</span></h3>\n"
        }
        let minutes = scale.isOnly ? "two" : "five"
        let columns =
            scale.isClose ? "" : ": in each column of \(minutes) minutes, the height of a color is the activity's share"
        return """
            <p>Bars show steps per \(scale.barName). The strip below shows activities\(columns).</p>
            \(Self.legend(report.legend))
            \(days)
            """
    }

    private static func legend(_ entries: [(name: String, fill: String)]) -> String {
        let items = entries.map { name, fill in
            """
            <li><svg viewBox="0 0 20 14" aria-hidden="true">\
            <rect \(fill == Palette.gapFill ? "y=\"5\" width=\"20\" height=\"4\"" : "width=\"20\" height=\"14\"") \
            fill="\(fill)"/></svg>\(name)</li>
            """
        }
        return "<ul class=\"legend\">\(items.joined())</ul>"
    }

    private func table(of day: ReportDay) -> HTMLTable {
        var table = HTMLTable("\(day.total.start.fullDay), \(scale.barName) by \(scale.barName)", ["from"] + columns)
        // If the zone's offset changes, by daylight saving or by travel, an hour may occur twice.
        let isChanged = Set(day.bars.map(\.start.offset)).count > 1
        for bar in day.bars {
            let zone = isChanged ? " \(bar.start.zone)" : ""
            table.add([bar.start.minute + zone] + cells(bar))
        }
        table.add(foot: ["all"] + cells(day.total))
        return table
    }

    // MARK: Steps

    var cadence: String {
        let cadences = report.cadences
        var table = HTMLTable("Steps by cadence", ["steps/min", "steps", "walking", "running"])
        for bin in cadences.bins where bin.steps > 0 {
            table.add([bin.name] + [bin.steps, bin.walking, bin.running].map(NumberText.count))
        }
        let walking = cadences.bins.reduce(0) { $0 + $1.walking }
        let running = cadences.bins.reduce(0) { $0 + $1.running }
        table.add(foot: ["all"] + [report.total.steps - cadences.isolated, walking, running].map(NumberText.count))
        let median = cadences.median.map { "Half of the steps are at \($0) steps per minute or more. " } ?? ""
        let isolated =
            switch cadences.isolated {
            case 0: ""
            case 1: "One step has no cadence, because no other step is close."
            default: "\(NumberText.steps(cadences.isolated)) have no cadence, because no other step is close."
            }
        guard cadences.median != nil else { return "<p>\(isolated)</p>\n" }
        return """
            <p>The number of steps at each cadence, in steps per minute, for walking and running.
            \(median)\(isolated)</p>
            \(figure(.cadences(cadences), "picture-cadence", table.folded()))
            \(report.hasDetails ? cadenceBands : "")
            """
    }

    /// The minutes of each day by cadence band.
    private var cadenceBands: String {
        let bands = CadenceBand.moving
        var table = HTMLTable(
            "Peak cadence in steps per minute, and minutes by cadence band",
            ["day", "peak 1 min", "peak 30 min", "peak 60 min"] + bands.map(\.cadenceText))
        for day in report.days {
            let peaks = [1, ReportDay.peakMinutes, 60].map { whole(day.cadence?.peakCadence(minutes: $0)) }
            table.add([day.total.start.fullDay] + peaks + bands.map { String(day.minutes(in: $0)) })
        }
        return """
            <p>The minutes of each day by their number of steps: the cadence bands of studies. 100 steps and more are brisk.
            The peak cadence is the mean of the minutes with the most steps; they need not be adjacent.</p>
            \(Self.legend(bands.map { ($0.cadenceText, $0.color) }))
            \(figure(.cadenceBands(report.days), "picture-cadence-bands", table.folded()))
            """
    }

    private static let longestBouts = 10

    var bouts: String {
        let classes = BoutClass.classes(report.bouts)
        var table = HTMLTable("Bouts by their length", ["length", "bouts", "steps", "time"])
        for group in classes {
            table.add([
                group.name, NumberText.count(group.bouts), NumberText.count(group.steps),
                NumberText.duration(group.time),
            ])
        }
        let time = report.bouts.reduce(0) { $0 + $1.duration }
        let counts = [report.bouts.count, report.total.steps].map(NumberText.count)
        table.add(foot: ["all"] + counts + [NumberText.duration(time)])
        // The earlier of two equally long bouts comes first, so that the order is defined.
        let longest = report.bouts.enumerated().sorted {
            ($1.element.duration, $0.offset) < ($0.element.duration, $1.offset)
        }.prefix(Self.longestBouts)
        var list = HTMLTable("The longest bouts", ["from", "duration", "steps", "steps/min"])
        for (_, bout) in longest {
            list.add([
                report.clock.local(bout.range.lowerBound).full,
                NumberText.duration(bout.duration), NumberText.count(bout.steps), whole(bout.cadence),
            ])
        }
        return """
            <p>A bout is a run of steps without a break of more than ten seconds. The bars show the steps in bouts of each
            length.</p>
            \(figure(.bouts(classes), "picture-bouts", table.folded() + list.folded()))
            """
    }

    // MARK: Coverage

    private static let longestGaps = 50

    var coverage: String {
        guard let known = report.known else { return "" }
        let all = report.gaps(in: report.total.range)
        let listed = Set(
            all.sorted { ($1.seconds, $0.lowerBound) < ($0.seconds, $1.lowerBound) }.prefix(Self.longestGaps))
        var table = HTMLTable("Time without data", ["from", "until", "duration"])
        for gap in all where listed.contains(gap) {
            table.add([
                report.clock.local(gap.lowerBound).full,
                report.clock.local(gap.upperBound).full, NumberText.duration(gap.seconds),
            ])
        }
        let rest = all.filter { !listed.contains($0) }
        if !rest.isEmpty {
            table.add(["\(rest.count) shorter ones", "", NumberText.duration(rest.reduce(0) { $0 + $1.seconds })])
        }
        table.add(foot: ["all", "", NumberText.duration(all.reduce(0) { $0 + $1.seconds })])
        let total = report.total
        let summary =
            "\(NumberText.duration(total.coverage)) of \(NumberText.duration(total.range.seconds)) are covered by samples, "
            + total.covered
        let picture = ReportPicture.coverage(
            known, gaps: report.gaps(in: known), in: report.clock.zone(at: known.lowerBound), summary + ".")
        let parts = all.isEmpty ? "" : all.count == 1 ? ", with one gap" : ", with \(NumberText.count(all.count)) gaps"
        return """
            <p>\(summary.markup)\(parts).</p>
            \(figure(picture, "picture-coverage", all.isEmpty ? "" : table.folded()))
            """
    }

    private func figure(_ picture: ReportPicture, _ name: String, _ tables: String) -> String {
        "<figure>\n\(picture.html(name: name))\(tables)</figure>\n"
    }
}

extension ReportPage {
    /// A table of the marks with their steps; empty without marks.
    var marks: String {
        guard !report.marks.isEmpty else { return "" }
        var table = HTMLTable("Marks", ["mark", "from", "until", "steps", "covered"])
        for mark in report.marks {
            let ends = [mark.range.lowerBound, mark.range.upperBound].map { report.clock.local($0).full }
            let covered = NumberText.percentage(mark.steps.coverage, of: mark.range.seconds, space: "\u{A0}")
            let steps = mark.steps.coverage > 0 ? NumberText.count(mark.stepCount) : "no data"
            table.add([mark.mark.text] + ends + [steps, covered])
        }
        return table.folded(isOpen: true)
    }
}

internal import Footfall
internal import FootfallHistory
internal import FootfallMeasures
internal import FootfallTables
internal import Foundation

/// A picture of a report: its title, its description, and a function that draws it in a layout.
struct ReportPicture {
    let title: String
    let description: String
    let height: Double
    let draw: (PictureLayout, inout SVGCanvas) -> Void

    /// The picture as a part of a page, in both layouts.
    func html(name: String) -> String {
        [PictureLayout.wide, .narrow].map { layout in
            var canvas = SVGCanvas()
            draw(layout, &canvas)
            return canvas.inline(
                width: layout.width, height: height, name: name, kind: layout.name, title: title,
                description: description)
        }.joined()
    }
}

// MARK: Charts

extension ReportPicture {
    /// The panel of a chart, with room for labels above and below.
    private static let chartTop = 34.0
    private static let chartBottom = 170.0
    private static let labelBase = 17.0
    private static let chartHeight = 194.0
    /// The least visible width, as a share of the picture.
    private static let leastShare = 0.0005

    /// A label below a chart, at a share of its width.
    struct Label {
        var place: Double
        var text: String
        var isCurrent = false
    }

    /// A chart with the parts without data as shares of the width, a line at the goal, if any, and `slots` bars that
    /// need room for a label above them. `labels` are those below the chart in a layout.
    private init(
        _ title: String, _ description: String, _ bars: [BarChart.Bar], unknown: [ClosedRange<Double>] = [],
        slots: Int = .max, goal: Int? = nil, labels: @escaping (PictureLayout) -> [Label]
    ) {
        self.init(title: title, description: description, height: Self.chartHeight) { layout, canvas in
            let panel = layout.panel(top: Self.chartTop, bottom: Self.chartBottom)
            // The line lies below the axis.
            let foot = layout.panel(top: Self.chartBottom + 1, bottom: Self.chartBottom + 1 + Panel.gapHeight)
            for part in unknown where part.upperBound - part.lowerBound >= Self.leastShare {
                foot.drawGap(from: foot.x(part.lowerBound), to: foot.x(part.upperBound), on: &canvas)
            }
            let axis = BarChart.axis(max(Double(goal ?? 0), bars.map(\.value).max() ?? 0))
            BarChart(bars: bars, axis: axis, goal: goal).draw(
                on: &canvas, in: panel, labels: slots <= layout.mostDays, values: layout)
            for label in labels(layout) {
                canvas.text(
                    label.text, x: panel.x(label.place), y: panel.bottom + Self.labelBase, size: 11,
                    color: label.isCurrent ? Palette.ink : Palette.label, anchor: .middle, isBold: label.isCurrent)
            }
        }
    }

    /// The steps of at least one day that has a place, with a line at the goal, if any. The address of a day is markup;
    /// nil for bars without a link.
    static func stepsPerDay(
        _ places: [DayPlace], of report: HistoryReport, link: (DayPlace) -> String?
    ) -> ReportPicture {
        let start = places.first?.range.lowerBound ?? .epoch
        let span = start..<max(start, places.last?.range.upperBound ?? start)
        let gaps = report.gaps(in: span.clamped(to: report.total.range))
        let days = places.compactMap(\.data)
        let bars = places.compactMap { place in
            place.data.map { day in
                BarChart.Bar(
                    place: span.share(of: place.range), parts: [(Double(day.total.steps), Palette.steps)],
                    label: NumberText.count(day.total.steps), hint: [place.heading], link: link(place),
                    isCurrent: place.isCurrent)
            }
        }
        let count = Int(clamping: (span.seconds / 86400).rounded())
        return ReportPicture(
            "Steps per day",
            extremes(of: days, by: \.total.steps, separator: ", ") { steps, day in
                "\(NumberText.steps(steps)) on \(day.total.start.fullDay)"
            }, bars, unknown: gaps.map(span.share), slots: count, goal: report.goal
        ) { layout in
            let every = count <= layout.mostDays ? 1 : (places.count + layout.mostDates - 1) / layout.mostDates
            return places.enumerated().filter { $0.offset % every == 0 }.map { _, place in
                let share = span.share(of: place.range)
                let name = every == 1 ? place.start.shortDay : place.start.shortDate
                return Label(place: (share.lowerBound + share.upperBound) / 2, text: name, isCurrent: place.isCurrent)
            }
        }
    }

    /// The steps a day in each week or month.
    static func stepsPerPeriod(_ periods: [ReportPeriod], goal: Int?) -> ReportPicture {
        let start = periods.first?.total.range.lowerBound ?? .epoch
        let span = start..<max(start, periods.last?.total.range.upperBound ?? start)
        let bars = periods.map { period in
            BarChart.Bar(
                place: span.share(of: period.total.range), parts: [(Double(period.stepsPerDay), Palette.steps)],
                hint: ["\(period.name): \(NumberText.steps(period.stepsPerDay)) a day", period.dayCount])
        }
        return ReportPicture(
            "Steps a day in each \(periods.first?.unit.rawValue ?? "week")",
            extremes(of: periods, by: \.stepsPerDay, separator: "; ") { steps, period in
                "\(NumberText.steps(steps)) a day, \(period.name)"
            }, bars, goal: goal
        ) { layout in
            TimeTicks(span, periods.first?.total.timeZone ?? .gmt, atMost: layout.mostLongDates).ticks.map {
                Label(place: span.share(of: $0.time), text: $0.label)
            }
        }
    }

    /// `Fewest: …, most: ….` of at least one day or period.
    private static func extremes<Part>(
        of parts: [Part], by steps: (Part) -> Int, separator: String, _ text: (Int, Part) -> String
    ) -> String {
        let (least, most) = (parts.min { steps($0) < steps($1) }, parts.max { steps($0) < steps($1) })
        let named = [("Fewest", least), ("most", most)]
        return named.compactMap { word, part in part.map { "\(word): \(text(steps($0), $0))" } }
            .joined(separator: separator) + "."
    }

    static func cadences(_ cadences: CadenceDistribution) -> ReportPicture {
        let range = cadences.range
        func share(_ cadence: Int) -> Double { Double(cadence - range.lowerBound) / Double(range.count) }
        let bars = cadences.shown.map { bin in
            BarChart.Bar(
                place: share(bin.cadence)...share(bin.cadence + CadenceDistribution.binWidth),
                parts: [
                    (Double(bin.walking), Palette.color(of: .walking)),
                    (Double(bin.running), Palette.color(of: .running)), (Double(bin.other), Palette.steps),
                ],
                hint: ["\(bin.name) steps/min: \(NumberText.steps(bin.steps))"])
        }
        let median = cadences.median.map { "Half of the steps are at \($0) steps per minute or more." } ?? ""
        return ReportPicture("Steps by cadence, in steps per minute", median, bars) { layout in
            let distance = CadenceDistribution.labelWidth * (range.count > 20 * layout.mostDates * 2 ? 2 : 1)
            return stride(from: range.lowerBound, through: range.upperBound, by: distance).map {
                Label(place: share($0), text: String($0))
            }
        }
    }

    /// A strip for each day: the minutes of each cadence band, from slow to fast.
    static func cadenceBands(_ days: [ReportDay]) -> ReportPicture {
        let totals = days.map { day in CadenceBand.moving.reduce(0) { $0 + day.minutes(in: $1) } }
        let axis = BarChart.axis(Double(totals.max() ?? 0))
        let rows = Double(days.count) * stripDistance
        let brisk = days.compactMap { $0.cadence?.minutes(atLeast: CadenceMeasures.moderateCadence) }.max() ?? 0
        return ReportPicture(
            title: "Minutes by cadence band",
            description: "A day has at most \(NumberText.count(brisk, "minute")) with 100 steps or more.",
            height: stripTop + rows + labelBase + 7
        ) { layout, canvas in
            let panel = layout.panel(top: stripTop, bottom: stripTop + rows)
            func x(_ minutes: Int) -> Double { panel.x(Double(minutes) / axis.range.upperBound) }
            let lines = axis.values.map {
                "M\(SVGCanvas.point(x(Int(clamping: $0)), panel.top))V\(SVGCanvas.number(panel.bottom))"
            }
            canvas.path(lines.joined(), stroke: Palette.grid)
            for value in axis.values {
                canvas.text(
                    "\(Int(clamping: value)) min", x: x(Int(clamping: value)), y: panel.bottom + labelBase, size: 12,
                    anchor: .middle)
            }
            for (index, day) in days.enumerated() {
                let top = panel.top + Double(index) * stripDistance
                canvas.text(
                    day.total.start.shortDay, x: panel.left - 7, y: top + stripHeight - 5, size: 12, anchor: .end)
                var start = 0
                for band in CadenceBand.moving {
                    let minutes = day.minutes(in: band)
                    guard minutes > 0 else { continue }
                    canvas.rectangle(
                        x: x(start), y: top, width: x(start + minutes) - x(start), height: stripHeight,
                        fill: band.color, stroke: Palette.ground)
                    start += minutes
                }
            }
            for (index, day) in days.enumerated() {
                let top = panel.top + Double(index) * stripDistance
                let bands = CadenceBand.moving.compactMap { band in
                    let minutes = day.minutes(in: band)
                    return minutes > 0 ? "\(band.cadenceText): \(minutes) min" : nil
                }
                canvas.mark(
                    [day.total.start.dayAndMonth, bands.joined(separator: ", ")], x: layout.left...panel.right,
                    y: top...(top + stripHeight), in: layout)
            }
        }
    }

    private static let stripTop = 6.0
    private static let stripHeight = 18.0
    private static let stripDistance = 24.0

    static func bouts(_ classes: [BoutClass]) -> ReportPicture {
        let width = 1 / Double(max(1, classes.count))
        let bars = classes.enumerated().map { index, group in
            let bouts = group.bouts == 1 ? "1 bout" : "\(NumberText.count(group.bouts)) bouts"
            return BarChart.Bar(
                place: Double(index) * width...Double(index + 1) * width,
                parts: [(Double(group.steps), Palette.steps)], label: NumberText.count(group.steps),
                hint: ["\(group.name): \(bouts), \(NumberText.steps(group.steps))"])
        }
        let most = classes.max { $0.steps < $1.steps }.map { "Most steps in bouts of \($0.name)." } ?? ""
        return ReportPicture("Steps by the length of their bouts", most, bars, slots: classes.count) { layout in
            let every = classes.count > layout.mostDays ? 2 : 1
            return classes.enumerated().filter { $0.offset > 0 && ($0.offset - 1) % every == 0 }.map {
                Label(place: Double($0.offset) * width, text: BoutClass.short($0.element.seconds.lowerBound))
            }
        }
    }

    static func coverage(
        _ span: Range<Timestamp>, gaps: [Range<Timestamp>], in zone: TimeZone, _ description: String
    ) -> ReportPicture {
        ReportPicture(title: "Covered time", description: description, height: 54) { layout, canvas in
            let panel = layout.panel(top: 4, bottom: 30)
            func x(_ moment: Timestamp) -> Double { panel.x(span.share(of: moment)) }
            canvas.rectangle(
                x: panel.left, y: panel.top, width: panel.right - panel.left, height: panel.bottom - panel.top,
                fill: Palette.covered,
                hint: "covered")
            for gap in gaps where span.share(of: gap.upperBound) - span.share(of: gap.lowerBound) >= leastShare {
                canvas.rectangle(
                    x: x(gap.lowerBound), y: panel.top, width: x(gap.upperBound) - x(gap.lowerBound),
                    height: panel.bottom - panel.top, fill: Palette.ground)
                panel.drawGap(from: x(gap.lowerBound), to: x(gap.upperBound), on: &canvas)
            }
            for tick in TimeTicks(span, zone, atMost: layout.mostLongDates).ticks {
                canvas.path("M\(SVGCanvas.point(x(tick.time), panel.bottom))v4", stroke: Palette.frame)
                canvas.text(tick.label, x: x(tick.time), y: panel.bottom + labelBase + 2, size: 12, anchor: .middle)
            }
        }
    }
}

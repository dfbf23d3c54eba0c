internal import Footfall
internal import FootfallHistory
internal import FootfallTables

extension ReportPicture {
    private static let rowsTop = 22.0
    private static let axisHeight = 24.0
    /// The space between rows, as a share of their distance.
    private static let rowSpace = 0.25

    /// The distance of rows in pixels: those of more than a month are thin.
    private static func rowDistance(_ count: Int) -> Double { count <= 31 ? 24 : 8 }

    /// The days below each other: a row for each, over 24 hours, colored by the activities of the report. A row starts
    /// at midnight. Its length is that of the day, which has 23 or 25 hours when the clock changes. The address of a
    /// day is markup.
    static func strip(_ places: [DayPlace], of report: HistoryReport, link: @escaping (DayPlace) -> String?)
        -> ReportPicture
    {
        let longest = max(86400, places.map(\.range.seconds).max() ?? 0)
        let distance = rowDistance(places.count)
        let rows = Double(places.count) * distance
        return ReportPicture(
            title: "Activities of each day, from midnight to midnight",
            description: places.map(\.heading).joined(separator: ". ") + ".",
            height: rowsTop + rows + axisHeight
        ) { layout, canvas in
            let panel = layout.panel(top: rowsTop, bottom: rowsTop + rows)
            drawHours(to: longest, in: panel, layout, on: &canvas)
            for (index, place) in places.enumerated() {
                var row = panel
                row.top += Double(index) * distance
                row.bottom = row.top + distance * (1 - rowSpace)
                row.right = panel.x(place.range.seconds / longest)
                place.draw(in: row, of: report, on: &canvas)
                if index % (distance < 12 ? 7 : 1) == 0 {
                    canvas.text(
                        place.start.shortDay, x: row.left - 7, y: (row.top + row.bottom) / 2 + 4, size: 12, anchor: .end
                    )
                }
            }
            // The values lie above all rows.
            for (index, place) in places.enumerated() {
                let top = panel.top + Double(index) * distance
                canvas.mark(
                    [place.heading, place.activities], x: layout.left...panel.right, y: top...(top + distance),
                    in: layout, link: link(place))
            }
        }
    }

    private static func drawHours(
        to longest: Double, in panel: Panel, _ layout: PictureLayout, on canvas: inout SVGCanvas
    ) {
        for hour in stride(from: 0, through: 24, by: layout.hoursPerTick) {
            let x = panel.x(Double(hour) * 3600 / longest)
            canvas.path("M\(SVGCanvas.point(x, panel.top))V\(SVGCanvas.number(panel.bottom))", stroke: Palette.grid)
            canvas.text("\(NumberText.twoDigits(hour)):00", x: x, y: panel.bottom + 14, size: 12, anchor: .middle)
        }
    }
}

extension DayPlace {
    /// The number of columns of a row: five minutes each.
    private static let columnSeconds = 300.0

    /// Draws the activities of the day, and a thin line where the requested range has no data.
    fileprivate func draw(in row: Panel, of report: HistoryReport, on canvas: inout SVGCanvas) {
        for gap in (data?.segments ?? []).lazy.map(\.clippedRange).gaps(in: range.clamped(to: report.total.range)) {
            row.drawGap(
                from: row.x(range.share(of: gap.lowerBound)), to: row.x(range.share(of: gap.upperBound)), on: &canvas)
        }
        guard let data else { return }
        let columns = Int(clamping: (range.seconds / Self.columnSeconds).rounded())
        ActivityStrip(data.segments, over: range, columns: columns).draw(on: &canvas, in: row)
    }
}

/// The days of a report as one picture.
struct DaysFigure {
    private static let headHeight = 46.0
    private static let footHeight = 34.0
    /// The greatest number of letters in the title.
    private static let longestTitle = 60

    private static let layout = PictureLayout.wide

    let svg: String

    init(_ report: HistoryReport) {
        var canvas = SVGCanvas()
        canvas.defineStripes(Palette.gapStripes, color: Palette.hatch, on: Palette.gap)
        let style = "@media (prefers-color-scheme:dark){\n\(Palette.rules { $0.dark })\n}"
        guard report.hasDetails else {
            let picture = ReportPicture.stepsPerPeriod(ReportPeriod.all(of: report), goal: report.goal)
            picture.draw(.wide, &canvas)
            svg = canvas.document(
                width: Self.layout.width, height: picture.height, title: picture.title,
                description: picture.description, style: style)
            return
        }
        let scale = DayScale(report.days)
        let title =
            (report.source?.shortened(to: Self.longestTitle)).map { "\($0), \(report.period)" } ?? report.period
        canvas.text(title, x: Self.layout.left, y: 30, size: 17, color: Palette.ink, isBold: true)
        if report.days.isEmpty { canvas.text("no data", x: Self.layout.left, y: Self.headHeight + 14, size: 13) }
        var top = Self.headHeight
        var descriptions: [String] = []
        for day in report.days {
            let picture = DayPicture(day, scale, Self.layout)
            let heading = report.days.count == 1 ? day.summary : day.heading
            canvas.text(heading, x: Self.layout.left, y: top + 14, size: 13, color: Palette.ink)
            canvas.text("steps per \(scale.barName)", x: Self.layout.right, y: top + 14, size: 12, anchor: .end)
            picture.draw(on: &canvas, top: top + 20)
            top += DayPicture.height(scale) + 34
            descriptions.append("\(day.heading). \(picture.description)")
        }
        if report.days.isEmpty { top += 30 }
        Self.drawLegend(of: report, on: &canvas, base: top + 14)
        svg = canvas.document(
            width: Self.layout.width, height: top + Self.footHeight, title: title,
            description: descriptions.isEmpty ? "No data." : descriptions.joined(separator: " "),
            style: style)
    }

    private static func drawLegend(of report: HistoryReport, on canvas: inout SVGCanvas, base: Double) {
        var x = Self.layout.left
        for (name, fill) in report.legend {
            let height = fill == Palette.gapFill ? Panel.gapHeight : 12
            canvas.rectangle(x: x, y: base - 4 - height / 2, width: 18, height: height, fill: fill)
            canvas.text(name, x: x + 24, y: base, size: 12)
            x += 44 + 7 * Double(name.count)
        }
    }
}

/// A strip of activities from left to right: in each column, the height of an activity is its share of the column's
/// time. So the area of a color is proportional to its time, also for short segments.
struct ActivityStrip {
    /// From the bottom up: the rarest first, rest on top.
    private static let order: [Activity] = [.running, .walking, .cycling, .automotive, .unknown, .stationary]

    private let domain: Range<Timestamp>
    /// Seconds of each activity, from the bottom up, in each column.
    private var columns: [SIMD8<Double>]
    private let columnSeconds: Double

    init(_ segments: [RecordedSegment], over domain: Range<Timestamp>, columns count: Int) {
        self.domain = domain
        columns = Array(repeating: .zero, count: max(1, count))
        columnSeconds = domain.seconds / Double(max(1, count))
        guard columnSeconds > 0 else { return }
        for segment in segments {
            let part = segment.clippedRange.clamped(to: domain)
            guard let lane = Self.order.firstIndex(of: segment.activity), !part.isEmpty else { continue }
            let start = part.lowerBound.seconds(since: domain.lowerBound)
            let end = part.upperBound.seconds(since: domain.lowerBound)
            let first = min(columns.count - 1, Int(clamping: start / columnSeconds))
            let last = min(columns.count - 1, Int(clamping: end / columnSeconds))
            for column in first...max(first, last) {
                let left = max(start, Double(column) * columnSeconds)
                let right = min(end, Double(column + 1) * columnSeconds)
                columns[column][lane] += max(0, right - left)
            }
        }
    }

    func draw(on canvas: inout SVGCanvas, in panel: Panel) {
        guard columnSeconds > 0 else { return }
        let scale = (panel.bottom - panel.top) / columnSeconds
        func x(_ column: Int) -> Double { panel.x(Double(column) / Double(columns.count)) }
        for (lane, activity) in Self.order.enumerated() {
            var bars = BarPath()
            for (index, column) in columns.enumerated() {
                let foot = panel.bottom - (0..<lane).reduce(0) { $0 + column[$1] } * scale
                bars.add(from: x(index), to: x(index + 1), foot: foot, height: column[lane] * scale)
            }
            canvas.path(bars.data, fill: Palette.color(of: activity))
        }
    }
}

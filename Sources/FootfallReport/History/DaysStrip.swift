internal import Footfall
internal import FootfallAnswers
internal import FootfallHistory
internal import FootfallTables

extension ReportPicture {
    private static let rowsTop = 22.0
    private static let axisHeight = 24.0
    /// The space between rows, as a share of their distance.
    private static let rowSpace = 0.25

    /// The distance of rows in pixels: those of more than a month are thin.
    private static func rowDistance(_ count: Int) -> Double { count <= 31 ? 24 : 8 }

    /// The days below each other: a row for each, over 24 hours, colored by activity.
    ///
    /// A row starts at midnight. Its length is that of the day, which has 23 or 25 hours when the clock changes.
    ///
    /// - Parameters:
    ///   - report: The report with the activities.
    ///   - link: The address of a day, as markup.
    static func strip(_ places: [DayPlace], of report: HistoryReport, link: @escaping (DayPlace) -> String?)
        -> ReportPicture
    {
        let longest = max(86400, places.map(\.range.seconds).max() ?? 0)
        let distance = rowDistance(places.count)
        let rows = Double(places.count) * distance
        return ReportPicture(
            "Activities of each day, from midnight to midnight", places.map(\.heading).joined(separator: ". ") + ".",
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
            canvas.text(
                "\(NumberText.twoDigits(hour)):00", x: x, y: panel.bottom + 14, size: 12, anchor: .middle)
        }
    }
}

extension DayPlace {
    /// The number of columns of a row: five minutes each.
    private static let columnSeconds = 300.0

    /// Draws the activities of the day, and stripes where the requested range has no data.
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

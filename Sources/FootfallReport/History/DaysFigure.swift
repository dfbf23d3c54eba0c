internal import Footfall
internal import FootfallTables

/// The days of a report as one picture.
struct DaysFigure {
    private static let headHeight = 46.0
    private static let dayHeight = DayPicture.height + 34
    private static let footHeight = 34.0
    /// The greatest number of letters in the title.
    private static let longestTitle = 60

    private static let layout = PictureLayout.wide

    let svg: String

    init(_ report: HistoryReport) {
        var canvas = SVGCanvas()
        canvas.defineStripes(Palette.gapStripes, color: Palette.hatch, on: Palette.gap)
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
            canvas.text(
                "steps per \(scale.barName)", x: Self.layout.right, y: top + 14, size: 12, anchor: .end)
            picture.draw(on: &canvas, top: top + 20)
            top += Self.dayHeight
            descriptions.append("\(day.heading). \(picture.description)")
        }
        if report.days.isEmpty { top += 30 }
        Self.drawLegend(of: report, on: &canvas, base: top + 14)
        svg = canvas.document(
            width: Self.layout.width, height: top + Self.footHeight, title: title,
            description: descriptions.isEmpty ? "No data." : descriptions.joined(separator: " "),
            style: "@media (prefers-color-scheme:dark){\n\(Palette.rules { $0.dark })\n}")
    }

    private static func drawLegend(of report: HistoryReport, on canvas: inout SVGCanvas, base: Double) {
        var x = Self.layout.left
        for (name, fill) in report.legend {
            canvas.rectangle(x: x, y: base - 10, width: 18, height: 12, fill: fill, stroke: Palette.frame)
            canvas.text(name, x: x + 24, y: base, size: 12)
            x += 44 + 7 * Double(name.count)
        }
    }
}

internal import Footfall
internal import FootfallTables

/// The rectangle of a picture's marks, inside its axes.
struct Panel {
    var left: Double
    var right: Double
    var top: Double
    var bottom: Double

    /// The horizontal position of a share of the width.
    func x(_ share: Double) -> Double { left + share * (right - left) }

    /// The height of the line of time without samples.
    static let gapHeight = 4.0

    /// Draws time without samples: a thin striped line in the middle.
    func drawGap(from start: Double, to end: Double, on canvas: inout SVGCanvas) {
        canvas.rectangle(
            x: start, y: (top + bottom - Self.gapHeight) / 2, width: end - start, height: Self.gapHeight,
            fill: Palette.gapFill, hint: "no data")
    }
}

extension Range<Timestamp> {
    /// The position of a moment as a share of the range, 0…1; 0 in an empty range.
    func share(of moment: Timestamp) -> Double {
        isEmpty ? 0 : Swift.min(1, Swift.max(0, moment.seconds(since: lowerBound) / seconds))
    }
}

/// Bars of stacked parts over a common axis.
struct BarChart {
    /// A part of a bar. Parts are stacked from the bottom up.
    typealias Part = (value: Double, color: String)

    struct Bar {
        /// The left and the right end, as shares of the width.
        var place: ClosedRange<Double>
        var parts: [Part]
        var label: String?
        /// The value in words, in one line or two.
        var hint: [String] = []
        /// The address that the bar leads to, as markup.
        var link: String?
        /// Whether the bar is that of the date which the page shows.
        var isCurrent = false

        var value: Double { parts.reduce(0) { $0 + $1.value } }
    }

    let bars: [Bar]
    let axis: NumberTicks
    private let goal: Int?

    /// Creates a chart. The default axis reaches from 0 to the longest bar.
    ///
    /// - Parameter goal: A value with a line across the bars; nil for none.
    init(_ bars: [Bar], _ axis: NumberTicks? = nil, goal: Int? = nil) {
        self.bars = bars
        self.goal = goal
        self.axis = axis ?? Self.axis(bars.map(\.value).max() ?? 0)
    }

    /// An axis of whole numbers from 0 to a count.
    static func axis(_ most: Double) -> NumberTicks { NumberTicks(0, max(3, most), about: 3) }

    /// The space between bars in pixels, and its greatest share of a bar; that of bars with labels.
    private static let space = 2.0
    private static let spareShare = 0.25
    private static let wideShare = 0.3
    /// From the top of a bar to that of its label, in pixels.
    private static let labelHeight = 17.0

    /// - Parameter layout: The layout in which readers see the values of bars; nil for bars without them.
    func draw(on canvas: inout SVGCanvas, in panel: Panel, labels: Bool = false, values layout: PictureLayout? = nil) {
        let scale = (panel.bottom - panel.top) / axis.range.upperBound
        func y(_ value: Double) -> Double { panel.bottom - value * scale }
        let lines = axis.values.dropFirst().map {
            "M\(SVGCanvas.point(panel.left, y($0)))H\(SVGCanvas.number(panel.right))"
        }
        canvas.path(lines.joined(), stroke: Palette.grid)
        for value in axis.values {
            canvas.text(
                NumberText.count(Int(clamping: value)), x: panel.left - 7, y: y(value) + 4, size: 12, anchor: .end)
        }
        for bar in bars where bar.value > 0 {
            let (start, end) = (panel.x(bar.place.lowerBound), panel.x(bar.place.upperBound))
            let width = end - start
            let spare = (labels ? width * Self.wideShare : min(Self.space, width * Self.spareShare)) / 2
            var foot = panel.bottom
            for part in bar.parts where part.value > 0 {
                let height = part.value * scale
                foot -= height
                canvas.rectangle(
                    x: start + spare, y: foot, width: end - start - 2 * spare, height: height, fill: part.color)
            }
        }
        canvas.path(
            "M\(SVGCanvas.point(panel.left, panel.bottom))H\(SVGCanvas.number(panel.right))", stroke: Palette.frame)
        if let goal { drawGoal(at: y(Double(goal)), on: &canvas, in: panel) }
        for bar in bars where labels && bar.value > 0 {
            let middle = panel.x((bar.place.lowerBound + bar.place.upperBound) / 2)
            // A label that the line of the goal would cross stands above it.
            let top = y(bar.value)
            let line = goal.map { y(Double($0)) }.flatMap { (top - Self.labelHeight...top).contains($0) ? $0 : nil }
            canvas.text(
                bar.label ?? "", x: middle, y: (line ?? top) - 5, size: 12, color: Palette.ink, anchor: .middle,
                hasHalo: true)
        }
        guard let layout else { return }
        // The values lie above all bars. A bar without a height has one, too.
        for bar in bars {
            canvas.mark(
                bar.hint, x: panel.x(bar.place.lowerBound)...panel.x(bar.place.upperBound), y: panel.top...panel.bottom,
                in: layout, link: bar.link, isCurrent: bar.isCurrent)
        }
    }

    /// Draws a line that is visible on bars and beside them.
    private func drawGoal(at y: Double, on canvas: inout SVGCanvas, in panel: Panel) {
        let line = "M\(SVGCanvas.point(panel.left, y))H\(SVGCanvas.number(panel.right))"
        canvas.path(line, stroke: Palette.ground, width: 4)
        canvas.path(line, stroke: Palette.ink, width: 2)
        canvas.text("goal", x: panel.right, y: y - 5, size: 12, color: Palette.ink, anchor: .end, hasHalo: true)
    }
}

/// The width of a report's pictures, and the number of their labels: wide for desktops, paper and files, narrow for
/// phones. A page holds both and shows the one that fits.
struct PictureLayout {
    /// The name in style sheets.
    let name: String
    let width: Double
    /// The left and the right end of panels. The numbers of the axes are on the left.
    let left: Double
    let right: Double
    /// The greatest number of labels on an axis: times of day, times of day with seconds, dates, dates with their year.
    let mostTimes: Int
    let mostLongTimes: Int
    let mostDates: Int
    let mostLongDates: Int
    /// The greatest number of days with a label for each bar.
    let mostDays: Int

    static let wide = PictureLayout(
        name: "wide", width: 800, left: 60, right: 770, mostTimes: 9, mostLongTimes: 8, mostDates: 7,
        mostLongDates: 7, mostDays: 10)
    static let narrow = PictureLayout(
        name: "narrow", width: 380, left: 54, right: 362, mostTimes: 5, mostLongTimes: 4, mostDates: 4,
        mostLongDates: 3, mostDays: 7)

    /// The hours between the labels of a day.
    var hoursPerTick: Int { mostTimes >= 9 ? 3 : 6 }

    func panel(top: Double, bottom: Double) -> Panel { Panel(left: left, right: right, top: top, bottom: bottom) }
}

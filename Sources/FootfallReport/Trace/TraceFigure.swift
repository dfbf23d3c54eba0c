internal import Footfall
internal import FootfallAnswers
internal import FootfallTables
internal import Foundation

/// The drawing of a plot: panels of acceleration, cadence and activities above one time axis.
struct TraceFigure {
    /// The left and the right end of the panels. The axes are on the left, the durations of activities on the right.
    static let left = 84.0
    static let right = 816.0
    private static let width = 900.0
    private static let top = 62.0
    static let summaryBase = 47.0
    /// The space between panels.
    private static let space = 14.0
    /// The heights of the axis labels, of their dates, and of the axis title with the key.
    private static let labelHeight = 18.0
    private static let dateHeight = 13.0
    private static let footHeight = 34.0
    /// The greatest number of labels on the time axis, and the greatest length of the title in characters.
    private static let mostTicks = 9
    private static let longestTitle = 80
    /// A column is hatched if more than this share of its time has no samples.
    private static let gapShare: Float = 0.5
    /// The pattern of halts, and the fill with it.
    private static let haltStripes = "footfall-halt"
    static let haltFill = "url(#\(haltStripes))"

    let plot: TracePlot
    let columns: [(range: Range<Timestamp>, column: PlotColumns.Column)]
    let lanes: [Lane]
    private let title: String
    private let span: Range<Timestamp>
    private let ticks: TimeTicks
    /// The drawing on the panels, and the drawing behind them.
    var canvas = SVGCanvas()
    private var background = SVGCanvas()
    /// The bottom of the last panel so far.
    private var bottom = top

    init(_ plot: TracePlot, title: String, timeZone: TimeZone?) {
        self.plot = plot
        self.title = title.shortened(to: Self.longestTitle)
        span = plot.span ?? Timestamp.epoch..<Timestamp.epoch
        columns = plot.columns.columns(in: span)
        lanes = Self.lanes(of: columns)
        ticks = TimeTicks(span, timeZone, atMost: Self.mostTicks)
        drawHeading()
        drawAcceleration()
        if plot.stepCount > 0 { drawSteps() }
        drawDecisions()
        drawActivities()
        drawFoot()
        drawBackground()
    }

    var svg: String {
        var page = background
        page.add(canvas)
        return page.document(
            width: Self.width, height: bottom + labelsHeight + Self.footHeight, title: title, description: description)
    }

    // MARK: Text

    private var summary: String {
        guard plot.span != nil else { return "too few samples to analyze" }
        let covered = span.seconds - columns.reduce(0) { $0 + Double($1.column.gap) }
        let share = span.seconds > 0 ? Int(clamping: (100 * covered / span.seconds).rounded()) : 0
        let steps = plot.stepCount == 1 ? "1 step" : "\(plot.stepCount) steps"
        return "\(steps) in \(NumberText.duration(span.seconds)), \(max(0, share)) % of it covered by samples"
    }

    private var description: String {
        let activities = lanes.map { "\($0.activity.rawValue) \(NumberText.duration($0.seconds))" }
        let names = activities.isEmpty ? "none" : activities.joined(separator: ", ")
        return "Magnitude of the acceleration in g, cadence in steps per minute and activities over \(ticks.title). "
            + "\(summary). Activities: \(names)."
    }

    // MARK: Around the panels

    private mutating func drawHeading() {
        canvas.text(title, x: Self.left, y: 28, size: 16, color: Palette.ink, isBold: true)
        canvas.text(summary, x: Self.left, y: Self.summaryBase, size: 12)
    }

    /// Draws the time axis and the key of the stripes below the panels.
    private mutating func drawFoot() {
        for tick in ticks.ticks {
            canvas.text(tick.label, x: x(tick.time), y: bottom + 15, anchor: .middle)
            if let date = tick.date { canvas.text(date, x: x(tick.time), y: bottom + 28, anchor: .middle) }
        }
        let base = bottom + labelsHeight + 14
        let middle = (Self.left + Self.right) / 2
        canvas.text(ticks.title, x: middle, y: base, size: 12, color: Palette.ink, anchor: .middle)
        if lanes.contains(where: \.hasHalts) { drawKey("halted", Self.haltFill, x: Self.left, base: base) }
        if !gaps.isEmpty { drawKey("no samples", Palette.gapFill, x: Self.right - 84, base: base) }
    }

    private var labelsHeight: Double {
        Self.labelHeight + (ticks.ticks.contains { $0.date != nil } ? Self.dateHeight : 0)
    }

    private mutating func drawKey(_ words: String, _ fill: String, x: Double, base: Double) {
        canvas.rectangle(x: x, y: base - 9, width: 18, height: 11, fill: fill, stroke: Palette.frame)
        canvas.text(words, x: x + 24, y: base)
    }

    /// Draws the lines of the ticks and the gaps behind all panels.
    private mutating func drawBackground() {
        background.defineStripes(Palette.gapStripes, color: Palette.hatch, on: Palette.gap)
        background.defineStripes(Self.haltStripes, color: Palette.color(of: .automotive), on: "#d3e6f2")
        let lines = ticks.ticks.map { "M\(SVGCanvas.point(x($0.time), Self.top))V\(SVGCanvas.number(bottom))" }
        background.path(lines.joined(), stroke: Palette.grid)
        for gap in gaps {
            let (start, end) = (x(gap.lowerBound), x(gap.upperBound))
            background.rectangle(
                x: start, y: Self.top, width: max(1, end - start), height: bottom - Self.top, fill: Palette.gapFill)
        }
    }

    private var gaps: [Range<Timestamp>] {
        var gaps: [Range<Timestamp>] = []
        for (range, column) in columns where column.gap > Self.gapShare * Float(range.seconds) {
            if let last = gaps.last, last.upperBound == range.lowerBound {
                gaps[gaps.count - 1] = last.lowerBound..<range.upperBound
            } else {
                gaps.append(range)
            }
        }
        return gaps
    }

    // MARK: Panels

    /// Starts a panel below the previous one. Returns its top.
    mutating func beginPanel(_ height: Double) -> Double {
        let start = bottom == Self.top ? bottom : bottom + Self.space
        bottom = start + height
        return start
    }

    func x(_ time: Timestamp) -> Double {
        let share = span.seconds > 0 ? time.seconds(since: span.lowerBound) / span.seconds : 0.5
        return Self.left + share * (Self.right - Self.left)
    }

    mutating func drawAxis(_ axis: NumberTicks, _ name: String, _ y: (Double) -> Double) {
        let (high, low) = (y(axis.range.upperBound), y(axis.range.lowerBound))
        let lines = axis.values.map { "M\(SVGCanvas.point(Self.left, y($0)))H\(SVGCanvas.number(Self.right))" }
        canvas.path(lines.joined(), stroke: Palette.grid)
        for value in axis.values {
            canvas.text(
                value.formatted(decimals: axis.decimals, atLeast: 0), x: Self.left - 7, y: y(value) + 4, anchor: .end)
        }
        canvas.text(
            name, x: 38, y: (high + low) / 2, color: Palette.ink, anchor: .middle, isUpright: true)
        canvas.rectangle(
            x: Self.left, y: high, width: Self.right - Self.left, height: low - high, stroke: Palette.frame)
    }

    mutating func drawLaneLabel(_ text: String, base: Double) {
        canvas.text(text, x: Self.left - 7, y: base - 4, color: Palette.ink, anchor: .end)
    }
}

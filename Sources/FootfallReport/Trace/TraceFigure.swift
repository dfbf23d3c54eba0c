internal import Footfall
internal import FootfallHistory
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
        page.elements += canvas.elements
        return page.document(
            width: Self.width, height: bottom + labelsHeight + Self.footHeight, title: title, description: description)
    }

    // MARK: Text

    private var summary: String {
        guard plot.span != nil else { return "too few samples to analyze" }
        let covered = span.seconds - columns.reduce(0) { $0 + Double($1.column.gap) }
        let share = span.seconds > 0 ? Int(clamping: (100 * covered / span.seconds).rounded()) : 0
        return "\(NumberText.steps(plot.stepCount)) in \(NumberText.duration(span.seconds)), "
            + "\(max(0, share)) % of it covered by samples"
    }

    private var description: String {
        let activities = lanes.map { "\($0.kind.name) \(NumberText.duration($0.seconds))" }
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
        columns.reduce(into: []) { gaps, part in
            if part.column.gap > Self.gapShare * Float(part.range.seconds) { gaps.join(part.range) }
        }
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

    /// Starts a panel with an axis for values, and at least for the usual ones. Returns the position of a value.
    mutating func beginPanel(
        _ height: Double, _ name: String, for values: [Double], usual: ClosedRange<Double>
    ) -> (Double) -> Double {
        let axis = NumberTicks(
            min(values.min() ?? .infinity, usual.lowerBound), max(values.max() ?? 0, usual.upperBound), about: 4)
        let top = beginPanel(height)
        let scale = height / (axis.range.upperBound - axis.range.lowerBound)
        func y(_ value: Double) -> Double { top + (axis.range.upperBound - value) * scale }
        let (high, low) = (y(axis.range.upperBound), y(axis.range.lowerBound))
        let lines = axis.values.map { "M\(SVGCanvas.point(Self.left, y($0)))H\(SVGCanvas.number(Self.right))" }
        canvas.path(lines.joined(), stroke: Palette.grid)
        for value in axis.values {
            canvas.text(
                value.formatted(decimals: axis.decimals, atLeast: 0), x: Self.left - 7, y: y(value) + 4, anchor: .end)
        }
        canvas.text(name, x: 38, y: (high + low) / 2, color: Palette.ink, anchor: .middle, isUpright: true)
        canvas.rectangle(
            x: Self.left, y: high, width: Self.right - Self.left, height: low - high, stroke: Palette.frame)
        return y
    }

    mutating func drawLaneLabel(_ text: String, base: Double) {
        canvas.text(text, x: Self.left - 7, y: base - 4, color: Palette.ink, anchor: .end)
    }
}

// Lanes of bars: the height of a bar is the share of its column's time.
extension TraceFigure {
    private static let laneHeight = 16.0
    private static let lanePitch = 20.0

    /// Starts a panel of lanes. Returns the foot of each.
    mutating func beginLanes(_ count: Int) -> [Double] {
        let first = beginPanel(Double(count - 1) * Self.lanePitch + Self.laneHeight) + Self.laneHeight
        return (0..<count).map { first + Double($0) * Self.lanePitch }
    }

    /// Draws the name of a lane, its total time and its line.
    mutating func drawLane(_ name: String, _ seconds: Double, base: Double) {
        drawLaneLabel(name, base: base)
        canvas.text(NumberText.duration(seconds), x: Self.right + 7, y: base - 4)
        canvas.path("M\(SVGCanvas.point(Self.left, base))H\(SVGCanvas.number(Self.right))", stroke: Palette.grid)
    }

    /// The bars of a lane, each above the seconds that are below it.
    func bars(_ base: Double, _ seconds: (PlotColumns.Column) -> (below: Float, own: Float)) -> String {
        var bars = BarPath()
        for (range, column) in columns where range.seconds > 0 {
            let (below, own) = seconds(column)
            let scale = Self.laneHeight / range.seconds
            let height = min(Self.laneHeight, Double(own) * scale)
            let foot = base - min(Self.laneHeight - height, Double(below) * scale)
            bars.add(from: x(range.lowerBound), to: x(range.upperBound), foot: foot, height: height)
        }
        return bars.data
    }
}

extension TraceFigure {
    struct Lane {
        var kind: PlotLane
        /// The index in ``PlotLane/all`` and in the vectors of a column.
        var index: Int
        var seconds: Double
        var hasHalts: Bool
    }

    /// The activities and reasons that occur.
    var lanes: [Lane] {
        PlotLane.all.enumerated().compactMap { index, kind in
            let moving = columns.reduce(0) { $0 + Double($1.column.moving[index]) }
            let halted = columns.reduce(0) { $0 + Double($1.column.halted[index]) }
            guard moving + halted > 0 else { return nil }
            return Lane(kind: kind, index: index, seconds: moving + halted, hasHalts: halted > 0)
        }
    }

    /// Draws a lane of bars for each activity. The height of a bar is the activity's share of the column's time.
    mutating func drawActivities() {
        let lanes = lanes
        guard !lanes.isEmpty else { return }
        for (lane, base) in zip(lanes, beginLanes(lanes.count)) {
            drawLane(lane.kind.name, lane.seconds, base: base)
            canvas.path(bars(base) { (0, $0.moving[lane.index]) }, fill: Palette.color(of: lane.kind.activity))
            canvas.path(bars(base) { ($0.moving[lane.index], $0.halted[lane.index]) }, fill: Self.haltFill)
        }
    }
}

extension TraceFigure {
    private static let accelerationHeight = 150.0
    /// The least range of the axis, in g. Without it, the noise of a device at rest would fill the panel.
    private static let usualMagnitudes = 0.9...1.1
    /// The least mean number of samples per column with which the second band is drawn.
    private static let denseSamples = 8.0

    /// Draws the vector magnitude of the acceleration as a band from the least to the greatest value of each column. If
    /// columns have many samples, a second band shows the mean ± one standard deviation. Single shocks hardly change
    /// it.
    mutating func drawAcceleration() {
        let sampled = columns.filter { $0.column.samples > 0 }
        let y = beginPanel(
            Self.accelerationHeight, "acceleration (g)",
            for: sampled.map(\.column.least) + sampled.map(\.column.greatest), usual: Self.usualMagnitudes)
        let samples = sampled.reduce(0) { $0 + $1.column.samples }
        let isDense = samples >= Self.denseSamples * Double(sampled.count) && !sampled.isEmpty
        draw(isDense ? Palette.range : Palette.signal) { (y($0.least), y($0.greatest)) }
        guard isDense else { return }
        draw(Palette.signal) { (y($0.usual.lowerBound), y($0.usual.upperBound)) }
        let seconds = plot.columns.seconds
        let width = seconds < 0.1 ? "\(seconds.formatted(decimals: 3)) s" : NumberText.duration(seconds)
        canvas.text(
            "light: least to greatest, dark: mean ± SD, every \(width)",
            x: Self.right, y: Self.summaryBase, anchor: .end)
    }

    /// Draws a band over each run of columns without a gap, between the y coordinates `limits` of each column.
    private mutating func draw(_ color: String, _ limits: (PlotColumns.Column) -> (low: Double, high: Double)) {
        let runs = columns.split { $0.column.samples == 0 && $0.column.gap > 0 }
        for run in runs {
            var (above, below): ([String], [String]) = ([], [])
            for (range, column) in run where column.samples > 0 {
                let middle = x(range.middle)
                let (low, high) = limits(column)
                above.append(SVGCanvas.point(middle, high))
                below.append(SVGCanvas.point(middle, low))
            }
            if !above.isEmpty {
                canvas.path(
                    "M" + (above + below.reversed()).joined(separator: " "), fill: color, stroke: color, width: 0.7)
            }
        }
    }
}

extension PlotColumns.Column {
    /// The mean ± one standard deviation, limited to the extremes.
    fileprivate var usual: ClosedRange<Double> {
        let mean = sum / samples
        let deviation = max(0, squares / samples - mean * mean).squareRoot()
        return min(mean, max(least, mean - deviation))...max(mean, min(greatest, mean + deviation))
    }
}

extension TraceFigure {
    private static let stepsHeight = 14.0
    private static let cadenceHeight = 120.0
    /// The least range of the axis in steps per minute: usual cadences of walking.
    private static let usualCadences = 90.0...130.0

    /// Draws the cadence. A plot of a few steps also has a line for each step.
    mutating func drawSteps() {
        if !plot.steps.isEmpty {
            let panel = beginPanel(Self.stepsHeight)
            drawLaneLabel("steps", base: panel + Self.stepsHeight)
            let height = SVGCanvas.number(Self.stepsHeight)
            let lines = plot.steps.map { "M\(SVGCanvas.point(x($0.time), panel))v\(height)" }
            canvas.path(lines.joined(), stroke: Palette.ink, width: 0.8)
        }
        let cadences = cadences
        let y = beginPanel(
            Self.cadenceHeight, "cadence (steps/min)", for: cadences.map(\.stepsPerMinute), usual: Self.usualCadences)
        // A line of length 0 with round ends is a dot. It needs the fewest bytes.
        let dots = cadences.map { "M\(SVGCanvas.point(x($0.time), y($0.stepsPerMinute)))h0" }
        canvas.path(dots.joined(), stroke: Palette.ink, width: 2.6)
    }

    /// The cadence at each step or, for many steps, of each column.
    private var cadences: [Cadence] {
        if !plot.steps.isEmpty { return plot.steps.cadences() }
        return columns.filter { $0.column.cadences > 0 }.map { range, column in
            Cadence(
                time: range.middle,
                stepsPerMinute: column.cadenceSum / column.cadences)
        }
    }
}

extension TraceFigure {
    /// Draws a lane for each decision on steps that was made, from a bout down to no cadence.
    mutating func drawDecisions() {
        let lanes = StepDecision.allCases.enumerated().reversed().compactMap { index, decision in
            let seconds = columns.reduce(0) { $0 + Double($1.column.decisions[index]) }
            return seconds > 0 ? (index: index, decision: decision, seconds: seconds) : nil
        }
        guard !lanes.isEmpty else { return }
        for (lane, base) in zip(lanes, beginLanes(lanes.count)) {
            drawLane(lane.decision.label, lane.seconds, base: base)
            canvas.path(bars(base) { (0, $0.decisions[lane.index]) }, fill: Palette.signal)
        }
    }
}

extension StepDecision {
    fileprivate var label: String {
        switch self {
        case .noCadence: "no cadence"
        case .otherRhythm: "other rhythm"
        case .unconfirmed: "unconfirmed"
        case .bout: "bout"
        }
    }
}

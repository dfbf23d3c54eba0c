internal import Footfall

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
        let panel = beginPanel(Self.cadenceHeight)
        let cadences = cadences
        let values = cadences.map(\.stepsPerMinute)
        let axis = NumberTicks(
            min(values.min() ?? .infinity, Self.usualCadences.lowerBound),
            max(values.max() ?? 0, Self.usualCadences.upperBound), about: 4)
        let scale = Self.cadenceHeight / (axis.range.upperBound - axis.range.lowerBound)
        func y(_ cadence: Double) -> Double { panel + (axis.range.upperBound - cadence) * scale }
        drawAxis(axis, "cadence (steps/min)", y)
        // A line of length 0 with round ends is a dot. It needs the fewest bytes.
        let dots = cadences.map { "M\(SVGCanvas.point(x($0.time), y($0.stepsPerMinute)))h0" }
        canvas.path(dots.joined(), stroke: Palette.ink, width: 2.6)
    }

    /// The cadence at each step or, for many steps, of each column.
    private var cadences: [Cadence] {
        if !plot.steps.isEmpty { return plot.steps.cadences() }
        return columns.filter { $0.column.cadences > 0 }.map { range, column in
            Cadence(
                time: range.lowerBound.advanced(bySeconds: range.seconds / 2),
                stepsPerMinute: column.cadenceSum / column.cadences)
        }
    }
}

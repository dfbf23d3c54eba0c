internal import Footfall
internal import FootfallTables

extension TraceFigure {
    private static let accelerationHeight = 150.0
    /// The least range of the axis, in g. Without it, the noise of a device at rest would fill the panel.
    private static let usualMagnitudes = 0.9...1.1
    /// The least mean number of samples per column with which the second band is drawn.
    private static let denseSamples = 8.0

    /// Draws the vector magnitude of the acceleration as a band from the least to the greatest value of each column.
    ///
    /// If columns have many samples, a second band shows the mean ± one standard deviation. Single shocks hardly
    /// change it.
    mutating func drawAcceleration() {
        let panel = beginPanel(Self.accelerationHeight)
        let sampled = columns.filter { $0.column.samples > 0 }
        let axis = NumberTicks(
            min(sampled.map(\.column.least).min() ?? .infinity, Self.usualMagnitudes.lowerBound),
            max(sampled.map(\.column.greatest).max() ?? 0, Self.usualMagnitudes.upperBound), about: 4)
        let scale = Self.accelerationHeight / (axis.range.upperBound - axis.range.lowerBound)
        func y(_ magnitude: Double) -> Double { panel + (axis.range.upperBound - magnitude) * scale }
        drawAxis(axis, "acceleration (g)", y)
        let samples = sampled.reduce(0) { $0 + $1.column.samples }
        let isDense = samples >= Self.denseSamples * Double(sampled.count) && !sampled.isEmpty
        draw(isDense ? Palette.range : Palette.signal) { (y($0.least), y($0.greatest)) }
        guard isDense else { return }
        draw(Palette.signal) { (y($0.usual.lowerBound), y($0.usual.upperBound)) }
        canvas.text(
            "light: least to greatest, dark: mean ± SD, every \(NumberText.duration(plot.columns.seconds))",
            x: Self.right, y: Self.summaryBase, anchor: .end)
    }

    /// Draws a band over each run of columns without a gap.
    ///
    /// - Parameter limits: The lower and the upper edge of the band in a column, as y coordinates.
    private mutating func draw(_ color: String, _ limits: (PlotColumns.Column) -> (low: Double, high: Double)) {
        let runs = columns.split { $0.column.samples == 0 && $0.column.gap > 0 }
        for run in runs {
            var (above, below): ([String], [String]) = ([], [])
            for (range, column) in run where column.samples > 0 {
                let middle = x(range.lowerBound.advanced(bySeconds: range.seconds / 2))
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

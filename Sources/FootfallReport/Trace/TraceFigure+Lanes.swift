internal import Footfall
internal import FootfallTables

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

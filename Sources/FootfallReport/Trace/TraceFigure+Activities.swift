internal import Footfall
internal import FootfallTables

extension TraceFigure {
    private static let laneHeight = 16.0
    private static let lanePitch = 20.0
    /// The lanes from the top to the bottom.
    private static let laneOrder: [Activity] = [.automotive, .cycling, .running, .walking, .stationary, .unknown]

    struct Lane {
        var activity: Activity
        /// The index in `Activity.allCases` and in the vectors of a column.
        var index: Int
        var seconds: Double
        var hasHalts: Bool
    }

    static func lanes(of columns: [(range: Range<Timestamp>, column: PlotColumns.Column)]) -> [Lane] {
        laneOrder.compactMap { activity in
            guard let index = Activity.allCases.firstIndex(of: activity) else { return nil }
            let moving = columns.reduce(0) { $0 + Double($1.column.moving[index]) }
            let halted = columns.reduce(0) { $0 + Double($1.column.halted[index]) }
            guard moving + halted > 0 else { return nil }
            return Lane(activity: activity, index: index, seconds: moving + halted, hasHalts: halted > 0)
        }
    }

    /// Draws a lane of bars for each activity. The height of a bar is the activity's share of the column's time.
    mutating func drawActivities() {
        guard !lanes.isEmpty else { return }
        var base = beginPanel(Double(lanes.count - 1) * Self.lanePitch + Self.laneHeight) + Self.laneHeight
        for lane in lanes {
            drawLaneLabel(lane.activity.rawValue, base: base)
            canvas.text(NumberText.duration(lane.seconds), x: Self.right + 7, y: base - 4)
            canvas.path("M\(SVGCanvas.point(Self.left, base))H\(SVGCanvas.number(Self.right))", stroke: Palette.grid)
            canvas.path(bars(base) { (0, $0.moving[lane.index]) }, fill: Palette.color(of: lane.activity))
            canvas.path(bars(base) { ($0.moving[lane.index], $0.halted[lane.index]) }, fill: Self.haltFill)
            base += Self.lanePitch
        }
    }

    private func bars(_ base: Double, _ seconds: (PlotColumns.Column) -> (below: Float, own: Float)) -> String {
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

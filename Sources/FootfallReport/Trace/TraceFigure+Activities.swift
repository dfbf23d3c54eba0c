internal import Footfall

extension TraceFigure {
    private static let laneHeight = 16.0
    private static let lanePitch = 20.0
    /// From the top to the bottom.
    private static let laneOrder: [Activity] = [.automotive, .cycling, .running, .walking, .stationary, .unknown]

    /// An activity on a line of its own.
    struct Lane {
        var activity: Activity
        /// Its place among all activities, which is its lane of a column's vectors.
        var index: Int
        /// How long it lasted in all.
        var seconds: Double
        var hasHalts: Bool
    }

    /// The activities that there are.
    static func lanes(of columns: [(range: Range<Timestamp>, column: PlotColumns.Column)]) -> [Lane] {
        laneOrder.compactMap { activity in
            guard let index = Activity.allCases.firstIndex(of: activity) else { return nil }
            let moving = columns.reduce(0) { $0 + Double($1.column.moving[index]) }
            let halted = columns.reduce(0) { $0 + Double($1.column.halted[index]) }
            guard moving + halted > 0 else { return nil }
            return Lane(activity: activity, index: index, seconds: moving + halted, hasHalts: halted > 0)
        }
    }

    /// Draws when there was which activity. Where a column holds several, each is as high as its share of the time.
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

    /// A bar that may go on.
    private struct Bar {
        var range: Range<Timestamp>
        var foot: String
        var height: String
    }

    /// Bars on a line; neighbours alike are one bar.
    ///
    /// - Parameter seconds: The seconds of a column that lie below the bar, and its own.
    private func bars(_ base: Double, _ seconds: (PlotColumns.Column) -> (below: Float, own: Float)) -> String {
        var bars: [Bar] = []
        for (range, column) in columns where range.seconds > 0 {
            let (below, own) = seconds(column)
            let scale = Self.laneHeight / range.seconds
            let height = min(Self.laneHeight, Double(own) * scale)
            let foot = base - min(Self.laneHeight - height, Double(below) * scale)
            let bar = Bar(range: range, foot: SVGCanvas.number(foot), height: SVGCanvas.number(height))
            guard bar.height != "0" else { continue }
            if let last = bars.last, last.range.upperBound == range.lowerBound, last.height == bar.height,
                last.foot == bar.foot
            {
                bars[bars.count - 1].range = last.range.lowerBound..<range.upperBound
            } else {
                bars.append(bar)
            }
        }
        let outlines = bars.map { bar in
            let (start, end) = (SVGCanvas.number(x(bar.range.lowerBound)), SVGCanvas.number(x(bar.range.upperBound)))
            return "M\(start),\(bar.foot)v-\(bar.height)H\(end)v\(bar.height)z"
        }
        return outlines.joined()
    }
}

internal import Footfall
internal import FootfallTables

extension TraceFigure {
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
        for (lane, base) in zip(lanes, beginLanes(lanes.count)) {
            drawLane(lane.activity.rawValue, lane.seconds, base: base)
            canvas.path(bars(base) { (0, $0.moving[lane.index]) }, fill: Palette.color(of: lane.activity))
            canvas.path(bars(base) { ($0.moving[lane.index], $0.halted[lane.index]) }, fill: Self.haltFill)
        }
    }
}

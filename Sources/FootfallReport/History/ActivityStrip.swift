internal import Footfall
internal import FootfallHistory

/// A strip of activities from left to right: in each column, the height of an activity is its share of the column's
/// time. So the area of a color is proportional to its time, also for short segments.
struct ActivityStrip {
    /// From the bottom up: the rarest first, rest on top.
    private static let order: [Activity] = [.running, .walking, .cycling, .automotive, .unknown, .stationary]

    private let domain: Range<Timestamp>
    /// Seconds of each activity, in the order of `Activity.allCases`, in each column.
    private var columns: [SIMD8<Double>]
    private let columnSeconds: Double

    init(_ segments: [RecordedSegment], over domain: Range<Timestamp>, columns count: Int) {
        self.domain = domain
        columns = Array(repeating: .zero, count: max(1, count))
        columnSeconds = domain.seconds / Double(max(1, count))
        guard columnSeconds > 0 else { return }
        for segment in segments {
            let part = segment.clippedRange.clamped(to: domain)
            guard let lane = Activity.allCases.firstIndex(of: segment.activity), !part.isEmpty else { continue }
            let start = part.lowerBound.seconds(since: domain.lowerBound)
            let end = part.upperBound.seconds(since: domain.lowerBound)
            let first = min(columns.count - 1, Int(clamping: start / columnSeconds))
            let last = min(columns.count - 1, Int(clamping: end / columnSeconds))
            for column in first...max(first, last) {
                let left = max(start, Double(column) * columnSeconds)
                let right = min(end, Double(column + 1) * columnSeconds)
                columns[column][lane] += max(0, right - left)
            }
        }
    }

    func draw(on canvas: inout SVGCanvas, in panel: Panel) {
        for activity in Self.order {
            canvas.path(outline(of: activity, in: panel), fill: Palette.color(of: activity))
        }
    }

    private func outline(of activity: Activity, in panel: Panel) -> String {
        guard columnSeconds > 0, let lane = Activity.allCases.firstIndex(of: activity) else { return "" }
        let below = Self.order.prefix { $0 != activity }.compactMap(Activity.allCases.firstIndex(of:))
        let scale = (panel.bottom - panel.top) / columnSeconds
        func x(_ column: Int) -> Double { panel.x(Double(column) / Double(columns.count)) }
        var bars = BarPath()
        for (index, column) in columns.enumerated() {
            let foot = panel.bottom - below.reduce(0) { $0 + column[$1] } * scale
            bars.add(from: x(index), to: x(index + 1), foot: foot, height: column[lane] * scale)
        }
        return bars.data
    }
}

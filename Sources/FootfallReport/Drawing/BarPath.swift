/// Bars as one path. Adjacent equal bars are joined, bars without height are omitted.
///
/// The vertical coordinates are text, so that only visible differences separate bars.
struct BarPath {
    private var bars: [(start: Double, end: Double, foot: String, height: String)] = []

    /// Adds a bar to the right of the last one.
    mutating func add(from start: Double, to end: Double, foot: Double, height: Double) {
        let (foot, height) = (SVGCanvas.number(foot), SVGCanvas.number(height))
        guard height != "0" else { return }
        if let last = bars.last, last.end == start, last.foot == foot, last.height == height {
            bars[bars.count - 1].end = end
        } else {
            bars.append((start, end, foot, height))
        }
    }

    var data: String {
        bars.map { bar in
            "M\(SVGCanvas.number(bar.start)),\(bar.foot)v-\(bar.height)H\(SVGCanvas.number(bar.end))v\(bar.height)z"
        }.joined()
    }
}

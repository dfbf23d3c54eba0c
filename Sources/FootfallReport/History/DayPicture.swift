internal import Footfall
internal import FootfallHistory
internal import FootfallTables
internal import Foundation

/// The common scale of the day pictures of a report.
struct DayScale {
    /// The length of the longest day in seconds. A day of 23 hours is drawn shorter.
    let seconds: Double
    /// The axis of steps per bar.
    let axis: NumberTicks
    let minutesPerBar: Int
    /// Whether the picture is the only one of its page, which is higher.
    let isOnly: Bool
    /// Whether only the requested range is shown, not the whole day.
    var isClose: Bool { minutesPerBar < 60 }

    /// The longest close range, in seconds.
    private static let closeSeconds = 6.0 * 3600

    init(_ days: [ReportDay]) {
        let ranges = days.map(\.total.range)
        isOnly = days.count == 1
        minutesPerBar = Self.minutesPerBar(ranges)
        let shown = minutesPerBar < 60 ? ranges : days.map(\.whole)
        seconds = max(1e-9, shown.map(\.seconds).max() ?? 0)
        axis = BarChart.axis(Double(days.flatMap(\.bars).map(\.steps).max() ?? 0))
    }

    /// The length of a bar in minutes: an hour or, for a close range, 1 or 5 minutes.
    static func minutesPerBar(_ days: [Range<Timestamp>]) -> Int {
        let seconds = days.reduce(0) { $0 + $1.seconds }
        return seconds <= 3600 ? 1 : seconds <= closeSeconds ? 5 : 60
    }

    /// The columns of a strip of 24 hours: one in five minutes, or in two in the only picture of a page.
    var columns: Double { isOnly ? 720 : 288 }

    /// `hour`, `minute` or `5 minutes`.
    var barName: String { minutesPerBar == 60 ? "hour" : minutesPerBar == 1 ? "minute" : "\(minutesPerBar) minutes" }
}

/// A day from left to right: bars of steps, and a strip of activities. Time without samples is a thin striped line;
/// time outside the requested range is empty.
struct DayPicture {
    /// Room for the label at the top of the axis.
    private static let headroom = 10.0
    private static let space = 5.0
    private static let labelBase = 17.0
    private static let labelHeight = 23.0
    /// The least widths, in pixels, of a visible gap, a block with a value, and one that the keyboard reaches. The bars
    /// have the values of narrower blocks.
    private static let (leastWidth, leastBlock, leastStop) = (0.5, 2.0, 10.0)

    /// The height in pixels.
    static func height(_ scale: DayScale) -> Double { frame(scale, top: 0).bottom + labelHeight }

    /// The upper and the lower end of the bars, and those of the strip.
    private static func frame(
        _ scale: DayScale, top: Double
    ) -> (bars: ClosedRange<Double>, strip: ClosedRange<Double>, bottom: Double) {
        let (bars, strip) = scale.isOnly ? (220.0, 36.0) : (76.0, 30.0)
        let foot = top + headroom + bars
        return (top + headroom...foot, foot + space...foot + space + strip, foot + space + strip)
    }

    let day: ReportDay
    private let scale: DayScale
    private let layout: PictureLayout
    private let domain: Range<Timestamp>
    private let ticks: TimeTicks

    init(_ day: ReportDay, _ scale: DayScale, _ layout: PictureLayout) {
        (self.day, self.scale, self.layout) = (day, scale, layout)
        domain = scale.isClose ? day.total.range : day.whole
        ticks = TimeTicks(domain, day.total.timeZone, atMost: scale.isClose ? layout.mostLongTimes : layout.mostTimes)
    }

    var description: String {
        let best = day.bars.max { $0.steps < $1.steps }
        let most = best.map { bar in
            bar.steps > 0 ? " Most from \(bar.start.minute) on: \(NumberText.count(bar.steps))." : ""
        }
        return "Bars: steps per \(scale.barName).\(most ?? "") Strip: \(NumberText.activities(day.total.durations)). "
            + "\(NumberText.duration(max(0, day.total.range.seconds - day.total.coverage))) without data."
    }

    func draw(on canvas: inout SVGCanvas, top: Double) {
        let frame = Self.frame(scale, top: top)
        let (left, right) = (layout.left, x(domain.upperBound))
        let bars = Panel(left: left, right: right, top: frame.bars.lowerBound, bottom: frame.bars.upperBound)
        let strip = Panel(left: left, right: right, top: frame.strip.lowerBound, bottom: frame.strip.upperBound)
        for gap in day.segments.lazy.map(\.clippedRange).gaps(in: day.total.range) {
            let (start, end) = (x(gap.lowerBound), x(gap.upperBound))
            if end - start >= Self.leastWidth { strip.drawGap(from: start, to: end, on: &canvas) }
        }
        let lines = ticks.ticks.map {
            "M\(SVGCanvas.point(x($0.time), bars.top))V\(SVGCanvas.number(strip.bottom + 4))"
        }
        canvas.path(lines.joined(), stroke: Palette.grid)
        BarChart(bars: day.bars.map(bar), axis: scale.axis).draw(on: &canvas, in: bars)
        let columns = scale.columns * (scale.isClose ? 1 : domain.seconds / 86400)
        ActivityStrip(day.segments, over: domain, columns: Int(clamping: columns.rounded())).draw(
            on: &canvas, in: strip)
        for tick in ticks.ticks {
            canvas.text(tick.label, x: x(tick.time), y: strip.bottom + Self.labelBase, size: 12, anchor: .middle)
        }
    }

    /// Adds the values of each bar and, in the only picture of a page, of each segment. In other pictures a bar has the
    /// values of the strip below it, too.
    func drawValues(on canvas: inout SVGCanvas, top: Double) {
        let frame = Self.frame(scale, top: top)
        for bucket in day.bars where bucket.coverage > 0 || bucket.steps > 0 {
            canvas.mark(
                ["\(bucket.start.minute): \(NumberText.steps(bucket.steps))", NumberText.activities(bucket.durations)],
                x: x(bucket.range.lowerBound)...x(bucket.range.upperBound),
                y: frame.bars.lowerBound...(scale.isOnly ? frame.bars : frame.strip).upperBound, in: layout)
        }
        for segment in day.segments where scale.isOnly {
            let range = segment.clippedRange
            let place = x(range.lowerBound)...x(range.upperBound)
            let width = place.upperBound - place.lowerBound
            guard width >= Self.leastBlock else { continue }
            let ends = [range.lowerBound, range.upperBound].map { LocalTime($0, in: day.total.timeZone).minute }
            let steps = segment.steps > 0 ? ", \(NumberText.steps(segment.steps))" : ""
            canvas.mark(
                [
                    "\(ends[0]) to \(ends[1]): \(segment.activity.rawValue), "
                        + "\(NumberText.duration(range.seconds))\(steps)"
                ],
                x: place, y: frame.strip, in: layout, isStop: width >= Self.leastStop)
        }
    }

    private func bar(_ bucket: ReportBucket) -> BarChart.Bar {
        BarChart.Bar(place: domain.share(of: bucket.range), parts: [(Double(bucket.steps), Palette.steps)])
    }

    private func x(_ moment: Timestamp) -> Double {
        let share = moment.seconds(since: domain.lowerBound) / scale.seconds
        return layout.left + min(1, max(0, share)) * (layout.right - layout.left)
    }
}

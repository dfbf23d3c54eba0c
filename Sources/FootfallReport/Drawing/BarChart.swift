internal import Footfall
internal import FootfallHistory
internal import FootfallTables
internal import Foundation

/// The rectangle of a picture's marks, inside its axes.
struct Panel {
    var left: Double
    var right: Double
    var top: Double
    var bottom: Double

    /// The horizontal position of a share of the width.
    func x(_ share: Double) -> Double { left + share * (right - left) }

    /// The height of the line of time without samples.
    static let gapHeight = 4.0

    /// Draws time without samples: a thin striped line in the middle.
    func drawGap(from start: Double, to end: Double, on canvas: inout SVGCanvas) {
        canvas.rectangle(
            x: start, y: (top + bottom - Self.gapHeight) / 2, width: end - start, height: Self.gapHeight,
            fill: Palette.gapFill, hint: "no data")
    }
}

extension Range<Timestamp> {
    /// The position of a moment as a share of the range, 0…1; 0 in an empty range.
    func share(of moment: Timestamp) -> Double {
        isEmpty ? 0 : Swift.min(1, Swift.max(0, moment.seconds(since: lowerBound) / seconds))
    }

    /// The ends of a part as shares of the range.
    func share(of part: Self) -> ClosedRange<Double> { share(of: part.lowerBound)...share(of: part.upperBound) }
}

/// Bars of stacked parts over a common axis.
struct BarChart {
    /// A part of a bar. Parts are stacked from the bottom up.
    typealias Part = (value: Double, color: String)

    struct Bar {
        /// The left and the right end, as shares of the width.
        var place: ClosedRange<Double>
        var parts: [Part]
        var label: String?
        /// The value in words, in one line or two.
        var hint: [String] = []
        /// The address that the bar leads to, as markup.
        var link: String?
        /// Whether the bar is that of the date which the page shows.
        var isCurrent = false

        var value: Double { parts.reduce(0) { $0 + $1.value } }
    }

    let bars: [Bar]
    let axis: NumberTicks
    /// A line across the bars.
    var goal: Int?

    /// An axis of whole numbers from 0 to a count.
    static func axis(_ most: Double) -> NumberTicks { NumberTicks(0, max(3, most), about: 3) }

    /// The space between bars in pixels, and its greatest share of a bar; that of bars with labels.
    private static let space = 2.0
    private static let spareShare = 0.25
    private static let wideShare = 0.3
    /// From the top of a bar to that of its label, in pixels.
    private static let labelHeight = 17.0

    /// Draws the chart. Readers see the values of bars in a layout; nil for bars without them.
    func draw(on canvas: inout SVGCanvas, in panel: Panel, labels: Bool = false, values layout: PictureLayout? = nil) {
        let scale = (panel.bottom - panel.top) / axis.range.upperBound
        func y(_ value: Double) -> Double { panel.bottom - value * scale }
        let lines = axis.values.dropFirst().map {
            "M\(SVGCanvas.point(panel.left, y($0)))H\(SVGCanvas.number(panel.right))"
        }
        canvas.path(lines.joined(), stroke: Palette.grid)
        for value in axis.values {
            canvas.text(
                NumberText.count(Int(clamping: value)), x: panel.left - 7, y: y(value) + 4, size: 12, anchor: .end)
        }
        for bar in bars where bar.value > 0 {
            let (start, end) = (panel.x(bar.place.lowerBound), panel.x(bar.place.upperBound))
            let width = end - start
            let spare = (labels ? width * Self.wideShare : min(Self.space, width * Self.spareShare)) / 2
            var foot = panel.bottom
            for part in bar.parts where part.value > 0 {
                let height = part.value * scale
                foot -= height
                canvas.rectangle(
                    x: start + spare, y: foot, width: end - start - 2 * spare, height: height, fill: part.color)
            }
        }
        canvas.path(
            "M\(SVGCanvas.point(panel.left, panel.bottom))H\(SVGCanvas.number(panel.right))", stroke: Palette.frame)
        if let goal { drawGoal(at: y(Double(goal)), on: &canvas, in: panel) }
        for bar in bars where labels && bar.value > 0 {
            let middle = panel.x((bar.place.lowerBound + bar.place.upperBound) / 2)
            // A label that the line of the goal would cross stands above it.
            let top = y(bar.value)
            let line = goal.map { y(Double($0)) }.flatMap { (top - Self.labelHeight...top).contains($0) ? $0 : nil }
            canvas.text(
                bar.label ?? "", x: middle, y: (line ?? top) - 5, size: 11, color: Palette.ink, anchor: .middle,
                hasHalo: true)
        }
        guard let layout else { return }
        // The values lie above all bars. A bar without a height has one, too.
        for bar in bars {
            canvas.mark(
                bar.hint, x: panel.x(bar.place.lowerBound)...panel.x(bar.place.upperBound), y: panel.top...panel.bottom,
                in: layout, link: bar.link, isCurrent: bar.isCurrent)
        }
    }

    /// Draws a line that is visible on bars and beside them. Its name stands at its end, where no bar has its label.
    private func drawGoal(at y: Double, on canvas: inout SVGCanvas, in panel: Panel) {
        let line = "M\(SVGCanvas.point(panel.left, y))H\(SVGCanvas.number(panel.right))"
        canvas.path(line, stroke: Palette.ground, width: 4)
        canvas.path(line, stroke: Palette.ink, width: 2)
        canvas.text("goal", x: panel.right + 4, y: y + 4, size: 12, color: Palette.ink)
    }
}

/// The width of a report's pictures, and the number of their labels: wide for desktops, paper and files, narrow for
/// phones. A page holds both and shows the one that fits.
struct PictureLayout {
    /// The name in style sheets.
    let name: String
    let width: Double
    /// The left and the right end of panels. The numbers of the axes are on the left.
    let left: Double
    let right: Double
    /// The greatest number of labels on an axis: times of day, times of day with seconds, dates, dates with their year.
    let mostTimes: Int
    let mostLongTimes: Int
    let mostDates: Int
    let mostLongDates: Int
    /// The greatest number of days with a label for each bar.
    let mostDays: Int

    static let wide = PictureLayout(
        name: "wide", width: 800, left: 60, right: 770, mostTimes: 9, mostLongTimes: 8, mostDates: 7,
        mostLongDates: 7, mostDays: 10)
    static let narrow = PictureLayout(
        name: "narrow", width: 380, left: 54, right: 362, mostTimes: 5, mostLongTimes: 4, mostDates: 4,
        mostLongDates: 3, mostDays: 7)

    /// The hours between the labels of a day.
    var hoursPerTick: Int { mostTimes >= 9 ? 3 : 6 }

    func panel(top: Double, bottom: Double) -> Panel { Panel(left: left, right: right, top: top, bottom: bottom) }
}

/// The round times along an axis.
struct TimeTicks {
    struct Tick {
        var time: Timestamp
        var label: String
        /// The date below the label, at the first tick and at midnight.
        var date: String?
    }

    private(set) var ticks: [Tick] = []
    /// The title of the axis with its unit or zone.
    let title: String

    /// The round distances between ticks in seconds.
    private static let distances: [Double] = [
        0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200, 86400,
        172_800, 604_800, 1_209_600,
    ]
    /// A quarter of a year in seconds. Distances above two weeks are multiples of it.
    private static let quarter = 7_862_400.0

    /// The factor by which ticks may exceed the span. At 50 Hz, the last sample of two minutes is at 119.98 s, and the
    /// axis still has a tick at 120 s.
    private static let slack = 1.0005

    /// Finds at most `count` ticks of a span in a time zone; nil for the time since its start.
    init(_ span: Range<Timestamp>, _ zone: TimeZone?, atMost count: Int) {
        let least = span.seconds / Double(max(1, count))
        let distance = Self.distances.first { $0 >= least } ?? (least / Self.quarter).rounded(.up) * Self.quarter
        if let zone {
            title = distance < 86400 ? "time of day (\(zone.name))" : "date (\(zone.name))"
            addClockTicks(span, zone, distance)
        } else {
            let unit = ElapsedUnit(distance, longest: span.seconds)
            title = "elapsed time (\(unit.rawValue))"
            ticks = (0...Int(clamping: span.seconds * Self.slack / distance)).map { number in
                let seconds = Double(number) * distance
                return Tick(time: span.lowerBound.advanced(bySeconds: seconds), label: unit.label(seconds))
            }
        }
    }

    /// Adds the round local times of a zone. A local time that repeats at a clock change has one tick.
    private mutating func addClockTicks(_ span: Range<Timestamp>, _ zone: TimeZone, _ distance: Double) {
        func offset(_ time: Timestamp) -> Double { Double(zone.offset(at: time)) }
        let first = span.lowerBound.advanced(bySeconds: offset(span.lowerBound)).seconds(since: .epoch) / distance
        let end = span.lowerBound.advanced(bySeconds: span.seconds * Self.slack)
        let last = end.advanced(bySeconds: offset(end)).seconds(since: .epoch) / distance
        for number in stride(from: first.rounded(.up), through: last.rounded(.down), by: 1) {
            let local = Timestamp.epoch.advanced(bySeconds: number * distance)
            let guess = local.advanced(bySeconds: -offset(local))
            let time = local.advanced(bySeconds: -offset(guess))
            guard span.lowerBound <= time, time <= end, ticks.last.map({ $0.time < time }) ?? true else {
                continue
            }
            // A local time that a clock change skips becomes one an hour later.
            let text = time.advanced(bySeconds: offset(time)).description
            let isMidnight = text.dropFirst(11).hasPrefix("00:00:00.000")
            let day = LocalTime(time, in: zone)
            let date = "\(day.shortDate)\u{A0}\(day.date.prefix(4))"
            let digits = distance >= 60 ? 5 : distance >= 1 ? 8 : 10
            ticks.append(
                distance >= 86400
                    ? Tick(time: time, label: date)
                    : Tick(
                        time: time, label: String(text.dropFirst(11).prefix(digits)),
                        date: ticks.isEmpty || isMidnight ? date : nil))
        }
    }
}

private enum ElapsedUnit: String {
    case days
    case hours = "h:min"
    case minutes = "min:s"
    case seconds = "s"

    init(_ distance: Double, longest: Double) {
        self = distance >= 86400 ? .days : longest >= 7200 ? .hours : longest >= 120 ? .minutes : .seconds
    }

    func label(_ seconds: Double) -> String {
        let whole = Int(clamping: seconds)
        return switch self {
        case .days: String(whole / 86400)
        case .hours: "\(whole / 3600):\(NumberText.twoDigits(whole / 60 % 60))"
        case .minutes: "\(whole / 60):\(NumberText.twoDigits(whole % 60))"
        case .seconds: seconds.formatted(decimals: seconds == seconds.rounded() ? 0 : 1)
        }
    }
}

/// An axis between round numbers, with its round numbers.
struct NumberTicks {
    /// The round numbers, including the ends of the axis.
    let values: [Double]
    /// The number of decimals that distinguish them.
    let decimals: Int

    /// Finds the axis for numbers from `least` to `greatest`, with about `count` round numbers.
    init(_ least: Double, _ greatest: Double, about count: Int) {
        // Equal or almost equal numbers need an axis of a least length.
        let rawStep = max(greatest - least, abs(greatest) * 1e-6, 1e-6) / Double(max(1, count))
        let power = pow(10, floor(log10(rawStep)))
        let step = power * ([1, 2, 5].first { $0 * power >= rawStep } ?? 10)
        let first = floor(least / step)
        let last = max(ceil(greatest / step), first + 1)
        // About `count` numbers; 100 is only a bound.
        values = (0...Int(clamping: min(last - first, 100))).map { (first + Double($0)) * step }
        decimals = max(0, Int(clamping: -floor(log10(step))))
    }

    var range: ClosedRange<Double> { (values.first ?? 0)...(values.last ?? 1) }
}

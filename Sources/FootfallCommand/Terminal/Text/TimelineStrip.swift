import Footfall
import FootfallHistory
import FootfallTables

/// A range as a line of characters, one for each part, below the times of day. A part with motion shows its longest
/// moving activity, with the share of motion as the height, so that a few minutes of walking in an hour at a desk are
/// visible. Other parts show rest, an unknown activity or no data.
struct TimelineStrip {
    typealias ActivitySpan = (range: Range<Timestamp>, activity: Activity)

    let marks: String
    /// The times of day above the characters.
    let ticks: String

    /// Draws a range with its covered spans.
    init(_ range: Range<Timestamp>, _ spans: [ActivitySpan], _ clock: WallClock, width: Int) {
        let step = range.seconds / Double(width)
        let bounds = (0...width).map { min(range.upperBound, range.lowerBound.advanced(bySeconds: Double($0) * step)) }
        let cells = zip(bounds, bounds.dropFirst()).map { $0..<max($0, $1) }
        marks = cells.map { TimelineStrip.mark($0, of: spans) }.joined()
        ticks = Color.dim(TimelineStrip.ticks(cells, clock))
    }

    // MARK: Marks

    /// The least share of motion that is shown instead of rest.
    private static let leastShare = 0.05

    private static func mark(_ cell: Range<Timestamp>, of spans: [ActivitySpan]) -> String {
        guard cell.seconds > 0 else { return mark(nil, share: 1) }
        var shares: [Activity: Double] = [:]
        for (span, activity) in spans where span.overlaps(cell) {
            shares[activity, default: 0] += span.clamped(to: cell).seconds / cell.seconds
        }
        func largest(of activities: [Activity]) -> Activity? {
            // Of two equal shares the first activity in the list wins.
            activities.filter { shares[$0] != nil }.max { shares[$0] ?? 0 < shares[$1] ?? 0 }
        }
        let motions: [Activity] = [.walking, .running, .automotive, .cycling]
        let moving = motions.reduce(0) { $0 + (shares[$1] ?? 0) }
        if moving >= leastShare { return mark(largest(of: motions), share: moving) }
        let uncovered = 1 - shares.values.reduce(0, +)
        let rest = largest(of: [.stationary, .unknown])
        return mark(rest.flatMap { shares[$0] ?? 0 >= uncovered ? $0 : nil }, share: 1)
    }

    /// The character of an activity: a bar, or a letter on a terminal without colors. Nil stands for no data.
    static func mark(_ activity: Activity?, share: Double) -> String {
        // The lowest bar means rest, so the least motion is one step higher.
        let bars = ["▂", "▃", "▄", "▅", "▆", "▇", "█"]
        let bar = Terminal.usesColor ? bars[min(6, max(0, Int(clamping: share * 7)))] : nil
        return switch activity {
        case .stationary: bar == nil ? "_" : Color.gray("▁")
        case .walking: Color.green(bar ?? "w")
        case .running: Color.magenta(bar ?? "R")
        case .automotive: Color.blue(bar ?? "a")
        case .cycling: Color.cyan(bar ?? "c")
        case .unknown: bar == nil ? "?" : Color.yellow("▁")
        case nil: Color.dim("·")
        }
    }

    // MARK: Ticks

    /// The distances between two labels, in seconds: round parts of a minute, an hour and a day.
    private static let distances = [
        1, 2, 5, 10, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200, 86400,
    ]

    /// Labels at round times of day, at least eight characters apart.
    private static func ticks(_ cells: [Range<Timestamp>], _ clock: WallClock) -> String {
        guard let first = cells.first, first.seconds > 0 else { return "" }
        let distance = distances.first { Double($0) >= first.seconds * 8 } ?? 86400
        var line = ""
        var last = Int.min
        for (column, cell) in cells.enumerated() {
            // The last round time in the cell. A time that occurs twice, when the clock goes back, gets one label.
            let end = clock.local(cell.upperBound).secondsSince1970 - 1
            let tick = end - remainder(end, distance)
            guard tick > last, tick >= clock.local(cell.lowerBound).secondsSince1970, line.count <= column else {
                continue
            }
            last = tick
            line += String(repeating: " ", count: column - line.count) + label(tick, distance)
        }
        return line
    }

    private static func label(_ tick: Int, _ distance: Int) -> String {
        let second = remainder(tick, 86400)
        let hour = NumberText.twoDigits(second / 3600)
        if distance >= 3600 { return hour }
        let minute = "\(hour):\(NumberText.twoDigits(second / 60 % 60))"
        return distance >= 60 ? minute : "\(minute):\(NumberText.twoDigits(second % 60))"
    }

    /// The remainder of floor division. A view of a log without a date starts before 1970.
    private static func remainder(_ value: Int, _ divisor: Int) -> Int {
        Int(Int64(value).flooredQuotientAndRemainder(by: Int64(divisor)).remainder)
    }
}

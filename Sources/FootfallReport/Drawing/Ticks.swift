internal import Footfall
internal import FootfallHistory
internal import FootfallTables
internal import Foundation

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

    /// Finds the ticks of a span.
    ///
    /// - Parameters:
    ///   - zone: The time zone; nil for the time since the start of the span.
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
        func offset(_ time: Timestamp) -> Double {
            Double(zone.secondsFromGMT(for: Date(timeIntervalSince1970: time.seconds(since: .epoch))))
        }
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

    /// Finds the axis for numbers from `least` to `greatest`.
    ///
    /// - Parameter count: The approximate number of round numbers.
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

    /// Where a number lies on the axis: 0 at its begin, 1 at its end.
    func share(of value: Double) -> Double {
        (value - range.lowerBound) / (range.upperBound - range.lowerBound)
    }

    var range: ClosedRange<Double> {
        (values.first ?? 0)...(values.last ?? 1)
    }
}

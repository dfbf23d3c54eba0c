internal import Footfall
internal import Foundation

/// What a clock and a calendar on the wall show at a moment.
struct LocalTime {
    /// `2026-11-20`
    let date: String
    /// `Friday`
    let weekday: String
    /// `08:00:12`
    let second: String
    /// The clock's lead over UTC in seconds.
    let offset: Int

    init(_ moment: Timestamp, in zone: TimeZone) {
        offset = zone.secondsFromGMT(for: Date(timeIntervalSince1970: moment.seconds(since: .epoch)))
        let local = moment.advanced(bySeconds: Double(offset))
        let text = local.description
        date = String(text.prefix(10))
        second = String(text.dropFirst(11).prefix(8))
        let names = ["Thursday", "Friday", "Saturday", "Sunday", "Monday", "Tuesday", "Wednesday"]
        let days = Int((local.seconds(since: .epoch) / 86400).rounded(.down))
        weekday = names[(days % 7 + 7) % 7]
    }

    /// `08:00`
    var minute: String { String(second.prefix(5)) }
    /// `Friday 2026-11-20`
    var day: String { "\(weekday) \(date)" }
    /// `Fri 20`
    var shortDay: String { "\(weekday.prefix(3)) \(date.suffix(2))" }
    /// `2026-11-20 08:00:12`
    var full: String { "\(date) \(second)" }
    /// `+01:00`
    var zone: String {
        let minutes = abs(offset) / 60
        return "\(offset < 0 ? "-" : "+")\(Words.two(minutes / 60)):\(Words.two(minutes % 60))"
    }
}

extension TimeZone {
    /// Its name, as people write it.
    var name: String { self == .gmt ? "UTC" : identifier }

    /// From midnight to midnight around a moment: 23 or 25 hours when the clock is changed.
    func day(of moment: Timestamp) -> Range<Timestamp> {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = self
        let date = Date(timeIntervalSince1970: moment.seconds(since: .epoch))
        guard let day = calendar.dateInterval(of: .day, for: date),
            let start = Timestamp(secondsSince1970: day.start.timeIntervalSince1970),
            let end = Timestamp(secondsSince1970: day.end.timeIntervalSince1970), start < end
        else { return moment..<moment }
        return start..<end
    }
}

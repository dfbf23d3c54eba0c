package import Footfall
internal import FootfallReaders
package import Foundation

extension Calendar {
    /// A calendar by the clock of a zone.
    package init(_ identifier: Identifier, in zone: TimeZone) {
        self.init(identifier: identifier)
        timeZone = zone
    }
}

extension TimeZone {
    /// The local day around a moment, from midnight to midnight: 23 or 25 hours if the clock changes.
    package func day(of moment: Timestamp) -> Range<Timestamp> {
        let date = Date(timeIntervalSince1970: moment.seconds(since: .epoch))
        guard let day = Calendar(.gregorian, in: self).dateInterval(of: .day, for: date),
            let start = Timestamp(secondsSince1970: day.start.timeIntervalSince1970),
            let end = Timestamp(secondsSince1970: day.end.timeIntervalSince1970), start < end
        else { return moment..<moment }
        return start..<end
    }

    /// The local day around a part of a day, and all of that part: on a journey it may be longer.
    package func day(around part: Range<Timestamp>) -> Range<Timestamp> {
        let day = day(of: part.lowerBound)
        return min(day.lowerBound, part.lowerBound)..<max(day.upperBound, part.upperBound)
    }
}

extension WallClock {
    /// Reads zones such as `Europe/Berlin` or `Europe/Berlin; 2026-07-03 14:00 America/New_York`: after each semicolon
    /// a time and the zone from then on, by whose clock the time is. Nil for other text, and for times that do not
    /// increase.
    package init?(_ text: String) {
        let parts = text.split(separator: ";").map { $0.split(separator: " ").map(String.init) }
        var changes: [ZoneChange] = []
        for words in parts {
            guard let name = words.last, let zone = TimeZone(named: name), (words.count > 1) == !changes.isEmpty else {
                return nil
            }
            guard let last = changes.last else {
                changes = [ZoneChange(since: .epoch, timeZone: zone)]
                continue
            }
            let time = try? TimeExpression(words.dropLast().joined(separator: " "))
            guard let start = time?.supportedTime(in: zone, now: Date()), start > last.since else { return nil }
            changes.append(ZoneChange(since: start, timeZone: zone))
        }
        guard let first = changes.first else { return nil }
        self = changes.count > 1 ? WallClock(zone: nil, changes: changes) : WallClock(zone: first.timeZone)
    }

    /// The day around a moment, from midnight to midnight: as long as the clock has the date. After a flight from
    /// Berlin to New York it has 30 hours. A change of the date by the journey ends it too.
    package func day(of moment: Timestamp) -> Range<Timestamp> {
        let (date, day) = (local(moment).date, zone(at: moment).day(of: moment))
        var (start, end) = (day.lowerBound, day.upperBound)
        for (stay, next) in zip(changes, changes.dropFirst()).reversed()
        where zone == nil && next.since <= moment && next.since > start {
            let last = Timestamp(nanosecondsSince1970: next.since.nanosecondsSince1970 - 1)
            let isSame = LocalTime(last, in: stay.timeZone).date == date
            start = isSame ? stay.timeZone.day(of: last).lowerBound : next.since
        }
        for stay in changes where zone == nil && stay.since > moment && stay.since < end {
            let isSame = LocalTime(stay.since, in: stay.timeZone).date == date
            end = isSame ? stay.timeZone.day(of: stay.since).upperBound : stay.since
        }
        return start..<end
    }
}

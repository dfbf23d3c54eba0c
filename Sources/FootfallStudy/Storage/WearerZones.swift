internal import Footfall
internal import FootfallHistory
internal import FootfallReaders
internal import Foundation

/// The zones of a wearer, who may travel: one zone, or one after another.
package struct WearerZones: Hashable, Sendable {
    private struct Stay: Hashable {
        let start: Timestamp
        let zone: TimeZone
    }

    /// In the order of time. The first one also holds before its start.
    private var stays: [Stay]

    /// Creates the zone of a wearer who does not travel.
    init(_ zone: TimeZone) { stays = [Stay(start: .epoch, zone: zone)] }

    /// Reads zones such as `Europe/Berlin` or `Europe/Berlin; 2026-07-03 14:00 America/New_York`: after each semicolon
    /// a time and the zone from then on, by whose clock the time is. Nil for other text, and for times that do not
    /// increase.
    init?(_ text: String) {
        let parts = text.split(separator: ";").map { $0.split(separator: " ").map(String.init) }
        stays = []
        for (index, words) in parts.enumerated() {
            guard let name = words.last, let zone = TimeZone(named: name), (words.count > 1) == (index > 0) else {
                return nil
            }
            guard index > 0 else {
                self = WearerZones(zone)
                continue
            }
            let time = try? TimeExpression(words.dropLast().joined(separator: " "))
            guard let start = time?.supportedTime(in: zone, now: Date()), let last = stays.last, start > last.start
            else { return nil }
            stays.append(Stay(start: start, zone: zone))
        }
        guard !stays.isEmpty else { return nil }
    }

    /// The zone at a moment.
    func zone(at moment: Timestamp) -> TimeZone { stays[index(at: moment)].zone }

    private func index(at moment: Timestamp) -> Int { stays.lastIndex { $0.start <= moment } ?? 0 }

    /// The day around a moment by the wearer's clock, from midnight to midnight: as long as the clock has the date.
    /// After a flight from Berlin to New York it has 30 hours. A change of the date by the journey ends it too.
    func day(of moment: Timestamp) -> Range<Timestamp> {
        let index = index(at: moment)
        let (date, day) = (date(moment, index), stays[index].zone.day(of: moment))
        var (start, end) = (day.lowerBound, day.upperBound)
        for stay in stays.indices[..<index].reversed() where stays[stay + 1].start > start {
            let last = Timestamp(nanosecondsSince1970: stays[stay + 1].start.nanosecondsSince1970 - 1)
            let isSame = self.date(last, stay) == date
            start = isSame ? stays[stay].zone.day(of: last).lowerBound : stays[stay + 1].start
        }
        for stay in stays.indices[(index + 1)...] where stays[stay].start < end {
            let first = stays[stay].start
            end = self.date(first, stay) == date ? stays[stay].zone.day(of: first).upperBound : first
        }
        return start..<end
    }

    private func date(_ moment: Timestamp, _ stay: Int) -> String { LocalTime(moment, in: stays[stay].zone).date }
}

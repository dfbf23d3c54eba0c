internal import Footfall
internal import FootfallAnswers
internal import Foundation

/// The way from one day of a source to another: the days beside it, the newest one, and a calendar of the kept days.
struct DayNavigation {
    private let address: PageAddress
    private let zone: TimeZone
    private let chosen: Range<Timestamp>
    /// From the first kept day to the one that the page shows without a choice; nil without data.
    private let days: (first: Range<Timestamp>, last: Range<Timestamp>)?
    private let isToday: Bool

    /// - Parameters:
    ///   - chosen: The day of the page, from midnight to midnight.
    ///   - last: The day that the page shows without a choice.
    ///   - isToday: Whether that day is today.
    ///   - kept: The time of the source in the history; nil without data.
    init(
        from chosen: Range<Timestamp>, last: Range<Timestamp>, isToday: Bool, kept: Range<Timestamp>?,
        in zone: TimeZone, _ address: PageAddress
    ) {
        (self.address, self.zone, self.chosen, self.isToday) = (address, zone, chosen, isToday)
        days = kept.map { (zone.day(of: $0.lowerBound), last) }
    }

    /// The day before: the nearest kept one.
    private var previous: Range<Timestamp>? {
        guard let days, chosen.lowerBound > days.first.lowerBound else { return nil }
        return Self.earlier(zone.day(of: chosen.lowerBound.advanced(bySeconds: -Self.halfDay)), days.last)
    }

    private var next: Range<Timestamp>? {
        guard let days, chosen.lowerBound < days.last.lowerBound else { return nil }
        let day = zone.day(of: chosen.upperBound.advanced(bySeconds: Self.halfDay))
        return day.lowerBound > days.first.lowerBound ? day : days.first
    }

    /// A step into the day beside, also where that day has 23 hours.
    private static let halfDay = 43200.0

    private static func earlier(_ one: Range<Timestamp>, _ other: Range<Timestamp>) -> Range<Timestamp> {
        one.lowerBound < other.lowerBound ? one : other
    }

    /// A sentence for a day that is not kept; nil for the others.
    var note: String? {
        guard let days else { return "The history is empty." }
        guard chosen.lowerBound < days.first.lowerBound || chosen.lowerBound > days.last.lowerBound else { return nil }
        let (first, last) = (start(days.first).fullDay, start(days.last).fullDay)
        return first == last ? "The history has \(first) only." : "The history has \(first) to \(last)."
    }

    var html: String {
        guard let days else { return "" }
        var links: [String] = []
        if let previous { links.append(link(previous, "prev", "← \(start(previous).dayAndMonth)")) }
        if let next { links.append(link(next, "next", "\(start(next).dayAndMonth) →")) }
        if chosen != days.last {
            links.append("<li><a href=\"\(address.markup())\">\(isToday ? "Today" : "Newest day")</a></li>")
        }
        let list = links.isEmpty ? "" : "<ul>\(links.joined())</ul>\n"
        return """
            <nav class="walk" aria-label="Day">
            \(list)<form method="get" action="/">\(address.field)<label for="calendar">Day</label>
            <input id="calendar" name="day" type="date" required="required" value="\(start(chosen).date)" \
            min="\(start(days.first).date)" max="\(start(days.last).date)"/>
            <button>Show</button></form>
            </nav>

            """
    }

    private func link(_ day: Range<Timestamp>, _ relation: String, _ title: String) -> String {
        "<li><a rel=\"\(relation)\" href=\"\(address.markup(on: start(day).date))\">\(title)</a></li>"
    }

    private func start(_ day: Range<Timestamp>) -> LocalTime { LocalTime(day.lowerBound, in: zone) }
}

/// The address of a source's page.
struct PageAddress {
    let source: String?

    /// The address of a day, or of the newest one, for an attribute.
    func markup(on date: String? = nil) -> String {
        let pairs = [("source", source), ("day", date)].compactMap { name, value in
            value?.addingPercentEncoding(withAllowedCharacters: .alphanumerics).map { "\(name)=\($0)" }
        }
        return ("/?" + pairs.joined(separator: "&")).markup
    }

    /// The source as a hidden field of a form.
    var field: String {
        source.map { "<input type=\"hidden\" name=\"source\" value=\"\($0.markup)\"/>" } ?? ""
    }
}

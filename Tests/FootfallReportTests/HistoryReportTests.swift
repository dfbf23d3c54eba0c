import Footfall
import FootfallHistory
import FootfallReport
import Foundation
import Testing

@Suite("A report of a history")
struct HistoryReportTests {
    /// A week from Monday, 16 November 2026, without data from Wednesday to 10:30 on Thursday.
    static func week() throws -> Reported {
        var week = Reported(range: try Reported.time(11, 16)..<Reported.time(11, 23))
        for day in [16, 17, 19, 20, 21, 22] {
            let start = day == 19 ? try Reported.time(11, 19, 10, 30) : try Reported.time(11, day)
            week.add(day: start..<(try Reported.time(11, day + 1)))
        }
        return week
    }

    @Test("is one file without external references")
    func selfContained() throws {
        for text in [try Self.week().report.html, try Self.week().report.svg] {
            let page = WebPage(text)
            let outside = ["script", "link", "img", "image", "iframe", "object", "embed", "base", "use", "form"]
            #expect(page.elements.allSatisfy { !outside.contains($0.name) })
            for element in page.elements {
                #expect(element.attributes.keys.allSatisfy { !$0.hasPrefix("on") && $0 != "src" && $0 != "style" })
                if let target = element.attributes["href"] { #expect(target.hasPrefix("#"), "\(target)") }
            }
            let namespaced = text.replacing("xmlns=\"http://www.w3.org/2000/svg\"", with: "")
            for word in ["http:", "https:", "@import", "src=", "javascript:", "data:"] {
                #expect(!namespaced.contains(word), "\(word)")
            }
            #expect(text.ranges(of: "url(").count == text.ranges(of: "url(#footfall-gap)").count)
        }
    }

    @Test("has a language, a title, one main heading, and a target for every link")
    func landmarks() throws {
        let page = try Self.week().page
        #expect(page.text.hasPrefix("<!DOCTYPE html>\n"))
        #expect(page.elements.first?.attributes["lang"] == "en")
        #expect(
            page.all("title").first?.text
                == "Steps and activities of wrist, Mon\u{A0}16\u{A0}November to Sun\u{A0}22\u{A0}November\u{A0}2026")
        #expect(page.all("meta").contains { $0.attributes["name"] == "viewport" })
        #expect(page.all("main").count == 1 && page.headings(1) == ["Steps and activities of wrist"])
        let names = page.elements.compactMap { $0.attributes["id"] }
        #expect(Set(names).count == names.count)
        let isMark = { (link: Picture.Element) in link.attributes["class"] == "mark" }
        let links = page.all("a").filter { !isMark($0) }.compactMap { $0.attributes["href"]?.dropFirst() }
        #expect(links.first == "content" && links.count == page.headings(2).count + 1)
        let days = page.all("a").filter(isMark).compactMap { $0.attributes["href"]?.dropFirst() }
        #expect(days.count == 2 * (6 + 6) && days.allSatisfy { names.contains(String($0)) })
        for element in page.elements {
            let references = ["aria-labelledby", "aria-describedby"].compactMap { element.attributes[$0] }
            #expect(references.allSatisfy(names.contains))
        }
        #expect(links.allSatisfy { names.contains(String($0)) })
    }

    @Test("has a section of the marks with their steps, if there are marks")
    func marks() throws {
        var week = try Self.week()
        #expect(try !week.page.text.contains("id=\"marks\""))
        let noon = try Reported.time(11, 17, 12)
        week.marks = [
            ("a <b> & \"c\"\u{1}", noon.advanced(bySeconds: -600)..<noon),
            ("away", try Reported.time(11, 18, 9)..<Reported.time(11, 18, 10)),
            ("before", try Reported.time(11, 1)..<Reported.time(11, 2)),
        ]
        let page = try week.page
        #expect(
            page.tables["Marks"]?.dropFirst().map { $0 } == [
                ["a <b> & \"c\"\u{FFFD}", "2026-11-17 11:50:00", "2026-11-17 12:00:00", "1,000", "100\u{A0}%"],
                ["away", "2026-11-18 09:00:00", "2026-11-18 10:00:00", "no data", "0\u{A0}%"],
            ])
        #expect(page.all("a").contains { $0.attributes["href"] == "#marks" })
    }

    @Test("has a description and a table of numbers for every picture")
    func alternatives() throws {
        let page = try Self.week().page
        let pictures = page.all("svg").filter { $0.attributes["role"] != nil }
        #expect(pictures.count == 2 * (1 + 1 + 6 + 3 + 1))
        #expect(page.all("desc").count == pictures.count && page.all("desc").allSatisfy { !$0.text.isEmpty })
        #expect(page.all("svg").count { $0.attributes["aria-hidden"] == nil } == pictures.count)
        #expect(page.all("figure").count == 12 && page.all("details").count == page.all("table").count)
        #expect(page.all("summary").count == page.all("details").count)
        for region in page.all("div").filter({ $0.attributes["class"] == "scroll" }) {
            #expect(region.attributes["tabindex"] == "0" && region.attributes["aria-label"]?.isEmpty == false)
        }
        #expect(Set(page.pictures("wide").keys) == Set(page.pictures("narrow").keys))
    }

    @Test("shows steps, coverage and activities of each day, and days without data")
    func days() throws {
        let page = try Self.week().page
        let table = try #require(page.tables["Steps and activities of each day"])
        #expect(table[0] == ["day", "steps", "covered", "stationary", "walking", "cadence"])
        #expect(
            table.map { $0[0] }.dropFirst() == [
                "Mon\u{A0}16\u{A0}November\u{A0}2026", "Tue\u{A0}17\u{A0}November\u{A0}2026",
                "Wed\u{A0}18\u{A0}November\u{A0}2026", "Thu\u{A0}19\u{A0}November\u{A0}2026",
                "Fri\u{A0}20\u{A0}November\u{A0}2026", "Sat\u{A0}21\u{A0}November\u{A0}2026",
                "Sun\u{A0}22\u{A0}November\u{A0}2026", "all",
            ])
        #expect(
            table[1] == [
                "Mon\u{A0}16\u{A0}November\u{A0}2026", "3,000", "100\u{A0}%", "23 h 30 min", "30 min 00 s", "100",
            ])
        #expect(table[3] == ["Wed\u{A0}18\u{A0}November\u{A0}2026", "no data", "", "", "", ""])
        #expect(table[4][1...2] == ["3,000", "56\u{A0}%"])
        #expect(table[8][1...2] == ["18,000", "79\u{A0}%"])
        let headings = page.headings(3)
        #expect(headings[2] == "Wed\u{A0}18\u{A0}November\u{A0}2026 | no data" && headings.count == 7)
    }

    @Test("distinguishes hours without data from hours without steps in tables and pictures")
    func gaps() throws {
        let page = try Self.week().page
        let hours = try #require(page.tables["Thu\u{A0}19\u{A0}November\u{A0}2026, hour by hour"])
        #expect(hours.count == 26)
        #expect(hours[1] == ["00:00", "no data", "0\u{A0}%", "", ""])
        #expect(hours[11] == ["10:00", "0", "50\u{A0}%", "30 min 00 s", ""])
        #expect(hours[12] == ["11:00", "0", "100\u{A0}%", "1 h 00 min", ""])
        let title = try #require(page.pictures().keys.first { $0.hasPrefix("Thu\u{A0}19\u{A0}November\u{A0}2026") })
        for layout in ["wide", "narrow"] {
            let day = try #require(page.pictures(layout)[title])
            let whole = try #require(page.pictures(layout).first { $0.key.hasPrefix("Mon\u{A0}") }?.value)
            let strip = try #require(whole.bars(Shade.rest).map(\.place).max { $0.upperBound < $1.upperBound })
            let left = try #require(whole.bars(Shade.rest).map(\.place.lowerBound).min())
            let gap = try #require(day.rectangles(Color.gap).first)
            let hour = (strip.upperBound - left) / 24
            #expect(abs(gap.lowerBound - left) < 0.2 && abs(gap.upperBound - left - 10.5 * hour) < 0.2)
            #expect(whole.rectangles(Color.gap).isEmpty)
            // No activity is drawn in the gap.
            for color in [Shade.rest, Color.walking] {
                #expect(day.bars(color).allSatisfy { $0.place.lowerBound > gap.upperBound - hour / 12 })
            }
        }
        let coverage = try #require(page.pictures()["Covered time"])
        #expect(coverage.rectangles(Color.gap).count == 1)
        #expect(page.tables["Time without data"]?[1] == ["2026-11-18 00:00:00", "2026-11-19 10:30:00", "34 h 30 min"])
    }

    @Test("has strips whose areas are the shares of the activities, also for short segments")
    func areas() throws {
        var day = Reported(range: try Reported.time(11, 16)..<Reported.time(11, 17))
        var start = day.range.lowerBound
        for index in 0..<960 {
            let activity = [Activity.stationary, .walking, .automotive, .stationary, .running][index % 5]
            day.add(activity, at: start, minutes: 1.5)
            start = start.advanced(bySeconds: 90)
        }
        let page = try day.page
        let picture = try #require(page.pictures().first { $0.key.hasPrefix("Mon\u{A0}") }?.value)
        let colors = [Shade.rest, Color.walking, Color.automotive, Shade.running]
        let total = colors.reduce(0) { $0 + picture.area($1) }
        for (color, share) in zip(colors, [0.4, 0.2, 0.2, 0.2]) {
            #expect(abs(picture.area(color) / total - share) < 0.01, "\(color)")
        }
    }

    @Test("leaves time outside the range empty")
    func parts() throws {
        var day = Reported(range: try Reported.time(11, 16, 6)..<Reported.time(11, 16, 18))
        day.add(.stationary, at: try Reported.time(11, 16, 8), minutes: 120)
        let page = try day.page
        let picture = try #require(page.pictures().first { $0.key.hasPrefix("Mon\u{A0}") }?.value)
        let hour = (770.0 - 60) / 24
        let expected = [6.0...8.0, 10.0...18.0].map { 60 + $0.lowerBound * hour...60 + $0.upperBound * hour }
        let gaps = picture.rectangles(Color.gap)
        #expect(gaps.count == 2)
        for (gap, hours) in zip(gaps, expected) {
            #expect(abs(gap.lowerBound - hours.lowerBound) < 0.1 && abs(gap.upperBound - hours.upperBound) < 0.1)
        }
        #expect(
            page.headings(3) == [
                "Mon\u{A0}16\u{A0}November\u{A0}2026 | 0 steps, 17\u{A0}% of 12\u{A0}h\u{A0}00\u{A0}min covered"
            ])
    }

    /// Noons in Tokyo, and then evenings in New York.
    @Test("ends a week by the clock of its last day")
    func journey() throws {
        let history = try MotionHistory.inMemory(retention: .forever, acceptsFuture: true)
        let start = try Reported.time(9, 20, 3)
        let end = try Reported.time(11, 9, 1)
        for (days, hour, zone) in [(0..<35, 0.0, "Asia/Tokyo"), (36..<50, 22, "America/New_York")] {
            let events = days.map { day in
                let begin = start.advanced(bySeconds: Double(day) * 86400 + hour * 3600)
                return MotionEvent.segment(
                    Segment(
                        range: begin..<begin.advanced(bySeconds: 600), flags: .stationary, probability: 0.9, steps: 0))
            }
            try history.record(events, from: "wrist", timeZone: TimeZone(identifier: zone))
        }
        let report = try HistoryReport(
            of: history, in: start..<end.advanced(bySeconds: 86400), from: "wrist", name: "a", generator: "Footfall")
        let text = WebPage(report.html).text.replacingOccurrences(of: "\u{A0}", with: " ")
        #expect(text.contains("27 Oct to 1 Nov") && text.contains("2 Nov to 8 Nov"), "\(text)")
    }

    @Test("states a day of half an hour more, and of half an hour less", arguments: [(4, 5, "24.5"), (10, 4, "23.5")])
    func halfHours(month: Int, day: Int, hours: String) throws {
        let zone = try #require(TimeZone(identifier: "Australia/Lord_Howe"))
        let range = zone.day(of: try Reported.time(month, day))
        var days = Reported(zone: zone, range: range)
        days.add(day: range)
        #expect(try days.page.text.contains("a day of \(hours) hours"))
    }

    @Test("draws days of 23 and 25 hours with proportional lengths", arguments: [(10, 25, 25), (3, 29, 23)])
    func daylightSaving(month: Int, day: Int, hours: Int) throws {
        let zone = try #require(TimeZone(identifier: "Europe/Berlin"))
        let before = try Reported.time(month, day - 1).advanced(bySeconds: hours == 25 ? -7200 : -3600)
        let start = before.advanced(bySeconds: 86400)
        let end = start.advanced(bySeconds: Double(hours) * 3600)
        var days = Reported(zone: zone, range: before..<end)
        days.add(day: before..<start)
        days.add(day: start..<end)
        let page = try days.page
        let title = try #require(page.pictures().keys.first { $0.contains("a day of \(hours) hours") })
        let usual = try #require(page.pictures().first { $0.key.hasPrefix("Sat\u{A0}") }?.value)
        let unusual = try #require(page.pictures()[title])
        func width(_ picture: WebPage.Drawing) -> Double {
            (picture.bars(Shade.rest).map(\.place.upperBound).max() ?? 0)
                - (picture.bars(Shade.rest).map(\.place.lowerBound).min() ?? 0)
        }
        #expect(abs(width(unusual) / width(usual) - Double(hours) / 24) < 0.001)
        #expect(unusual.words.filter { $0 == "03:00" }.count == 1 && unusual.words.contains("21:00"))
        let table = try #require(page.tables.first { $0.key.hasPrefix("Sun\u{A0}") }?.value)
        #expect(table.count == hours + 2)
        let names = table.map { $0[0] }
        if hours == 25 {
            #expect(Array(names[3...4]) == ["02:00 +02:00", "02:00 +01:00"])
        } else {
            #expect(Array(names[2...3]) == ["01:00 +01:00", "03:00 +02:00"])
        }
    }

    @Test("has the peak cadence, and the minutes of each day by cadence band")
    func cadenceBands() throws {
        var week = Reported(range: try Reported.time(11, 16)..<Reported.time(11, 18))
        week.add(.walking, at: try Reported.time(11, 16, 8), minutes: 20, cadence: 112)
        week.add(.walking, at: try Reported.time(11, 16, 9), minutes: 40, cadence: 90)
        week.add(.walking, at: try Reported.time(11, 17, 9), minutes: 10, cadence: 60)
        let page = try week.page
        let table = try #require(page.tables["Peak cadence in steps per minute, and minutes by cadence band"])
        #expect(
            table[0] == [
                "day", "peak 1 min", "peak 30 min", "peak 60 min", "1–19", "20–39", "40–59", "60–79", "80–99",
                "100–119",
                "120 and more",
            ])
        // The best 30 minutes: (20 × 112 + 10 × 90) / 30 = 104.7. The best 60: (20 × 112 + 40 × 90) / 60 = 97.3.
        #expect(
            table[1] == [
                "Mon\u{A0}16\u{A0}November\u{A0}2026", "112", "105", "97", "0", "0", "0", "0", "40", "20", "0",
            ])
        // Ten minutes have no peak over 30.
        #expect(table[2] == ["Tue\u{A0}17\u{A0}November\u{A0}2026", "60", "", "", "0", "0", "0", "10", "0", "0", "0"])
        #expect(page.all("dt").contains { $0.text == "Peak cadence" })
        // Ten minutes on foot in two hours: the mean of 30 minutes says nothing.
        var short = Reported(range: try Reported.time(11, 16)..<Reported.time(11, 17))
        short.add(.walking, at: try Reported.time(11, 16, 8), minutes: 10, cadence: 112)
        short.add(.stationary, at: try Reported.time(11, 16, 9), minutes: 60)
        #expect(try !short.page.all("dt").contains { $0.text == "Peak cadence" })
        let picture = try #require(page.pictures().first { $0.key.hasPrefix("Minutes by cadence band") }?.value)
        // The strip of Monday: 40 minutes of one band, then 20 of the next.
        let strips = picture.elements.filter { $0.name == "rect" }.compactMap { Double($0.attributes["width"] ?? "") }
        #expect(strips.count == 3)
        #expect(abs(strips[0] / strips[1] - 2) < 0.01)
        #expect(abs(strips[0] / strips[2] - 4) < 0.01)
    }

    @Test("has the distributions of steps by cadence and of bouts by length")
    func distributions() throws {
        var day = Reported(range: try Reported.time(11, 16)..<Reported.time(11, 17))
        day.add(.walking, at: try Reported.time(11, 16, 8), minutes: 20, cadence: 112)
        day.add(.running, at: try Reported.time(11, 16, 9), minutes: 5, cadence: 166)
        day.add(.walking, at: try Reported.time(11, 16, 10), minutes: 1, cadence: 4)
        let page = try day.page
        let cadences = try #require(page.tables["Steps by cadence"])
        #expect(cadences.contains(["110 to 115", "2,240", "2,240", "0"]))
        #expect(cadences.contains(["165 to 170", "830", "0", "830"]))
        #expect(cadences.last == ["all", "3,070", "2,240", "830"])
        #expect(page.text.contains("4 steps have no cadence, because no other step is close."))
        let bouts = try #require(page.tables["Bouts by their length"])
        #expect(bouts.contains { $0.prefix(3) == ["10 min to 30 min", "1", "2,240"] })
        #expect(bouts.contains { $0.prefix(3) == ["2 min to 5 min", "1", "830"] })
        #expect(bouts.contains { $0.prefix(3) == ["under 10 s", "4", "4"] })
        #expect(bouts.last?.prefix(3) == ["all", "6", "3,074"])
        #expect(page.text.contains("<title>10 min to 30 min: 1 bout, 2,240 steps</title>"))
        #expect(page.tables["The longest bouts"]?[1].prefix(3) == ["2026-11-16 08:00:00", "19 min 59 s", "2,240"])
        let picture = try #require(page.pictures().first { $0.key.hasPrefix("Steps by cadence") }?.value)
        #expect(picture.rectangles(Color.walking).count == 1 && picture.rectangles(Shade.running).count == 1)
    }
}

/// Colors of reports.
enum Shade {
    static let rest = "#7b8fb0"
    static let running = "#d55e00"
    static let steps = "#5b3fa0"
}

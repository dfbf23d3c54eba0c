import Footfall
import FootfallReport
import Foundation
import Testing

@Suite("The days of a report")
struct DaysTests {
    private static let strip = "Activities of each day, from midnight to midnight"

    @Test("head it as strips, a row for each day, a thin line where there is no data", arguments: ["wide", "narrow"])
    func strips(layout: String) throws {
        let page = try HistoryReportTests.week().page
        #expect(page.headings(2).first == "Activities of each day")
        let strip = try #require(page.pictures(layout)[Self.strip])
        #expect(
            strip.words.filter { $0.contains(" ") } == [
                "Mon 16", "Tue 17", "Wed 18", "Thu 19", "Fri 20", "Sat 21", "Sun 22",
            ])
        #expect(strip.words.contains("00:00") && strip.words.contains("24:00"))
        // Wednesday and Thursday until 10:30 have no data.
        let gaps = strip.rectangles(Color.gap)
        let (start, end) = (try #require(gaps.first?.lowerBound), try #require(gaps.first?.upperBound))
        #expect(gaps.count == 2 && abs(gaps[1].upperBound - start - 10.5 / 24 * (end - start)) < 0.2)
        let rest = strip.bars(Shade.rest).map(\.place)
        #expect(rest.allSatisfy { start - 0.1 <= $0.lowerBound && $0.upperBound <= end + 0.1 })
        // Each day walks for half an hour of 24, Thursday, too.
        #expect(abs(strip.area(Color.walking) / strip.area(Shade.rest) - 6 * 0.5 / (5 * 24 + 13.5 - 3)) < 0.002)
    }

    @Test("have strips only where there is more than one")
    func single() throws {
        var week = try HistoryReportTests.week()
        week.range = try Reported.time(11, 17)..<Reported.time(11, 18)
        let page = try week.page
        #expect(page.headings(2).first == "At a glance" && page.pictures()[Self.strip] == nil)
        #expect(!page.text.contains("days with data"))
    }

    @Test("have a place among the bars also without data, and a mean of those with data")
    func places() throws {
        let page = try HistoryReportTests.week().page
        let chart = try #require(page.pictures()["Steps per day"])
        #expect(chart.words.contains("Wed 18") && chart.rectangles(Shade.steps).count == 6)
        let widths = chart.rectangles(Shade.steps).map { $0.upperBound - $0.lowerBound }
        // A bar has seven tenths of its place.
        #expect(widths.allSatisfy { abs($0 - 71) < 1 })
        #expect(page.text.contains("<p>3,000 steps a day, on 6 days with data.</p>"))
    }

    @Test("keep the dates below the coverage of a month apart", arguments: ["wide", "narrow"])
    func coverageDates(layout: String) throws {
        var month = Reported(range: try Reported.time(10, 26)..<Reported.time(11, 23))
        month.add(day: try Reported.time(10, 26)..<Reported.time(10, 27))
        month.add(day: try Reported.time(11, 22)..<Reported.time(11, 23))
        let dates = try #require(month.page.pictures(layout)["Covered time"]).elements.filter {
            $0.name == "text" && $0.text.hasSuffix("2026")
        }
        // A date such as “12 Nov 2026” is 80 wide in 12 pixels of DejaVu Sans, a wide font.
        let places = dates.map { $0.number("x") }
        #expect(places.count > 1 && zip(places, places.dropFirst()).allSatisfy { $1 - $0 > 85 }, "\(places)")
    }

    @Test("show the values of bars and strips to a pointer, a keyboard and a touch, without a script")
    func values() throws {
        let page = try HistoryReportTests.week().page
        for layout in ["wide", "narrow"] {
            let pictures = page.pictures(layout)
            let strip = try #require(pictures[Self.strip]).values
            #expect(strip.count == 7)
            #expect(
                strip[0].text == "Mon\u{A0}16\u{A0}November\u{A0}2026: 3,000 steps, 100\u{A0}% covered. "
                    + "stationary 23 h 30 min, walking 30 min 00 s")
            #expect(strip[0].link == "#day-2026-11-16" && strip[2].link == nil)
            #expect(strip[2].text == "Wed\u{A0}18\u{A0}November\u{A0}2026: no data")
            let monday = try #require(pictures.first { $0.key.hasPrefix("Mon\u{A0}16") }?.value).values
            #expect(monday.count == 24)
            #expect(monday[12].text == "12:00: 1,500 steps. stationary 45 min 00 s, walking 15 min 00 s")
            #expect(monday[3].text == "03:00: 0 steps. stationary 1 h 00 min")
            // An hour without data has no value: it is not zero.
            let thursday = try #require(pictures.first { $0.key.hasPrefix("Thu\u{A0}19") }?.value).values
            #expect(thursday.count == 14 && thursday[0].text.hasPrefix("10:00"))
            #expect(pictures["Steps by the length of their bouts"]?.values.count == 8)
        }
        for (index, mark) in page.elements.enumerated() where mark.attributes["class"] == "mark" {
            #expect(mark.name == "a" || (mark.attributes["tabindex"] == "0" && mark.attributes["role"] == "img"))
            #expect(page.elements[index + 1].name == "title" && !page.elements[index + 1].text.isEmpty)
        }
        #expect(page.text.contains(".mark:focus .tip{visibility:visible}") && page.all("script").isEmpty)
    }

    @Test("are compared with a goal in words and by a line, and with none without one")
    func goal() throws {
        var week = try HistoryReportTests.week()
        let none = try week.page
        #expect(!none.text.contains("goal"))
        week.add(.walking, at: try Reported.time(11, 23), minutes: 10, cadence: 100)
        week.range = try Reported.time(11, 16)..<Reported.time(11, 24)
        week.goal = 2500
        let page = try week.page
        #expect(page.text.contains("The line is the goal of 2,500, reached on 6 of 7 days with data."))
        let chart = try #require(page.pictures()["Steps per day"])
        #expect(chart.words.contains("goal"))
        // The line crosses the bars at the goal.
        let line = try #require(chart.elements.last { $0.name == "path" && $0.attributes["stroke"] == "#222222" })
        let height = try #require(line.attributes["d"]?.split { !"0123456789.".contains($0) }.compactMap { Double($0) })
        let bar = try #require(chart.elements.first { $0.attributes["fill"] == Shade.steps })
        let (foot, top) = (bar.number("y") + bar.number("height"), bar.number("y"))
        #expect(abs((foot - height[1]) / (foot - top) - 2500.0 / 3000) < 0.01)
        // Its name stands at its end, where no bar has its label.
        let name = try #require(chart.elements.first { $0.name == "text" && $0.text == "goal" })
        #expect(name.number("x") > height[2])
        // A goal above all bars fits the axis.
        week.goal = 10_000
        #expect(try week.page.pictures()["Steps per day"]?.words.contains("10,000") == true)
        week.range = try Reported.time(11, 16)..<Reported.time(11, 17)
        #expect(try week.page.text.contains("<b>30\u{A0}%</b> of the goal of 10,000"))
        week.goal = 0
        #expect(try !week.page.text.contains("goal"))
    }

    @Test("of more than two weeks have the values of their hours in tables only")
    func long() throws {
        var days = Reported(range: try Reported.time(11, 1)..<Reported.time(11, 16))
        for day in 1...15 { days.add(day: try Reported.time(11, day)..<(try Reported.time(11, day + 1))) }
        let page = try days.page
        let first = try #require(page.pictures().first { $0.key.hasPrefix("Sun\u{A0}1\u{A0}") }?.value)
        #expect(first.values.isEmpty && page.pictures()[Self.strip]?.values.count == 15)
        #expect(page.tables["Sun\u{A0}1\u{A0}November\u{A0}2026, hour by hour"]?.count == 26)
    }
}

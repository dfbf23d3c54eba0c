import Footfall
import FootfallHistory
import FootfallReport
import Foundation
import Testing

@Suite("The page of a day")
struct DayPageTests {
    /// The page of a history of walks at 100 steps per minute.
    private static func page(
        walks: [(start: Timestamp, seconds: Double)], at now: Timestamp, goal: Int? = nil
    ) throws -> WebPage {
        let history = try MotionHistory.inMemory(retention: .forever, acceptsFuture: true)
        for walk in walks {
            let steps = (0..<Int(walk.seconds / 0.6)).map { index in
                MotionEvent.step(Step(time: walk.start.advanced(bySeconds: Double(index) * 0.6 + 0.3)))
            }
            let range = walk.start..<walk.start.advanced(bySeconds: walk.seconds)
            let segment = Segment(range: range, flags: .walking, probability: 0.9, steps: steps.count)
            try history.record(steps + [.segment(segment)], from: "wrist", timeZone: .gmt)
        }
        return WebPage(
            try history.read {
                try DayPage(
                    of: $0.source("wrist"), among: ["wrist"], on: nil, at: now, generator: "Footfall", goal: goal
                ).html
            })
    }

    @Test("compares today with yesterday by the same time of day, and with the goal")
    func comparison() throws {
        let page = try Self.page(
            walks: [
                (Reported.time(11, 19, 10), 600), (Reported.time(11, 19, 20), 600), (Reported.time(11, 20, 9), 900),
            ], at: Reported.time(11, 20, 12), goal: 2000)
        #expect(page.text.contains("<strong class=\"value\">1,500</strong>"))
        #expect(page.text.contains("<b>500 more</b> than yesterday by 12:00"))
        #expect(page.text.contains("<b>75\u{A0}%</b> of the goal of 2,000"))
        #expect(page.text.contains("stroke-dasharray=\"75 100\""))
        #expect(page.headings(2).first?.hasPrefix("Today") == true && page.headings(2).last == "The week")
        // Without the script, the page states its time.
        #expect(page.text.contains("This page shows the state of 12:00."))
        // The hours are 200 pixels high or more on a phone of 390 pixels, whose page is 358 wide.
        let axis = try #require(page.pictures("narrow").first { $0.key.hasPrefix("Fri") }?.value)
        let bars = axis.elements.filter { $0.name == "rect" && $0.attributes["fill"] == Shade.steps }
        let height = bars.map { $0.number("height") }.max() ?? 0
        #expect(height * 358 / 380 > 150)
    }

    @Test("shows the minutes since the first sample on the first day, and no week")
    func firstDay() throws {
        let page = try Self.page(walks: [(Reported.time(11, 20, 12), 26.4)], at: Reported.time(11, 20, 12, 3))
        #expect(page.tables.keys.contains("Fri\u{A0}20\u{A0}November\u{A0}2026, minute by minute"))
        let day = try #require(page.pictures().first { $0.key.hasPrefix("Fri") }?.value)
        // The walk is a block of a seventh of the picture, with its values.
        let block = try #require(day.bars(Color.walking).map(\.place).max { $0.upperBound < $1.upperBound })
        #expect(abs(block.upperBound - 60 - 26.4 / 180 * 710) < 1)
        #expect(day.values.contains { $0.text.hasPrefix("12:00 to 12:00: walking, 26") })
        #expect(day.rectangles(Color.gap).count == 1)
        #expect(page.text.contains("<section id=\"part-week\" hidden=\"hidden\"></section>"))
        #expect(!page.text.contains("yesterday"))
    }

    @Test("of the only day that is over ends with the last sample")
    func over() throws {
        let page = try Self.page(walks: [(Reported.time(11, 20, 12), 600)], at: Reported.time(11, 22, 12))
        #expect(page.tables["Fri\u{A0}20\u{A0}November\u{A0}2026, minute by minute"]?.count == 12)
    }
}

import Footfall
import FootfallHistory
import FootfallReport
import Foundation
import Testing

/// Reports of short, long and unusual histories.
@Suite("Any report")
struct ReportRobustnessTests {
    @Test(
        "accepts any name of a source and of a history",
        arguments: [
            "</title><script>alert(1)</script>", "a&b<c>\"d'.sqlite", "\u{7}\u{1B}[31m\u{FFFF}", "\n\t ",
            "日本語 🚶‍♀️ שלום", "]]>", "<!--", "&amp;", "url(http://example.org)", String(repeating: "long ", count: 51),
        ])
    func names(name: String) throws {
        var week = try HistoryReportTests.week()
        (week.source, week.name) = (name, name)
        let page = try week.page
        #expect(page.all("script").isEmpty && page.all("svg").count > 20)
        if !name.contains("\u{7}"), !name.contains("\n") {
            #expect(page.headings(1) == ["Steps and activities of \(name)".trimmingCharacters(in: .whitespaces)])
            #expect(page.all("dd").contains { $0.text == name })
        }
        let svg = Picture(try week.report.svg)
        #expect(svg.all("script").isEmpty && (svg.all("title").first?.text.count ?? 1000) < 110)
    }

    @Test("without data in its range names the range of the data")
    func nothing() throws {
        var none = Reported(range: try Reported.time(11, 16)..<Reported.time(11, 17))
        let empty = try none.page
        #expect(empty.headings(2) == ["No data", "About this report"])
        #expect(empty.text.contains("The history is empty."))
        #expect(Picture(try none.report.svg).words.contains("no data"))
        none.add(.walking, at: try Reported.time(11, 20, 8), minutes: 3, cadence: 100)
        let elsewhere = try none.page
        #expect(elsewhere.text.contains("There is data from 2026-11-20 08:00:00 to 2026-11-20 08:03:00 (UTC)."))
        #expect(elsewhere.all("table").isEmpty)
    }

    @Test("shows a single step and a range of less than a second")
    func little() throws {
        for seconds in [0.6, 1, 60] {
            let start = try Reported.time(11, 16, 8)
            var day = Reported(range: start..<start.advanced(bySeconds: seconds))
            day.add(.walking, at: start, minutes: seconds / 60)
            day.stepTimes = [start]
            let page = try day.page
            #expect(page.headings(2).contains("The day, minute by minute"))
            #expect(page.tables["Bouts by their length"]?.last?.prefix(3) == ["all", "1", "1"])
            #expect(page.text.contains("One step has no cadence, because no other step is close."))
            #expect(!Picture(try day.report.svg).words.isEmpty)
        }
    }

    @Test("shows minutes of a range of up to six hours", arguments: [(11.0, 1), (60, 1), (61, 5), (360, 5), (361, 60)])
    func closely(minutes: Double, expected: Int) throws {
        let start = try Reported.time(11, 16, 8)
        let range = start..<start.advanced(bySeconds: minutes * 60)
        var day = Reported(range: range)
        day.add(.walking, at: start, minutes: minutes, cadence: 100)
        let page = try day.page
        let table = try #require(page.tables.first { $0.key.hasPrefix("Mon\u{A0}16\u{A0}November\u{A0}2026, ") }?.value)
        #expect(table.count == Int((minutes / Double(expected)).rounded(.up)) + 2)
        #expect(
            table.dropFirst().dropLast().compactMap { Int($0[1].replacing(",", with: "")) }.reduce(0, +)
                == Int(minutes * 100))
        day.range = start..<start.advanced(bySeconds: 86_400 + minutes * 60)
        day.add(.walking, at: range.upperBound, minutes: 1440, cadence: 1)
        #expect(try day.page.tables.keys.contains("Mon\u{A0}16\u{A0}November\u{A0}2026, hour by hour"))
    }

    @Test("shows minutes across midnight")
    func midnight() throws {
        let start = try Reported.time(11, 16, 23, 30)
        var night = Reported(range: start..<start.advanced(bySeconds: 3600))
        night.add(.walking, at: start, minutes: 60, cadence: 100)
        let page = try night.page
        for day in ["Mon\u{A0}16\u{A0}November\u{A0}2026", "Tue\u{A0}17\u{A0}November\u{A0}2026"] {
            #expect(page.tables["\(day), minute by minute"]?.count == 32)
            let picture = try #require(page.pictures().first { $0.key.hasPrefix(day) }?.value)
            let walk = try #require(picture.bars(Color.walking).first?.place)
            #expect(walk == 60...770)
        }
        // The bout and the cadences go on over midnight.
        #expect(page.tables["Bouts by their length"]?.last?.prefix(3) == ["all", "1", "6,000"])
        #expect(!page.text.contains("no other step is close"))
    }

    @Test("can have a range of two centuries")
    func long() throws {
        let begin = try #require(Timestamp(year: 1930, month: 1, day: 1))
        var days = Reported(retention: .days(100), range: begin..<Timestamp.supported.upperBound)
        let removed = try #require(Timestamp(year: 2025, month: 9, day: 1))
        for start in [removed, try Reported.time(1, 1), try Reported.time(3, 1)] {
            days.add(.walking, at: start, minutes: 1, cadence: 1)
        }
        let page = try days.page
        #expect(page.text.utf8.count < 60_000)
        #expect(page.text.contains("The range starts before the time that the history keeps."))
        #expect(
            page.tables["Steps and activities of each day"]?.map { $0[0] } == [
                "day", "Wed\u{A0}1\u{A0}January\u{A0}1930 to Wed\u{A0}31\u{A0}December\u{A0}2025",
                "Thu\u{A0}1\u{A0}January\u{A0}2026", "Fri\u{A0}2\u{A0}January to Sat\u{A0}28\u{A0}February\u{A0}2026",
                "Sun\u{A0}1\u{A0}March\u{A0}2026",
                "Mon\u{A0}2\u{A0}March\u{A0}2026 to Wed\u{A0}31\u{A0}December\u{A0}2149", "all",
            ])
    }

    @Test("shows the weeks of up to a year, and the months of a longer time, on a small page")
    func year() throws {
        var year = Reported(range: try Reported.time(1, 1)..<Reported.time(11, 1))
        for day in 0..<304 {
            let start = year.range.lowerBound.advanced(bySeconds: Double(day) * 86400 + 30_000)
            year.add(.walking, at: start, minutes: Double(1 + day % 7), cadence: 10)
        }
        let page = try year.page
        let weeks = try #require(page.tables["Steps and activities of each week"])
        // 1 January 2026 is a Thursday, so there are 44 weeks. The first has 10, 20, 30 and 40 steps on its days.
        #expect(weeks.count == 46 && weeks[1].prefix(4) == ["1\u{A0}Jan to 4\u{A0}Jan", "4", "25", "100"])
        #expect(weeks[2].prefix(4) == ["5\u{A0}Jan to 11\u{A0}Jan", "7", "40", "280"])
        #expect(weeks.last?.prefix(2) == ["all", "304"])
        #expect(page.tables["Steps and activities of each day"] == nil)
        let chart = try #require(page.pictures()["Steps a day in each week"])
        #expect(chart.rectangles(Shade.steps).count == 44 && chart.words.count < 15)
        #expect(page.text.utf8.count < 500_000)
        // The background, the pattern of gaps, and the bars.
        let picture = Picture(try year.report.svg)
        #expect(picture.all("rect").count == 46)
        #expect(page.tables["Time without data"]?.count == 50 + 3 && page.text.contains("shorter ones"))
        var years = Reported(range: year.range.lowerBound..<year.range.lowerBound.advanced(bySeconds: 800 * 86400))
        for day in stride(from: 0.0, to: 780, by: 13) {
            years.add(
                .walking, at: year.range.lowerBound.advanced(bySeconds: day * 86400), minutes: 1, cadence: 10)
        }
        let months = try #require(years.page.tables["Steps and activities of each month"])
        #expect(months[1].prefix(4) == ["January\u{A0}2026", "3", "10", "30"] && months.count == 26 + 2)
    }

    @Test("of the same history has the same bytes")
    func determinism() throws {
        let first = try HistoryReportTests.week().report
        #expect(try first.html == HistoryReportTests.week().report.html)
        #expect(try first.svg == HistoryReportTests.week().report.svg)
    }

    @Test("has readable and different colors on light and dark backgrounds")
    func contrast() throws {
        let html = try HistoryReportTests.week().report.html
        let blocks = html.split(separator: ":root{").dropFirst().prefix(2)
        #expect(blocks.count == 2)
        for block in blocks {
            var colors: [String: String] = [:]
            for declaration in block.prefix(while: { $0 != "}" }).split(whereSeparator: { ";\n".contains($0) }) {
                let parts = declaration.split(separator: ":").map(String.init)
                if parts.count == 2, parts[1].hasPrefix("#") { colors[parts[0]] = parts[1] }
            }
            #expect(colors.count == 25 && Set(colors.values).count == 25)
            let bands = try (0...6).map { try contrast(colors["--band\($0)"], colors["--ground"]) }
            #expect(zip(bands, bands.dropFirst()).allSatisfy { $1 > 1.15 * $0 }, "\(bands)")
            for text in ["--ink", "--label", "--link"] {
                for ground in ["--ground", "--card"] {
                    #expect(try contrast(colors[text], colors[ground]) >= 4.5, "\(text) on \(ground)")
                }
            }
            // The other colors are those of marks; the lines of the grid only guide the eye.
            let others = ["--ground", "--card", "--gap", "--grid", "--ink", "--label", "--link"]
            for mark in colors.keys where !others.contains(mark) {
                #expect(try contrast(colors[mark], colors["--ground"]) >= 3, "\(mark)")
            }
            #expect(try contrast(colors["--hatch"], colors["--gap"]) >= 3)
        }
    }

    @Test("has the colors of activities that the notebooks have")
    func notebooks() throws {
        let html = try HistoryReportTests.week().report.html
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Notebooks")
        let script = try String(contentsOf: folder.appending(path: "pictures.py"), encoding: .utf8)
        for activity in Activity.allCases {
            let declaration = try #require(html.components(separatedBy: "--\(activity.rawValue):").dropFirst().first)
            #expect(script.contains("\"\(activity.rawValue)\": \"\(declaration.prefix(7))\""), "\(activity)")
        }
    }

    /// The contrast of two colors by the Web Content Accessibility Guidelines 2.2.
    private func contrast(_ one: String?, _ other: String?) throws -> Double {
        func luminance(_ color: String?) throws -> Double {
            let digits = try #require(color)
            let value = try #require(Int(digits.dropFirst(), radix: 16))
            let parts = [16, 8, 0].map { shift -> Double in
                let share = Double((value >> shift) & 255) / 255
                return share <= 0.04045 ? share / 12.92 : pow((share + 0.055) / 1.055, 2.4)
            }
            return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
        }
        let (first, second) = (try luminance(one), try luminance(other))
        return (max(first, second) + 0.05) / (min(first, second) + 0.05)
    }
}

import Footfall
import FootfallHistory
import FootfallReport
import Foundation
import Synchronization
import TestSupport
import Testing

@Suite("A report of a history that another thread records into")
struct ConcurrentReportTests {
    @Test("has days, hours and bouts that add up to its total")
    func consistency() throws {
        let folder = try Folder()
        let file = folder.url.appending(path: "steps.sqlite")
        let start = try Reported.time(11, 16)
        let range = start..<start.advanced(bySeconds: 2 * 86400)
        let recorder = try MotionHistory(at: file, acceptsFuture: true)
        try recorder.record(ShiftingWalks.events(of: 0, from: start), from: "wrist", timeZone: .gmt)
        let isDone = Mutex(false)
        let thread = Thread {
            for call in 1... {
                if isDone.withLock(\.self) { return }
                _ = try? recorder.record(ShiftingWalks.events(of: call, from: start), from: "wrist")
            }
        }
        thread.start()
        defer { isDone.withLock { $0 = true } }

        let history = try MotionHistory(reading: file)
        var firstDays: Set<String> = []
        for _ in 0..<20 {
            let revision = try history.revision
            let page = WebPage(try HistoryReport(of: history, in: range).html)
            let days = try #require(page.tables["Steps and activities of each day"])
            #expect(days.count == 4 && days[3][1] == String(ShiftingWalks.steps))
            #expect(Int(days[1][1]).flatMap { first in Int(days[2][1]).map { first + $0 } } == ShiftingWalks.steps)
            for day in days[1...2] {
                let hours = try #require(page.tables["\(day[0]), hour by hour"])
                #expect(hours.dropFirst().dropLast().compactMap { Int($0[1]) }.reduce(0, +) == Int(day[1]))
            }
            #expect(page.tables["Bouts by their length"]?.last?[2] == String(ShiftingWalks.steps))
            firstDays.insert(days[1][1])
            #expect(try blockUntil { try history.revision != revision })
        }
        #expect(firstDays.count == 2, "all reports saw the same recording")
    }
}

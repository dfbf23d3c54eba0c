import Footfall
import FootfallHistory
import Foundation
import Testing

@testable import FootfallCommand

@Suite("The strip of a range")
struct TimelineStripTests {
    @Test("times of day are correct before and after 1970")
    func epoch() {
        let clock = WallClock(zone: .gmt)
        let start = Timestamp.epoch.advanced(bySeconds: -300)
        let strip = TimelineStrip(start..<start.advanced(bySeconds: 600), [], clock, width: 72)
        let labels = strip.ticks.split { !"0123456789:".contains($0) }
        #expect(labels == ["23:56", "23:58", "00:00", "00:02", "00:04"])
    }
}

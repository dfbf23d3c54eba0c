import Footfall
import FootfallAnswers
import FootfallSimulator
import FootfallTerminal
import Foundation
import Testing

@testable import FootfallDevices

@Suite("The live view")
struct LiveViewTests {
    @Test("has the duration of the session, also when the clock is set back by an hour")
    func setBack() throws {
        var view = LiveView(name: "device", recording: "not recorded", clock: WallClock(zone: .gmt))
        for start in ["2026-11-20T10:00:00Z", "2026-11-20T09:01:00Z"] {
            var sensor = SensorModel(sampleRate: 50)
            let date = try Date(start, strategy: .iso8601)
            sensor.start = try #require(Timestamp(secondsSince1970: date.timeIntervalSince1970))
            // After the clock was set back, the analysis starts again.
            var analyzer = MotionAnalyzer()
            for batch in try Simulation(Scenario.walk.lasting(60), seed: 5, sensor: sensor) {
                var update = LiveUpdate()
                update.events = analyzer.analyze(batch)
                (update.time, update.quality) = (batch.times.last, analyzer.quality)
                view.update(update)
                #expect(!view.text.contains("-"))
            }
        }
        let summary = view.summary
        #expect(summary.contains(" steps in 2 min 00 s, ") || summary.contains(" steps in 1 min 59 s, "), "\(summary)")
        #expect(summary.contains("100 %") || summary.contains("99 %"), "\(summary)")
    }
}

import Footfall
import FootfallHistory
import FootfallReaders
import FootfallSimulator
import Foundation
import TestSupport
import Testing

@testable import FootfallCommand
@testable import FootfallLive

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

    @Test("in the README is that of the replay after nine minutes and a quarter")
    func readme() throws {
        var view = LiveView(
            name: "commute.csv", recording: "recorded in steps.sqlite as pocket", clock: WallClock(zone: .gmt))
        var trace = try Trace(contentsOf: PackageFolder.trace("commute"))
        var instant = ContinuousClock.now
        var analysis = LiveAnalysis(clock: HostClock(), at: instant)
        let end = Timestamp.epoch.advanced(bySeconds: 9 * 60 + 15)
        while let samples = try trace.nextBatch()?.prefix(while: { $0.time < end }), !samples.isEmpty {
            for second in stride(from: 0, to: samples.count, by: 50) {
                let batch = SampleBatch(samples.dropFirst(second).prefix(50))
                if let update = analysis.add([batch], at: instant) { view.update(update) }
                instant = instant.advanced(by: .seconds(1))
            }
        }
        let readme = try String(contentsOf: PackageFolder.url.appending(path: "README.md"), encoding: .utf8)
        let shown = readme.components(separatedBy: "--history steps.sqlite --source pocket\n").last ?? ""
        let lines = view.text.split(separator: "\n", omittingEmptySubsequences: false)
        let text = lines.map { String($0.reversed().drop { $0 == " " }.reversed()) }.joined(separator: "\n")
        #expect(shown.hasPrefix(text + "```\n"), "the view is\n\(text)")
    }
}

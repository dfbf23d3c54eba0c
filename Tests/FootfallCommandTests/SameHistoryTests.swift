import Footfall
import FootfallCoreMotion
import FootfallHistory
import FootfallLive
import FootfallReaders
import FootfallSimulator
import Foundation
import TestSupport
import Testing

/// Each way into a history runs the same analyzer.
@Suite("Histories of one log")
struct SameHistoryTests {
    private let folder: Folder
    private let log: URL

    /// A walk, a phone that lies on a table for two hours, a walk.
    init() throws {
        folder = try Folder()
        let scenes: [Scene] = [
            Scene(.walking(), for: 60), Scene(.standing, for: 40), Scene(.deviceAtRest, for: 7200),
            Scene(.walking(), for: 60),
        ]
        let day = try Simulation(
            Scenario(name: "day", scenes: scenes), seed: 9,
            sensor: SensorModel(sampleRate: 25, jitter: 0.1, gaps: [7000..<7010]))
        var text = "time,x,y,z\n"
        for batch in day {
            for sample in batch {
                let time = 1_763_762_400 + sample.time.seconds(since: .epoch)
                text += String(format: "%.4f,%.5f,%.5f,%.5f\n", time, sample.x, sample.y, sample.z)
            }
        }
        log = URL(filePath: try folder.write("log.csv", text))
    }

    private func export(_ history: MotionHistory) throws -> [String] {
        var lines: [String] = []
        try history.exportLines { lines.append($0) }
        return lines
    }

    @Test("have equal exports: ten lines of Swift, the Core Motion face, analyze and live")
    func exports() async throws {
        let zone = try #require(TimeZone(identifier: "Europe/Berlin"))

        let library = try MotionHistory.inMemory()
        var trace = try Trace(contentsOf: log)
        var analyzer = MotionAnalyzer()
        while let batch = try trace.nextBatch() {
            try library.record(analyzer.analyze(batch), from: "wrist", timeZone: zone)
        }
        try library.record(analyzer.finish(), from: "wrist", timeZone: zone)
        let expected = try export(library)
        #expect(expected.count { $0.contains("nonWear") } == 1)

        let recorded = try MotionHistory.inMemory()
        try recorded.record([], from: "wrist", timeZone: zone)
        var again = try Trace(contentsOf: log)
        let (stream, continuation) = AsyncStream.makeStream(of: SampleBatch.self)
        while let batch = try again.nextBatch() { continuation.yield(batch) }
        continuation.finish()
        let coprocessor = MotionCoprocessor(
            history: recorded, source: "wrist", device: ReplayDevice("replay", stream, speed: nil))
        for try await _ in Pedometer(coprocessor).updates(from: Date(timeIntervalSince1970: 0)) {}
        await coprocessor.stop()
        #expect(try Self.events(export(recorded)) == Self.events(expected))

        for input in [["analyze", log.path], ["live", "--replay", log.path, "--speed", "max"]] {
            let path = folder.path("\(input[0]).sqlite")
            let run = try footfall(input + ["--history", path, "--source", "wrist", "--tz", "Europe/Berlin"])
            #expect(run.status == 0)
            #expect(try export(MotionHistory(reading: URL(filePath: path))) == expected, "\(input[0])")
        }
    }

    /// The lines of an export without those of the source, whose zone the face takes from the system.
    private static func events(_ lines: [String]) -> [String] { lines.filter { !$0.contains("zones") } }
}

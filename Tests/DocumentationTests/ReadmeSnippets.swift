import Footfall
import FootfallDevices
import FootfallHistory
import FootfallTraces
import Foundation
import TestSupport
import Testing

@Suite("The README")
struct ReadmeSnippets: Snippets {
    let printed = Printed()

    @Test("counts the steps of a shipped trace and queries a history")
    func library() throws {
        let log = PackageFolder.trace("walk-wrist")
        let folder = try Folder()
        let file = folder.url.appending(path: "steps.sqlite")
        let day = DateInterval(start: Date(timeIntervalSince1970: 0), duration: 86_400)

        let history = try MotionHistory(at: file)
        var trace = try Trace(contentsOf: log)
        var analyzer = MotionAnalyzer()
        while let batch = try trace.nextBatch() {
            try history.record(analyzer.analyze(batch), from: "wrist")
        }
        try history.record(analyzer.finish(), from: "wrist")

        let steps = try history.steps(in: day)
        print("\(steps.count) steps, \(steps.coverage) s of it covered")
        for walk in try history.activities(in: day, where: .activity(.walking)) {
            print(walk.interval, walk.steps, walk.confidence)
        }

        #expect(abs(steps.coverage - 120) < 1)
        #expect((200...240).contains(steps.count))
        #expect(printed.lines.count == 2 && printed.lines[1].hasSuffix("high"))
    }

    @Test("reads a serial port, and throws where it is missing", .needsNoSerialPort)
    func live() async throws {
        let history = try MotionHistory.inMemory()
        let error = await #expect(throws: DeviceError.self) {
            for try await update in LiveMotion(WireDevice(.serial(path: "/dev/ttyUSB0"))) {
                try history.record(update.events, from: "wrist")
                print(update.steps, update.current?.activity ?? .unknown)
            }
        }
        #expect(error?.reason == .missing)
        #expect(printed.lines.allSatisfy { $0.hasPrefix("0") })
    }
}

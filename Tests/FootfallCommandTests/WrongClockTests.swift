import Footfall
import Foundation
import TestSupport
import Testing

/// `Tests/Soak/clocks.py` has more clocks.
@Suite(
    "footfall live on a wrong clock", .enabled(if: PreloadedLibrary.canBeBuilt, "there is no C compiler"),
    .timeLimit(.minutes(60)))
struct WrongClockTests {
    /// In seconds.
    private static let year = 31_557_600

    private let folder: Folder
    private let library: String

    init() throws {
        folder = try Folder()
        library = try PreloadedLibrary.build("set_clock", in: folder)
    }

    @Test("before 1900 or after 2150 is refused and leaves nothing", arguments: [-3000, -150, 150, 300])
    func outside(years: Int) throws {
        let run = try footfall(
            "live", "-", "--history", folder.path("h"),
            environment: ["LD_PRELOAD": library, "FOOTFALL_CLOCK": "\(years * Self.year)"])
        #expect(run.status == 1 && run.errors.contains("set the clock"), "\(run)")
        #expect(!FileManager.default.fileExists(atPath: folder.path("h")))
    }

    @Test(
        "that is set meanwhile ends or goes on, and what is not recorded is reported",
        arguments: [-150 * year, -7200, 7200, 150 * year, 300 * year])
    func stepped(seconds: Int) async throws {
        let clock = folder.path("clock")
        let live = try LiveProcess(
            .standardInput, ["--history", folder.path("h"), "--source", "wrist", "-o", "ndjson"],
            environment: ["LD_PRELOAD": library, "FOOTFALL_CLOCK_FILE": clock])
        // A loaded machine needs a while to begin.
        var walk = try LiveProcess.walk(seconds: 120)[...]
        while live.stepCount <= 5, walk.count > 500 {
            await LiveProcess.play(Array(walk.prefix(100)), to: [live.wire])
            walk = walk.dropFirst(100)
        }
        #expect(live.stepCount > 5)
        try folder.write("clock", "\(seconds)")
        await LiveProcess.play(Array(walk.prefix(400)), to: [live.wire])
        live.endInput()
        let status = live.end(0)
        if abs(seconds) > Self.year {
            #expect(status == 1 && live.errors.contains("set the clock"), "\(status): \(live.errors)")
        } else {
            #expect([0, 4, 65].contains(status), "\(status): \(live.errors)")
        }
        let steps = live.stepCount
        // A new history of which nothing is kept is removed again.
        guard FileManager.default.fileExists(atPath: folder.path("h")) else {
            #expect(live.errors.contains("ahead of the clock"), "\(live.errors)")
            return
        }
        #expect(try footfall("history", "check", "--history", folder.path("h")).status == 0)
        let info = try footfall("history", "info", "--history", folder.path("h"), "-o", "json").records()
        let kept = (info.first?["sources"] as? [[String: Any]])?.first?["steps"] as? Int ?? 0
        #expect(kept >= steps || live.errors.contains("ahead of the clock"), "\(kept) of \(steps): \(live.errors)")
    }

    /// Runs a session of a walk, with a clock that is ahead by some seconds and then by others.
    private func walk(seconds: Double, ahead: Double = 0, then: Double? = nil) async throws -> LiveProcess {
        let clock = try folder.write("clock", "\(ahead)")
        let live = try LiveProcess(
            .standardInput, ["--history", folder.path("h"), "--source", "wrist", "-o", "ndjson"],
            environment: ["LD_PRELOAD": library, "FOOTFALL_CLOCK_FILE": clock])
        let walk = try LiveProcess.walk(seconds: seconds)
        await LiveProcess.play(Array(walk.prefix(walk.count / 2)), to: [live.wire])
        if let then { try folder.write("clock", "\(then)") }
        await LiveProcess.play(Array(walk.suffix(walk.count / 2)), to: [live.wire])
        live.endInput()
        return live
    }

    private var keptSteps: Int {
        get throws {
            let info = try footfall("history", "info", "--history", folder.path("h"), "-o", "json").records()
            return (info.first?["sources"] as? [[String: Any]])?.first?["steps"] as? Int ?? 0
        }
    }

    @Test("that is set back by some seconds, in a session or before it, replaces nothing, and is reported")
    func setBack() async throws {
        // By more than a busy machine lets the command wait: the clock goes on meanwhile.
        let first = try await walk(seconds: 24, then: -120)
        #expect(first.end(0) == 0, "\(first.errors)")
        #expect(first.errors.contains("set back by "), "\(first.errors)")
        #expect(try first.stepCount > 25 && keptSteps == first.stepCount, "\(first.stepCount): \(first.errors)")
        let second = try await walk(seconds: 12, ahead: -240)
        #expect(second.end(0) == 0, "\(second.errors)")
        #expect(second.errors.contains("set back by "), "\(second.errors)")
        #expect(try second.stepCount > 5 && keptSteps == first.stepCount + second.stepCount, "\(second.errors)")
    }

    @Test("that is set back by minutes replaces steps, which are counted, and the numbers agree")
    func repeated() async throws {
        // A walk from ten seconds before now on, for two minutes, in a log that ends ten minutes after now.
        let start = (Date() - 40).ISO8601Format()
        let log = try footfall(
            "analyze", RecordedHistory.trace("commute"), "--start", start, "--accept-future", "--history",
            folder.path("h"), "--source", "wrist")
        #expect(log.status == 0, "\(log.errors)")
        let before = try keptSteps
        let live = try await walk(seconds: 24)
        #expect(live.end(0) == 4, "\(live.errors)")
        let line = try #require(
            live.errors.split(separator: "\n").first { $0.contains(" steps recorded before are replaced") })
        let replaced = try #require(line.split(separator: " ").compactMap { Int($0) }.first)
        #expect(live.errors.contains("replaces what was recorded"), "\(live.errors)")
        #expect(live.errors.contains("\(replaced) steps of before replaced"), "\(live.errors)")
        #expect(try replaced > 10 && keptSteps == before - replaced + live.stepCount, "\(before), \(live.errors)")
    }
}

extension LiveProcess {
    fileprivate var stepCount: Int { records.count { $0["event"] as? String == "step" } }
}

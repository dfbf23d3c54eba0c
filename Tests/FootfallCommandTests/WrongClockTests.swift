import Footfall
import Foundation
import TestSupport
import Testing

/// `Tests/Soak/files.py` has more clocks.
@Suite(
    "footfall live on a wrong clock", .enabled(if: PreloadedLibrary.canBeBuilt, "there is no C compiler"),
    .timeLimit(.minutes(15)))
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
        #expect(try footfall("history", "check", "--history", folder.path("h")).status == 0)
        let info = try footfall("history", "info", "--history", folder.path("h"), "-o", "json").records()
        let kept = (info.first?["sources"] as? [[String: Any]])?.first?["steps"] as? Int ?? 0
        #expect(kept >= steps || live.errors.contains("ahead of the clock"), "\(kept) of \(steps): \(live.errors)")
    }
}

extension LiveProcess {
    fileprivate var stepCount: Int { records.count { $0["event"] as? String == "step" } }
}

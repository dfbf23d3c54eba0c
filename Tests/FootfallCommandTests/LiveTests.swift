import Footfall
import FootfallHistory
import Foundation
import TestSupport
import Testing

@Suite("footfall live", .timeLimit(.minutes(60)))
struct LiveTests {
    @Test("a walk over each kind of connection is in the history when it ends")
    func transports() async throws {
        let walk = try LiveProcess.walk(seconds: 14)
        let folder = try Folder()
        let processes = try LiveProcess.Way.allCases.map { way in
            try LiveProcess(
                way,
                [
                    "--history", folder.path("\(way).sqlite"), "--record", folder.path("\(way).bin"), "-v", "-o",
                    "ndjson",
                ])
        }
        for process in processes { #expect(try await process.waitUntilOpen()) }
        await LiveProcess.play(walk, to: processes.map(\.wire))
        for (way, process) in zip(LiveProcess.Way.allCases, processes) {
            let isSeen = try await process.wait {
                ($0.records.last { $0["event"] as? String == "state" }?["steps"] as? Int ?? 0) >= 21
            }
            #expect(isSeen, "\(way): \(process.output) \(process.errors)")
            #expect(process.end(way == .datagrams ? SIGTERM : SIGINT) == 0)
            #expect(process.errors.contains("text lines"))
            #expect(process.errors.contains(" steps in 1"), "\(process.errors)")
            let steps = process.records.filter { $0["event"] as? String == "step" }
            let run = try footfall("query", "steps", "--history", folder.path("\(way).sqlite"), "-o", "json")
            #expect(
                try run.records().integers("steps") == [steps.count] && (20...29).contains(steps.count),
                "\(steps.count)")
            let bytes = try Data(contentsOf: URL(filePath: folder.path("\(way).bin")))
            #expect(bytes.split(separator: UInt8(ascii: "\n")).count >= walk.count - 1)
        }
    }

    @Test("a replay settles the same events as an analysis", arguments: ["commute", "walk-wrist"])
    func replay(trace: String) throws {
        let folder = try Folder()
        let file = RecordedHistory.trace(trace)
        let live = try footfall(
            "live", "--replay", file, "--speed", "max", "-o", "ndjson", "--history", folder.path("live.sqlite"))
        #expect(live.status == 0)
        let records = live.output.split(separator: "\n").compactMap {
            try? JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
        }
        let analysis = try footfall("analyze", file, "-o", "json", "--history", folder.path("analysis.sqlite"))
        let steps = records.filter { $0["event"] as? String == "step" }
        #expect(try analysis.records().integers("steps") == [steps.count])
        let states = records.filter { $0["event"] as? String == "state" }
        #expect(!states.isEmpty && states.allSatisfy { $0["provisional"] as? Bool == true })
        // The provisional steps end at the number of settled steps.
        #expect(states.last?["steps"] as? Int == steps.count)
        let exports = try ["live", "analysis"].map {
            try footfall("history", "export", "--history", folder.path("\($0).sqlite"))
        }
        #expect(exports[0].status == 0 && exports[0].output == exports[1].output && exports[0].output.count > 1000)
    }

    @Test("after a kill, another session continues in the same history")
    func killed() throws {
        let folder = try Folder()
        // The session cannot end before it is killed: its pipe stays open.
        let pipe = folder.path("pipe")
        try #require(mkfifo(pipe, 0o600) == 0)
        func arguments(_ trace: String) -> [String] {
            ["live", "--replay", trace, "--history", folder.path("history.sqlite"), "--speed", "max", "--quiet"]
        }
        let process = try Follower(arguments(pipe))
        let writer = try #require(FileHandle(forWritingAtPath: pipe))
        let commute = try Data(contentsOf: URL(filePath: RecordedHistory.trace("commute")))
        try writer.write(contentsOf: commute.prefix(commute.count / 2))
        func steps() throws -> Int {
            let run = try footfall("query", "steps", "--history", folder.path("history.sqlite"), "-o", "json")
            return try run.status == 0 ? run.records().integers("steps").first ?? 0 : 0
        }
        #expect(try blockUntil { try steps() >= 50 })
        #expect(process.end(SIGKILL) == -SIGKILL)
        try writer.close()
        #expect(try (50..<560).contains(steps()))
        #expect(try footfall(arguments(RecordedHistory.trace("commute"))).status == 0)
        let analysis = try footfall("analyze", RecordedHistory.trace("commute"), "-o", "json")
        #expect(try [steps()] == analysis.records().integers("steps"))
    }

    @Test("names no history at its end that was removed meanwhile")
    func removedHistory() throws {
        let folder = try Folder()
        let pipe = folder.path("pipe")
        try #require(mkfifo(pipe, 0o600) == 0)
        let process = try Follower(
            ["live", "--replay", pipe, "--history", folder.path("history.sqlite"), "--speed", "max"])
        let writer = try #require(FileHandle(forWritingAtPath: pipe))
        let commute = try Data(contentsOf: URL(filePath: RecordedHistory.trace("commute")))
        try writer.write(contentsOf: commute.prefix(commute.count / 2))
        #expect(process.wait { !$0.lines.isEmpty })
        try FileManager.default.removeItem(atPath: folder.path("history.sqlite"))
        try writer.write(contentsOf: commute.dropFirst(commute.count / 2))
        try writer.close()
        #expect(process.wait { !$0.isRunning })
        #expect(process.output.contains(" steps in ") && !process.output.contains("recorded in"), "\(process.output)")
        #expect(process.errors.contains("removed while it was open"), "\(process.errors)")
    }

    @Test("on a terminal it redraws a view in place and ends with a summary")
    func view() throws {
        let trace = RecordedHistory.trace("walk-wrist")
        let command = "'\(executable.path)' live --replay '\(trace)' --speed 40 --no-history"
        let run = try shell("script -qec \"stty cols 80 rows 24; env -u NO_COLOR TERM=xterm \(command)\" /dev/null")
        #expect(run.status == 0)
        #expect(run.output.contains("\u{1B}[8A") && run.output.contains("/min"))
        #expect(run.output.contains("walking") && run.output.contains("50.0 Hz") && run.output.contains("0 dropped"))
        let last = run.output.split(whereSeparator: \.isNewline).last ?? ""
        let steps = try footfall("analyze", trace, "-o", "json").records().integers("steps")
        #expect(last.contains("\(steps[0]) steps in 2 min 00 s, 100 % of it covered by samples; not recorded"))
        let plain = try shell("script -qec \"stty cols 80 rows 24; TERM=xterm NO_COLOR=1 \(command)\" /dev/null")
        #expect(plain.output.contains("wwww") && !plain.output.contains("\u{1B}[3"))
        let narrow = try shell("script -qec \"stty cols 40 rows 24; TERM=xterm NO_COLOR=1 \(command)\" /dev/null")
        #expect(narrow.output.contains("\u{1B}[K\r\n  confidence"), "\(narrow.output)")
    }

    @Test("without a terminal it prints a line per change and per minute, and nothing with --quiet")
    func lines() throws {
        let arguments = ["live", "--replay", RecordedHistory.trace("commute"), "--speed", "1000", "--no-history"]
        let run = try footfall(arguments)
        let lines = run.output.split(separator: "\n")
        #expect(lines.first?.hasPrefix("time") == true && lines.count > 4)
        #expect(lines.last?.hasPrefix("568 steps in 11 min 00 s") == true)
        #expect(!run.output.contains("\u{1B}"))
        let quiet = try footfall(arguments + ["--quiet"])
        #expect(quiet.status == 0 && quiet.output.isEmpty && quiet.errors.isEmpty)
    }

    @Test("a rate too slow for steps is named outside of a view, too", arguments: [["--quiet"], ["-o", "ndjson"], []])
    func slow(arguments: [String]) throws {
        let folder = try Folder()
        let rows = (0..<100).map { "\(Double($0) / 4),0.02,-0.01,1.00" }
        let file = try folder.write("slow.csv", "time,x,y,z\n" + rows.joined(separator: "\n"))
        let replay = ["live", "--speed", "max", "--replay"]
        let run = try footfall(replay + [file] + arguments)
        #expect(run.status == 0 && run.errors.contains("4.0 Hz is too slow to find steps reliably"), "\(run)")
        let walk = try footfall(replay + [RecordedHistory.trace("walk-wrist")] + arguments)
        #expect(walk.status == 0 && !walk.errors.contains("too slow"), "\(walk)")
    }

    @Test("random bytes are bad data and give no step")
    func junk() async throws {
        let process = try LiveProcess(.standardInput, ["--no-history", "-o", "json"])
        var generator = SeededGenerator(seed: 7)
        process.wire.send((0..<20_000).map { _ in UInt8.random(in: 0...255, using: &generator) })
        process.endInput()
        #expect(process.end(0) == 65)
        #expect(process.output == "[]\n")
        for option in ["", "--quiet"] {
            let nothing = try shell("'\(executable.path)' live - --no-history \(option) < /dev/null")
            #expect(nothing.status == 65 && nothing.output.isEmpty && nothing.errors.contains("without a sample"))
        }
    }

    @Test("lines that cannot be read are quoted beside what is expected, also at the end of a pipe")
    func unreadable() throws {
        func live(_ lines: [String], _ option: String = "", end: String = "\n") throws -> Run {
            let folder = try Folder()
            try lines.map { $0 + end }.joined().write(toFile: folder.path("lines"), atomically: true, encoding: .utf8)
            return try shell("cat '\(folder.path("lines"))' | '\(executable.path)' live - --no-history \(option)")
        }
        let chat = try live((20..<60).map { "temp is \($0) degrees" })
        #expect(chat.status == 65)
        #expect(chat.errors.contains("'temp is 21 degrees', 'temp is 22 degrees'"), "\(chat.errors)")
        #expect(chat.errors.contains("such as 0.02,-0.01,1.00"), "\(chat.errors)")
        let linear = try live((0..<100).map { "linacc_x: 0.\($0 % 9) linacc_y: 0.\($0 % 7) linacc_z: 0.1" })
        #expect(linear.errors.contains("without gravity") && !linear.errors.contains("no known format"))
        // The log of a service has nothing but these lines.
        let still = try live((0..<300).map { _ in "0,0,0" }, "--quiet")
        #expect(still.errors.contains("without gravity"), "\(still.errors)")
        let endless = try live((0..<300).map { "0.01,0.0\($0 % 9),1.0" }, end: ",")
        #expect(endless.errors.contains("no line ends") && !endless.errors.contains("baud"), "\(endless.errors)")
        let some = try live((0..<300).map { $0 % 100 == 99 ? "battery low \($0)" : "0.01,0.0\($0 % 9),1.0" })
        #expect(some.output.contains("3 lines dropped, such as 'battery low 99'"), "\(some.output)")
    }

    @Test("without a sample leaves no history that it created, also after a normal end")
    func empty() throws {
        let folder = try Folder()
        let process = try LiveProcess(.standardInput, ["--duration", "1s", "--history", folder.path("new")])
        #expect(process.end(0) == 0 && process.errors.contains("recording in"), "\(process.errors)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
        try MotionHistory(at: folder.url.appending(path: "old")).close()
        #expect(try LiveProcess(.standardInput, ["--duration", "1s", "--history", folder.path("old")]).end(0) == 0)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["old"])
    }

    @Test("ends after its --duration, and when the reader of its output ends")
    func endings() throws {
        let process = try LiveProcess(.standardInput, ["--no-history", "--duration", "1s"])
        #expect(process.end(0) == 0 && process.output == "no samples\n")
        let commute = RecordedHistory.trace("commute")
        let head = try shell(
            "'\(executable.path)' live --replay '\(commute)' --speed 100 --no-history -o ndjson | head -1")
        #expect(head.status == 0 && head.output.split(separator: "\n").count == 1)
    }

    @Test("a host that is unknown or does not answer has no cable", arguments: ["a..b:1234", "127.0.0.1:1"])
    func network(address: String) throws {
        let run = try footfall("live", "tcp://\(address)", "--no-history")
        #expect(run.status == 74 && run.errors.contains("network"), "\(run)")
        #expect(!run.errors.contains("cable") && !run.errors.contains("of this machine"), "\(run)")
    }

    @Test(
        "a failure gives its reason in one line and its own exit code",
        arguments: [
            (["live"], 64), (["live", "-", "--replay", "x.csv"], 64), (["live", "http://x"], 64),
            (["live", "/dev/nothing"], 74), (["live", "/dev/null"], 78), (["live", "iio:99"], 74),
            (["live", "tcp://127.0.0.1:1"], 74), (["live", "-", "--protocol", "morse"], 64),
            (["live", "/etc/passwd"], 78), (["live", "."], 78), (["live", "/dev/nothing", "--baud", "12345"], 64),
            (["live", "-", "--configure"], 64),
            (["live", "--replay", "/nowhere.csv"], 66), (["live", "--replay", "/nowhere.csv", "--speed", "0"], 64),
            (["live", "-", "--unit", "stone"], 64), (["live", "-", "--duration", "soon"], 64),
            (["live", "iio:0", "--record", "x"], 64), (["live", "iio:0", "--protocol", "witmotion"], 64),
            (["live", "iio:0", "--baud", "9600"], 64), (["live", "iio:0", "--from", "192.0.2.1"], 64),
        ] as [([String], Int32)])
    func refusals(arguments: [String], status: Int32) throws {
        let isUsage = status == 64
        let run = try footfall(arguments + (arguments.count > 1 ? ["--no-history"] : []))
        #expect(run.status == status, "\(run.errors)")
        #expect(run.output.isEmpty && !run.errors.isEmpty)
        if !isUsage { #expect(run.errors.split(separator: "\n").count == 1) }
    }

    @Test(
        "creates the folder of the default history",
        arguments: [("XDG_DATA_HOME", "data/footfall"), ("HOME", "data/.local/share/footfall")])
    func defaultHistory(variable: String, place: String) async throws {
        let folder = try Folder()
        let environment = ["XDG_DATA_HOME": "", "FOOTFALL_HISTORY": ""]
            .merging([variable: folder.path("data")]) { $1 }
        let device = try LiveProcess(.standardInput, [], environment: environment)
        #expect(
            try await device.wait { $0.errors.contains("recording in \(folder.path(place))/history.sqlite as default") }
        )
        await LiveProcess.play(try LiveProcess.walk(seconds: 5), to: [device.wire])
        #expect(try await device.wait { !$0.output.isEmpty })
        #expect(device.end(SIGTERM) == 0)
        #expect(device.output.contains("recorded in history.sqlite as default"))
        #expect(FileManager.default.fileExists(atPath: folder.path(place + "/history.sqlite")))
    }

    @Test("records a log only where the user says")
    func unasked() throws {
        let folder = try Folder()
        let environment = ["FOOTFALL_HISTORY": folder.path("own.sqlite")]
        let replay = ["live", "--replay", RecordedHistory.trace("walk-wrist"), "--speed", "max"]
        let run = try footfall(replay, environment: environment)
        #expect(run.status == 0 && run.output.contains("; not recorded"), "\(run)")
        #expect(!FileManager.default.fileExists(atPath: folder.path("own.sqlite")))
        #expect(try footfall(replay + ["--serve"], environment: environment).status == 64)
    }

    @Test("a file or a full pipe on standard input is a log, with its own times")
    func logOnInput() throws {
        let folder = try Folder()
        let walk = RecordedHistory.trace("walk-wrist")
        let steps = try footfall("analyze", walk, "-o", "json").records().integers("steps")
        for (number, input) in ["< '\(walk)'", "--start 2026-11-20T08:00:00Z < '\(walk)'"].enumerated() {
            let history = folder.path("\(number).sqlite")
            let run = try shell("'\(executable.path)' live - --history '\(history)' \(input)")
            #expect(run.status == 0 && run.output.contains("\(steps[0]) steps in 2 min 00 s"), "\(run)")
            let answer = try footfall("query", "steps", "--history", history, "-o", "json").records()
            #expect(answer.integers("steps") == steps)
            #expect((answer.first?["start"] as? String)?.hasPrefix(number == 0 ? "1970" : "2026") == true)
        }
        // What writes line by line leaves gaps in a full pipe.
        for program in ["cat", "sed --unbuffered ''"] {
            let piped = try shell("\(program) '\(walk)' | '\(executable.path)' live - --no-history")
            #expect(piped.status == 0 && piped.output.contains("\(steps[0]) steps in 2 min 00 s"), "\(piped)")
        }
        for option in ["--baud 9600", "--protocol witmotion", "--from 192.0.2.1", "--configure"] {
            let run = try shell("'\(executable.path)' live - --no-history \(option) < '\(walk)'")
            #expect(run.status == 64 && run.errors.contains("standard input is a log"), "\(run)")
        }
    }

    @Test("lines that come faster than those of any sensor are recorded nowhere")
    func tooFast() throws {
        let folder = try Folder()
        try folder.write("lines", String(repeating: "0.01,0.02,1.0\n", count: 2000))
        let (history, lines) = (folder.path("history.sqlite"), folder.path("lines"))
        let run = try shell("cat '\(lines)' | '\(executable.path)' live - --history '\(history)'")
        #expect(run.status == 65 && run.errors.contains("use 'footfall analyze'"), "\(run)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("")).sorted() == ["lines"])
        let start = try shell("cat '\(lines)' | '\(executable.path)' live - --no-history --start 2026-11-20")
        #expect(start.status == 64 && start.errors.contains("--start"), "\(start)")
    }

    @Test(
        "goes on recording when standard output is full, says so once, and exits with 1",
        arguments: ["table", "ndjson"])
    func fullOutput(format: String) throws {
        let history = try RecordedHistory()
        let trace = RecordedHistory.trace("commute")
        let run = try shell(
            "'\(executable.path)' live --replay '\(trace)' --speed 200 --history '\(history.path)' -o \(format) >/dev/full"
        )
        #expect(run.status == 1, "\(run)")
        #expect(run.errors.components(separatedBy: "standard output").count == 2, "\(run.errors)")
        #expect(try history.records("steps").integers("steps") == [568])
        let closed = try RecordedHistory()
        let head = try shell(
            "'\(executable.path)' live --replay '\(trace)' --speed 200 --history '\(closed.path)' -o ndjson | head -20")
        #expect(head.status == 0 && !head.errors.contains("standard output"), "\(head)")
        let count = try closed.records("steps").integers("steps").first ?? 0
        let printed = head.output.split(separator: "\n").count { $0.contains("\"event\":\"step\"") }
        #expect(count >= printed)
        // The pipe may kill the recorder, and the shell may end before it. The next command that writes takes over: an
        // answer does so only where events wait.
        let deadline = ContinuousClock.now + .seconds(60)
        var left: [String] = []
        repeat {
            _ = try closed.manage("delete", "--since", "2020-01-01", "--until", "2020-01-02")
            left = try FileManager.default.contentsOfDirectory(atPath: closed.folder.path(""))
        } while left != ["history.sqlite"] && .now < deadline
        #expect(left == ["history.sqlite"])
    }
}

@Suite("footfall devices", .timeLimit(.minutes(60)))
struct DevicesTests {
    @Test("lists the same devices in every format")
    func formats() throws {
        let json = try footfall("devices", "--output", "json")
        let count = try #require(json.json() as? [Any]).count
        let csv = try footfall("devices", "--output", "csv")
        #expect(csv.output.hasPrefix("device,kind,file,name,manufacturer,driver,usb,"))
        #expect(csv.output.split(separator: "\n").count == 1 + count)
        let ndjson = try footfall("devices", "--output", "ndjson")
        #expect(ndjson.output.split(separator: "\n").count == count)
        let table = try footfall("devices")
        #expect(table.output.split(separator: "\n").count == (count == 0 ? 0 : 1 + count))
        #expect(table.errors.isEmpty == (count > 0))
        #expect([json, csv, ndjson, table].allSatisfy { $0.status == 0 })
    }
}

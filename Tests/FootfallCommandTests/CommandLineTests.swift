import Foundation
import TestSupport
import Testing

/// For a command line that cannot be followed the command prints one line with the problem, and returns a documented
/// exit code.
@Suite("The command line")
struct CommandLineTests {
    @Test("a misspelt command suggests the right one", arguments: ["analyse", "analyz", "Analyze", "anlayze"])
    func suggestion(name: String) throws {
        let run = try footfall(name, "walk.csv")
        #expect(run.status == 64)
        #expect(run.errors.contains("analyze"), "\(run.errors)")
        #expect(run.errors.contains("Did you mean"), "\(run.errors)")
    }

    @Test("columns are numbered from 1, and a 0 is a usage error that says so")
    func columnZero() throws {
        let run = try footfall("analyze", "x.csv", "--columns", "0,1,2,3")
        #expect(run.status == 64)
        #expect(run.errors.contains("numbered from 1"), "\(run.errors)")
    }

    @Test(
        "an unknown word names the known ones, and an option suggests no far one",
        arguments: [
            (["query", "bout", "--history", "h"], "Did you mean 'bouts'?"),
            (["query", "nonsense", "--history", "h"], "The queries are steps, activities, bouts, coverage"),
            (["help", "nonsense"], "The commands are analyze, "),
            (["help", "units", "more"], "Unexpected argument 'more'"), (["simulate", "walk", "-o", "w.csv"], "--out"),
            (["analyze", "x.csv", "--foo"], "Unknown option '--foo'.\n"),
            (["analyze", "x.csv", "--tabels", "r"], "Did you mean '--tables'?"),
        ])
    func unknown(arguments: [String], words: String) throws {
        let run = try footfall(arguments)
        #expect(run.status == 64 && run.errors.contains(words), "\(run)")
    }

    @Test(
        "a problem that a command finds later names the option, without the usage of another command",
        arguments: [
            (["analyze", "x.csv", "--start", "20.11.2026"], "--start: Cannot read the time '20.11.2026'"),
            (["simulate", "walk", "--start", "soon", "--out", "x.csv"], "--start: Cannot read the time 'soon'"),
            (["simulate", "walk", "--rate", "5", "--out", "x.csv"], "--rate 5.0: it must be from 12.5 to 800 Hz"),
            (["simulate", "walk", "--noise", "nan", "--out", "x.csv"], "--noise nan: "),
            (["live", "-", "--where", "x=1"], "--where is for logs, not for devices"),
            (["devices", "--rule", "nowhere"], "--rule nowhere: no such serial port"),
        ])
    func late(arguments: [String], words: String) throws {
        let run = try footfall(arguments)
        #expect(run.status == 64 && run.errors.hasPrefix("footfall: \(words)"), "\(run)")
        #expect(!run.errors.contains("Usage"), "\(run.errors)")
    }

    @Test(
        "an option that would do nothing is refused",
        arguments: [
            (["analyze", "x.csv", "--source", "wrist"], "need the --history"),
            (["analyze", "x.csv", "--source-from", "name"], "need the --history"),
            (["analyze", "x.csv", "--keep", "30d"], "need the --history"),
            (["analyze", "x.csv", "--accept-future"], "need the --history"),
            (["analyze", "x.csv", "--step-times"], "--output json"),
            (["analyze", "x.csv", "--tables", "t", "--valid-day", "25h"], "24h at most"),
            (["query", "measures", "--history", "h", "--valid-day", "25h"], "24h at most"),
            (["live", "-", "--speed", "10"], "--replay"), (["live", "-", "--serve", "--marks"], "--token-file"),
            (["analyze", "x.csv", "--columns", "time,x,x,z"], "different columns"),
            (["simulate", "walk", "--duration", "0"], "lies above 0"),
            (["analyze", "x.csv", "--history", "h", "--source", ""], "1 to 256 characters"),
            (["live", "-", "--source", String(repeating: "x", count: 257)], "1 to 256 characters"),
            (["live", "--replay", "x.csv", "--protocol", "xsens"], "for devices"),
            (["live", "--replay", "x.csv", "--keep", "30d"], "nothing is recorded"),
            (["live", "-", "--no-history", "--source", "wrist"], "nothing is recorded"),
            (["live", "-", "--no-history", "--baud", "9600"], "of a serial port"),
            (["live", "-", "--replay", "x.csv"], "exclude each other"),
            (["analyze", "x.csv", "--history", "h", "--keep", "0s"], "30d, or forever"),
            (["serve", "--host", "bad host"], "'--host <name>'"),
            (["serve", "--host", "pi.lan:8321"], "without a port"),
            (["evaluate", "x.csv", "--worst", "-3"], "--worst -3"),
        ])
    func pointless(arguments: [String], words: String) throws {
        let run = try footfall(arguments)
        #expect(run.status == 64 && run.errors.contains(words), "\(run)")
    }

    @Test("a value may begin with a minus, and a wrong one is the problem that is named")
    func minus() throws {
        let folder = try Folder()
        let rows = (0..<600).map { "\($0 * 20),0,\($0 % 10),252\n" }
        let log = try folder.write("log.csv", BadInputTests.header + rows.joined())
        let run = try footfall(
            "analyze", log, "--unit", "256", "--zero", "-3,-2,-4", "--time-unit", "ms", "--tz", "-03:00", "--start",
            "-2h")
        #expect(run.status == 0 && run.output.contains("zero at -3,-2,-4"), "\(run)")
        #expect(run.output.contains("(UTC-03:00)"), "\(run)")
        for (arguments, words) in [
            (["analyze", log, "--jobs", "-1"], "--jobs -1: write"),
            (["simulate", "walk", "--noise", "-.5"], "--noise -0.5: it must be"),
            (["report", "--goal", "-5"], "The value '-5' is invalid"),
        ] {
            let run = try footfall(arguments)
            #expect(run.status == 64 && run.errors.contains(words), "\(run)")
        }
        let history = try RecordedHistory.walk()
        let mark = try footfall("mark", "-5kg", "--since", "2026-11-20 08:01", "--history", history.path, "-o", "csv")
        #expect(mark.status == 0 && mark.output.contains("-5kg"), "\(mark)")
        for arguments in [
            ["-3.csv", "--tz", "-03:00"], ["-3.csv", "--", "--tz"], ["--lenient", "-3.csv"], ["-v", "-3.csv"],
        ] {
            let run = try footfall(["analyze"] + arguments)
            #expect(run.errors.contains("footfall: -3.csv: no such file"), "\(run)")
        }
        // Behind -- nothing is an option.
        #expect(try footfall("analyze", "--", "--tz", "-3.csv").errors.contains("footfall: -3.csv: no such file"))
        let lap = try footfall("mark", "--since", "2026-11-20 08:01", "--history", history.path, "--", "--lap=")
        #expect(lap.status == 0, "\(lap)")
    }

    @Test(
        "an empty name stands for no folder, and - for no file",
        arguments: [
            (["analyze", ""], 64, "a name is empty"),
            (["analyze", "x", "--tables", ""], 64, "value of --tables is empty"),
            (["query", "steps", "--history="], 64, "Missing value for '--history <file>'"),
            (["summarize", ""], 64, "a name is empty"), (["evaluate", ""], 64, "a name is empty"),
            (["simulate", "walk", "--out", ""], 64, "value of --out is empty"),
            (["analyze", "x.csv", "--plot", "-"], 73, "-: this output cannot go to standard output"),
            (["analyze", "x.csv", "--tables", "-"], 64, "--tables=-: this cannot go to standard output"),
            (["live", "-", "--no-history", "--record=-"], 64, "--record=-: this cannot go to standard output"),
            (["summarize", "x", "--out", "-"], 64, "--out=-: this cannot go to standard output"),
        ] as [([String], Int32, String)])
    func noName(arguments: [String], status: Int32, words: String) throws {
        let run = try footfall(arguments)
        #expect(run.status == status && run.errors.contains(words), "\(run)")
    }

    @Test("each place that may not be written, or whose folder is missing, has one exit code")
    func places() throws {
        let (folder, history) = (try Folder(), try RecordedHistory.walk().path)
        let log = try folder.write("log.csv", BadInputTests.header + BadInputTests.rows(0..<600))
        // Of these file systems, no user creates a file, and log.csv is no folder.
        for (place, code) in [(folder.path("none"), Int32(66)), ("/sys", 77), (log, 73)] {
            for arguments in [
                ["analyze", log, "--plot", place + "/a.svg"], ["analyze", log, "--seconds", place + "/a.csv"],
                ["report", "--history", history, "--out", place + "/a.html"],
                ["simulate", "walk", "--out", place + "/a.csv"],
                ["live", "-", "--no-history", "--record", place + "/a.bin"],
            ] {
                let run = try footfall(arguments)
                #expect(run.status == code && run.errors.contains("cannot be written"), "\(run)")
            }
        }
    }

    @Test("a folder that is missing is named as the problem")
    func missingFolder() throws {
        let folder = try Folder()
        let log = try folder.write("log.csv", BadInputTests.header + BadInputTests.rows(0..<600))
        let history = folder.path("h")
        #expect(try footfall("analyze", log, "--start", "2026-11-20", "--history", history).status == 0)
        let place = folder.path("none")
        for arguments in [
            ["analyze", log, "--history", place + "/h"], ["query", "steps", "--history", place + "/h"],
            ["history", "copy", place + "/h", "--history", history],
        ] {
            let run = try footfall(arguments)
            #expect(run.status == 66 && run.errors.contains("/h: there is no folder \(place). "), "\(run)")
        }
        // The folder of the default history cannot be created here, not even by the administrator.
        let live = try footfall("live", "-", environment: ["FOOTFALL_HISTORY": "/proc/none/h"])
        #expect(live.status == 66 && live.errors.contains("/h: there is no folder /proc/none. "), "\(live)")
    }

    @Test("a query before the first recording says how to begin, and an absent device leaves no history")
    func noHistory() throws {
        let folder = try Folder()
        let path = folder.path("new.sqlite")
        let query = try footfall("query", "steps", environment: ["FOOTFALL_HISTORY": path])
        #expect(query.status == 66 && query.errors.contains("nothing is recorded yet"), "\(query)")
        let live = try footfall("live", folder.path("ttyUSB9"), "--history", path)
        #expect(live.status == 74, "\(live)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
    }

    @Test(
        "invalid arguments are a usage error with a message",
        arguments: [
            ["analyze"], ["analyse", "x.csv"], ["analyze", "x.csv", "--output", "yaml"],
            ["analyze", "x.csv", "--unit", "furlong"], ["analyze", "x.csv", "--rate", "-5"],
            ["analyze", "x.csv", "--start", "2300-01-01"], ["analyze", "x.csv", "--start", "1850-01-01"],
            ["analyze", "x.csv", "--explain", "--tables", "t"],
            ["analyze", "x.csv", "--columns", "a,b"], ["analyze", "x.csv", "--tz", "Mars/Olympus"],
            ["simulate"], ["simulate", "moonwalk"], ["simulate", "walk", "--rate", "5"],
            ["simulate", "walk", "--placement", "nose"], ["query", "steps", "--since", "garbagetime"],
            ["query", "steps", "--by", "fortnight"],
            ["query", "steps", "--since", "2026-01-02", "--until", "2026-01-01"], ["evaluate"],
        ])
    func usage(arguments: [String]) throws {
        let run = try footfall(arguments)
        #expect(run.status == 64, "\(run)")
        #expect(!run.errors.isEmpty)
    }
}

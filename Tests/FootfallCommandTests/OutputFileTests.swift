import Foundation
import TestSupport
import Testing

/// What a command may replace: its own earlier outputs, and nothing else without `--force`.
@Suite("An output file")
struct OutputFileTests {
    private let folder: Folder
    private let log: String

    init() throws {
        folder = try Folder()
        log = folder.path("in.csv")
        try FileManager.default.copyItem(atPath: RecordedHistory.trace("walk-wrist"), toPath: log)
    }

    /// Runs the command in the folder of the test, and expects that it refuses to replace a file.
    private func expectRefusal(_ arguments: [String], of name: String, _ words: String = "--force") throws {
        let before = try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
        let bytes = try? Data(contentsOf: folder.url.appending(path: name))
        let run = try footfall(arguments, in: folder.url)
        #expect(run.status == 73 && run.output.isEmpty, "\(run)")
        #expect(run.errors.hasPrefix("footfall: ") && run.errors.contains(name), "\(run.errors)")
        #expect(run.errors.contains(words) && run.errors.split(separator: "\n").count == 1, "\(run.errors)")
        #expect((try? Data(contentsOf: folder.url.appending(path: name))) == bytes)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted() == before)
    }

    @Test("of simulate takes the place of no existing file, except with --force")
    func simulation() throws {
        let mine = try String(contentsOfFile: RecordedHistory.trace("run-pocket"), encoding: .utf8)
        try folder.write("walk.csv", mine)
        try expectRefusal(["simulate", "walk", "--duration", "60"], of: "walk.csv")
        try FileManager.default.moveItem(atPath: folder.path("walk.csv"), toPath: folder.path("w.truth.json"))
        try expectRefusal(["simulate", "walk", "--duration", "60", "--out", "w.csv"], of: "w.truth.json")
        #expect(!FileManager.default.fileExists(atPath: folder.path("w.csv")))
        let forced = try footfall(
            ["simulate", "walk", "--duration", "60", "--out", "w.csv", "--force"], in: folder.url)
        #expect(forced.status == 0)
        #expect(try folder.text("w.csv").hasPrefix("time,x,y,z\n") && folder.text("w.truth.json").hasPrefix("{"))
    }

    @Test("of analyze or report replaces an earlier one, and keeps its mode")
    func ownOutputs() throws {
        let history = try RecordedHistory.commute.get().path
        let page = ["report", "--history", history, "--out", "page.html", "--plot", "days.svg"]
        let analysis = ["analyze", log, "--plot", "walk.svg", "--why", "--tables", "results"]
        let names = ["page.html", "days.svg", "walk.svg", "results/in/steps.csv"]
        for _ in 0..<2 {
            for arguments in [page, analysis] { #expect(try footfall(arguments, in: folder.url).status == 0) }
            for name in names { chmod(folder.path(name), 0o640) }
        }
        for arguments in [page, analysis] { #expect(try footfall(arguments, in: folder.url).status == 0) }
        for name in names {
            let attributes = try FileManager.default.attributesOfItem(atPath: folder.path(name))
            #expect(attributes[.posixPermissions] as? Int == 0o640, "\(name)")
        }
    }

    @Test("of analyze or report takes the place of no other file")
    func foreignFiles() throws {
        let history = try RecordedHistory.commute.get().path
        try folder.write("notes.html", "<html>my notes</html>\n")
        try folder.write("mine.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\"/>\n")
        try folder.write("results/in/steps.csv", "day,steps\n1,4000\n")
        try folder.write("other/traces.ndjson", "{\"mine\":1}\n")
        try expectRefusal(["report", "--history", history, "--out", "notes.html"], of: "notes.html")
        try expectRefusal(["report", "--history", history, "--plot", "mine.svg"], of: "mine.svg")
        try expectRefusal(["analyze", log, "--plot", "mine.svg"], of: "mine.svg")
        try expectRefusal(["analyze", log, "--tables", "results"], of: "results/in/steps.csv")
        try expectRefusal(["analyze", log, "--tables", "other", "--resume"], of: "other/traces.ndjson")
        #expect(try footfall(["analyze", log, "--plot", "mine.svg", "--force"], in: folder.url).status == 0)
        #expect(try folder.text("mine.svg").contains("walk"))
    }

    @Test("is never an input, whatever link leads to it")
    func inputs() throws {
        let history = try RecordedHistory.walk()
        let out = history.folder.path("page")
        #expect(link(history.path, out) == 0 && link(log, folder.path("picture")) == 0)
        for force in [[], ["--force"]] {
            try expectRefusal(["analyze", log, "--plot", "picture"] + force, of: "picture", "read by this command")
            for path in [out, history.path] {
                let run = try footfall(["report", "--history", history.path, "--out", path] + force)
                #expect(run.status == 73 && run.errors.contains("read by this command"))
            }
        }
        #expect(try history.records("steps").count == 1)
    }

    @Test("is not behind a symbolic link", arguments: [[], ["--force"]])
    func links(force: [String]) throws {
        let history = try RecordedHistory.commute.get().path
        try folder.write("victim", "precious\n")
        try FileManager.default.createDirectory(atPath: folder.path("results/in"), withIntermediateDirectories: true)
        for name in [
            "walk.csv", "walk.truth.json", "plot.svg", "page.html", "results/traces.ndjson", "results/in/steps.csv",
        ] {
            symlink(folder.path("victim"), folder.path(name))
        }
        let commands = [
            (["simulate", "walk"], "walk.csv"), (["simulate", "walk", "--out", "w.csv"], "w.csv"),
            (["analyze", log, "--plot", "plot.svg"], "plot.svg"),
            (["report", "--history", history, "--out", "page.html"], "page.html"),
            (["analyze", log, "--tables", "results"], "results/traces.ndjson"),
        ]
        symlink(folder.path("victim"), folder.path("w.csv"))
        for (arguments, name) in commands { try expectRefusal(arguments + force, of: name, "symbolic link") }
        try FileManager.default.removeItem(atPath: folder.path("results/traces.ndjson"))
        let run = try footfall(["analyze", log, "--tables", "results"] + force, in: folder.url)
        #expect(run.status == 73 && run.errors.contains("symbolic link"))
        #expect(try folder.text("victim") == "precious\n")
    }

    @Test("that is a pipe or a device is written directly")
    func streams() throws {
        let history = try RecordedHistory.commute.get().path
        #expect(try footfall("report", "--history", history, "--out", "/dev/null").status == 0)
        let piped = try footfall("report", "--history", history, "--out", "/dev/stdout")
        #expect(piped.status == 0 && piped.output.hasPrefix("<!DOCTYPE html>"))
        var status = stat()
        #expect(stat("/dev/null", &status) == 0 && status.st_mode & S_IFMT == S_IFCHR)
    }

    @Test("may have a name of one letter, of spaces or of 255 bytes")
    func names() throws {
        let history = try RecordedHistory.commute.get().path
        for name in ["x", " ", "a\nb", "...", String(repeating: "n", count: 255)] {
            for arguments in [
                ["report", "--history", history, "--out", name], ["history", "copy", name, "--history", history],
                ["analyze", log, "--plot", name], ["simulate", "rest", "--duration", "60", "--out", name + ".csv"],
            ] where name.count < 255 || arguments[0] != "simulate" {
                let run = try footfall(arguments + ["--force"], in: folder.url)
                #expect(run.status == 0, "\(arguments): \(run)")
            }
        }
        let refusals = [
            ("", 64), ("in.csv/", 73), ("none/", 73), ("none/x", 66), (String(repeating: "n", count: 256), 1),
        ]
        for (name, code) in refusals {
            let run = try footfall(["report", "--history", history, "--out", name], in: folder.url)
            #expect(Int(run.status) == code && run.errors.split(separator: "\n").count == 1, "\(name): \(run)")
        }
    }

    @Test("of --plot is an SVG document; another kind of picture is refused")
    func pictures() throws {
        let history = try RecordedHistory.commute.get().path
        for arguments in [["analyze", log], ["report", "--history", history]] {
            let run = try footfall(arguments + ["--plot", "picture.png"], in: folder.url)
            #expect(run.status == 64 && run.output.isEmpty && run.errors.contains(".svg"), "\(run)")
        }
        #expect(!FileManager.default.fileExists(atPath: folder.path("picture.png")))
    }

    @Test("on a full disk is an error in one line, and leaves nothing behind")
    func fullDisk() throws {
        let command = "cd '\(folder.url.path)' && ulimit -f 20 && '\(executable.path)'"
        for (arguments, name) in [
            ("simulate walk", "walk.csv"), ("analyze in.csv --plot walk.svg", "walk.svg"),
            ("analyze '\(RecordedHistory.trace("commute"))' --tables results", "results/commute/"),
        ] {
            let run = try shell("\(command) \(arguments)")
            #expect(run.status == 1 && run.errors.contains(name), "\(run)")
            #expect(run.errors.contains("cannot be written: File too large"), "\(run)")
        }
        let names = FileManager.default.enumerator(atPath: folder.url.path)?.compactMap { $0 as? String } ?? []
        #expect(!names.contains { $0.contains(".footfall-") } && !names.contains("walk.csv"), "\(names)")
    }
}

import Foundation
import TestSupport
import Testing

/// `Tests/Soak/names.py` has the same commands with random names.
@Suite("The name of a file", .timeLimit(.minutes(60)))
struct FileNameTests {
    private static let names = [
        "x", ".", "...", " ", "a\nb", "x/", "-", "%41?#", String(repeating: "n", count: 255),
        String(repeating: "n", count: 256),
    ]
    /// Success, failure, usage, bad data, no input, no output, no device.
    private static let codes: Set<Int32> = [0, 1, 64, 65, 66, 73, 74, 78]

    private let folder: Folder
    private let walk: RecordedHistory

    init() throws {
        folder = try Folder()
        try FileManager.default.copyItem(atPath: RecordedHistory.trace("walk-wrist"), toPath: folder.path("log.csv"))
        walk = try RecordedHistory.walk()
        try FileManager.default.copyItem(atPath: walk.path, toPath: folder.path("h"))
        try folder.write("export", footfall("history", "export", "--history", folder.path("h")).output)
    }

    /// Every command that takes a file, with this name for it.
    private static func commands(_ name: String) -> [[String]] {
        [
            ["analyze", name], ["analyze", "log.csv", "--history", name], ["analyze", "log.csv", "--tables", name],
            ["analyze", "log.csv", "--plot", name], ["analyze", name, "--explain"], ["summarize", name],
            ["query", "steps", "--history", name], ["report", "--history", "h", "--out", name],
            ["report", "--history", name, "--out", "page"], ["history", "check", "--history", name],
            ["history", "copy", name, "--history", "h"], ["history", "import", name, "--history", "h"],
            ["history", "import", "export", "--history", name], ["evaluate", name],
            ["simulate", "rest", "--duration", "60", "--rate", "12.5", "--out", name],
            ["live", "--replay", name, "--speed", "max", "--no-history"], ["live", name, "--no-history"],
        ]
    }

    @Test("may be any: no command ends with a signal, or leaves a draft", arguments: names)
    func every(name: String) throws {
        for arguments in Self.commands(name) {
            let run = try footfall(arguments, in: folder.url)
            #expect(Self.codes.contains(run.status), "\(arguments): \(run)")
            let draft = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
                .first { $0.hasPrefix(".footfall-") }
            #expect(draft == nil, "\(arguments)")
        }
    }

    @Test("need not be UTF-8")
    func notUTF8() throws {
        for command in Self.commands("NAME").map({ $0.joined(separator: " ") }) {
            let line = command.replacing("NAME", with: "$n")
            let run = try shell(
                "cd '\(folder.url.path)' && n=$(printf 'a\\377\\355\\240\\200') && '\(executable.path)' \(line)")
            #expect(Self.codes.contains(run.status) && run.status != 0, "\(command): \(run)")
        }
    }
}

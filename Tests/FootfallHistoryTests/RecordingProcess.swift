import Foundation
import TestSupport

extension Folder {
    var history: URL { url.appending(path: "history.sqlite") }
}

/// The recording process of `Tests/HistoryRecorder`.
final class RecordingProcess {
    private let process = Process()
    /// What it says: in a file, so that it goes on whether or not anybody reads that.
    private let output: FileHandle
    private var unread: Substring = ""

    init(_ history: URL, calls: Int, largestFileSize: Int? = nil) throws {
        let tests = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        process.executableURL = tests.deletingLastPathComponent().appendingPathComponent("HistoryRecorder")
        process.arguments = [history.path, "\(calls)"] + (largestFileSize.map { ["\($0)"] } ?? [])
        let file = history.appendingPathExtension("said")
        try Data().write(to: file)
        output = try FileHandle(forReadingFrom: file)
        process.standardOutput = try FileHandle(forWritingTo: file)
        try process.run()
    }

    var identifier: Int32 { process.processIdentifier }

    /// Waits for the next line it says; nil when it has ended.
    func nextLine() -> String? {
        while true {
            if let end = unread.firstIndex(of: "\n") {
                defer { unread = unread[unread.index(after: end)...] }
                return String(unread[..<end])
            }
            let isOver = !process.isRunning
            let data = output.availableData
            unread += String(decoding: data, as: UTF8.self)
            if data.isEmpty {
                if isOver { return nil }
                usleep(1000)
            }
        }
    }

    /// Everything it still says.
    func remainingLines() -> [String] {
        var lines: [String] = []
        while let line = nextLine() { lines.append(line) }
        process.waitUntilExit()
        return lines
    }

    func kill() {
        Foundation.kill(process.processIdentifier, SIGKILL)
    }
}

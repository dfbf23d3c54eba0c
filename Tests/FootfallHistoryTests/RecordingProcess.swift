import Foundation
import TestSupport

extension Folder {
    var history: URL { url.appending(path: "history.sqlite") }
}

/// The recording process of `Tests/HistoryRecorder`.
final class RecordingProcess {
    private let process = Process()
    /// The output. It is a file, so that the process never waits for the test to read.
    private let output: FileHandle
    private var unread: Substring = ""

    init(_ history: URL, calls: Int, largestFileSize: Int? = nil) throws {
        let tests = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        process.executableURL = tests.deletingLastPathComponent().appendingPathComponent("HistoryRecorder")
        process.arguments = [history.path, "\(calls)"] + (largestFileSize.map { ["\($0)"] } ?? [])
        let file = history.appendingPathExtension("output")
        try Data().write(to: file)
        output = try FileHandle(forReadingFrom: file)
        process.standardOutput = try FileHandle(forWritingTo: file)
        try process.run()
    }

    var identifier: Int32 { process.processIdentifier }

    /// Waits for the next line of output; nil at the end of the process.
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
                // Until the next line, or the end of the process.
                usleep(1000)
            }
        }
    }

    /// The unread lines up to the end of the process.
    func remainingLines() -> [String] {
        var lines: [String] = []
        while let line = nextLine() { lines.append(line) }
        process.waitForEnd()
        return lines
    }

    func kill() {
        Foundation.kill(process.processIdentifier, SIGKILL)
    }
}

import Foundation
import TestSupport

/// A run of the command that lasts until the test ends it.
final class Follower {
    private let process = Process()
    private let folder: Folder

    /// Starts the command.
    ///
    /// - Parameters:
    ///   - input: Its standard input; empty by default.
    ///   - environment: Variables to add to those of this process.
    init(_ arguments: [String], input: FileHandle = .nullDevice, environment: [String: String] = [:]) throws {
        folder = try Folder()
        process.executableURL = executable
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardInput = input
        process.standardOutput = try FileHandle(forWritingTo: URL(filePath: folder.write("output", "")))
        process.standardError = try FileHandle(forWritingTo: URL(filePath: folder.write("errors", "")))
        try process.run()
    }

    deinit { if process.isRunning { process.terminate() } }

    /// The output so far.
    var output: String { (try? String(contentsOfFile: folder.path("output"), encoding: .utf8)) ?? "" }
    /// The text on standard error so far.
    var errors: String { (try? String(contentsOfFile: folder.path("errors"), encoding: .utf8)) ?? "" }
    /// The lines of the output so far.
    var lines: [String] { output.split(separator: "\n").map(String.init) }
    /// The lines of the output so far as JSON objects.
    var records: [[String: Any]] {
        lines.compactMap { try? JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any] }
    }
    var identifier: Int32 { process.processIdentifier }
    var isRunning: Bool { process.isRunning }

    /// Waits until a condition holds, at most half a minute. Returns whether it holds.
    func wait(until condition: (Follower) -> Bool) -> Bool {
        for _ in 0..<600 {
            if condition(self) { return true }
            usleep(50_000)
        }
        return false
    }

    /// Sends a signal and waits for the end.
    ///
    /// - Returns: The exit code.
    func end(_ signal: Int32) -> Int32 {
        kill(process.processIdentifier, signal)
        return process.waitForEnd()
    }
}

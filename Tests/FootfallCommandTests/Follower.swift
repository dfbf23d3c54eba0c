import Foundation
import TestSupport

/// A run of the command that goes on until it is told to end.
final class Follower {
    private let process = Process()
    private let folder: Folder

    /// Starts the command.
    ///
    /// - Parameter input: What it reads; nothing by default.
    init(_ arguments: [String], input: FileHandle = .nullDevice) throws {
        folder = try Folder()
        process.executableURL = executable
        process.arguments = arguments
        process.standardInput = input
        process.standardOutput = try FileHandle(forWritingTo: URL(filePath: folder.write("output", "")))
        process.standardError = try FileHandle(forWritingTo: URL(filePath: folder.write("errors", "")))
        try process.run()
    }

    deinit { if process.isRunning { process.terminate() } }

    /// What it has said so far.
    var output: String { (try? String(contentsOfFile: folder.path("output"), encoding: .utf8)) ?? "" }
    /// What it has said on standard error so far.
    var errors: String { (try? String(contentsOfFile: folder.path("errors"), encoding: .utf8)) ?? "" }
    /// The lines it has said so far.
    var lines: [String] { output.split(separator: "\n").map(String.init) }
    /// The lines it has said so far, as JSON objects.
    var records: [[String: Any]] {
        lines.compactMap { try? JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any] }
    }
    var identifier: Int32 { process.processIdentifier }
    var isRunning: Bool { process.isRunning }

    /// Waits until a condition holds, for at most half a minute. Returns whether it does.
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
        process.waitUntilExit()
        return process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus
    }
}

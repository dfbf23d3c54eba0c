import Foundation
import TestSupport

/// A run of the command that lasts until the test ends it.
final class Follower {
    private let process = Process()
    private let folder: Folder

    /// Starts the command.
    ///
    /// - Parameters:
    ///   - program: A program that starts the command; none by default.
    ///   - input: Its standard input; empty by default.
    ///   - environment: Variables to add to those of this process.
    init(
        _ arguments: [String], through program: String? = nil, input: FileHandle = .nullDevice,
        environment: [String: String] = [:]
    ) throws {
        folder = try Folder()
        process.executableURL = program == nil ? executable : URL(filePath: "/usr/bin/env")
        process.arguments = (program.map { [$0, executable.path] } ?? []) + arguments
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

    /// Waits until a condition holds. Returns whether it holds.
    func wait(until condition: (Follower) -> Bool) -> Bool { blockUntil { condition(self) } }

    /// Waits until the command handles a signal and no thread of it has anything to do. Returns whether that is so.
    func waitUntilIdle(handling signal: Int32 = SIGTERM) -> Bool {
        var checks = 0
        return blockUntil {
            checks = signals("SigCgt").contains(signal) && threads.allSatisfy({ $0 == "S" }) ? checks + 1 : 0
            // Longer than the 0.1 s for which a reader of a pipe waits for more batches: the pauses add up to 0.2 s.
            return checks == 60
        }
    }

    /// The signals of a line of the process's status: `SigCgt` for those it handles, `SigIgn` for those it ignores.
    func signals(_ line: String) -> Set<Int32> {
        let status = (try? String(contentsOfFile: "/proc/\(identifier)/status", encoding: .utf8)) ?? ""
        let mask = status.split(separator: "\n").first { $0.hasPrefix(line + ":") }?.split(separator: "\t").last
        guard let mask, let bits = UInt64(mask, radix: 16) else { return [] }
        return Set((0..<64).filter { bits & 1 << UInt64($0) != 0 }.map { $0 + 1 })
    }

    /// The states of the threads: R runs or waits for a processor, S sleeps, D waits for a disk.
    private var threads: [Character] {
        let folder = "/proc/\(identifier)/task"
        return ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).map { thread in
            let line = try? String(contentsOfFile: "\(folder)/\(thread)/stat", encoding: .utf8)
            // The state follows the name, which is in parentheses.
            return line?.split(separator: ")").last?.first { $0 != " " } ?? "?"
        }
    }

    /// Sends a signal and waits for the end.
    ///
    /// - Returns: The exit code.
    func end(_ signal: Int32) -> Int32 {
        kill(process.processIdentifier, signal)
        return process.waitForEnd()
    }
}

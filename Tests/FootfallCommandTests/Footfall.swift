import Foundation
import Synchronization

/// What a run of the command did.
struct Run {
    var status: Int32
    var output: String
    var errors: String

    /// The standard output as JSON.
    func json() throws -> Any {
        try JSONSerialization.jsonObject(with: Data(output.utf8))
    }

    /// The standard output as a JSON array of objects.
    func records() throws -> [[String: Any]] {
        try json() as? [[String: Any]] ?? []
    }
}

/// Runs the built `footfall` as a user would.
func footfall(_ arguments: String..., environment: [String: String] = [:]) throws -> Run {
    try footfall(arguments, environment: environment)
}

/// Runs the built `footfall` as a user would.
func footfall(_ arguments: [String], environment: [String: String] = [:]) throws -> Run {
    try run(executable, arguments, environment: environment)
}

/// Runs a line of shell.
func shell(_ line: String) throws -> Run {
    try run(URL(filePath: "/bin/sh"), ["-c", line])
}

/// The built command. The tests and the command are built into the same folder.
let executable = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: "footfall")

private func run(_ executable: URL, _ arguments: [String], environment: [String: String] = [:]) throws -> Run {
    let process = Process()
    process.executableURL = executable
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    let output = Pipe()
    let errors = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try Data().write(to: errors)
    defer { try? FileManager.default.removeItem(at: errors) }
    process.standardOutput = output
    process.standardError = try FileHandle(forWritingTo: errors)
    process.standardInput = FileHandle.nullDevice
    try process.run()
    // A command that hangs is an error that says which one, not a test without an end.
    let deadline = DispatchWorkItem { process.terminate() }
    DispatchQueue.global().asyncAfter(deadline: .now() + 900, execute: deadline)
    defer { deadline.cancel() }
    let text = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return Run(
        status: process.terminationStatus, output: String(decoding: text, as: UTF8.self),
        errors: String(decoding: try Data(contentsOf: errors), as: UTF8.self))
}

/// A folder for one test, removed with it.
final class Folder: Sendable {
    let url = FileManager.default.temporaryDirectory.appending(path: "footfall-\(UUID().uuidString)")

    init() throws {
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        // A folder that is kept for the whole run is never given up; it goes when the process ends.
        Folder.all.withLock { $0.append(url) }
    }

    /// All folders there were. Watched over by a function that runs at the end of the process.
    private static let all: Mutex<[URL]> = {
        atexit { Folder.all.withLock { for url in $0 { try? FileManager.default.removeItem(at: url) } } }
        return Mutex([])
    }()

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    /// The path of a file in the folder.
    func path(_ name: String) -> String { url.appending(path: name).path }

    /// Writes a file and returns its path.
    func write(_ name: String, _ text: String) throws -> String {
        try Data(text.utf8).write(to: url.appending(path: name))
        return path(name)
    }
}

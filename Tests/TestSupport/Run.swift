package import Foundation

/// The exit status and the output of a process.
package struct Run: Sendable {
    package let status: Int32
    package let output: String
    package let errors: String

    /// Runs a process to its end. Its standard input is empty.
    ///
    /// A process that runs for an hour is terminated: a command that hangs fails its test.
    ///
    /// - Parameters:
    ///   - environment: Variables to add to those of this process.
    ///   - folder: The working folder; that of this process by default.
    package init(
        _ executable: URL, _ arguments: [String], environment: [String: String] = [:], in folder: URL? = nil
    ) throws {
        let process = Process()
        process.executableURL = executable
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        if let folder { process.currentDirectoryURL = folder }
        let outputPipe = Pipe()
        // Standard error goes to a file: a second pipe could fill up while the first is read.
        let files = try Folder()
        let errorFile = try files.write("errors", Data())
        process.standardOutput = outputPipe
        let errorHandle = try FileHandle(forWritingTo: errorFile)
        process.standardError = errorHandle
        process.standardInput = FileHandle.nullDevice
        try process.run()
        // A cancelled item stays in the queue until its time, with what it holds. So it holds no process, and the files
        // are closed here: beyond 1024 open files, Foundation does not notice the end of a process.
        let deadline = DispatchWorkItem { [weak process] in process?.terminate() }
        DispatchQueue.global().asyncAfter(deadline: .now() + 3600, execute: deadline)
        defer {
            deadline.cancel()
            try? errorHandle.close()
            try? outputPipe.fileHandleForReading.close()
        }
        let text = outputPipe.fileHandleForReading.readDataToEndOfFile()
        status = process.waitForEnd()
        output = String(decoding: text, as: UTF8.self)
        errors = try files.text("errors")
    }

    /// The standard output as JSON.
    package func json() throws -> Any {
        try JSONSerialization.jsonObject(with: Data(output.utf8))
    }

    /// The standard output as a JSON array of objects.
    package func records() throws -> [[String: Any]] {
        try json() as? [[String: Any]] ?? []
    }
}

/// The folder of the executables of the package: the tests are built into it as well.
private let builtProducts = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()

/// The built `footfall`.
package let executable = builtProducts.appending(path: "footfall")

/// Runs the built `footfall`.
package func footfall(_ arguments: String..., environment: [String: String] = [:]) throws -> Run {
    try footfall(arguments, environment: environment)
}

/// Runs the built `footfall`.
package func footfall(
    _ arguments: [String], environment: [String: String] = [:], in folder: URL? = nil
) throws -> Run {
    try Run(executable, arguments, environment: environment, in: folder)
}

/// Runs a line of shell.
package func shell(_ line: String) throws -> Run {
    try Run(URL(filePath: "/bin/sh"), ["-c", line])
}

import Footfall
import FootfallSimulator
import FootfallTraces
import Foundation

/// Measures reading logs, by itself and with the analysis as the command does it, beside what others do with the same file.
struct TraceBenchmarks {
    private let command: URL
    private let python = ProcessInfo.processInfo.environment["PYTHON"] ?? "python3"

    /// Adds what it measures to a table.
    static func run(in folder: URL, _ command: URL, _ table: inout Table) throws {
        let benchmarks = TraceBenchmarks(command: command)
        let hour = folder.appendingPathComponent("hour.csv")
        try benchmarks.write(.walk.lasting(3600), TraceFormat(), to: hour)
        let day = folder.appendingPathComponent("day.csv")
        try benchmarks.write(.day, TraceFormat(), to: day)
        try benchmarks.memory([("an hour", hour), ("a day", day)], &table)
        let formats: [(String, TraceFormat)] = [
            ("date-times", TraceFormat(times: .iso8601)), ("seconds since 1970", TraceFormat(times: .epoch)),
            ("seconds", TraceFormat()),
        ]
        for (name, format) in formats {
            let rows = try benchmarks.write(.day, format, to: day)
            try benchmarks.read(day, rows, name, &table)
            try benchmarks.analyze(day, rows, name, &table)
        }
        try benchmarks.analyzeMany(in: folder, &table)
        try benchmarks.analyzeRecordings(in: folder, &table)
    }

    @discardableResult
    private func write(_ scenario: Scenario, _ format: TraceFormat, to file: URL) throws -> Double {
        var sensor = SensorModel(sampleRate: 100)
        sensor.start = Timestamp(nanosecondsSince1970: 1_790_000_400_000_000_000)
        try TraceWriter(format: format).write(Simulation(scenario, seed: 1, sensor: sensor), to: file)
        return scenario.duration * sensor.sampleRate
    }

    /// Reading alone, on one core.
    private func read(_ file: URL, _ rows: Double, _ name: String, _ table: inout Table) throws {
        let best = try (0..<3).map { _ in
            try processorSeconds {
                var trace = try Trace(contentsOf: file)
                while try trace.nextBatch() != nil {}
            }
        }.min()
        table.add("reading CSV, \(name)", rows / (best ?? .nan) / 1e6, "M rows/s")
    }

    /// The whole command, by the clock on the wall, beside pandas merely reading the same file.
    private func analyze(_ file: URL, _ rows: Double, _ name: String, _ table: inout Table) throws {
        let rate = try rows / best(["analyze", file.path, "--output", "json"]) / 1e6
        let asked = "3 times pandas"
        let reading = """
            import time, pandas
            best = 1e9
            for _ in range(2):
                start = time.perf_counter()
                pandas.read_csv(\(pythonString(file.path)))
                best = min(best, time.perf_counter() - start)
            print(best)
            """
        let pandas = try Program(python, ["-c", reading]).run()
        guard let seconds = Double(pandas.output.trimmingCharacters(in: .whitespacesAndNewlines)) else {
            let why = "\(python) cannot import pandas; PYTHON may name one that can"
            return table.add("footfall analyze, CSV, \(name)", rate, "M rows/s", note: why, asked: asked)
        }
        table.add("pandas.read_csv, \(name)", rows / seconds / 1e6, "M rows/s")
        let note = "\((rate / (rows / seconds / 1e6)).short) times pandas"
        table.add("footfall analyze, CSV, \(name)", rate, "M rows/s", note: note, asked: asked)
    }

    /// Eight logs of two hours, one at a time and on two processors.
    private func analyzeMany(in folder: URL, _ table: inout Table) throws {
        let logs = folder.appendingPathComponent("logs")
        try FileManager.default.createDirectory(at: logs, withIntermediateDirectories: true)
        var rows = 0.0
        for number in 1...8 {
            rows += try write(.day.lasting(7200), TraceFormat(), to: logs.appendingPathComponent("\(number).csv"))
        }
        var seconds: [Double] = []
        for jobs in 1...2 {
            seconds.append(try best(["analyze", logs.path, "--jobs", "\(jobs)", "--output", "json"]))
            let note = jobs == 1 ? "" : "\((seconds[0] / seconds[1]).short) times one at a time"
            table.add(
                "footfall analyze, 8 logs, --jobs \(jobs)", rows / seconds[jobs - 1] / 1e6, "M rows/s", note: note)
        }
    }

    /// A day in the formats of loggers.
    private func analyzeRecordings(in folder: URL, _ table: inout Table) throws {
        let recordings = [
            ("Axivity .cwa", "day.cwa", RecordingWriter.writeAxivity),
            ("GENEActiv .bin", "day.bin", RecordingWriter.writeGENEActiv),
            // Last, since it takes much memory to make, which the command would seem to have in use.
            ("ActiGraph .gt3x", "day.gt3x", RecordingWriter.writeActiGraph),
        ]
        for (name, file, write) in recordings {
            let file = folder.appendingPathComponent(file)
            let samples = try write(file)
            let seconds = try best(["analyze", file.path, "--output", "json"])
            table.add("footfall analyze, \(name)", samples / seconds / 1e6, "M samples/s", asked: "20 M samples/s")
        }
    }

    /// How long the command takes at best, in seconds by the clock on the wall.
    private func best(_ arguments: [String]) throws -> Double {
        try (0..<3).map { _ in try Program(command.path, arguments).run().seconds }.min() ?? .nan
    }

    /// The most memory that the command has in use.
    private func memory(_ files: [(String, URL)], _ table: inout Table) throws {
        for (name, file) in files {
            let run = try Program(command.path, ["analyze", file.path, "--output", "json"]).run()
            table.add("memory of footfall analyze, \(name) of CSV", run.megabytes, "MB", asked: "64 MB, and flat")
        }
    }

    private func pythonString(_ text: String) -> String {
        "'" + text.replacingOccurrences(of: "\\", with: "\\\\").replacingOccurrences(of: "'", with: "\\'") + "'"
    }
}

/// A program that is run to its end.
struct Program {
    private let arguments: [String]

    /// Something to run, looked for where commands are.
    init(_ name: String, _ arguments: [String]) {
        self.arguments = [name] + arguments
    }

    /// Runs it: how long it took, what it wrote, and the most memory it had in use.
    func run() throws -> (seconds: Double, output: String, megabytes: Double) {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw POSIXError(.EPIPE) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        posix_spawn_file_actions_addclose(&actions, ends[0])
        var words = arguments.map { strdup($0) } + [nil]
        var environment = ProcessInfo.processInfo.environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for word in words + environment { free(word) } }

        let start = ContinuousClock.now
        var child = pid_t()
        let code = posix_spawnp(&child, arguments[0], &actions, nil, &words, &environment)
        close(ends[1])
        let output = FileHandle(fileDescriptor: ends[0], closeOnDealloc: true)
        guard code == 0 else { return (.nan, "", .nan) }
        let text = try output.readToEnd() ?? Data()
        var usage = rusage()
        var status: Int32 = 0
        wait4(child, &status, 0, &usage)
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        // In kilobytes on Linux.
        return (seconds, String(decoding: text, as: UTF8.self), Double(usage.ru_maxrss) / 1000)
    }
}

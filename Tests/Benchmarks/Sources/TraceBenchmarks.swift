import Footfall
import FootfallReaders
import FootfallSimulator
import Foundation

/// Measures reading alone and the whole command, beside pandas with the same file.
struct TraceBenchmarks {
    private let command: URL
    private let python = ProcessInfo.processInfo.environment["PYTHON"] ?? "python3"

    /// Adds the measurements to a table.
    static func run(in folder: URL, _ command: URL, _ table: inout Table) throws {
        let benchmarks = TraceBenchmarks(command: command)
        let hour = folder.appendingPathComponent("hour.csv")
        try benchmarks.write(.walk.lasting(3600), CSVFormat(), to: hour)
        let log = folder.appendingPathComponent("log.csv")
        let formats: [(String, Scenario, CSVFormat)] = [
            ("a day in date-times", .day, CSVFormat(times: .iso8601)),
            ("a day in seconds since 1970", .day, CSVFormat(times: .epoch)),
            ("a week in seconds", .week, CSVFormat()),
        ]
        for (name, scenario, format) in formats {
            let rows = try benchmarks.write(scenario, format, to: log)
            try benchmarks.read(log, rows, name, &table)
            try benchmarks.analyze(log, rows, name, &table)
            if scenario.duration < 2 * 86400 { try benchmarks.tables(of: log, name, in: folder, &table) }
        }
        let all = [
            "--step-times", "--tables", folder.appendingPathComponent("results").path,
            "--history", folder.appendingPathComponent("steps.sqlite").path,
        ]
        try benchmarks.memory("an hour of CSV", ["analyze", hour.path], &table)
        try benchmarks.memory("a week of CSV", ["analyze", log.path], &table)
        try benchmarks.memory("a week of CSV with steps, tables and history", ["analyze", log.path] + all, &table)
        try FileManager.default.removeItem(at: log)
        try benchmarks.analyzeMany(in: folder, &table)
        try benchmarks.analyzeRecordings(in: folder, &table)
    }

    @discardableResult
    private func write(_ scenario: Scenario, _ format: CSVFormat, to file: URL) throws -> Double {
        var sensor = SensorModel(sampleRate: 100)
        sensor.start = Timestamp(nanosecondsSince1970: 1_790_000_400_000_000_000)
        try Data().write(to: file)
        let handle = try FileHandle(forWritingTo: file)
        try TraceWriter(format: format).write(Simulation(scenario, seed: 1, sensor: sensor)) {
            try handle.write(contentsOf: $0)
        }
        try handle.close()
        return scenario.duration * sensor.sampleRate
    }

    /// Measures reading alone, on one core.
    private func read(_ file: URL, _ rows: Double, _ name: String, _ table: inout Table) throws {
        let best = try (0..<3).map { _ in
            try processorSeconds {
                var trace = try Trace(contentsOf: file)
                while try trace.nextBatch() != nil {}
            }
        }.min()
        table.add("reading CSV, \(name)", rows / (best ?? .nan) / 1e6, "M rows/s")
    }

    /// Measures the wall time of the whole command, beside pandas, which only reads the file.
    private func analyze(_ file: URL, _ rows: Double, _ name: String, _ table: inout Table) throws {
        let run = try best(["analyze", file.path, "--output", "json"])
        let (rate, asked) = (rows / run.seconds / 1e6, "3 times pandas")
        // The clocks start after the imports. Some versions of pandas read with several threads.
        let reading = """
            import time, pandas
            start = time.perf_counter(), time.process_time()
            pandas.read_csv(\(pythonString(file.path)))
            print(time.perf_counter() - start[0], time.process_time() - start[1], pandas.__version__)
            """
        let readings = try (0..<3).map { _ in
            try Program(python, ["-c", reading]).run().output.split(whereSeparator: \.isWhitespace)
        }
        let words = readings.min { Double($0.first ?? "") ?? .nan < Double($1.first ?? "") ?? .nan } ?? []
        guard words.count == 3, let seconds = Double(words[0]), let processor = Double(words[1]) else {
            let why = "\(python) cannot import pandas; set PYTHON to one that can"
            let note = "\(run.megabytes.short) MB, \(why)"
            return table.add("footfall analyze, CSV, \(name)", rate, "M rows/s", note: note, asked: asked)
        }
        table.add("pandas.read_csv, \(name)", rows / seconds / 1e6, "M rows/s", note: "pandas \(words[2])")
        let ratio = "\((seconds / run.seconds).short) times pandas"
        let note = "\(run.megabytes.short) MB, \(ratio), \((processor / run.processor).short) by the processor's time"
        table.add("footfall analyze, CSV, \(name)", rate, "M rows/s", note: note, asked: asked)
    }

    /// Measures what all tables add to the wall time, and to the processor time.
    private func tables(of file: URL, _ name: String, in folder: URL, _ table: inout Table) throws {
        let plain = try best(["analyze", file.path])
        for placement in ["wrist", "lower-back"] {
            let tables = folder.appendingPathComponent("tables").path
            let run = try best(["analyze", file.path, "--tables", tables, "--placement", placement])
            let note = "\((run.processor / plain.processor).short) of the processor's time"
            table.add("all tables, \(placement), \(name)", run.seconds / plain.seconds, "times", note: note)
            try FileManager.default.removeItem(atPath: tables)
        }
    }

    /// Measures eight logs of two hours, with one job and with two.
    private func analyzeMany(in folder: URL, _ table: inout Table) throws {
        let logs = folder.appendingPathComponent("logs")
        try FileManager.default.createDirectory(at: logs, withIntermediateDirectories: true)
        var rows = 0.0
        for number in 1...8 {
            rows += try write(.day.lasting(7200), CSVFormat(), to: logs.appendingPathComponent("\(number).csv"))
        }
        var seconds: [Double] = []
        for jobs in 1...2 {
            let run = try best(["analyze", logs.path, "--jobs", "\(jobs)", "--output", "json"])
            seconds.append(run.seconds)
            let ratio = jobs == 1 ? "" : ", \((seconds[0] / seconds[1]).short) times one at a time"
            table.add(
                "footfall analyze, 8 logs, --jobs \(jobs)", rows / run.seconds / 1e6, "M rows/s",
                note: "\(run.megabytes.short) MB" + ratio)
        }
    }

    /// Measures a day in each binary format.
    private func analyzeRecordings(in folder: URL, _ table: inout Table) throws {
        let recordings = [
            ("Axivity .cwa", "day.cwa", RecordingWriter.writeAxivity),
            ("ActiGraph .gt3x", "day.gt3x", RecordingWriter.writeActiGraph),
            ("GENEActiv .bin", "day.bin", RecordingWriter.writeGENEActiv),
        ]
        for (name, file, write) in recordings {
            let file = folder.appendingPathComponent(file)
            let samples = try write(file)
            let run = try best(["analyze", file.path, "--output", "json"])
            table.add(
                "footfall analyze, \(name)", samples / run.seconds / 1e6, "M samples/s",
                note: "\(run.megabytes.short) MB", asked: "20 M samples/s")
        }
    }

    /// The fastest run of the command.
    private func best(_ arguments: [String]) throws -> Program.Run {
        let runs = try (0..<3).map { _ in try Program(command.path, arguments).run() }
        return runs.min { $0.seconds < $1.seconds } ?? Program.Run()
    }

    /// Measures the peak memory of the command.
    private func memory(_ name: String, _ arguments: [String], _ table: inout Table) throws {
        let run = try Program(command.path, arguments + ["--output", "json"]).run()
        table.add("memory of footfall analyze, \(name)", run.megabytes, "MB", asked: "64 MB, and flat")
    }

    private func pythonString(_ text: String) -> String {
        "'" + text.replacingOccurrences(of: "\\", with: "\\\\").replacingOccurrences(of: "'", with: "\\'") + "'"
    }
}

/// A program to run.
struct Program {
    private let arguments: [String]

    /// The name of the program, on the `PATH`, or its path.
    init(_ name: String, _ arguments: [String]) {
        self.arguments = [name] + arguments
    }

    /// The result of a run.
    struct Run {
        /// The wall time and the processor time.
        var seconds = Double.nan
        var processor = Double.nan
        var output = ""
        /// The peak memory.
        var megabytes = Double.nan
    }

    /// Runs the program to its end.
    func run() throws -> Run {
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

        Program.forgetMemory()
        let start = ContinuousClock.now
        var child = pid_t()
        let code = posix_spawnp(&child, arguments[0], &actions, nil, &words, &environment)
        close(ends[1])
        let output = FileHandle(fileDescriptor: ends[0], closeOnDealloc: true)
        guard code == 0 else { return Run() }
        let text = try output.readToEnd() ?? Data()
        var usage = rusage()
        var status: Int32 = 0
        wait4(child, &status, 0, &usage)
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        let processor = [usage.ru_utime, usage.ru_stime].reduce(0) { $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1e6 }
        // In kilobytes on Linux.
        return Run(
            seconds: seconds, processor: processor, output: String(decoding: text, as: UTF8.self),
            megabytes: Double(usage.ru_maxrss) / 1000)
    }

    /// Resets the peak memory of this process, because a child process inherits it.
    private static func forgetMemory() {
        try? Data("5".utf8).write(to: URL(filePath: "/proc/self/clear_refs"))
    }
}

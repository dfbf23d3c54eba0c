import ArgumentParser
import Footfall
import FootfallSimulator
import FootfallStudy
import FootfallTables
import Foundation

/// `footfall simulate`: a synthetic trace and its ground truth.
struct Simulate: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "simulate",
        abstract: "Write a synthetic trace with exact ground truth.",
        discussion: """
            Writes SCENARIO.csv and SCENARIO.truth.json. The same scenario, seed and options give the same bytes.

              footfall simulate commute
              footfall simulate walk --placement wrist --rate 25 --out wrist.csv
              footfall simulate week --out - | gzip > week.csv.gz

            Scenarios:
            \(Scenario.named.map { "  \($0.name): \($0.summary)" }.joined(separator: "\n"))
            """)

    @Argument(help: "The scenario; see the list above.")
    var scenario: String?

    @Option("The file of the trace; - for standard output.", "file") var out: String?
    @Option(help: "The seed of the random numbers.") var seed: UInt64 = 1
    @Option(help: ArgumentHelp("The sample rate, 12.5 to 800 Hz.", valueName: "hertz")) var rate = 100.0
    @Option(help: "The place of the sensor.") var placement: Placement?
    @Option("The duration in seconds, up to a year; the scenes repeat or are cut.", "seconds") var duration: Double?

    @Option(help: ArgumentHelp("The jitter of sampling times in seconds (standard deviation).", valueName: "seconds"))
    var jitter = 0.000_2

    @Option(help: ArgumentHelp("The sensor noise in g (root mean square).", valueName: "g")) var noise: Float = 0.003
    @Option("The start of the trace; without it, times count from 0.", "time") var start: String?
    @Option("Write the traces that ship with Footfall into this folder.", "folder") var shipped: String?
    @OptionGroup var replacement: ReplacementOptions

    /// The longest duration in seconds: a year. At 100 Hz, such a trace has 100 GB.
    private static let longest = 31_622_400.0

    func validate() throws {
        if let duration, !(duration > 0 && duration <= Self.longest) {
            throw ValidationError("--duration \(duration): a duration lies above 0 and up to 31622400 s, a year.")
        }
        if scenario == nil, shipped == nil {
            throw ValidationError("Name a scenario: \(Scenario.named.map(\.name).joined(separator: ", ")).")
        }
    }

    func run() throws {
        for trace in shipped == nil ? [] : ShippedTrace.all {
            let file = URL(filePath: shipped ?? "").appending(path: "\(trace.name).csv")
            try write(trace.simulation(), in: ShippedTrace.format, to: file)
        }
        guard let scenario else { return }
        var chosen = try Scenario.named(scenario)
        if let placement { chosen = chosen.worn(placement) }
        if let duration { chosen = chosen.lasting(duration) }
        let simulation = try Simulation(chosen, seed: seed, sensor: sensor())
        let format = CSVFormat(times: start == nil ? .seconds : .iso8601)
        if out == "-" {
            try TraceWriter(format: format).write(simulation) { Terminal.out(bytes: $0) }
            return
        }
        let file = URL(filePath: out ?? "\(scenario).csv")
        try write(simulation, in: format, to: file)
        let truth = simulation.truth
        Terminal.note(
            "\(file.relativePath): \(Words.duration(simulation.scenario.duration)), \(NumberText.count(truth.steps.count, "step")); "
                + "the ground truth is in \(TraceWriter.truthFile(for: file).relativePath)",
            prefix: "")
    }

    /// Writes a trace and its ground truth. Neither format has a marker, so only --force replaces files.
    private func write(_ simulation: Simulation, in format: CSVFormat, to file: URL) throws {
        let rule = replacement.rule(reading: [])
        let trace = try OutputFile(file.relativePath, rule)
        let truth = try OutputFile(TraceWriter.truthFile(for: file).relativePath, rule)
        try TraceWriter(format: format).write(simulation) { trace.add($0) }
        truth.add(Array(try simulation.truthDocument()))
        try truth.finish()
        try trace.finish()
    }

    private func sensor() throws -> SensorModel {
        var sensor = SensorModel(sampleRate: rate, jitter: jitter, noise: noise)
        if let start { sensor.start = try OptionValue.start(start, in: .gmt) }
        return sensor
    }
}

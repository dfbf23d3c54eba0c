import Footfall
import FootfallSimulator
import Foundation

/// Measures the analysis alone, on one core, with samples in memory.
enum AnalysisBenchmarks {
    /// Adds the measurements to a table.
    static func run(_ table: inout Table) throws {
        // A day in place of a week: the same mixture of activities, and its samples fit in memory.
        try measure("analysing a day of which a tenth is on foot", .day, asked: "25 M samples/s", &table)
        let walk = Scenario.walk.lasting(7200)
        try measure("analysing a walk without end", walk, asked: "4 M samples/s", &table)
        try measure("analysing a walk without end, wrist", walk.worn(.wrist), asked: "4 M samples/s", &table)
        try measure("analysing desk work", .desk.lasting(7200), &table)
        try measure("analysing a drive", .drive.lasting(7200), &table)
        try measure("analysing a sensor at rest", .rest.lasting(7200), &table)
    }

    private static func measure(
        _ name: String, _ scenario: Scenario, asked: String = "", _ table: inout Table
    ) throws {
        let batches = Array(try Simulation(scenario, seed: 1, sensor: SensorModel(sampleRate: 100)))
        let samples = batches.reduce(0) { $0 + $1.count }
        let best = (0..<5).map { _ in
            processorSeconds {
                var analyzer = MotionAnalyzer()
                for batch in batches { _ = analyzer.analyze(batch) }
                _ = analyzer.finish()
            }
        }.min()
        table.add(name, Double(samples) / (best ?? .nan) / 1e6, "M samples/s", asked: asked)
    }
}

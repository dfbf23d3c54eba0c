import Footfall
import FootfallSimulator
import Foundation

/// Measures the analysis alone, on one core, with samples in memory.
enum AnalysisBenchmarks {
    /// Adds the measurements to a table.
    static func run(_ table: inout Table) throws {
        // A day in place of a week: the same mixture of activities, and its samples fit in memory.
        try measure("analyzing a day of which a tenth is on foot", .day, asked: "25 M samples/s", &table)
        let walk = Scenario.walk.lasting(7200)
        try measure("analyzing a walk without end", walk, asked: "4 M samples/s", &table)
        try measure("analyzing a walk without end, wrist", walk.worn(.wrist), asked: "4 M samples/s", &table)
        try measure("analyzing desk work", .desk.lasting(7200), &table)
        try measure("analyzing a drive", .drive.lasting(7200), &table)
        try measure("analyzing a sensor at rest", .rest.lasting(7200), &table)
        measureGaps(&table)
    }

    private static func measure(
        _ name: String, _ scenario: Scenario, asked: String = "", _ table: inout Table
    ) throws {
        let batches = Array(try Simulation(scenario, seed: 1, sensor: SensorModel(sampleRate: 100)))
        let samples = batches.reduce(0) { $0 + $1.count }
        table.add(name, Double(samples) / leastSeconds(of: batches) / 1e6, "M samples/s", asked: asked)
    }

    /// Measures the price of a gap: two seconds on, 28 seconds off.
    private static func measureGaps(_ table: inout Table) {
        let parts = (0..<2000).map { part in
            SampleBatch(
                (0..<25).map { row in
                    AccelerationSample(
                        time: Timestamp(nanosecondsSince1970: Int64(part) * 30_000_000_000 + Int64(row) * 80_000_000),
                        x: 0, y: 0, z: 1 + (row.isMultiple(of: 2) ? 0.001 : 0))
                })
        }
        table.add("analyzing parts of 2 s", Double(parts.count) / leastSeconds(of: parts) / 1e3, "k parts/s")
    }

    /// The least processor time of five analyses.
    private static func leastSeconds(of batches: [SampleBatch]) -> Double {
        let seconds = (0..<5).map { _ in
            processorSeconds {
                var analyzer = MotionAnalyzer()
                for batch in batches { _ = analyzer.analyze(batch) }
                _ = analyzer.finish()
            }
        }
        return seconds.min() ?? .nan
    }
}

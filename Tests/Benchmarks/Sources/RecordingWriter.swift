import Footfall
import FootfallSimulator
import Foundation

/// Writes a day in the formats of loggers, with the encoders of the tests.
enum RecordingWriter {
    /// A day without its last part, because the encoders know only one date.
    private static let scenario = Scenario.day.lasting(86_000)
    private static let hertz = 100

    /// Each returns the number of samples.
    static func writeAxivity(to file: URL) throws -> Double {
        let format = AxivityFile(hertz: Double(hertz), start: 0)
        let size = format.packing.samplesPerSector
        return try write(to: file, after: format.header, by: size, unitsPerG: 256) { number, samples in
            // The last sector must be full.
            format.sector(number, samples + [[Int]](repeating: [0, 0, 256], count: size - samples.count))
        }
    }

    static func writeGENEActiv(to file: URL) throws -> Double {
        var format = GENEActivFile()
        (format.rate, format.hertz) = (Double(hertz), Double(hertz))
        let header = Array(format.text(pages: []).utf8)
        return try write(to: file, after: header, by: 300, unitsPerG: 256) { number, samples in
            Array((format.page(number, samples).joined(separator: format.lineEnd) + format.lineEnd).utf8)
        }
    }

    static func writeActiGraph(to file: URL) throws -> Double {
        var format = ActiGraphFile(packing: .words, rate: hertz)
        format.info["Sample Rate"] = "\(hertz)"
        let log = file.deletingPathExtension().appendingPathExtension("log")
        let count = try write(to: log, after: [], by: hertz, unitsPerG: format.unitsPerG) { format.activity($0, $1) }
        try Data(format.bytes(log: Array(Data(contentsOf: log)))).write(to: file)
        return count
    }

    /// Writes records of `size` samples each. `record` encodes a record from its number and samples.
    private static func write(
        to file: URL, after header: [UInt8], by size: Int, unitsPerG: Int, record: (Int, [[Int]]) -> [UInt8]
    ) throws -> Double {
        try Data(header).write(to: file)
        let handle = try FileHandle(forWritingTo: file)
        try handle.seekToEnd()
        defer { try? handle.close() }
        var waiting: [[Int]] = []
        var number = 0
        for batch in try Simulation(scenario, seed: 1, sensor: SensorModel(sampleRate: Double(hertz))) {
            for sample in batch {
                waiting.append([sample.x, sample.y, sample.z].map { Int(($0 * Float(unitsPerG)).rounded()) })
                guard waiting.count == size else { continue }
                try handle.write(contentsOf: record(number, waiting))
                waiting.removeAll(keepingCapacity: true)
                number += 1
            }
        }
        return Double(number * size)
    }
}

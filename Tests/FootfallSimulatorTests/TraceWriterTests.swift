import Footfall
import FootfallSimulator
import Foundation
import TestSupport
import Testing

@Suite("Files of traces")
struct TraceWriterTests {
    private static let start = Timestamp(nanosecondsSince1970: 1_795_161_599_500_000_000)

    private func rows(_ times: CSVFormat.Times, decimals: Int) throws -> [String] {
        var sensor = SensorModel.ideal(sampleRate: 12.5)
        sensor.start = Self.start
        sensor.bias = SIMD3(-0.5, 12.25, -1.000_04)
        let simulation = try Simulation(Scenario.rest.lasting(0.6), seed: 1, sensor: sensor, samplesPerBatch: 3)
        var text: [UInt8] = []
        try TraceWriter(format: CSVFormat(times: times, decimals: decimals)).write(simulation) { text += $0 }
        return String(decoding: text, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    @Test("times in seconds since the start")
    func seconds() throws {
        let rows = try rows(.seconds, decimals: 4)
        #expect(rows.count == 9)
        #expect(rows[0] == "time,x,y,z")
        #expect(rows[1] == "0.0000,-0.5000,12.2500,0.0000")
        #expect(rows[8] == "0.5600,-0.5000,12.2500,0.0000")
    }

    @Test("times since 1970")
    func epoch() throws {
        #expect(try rows(.epoch, decimals: 1)[2] == "1795161599.5800,-0.5,12.3,0.0")
    }

    @Test("decimals are limited to 1 to 6")
    func decimals() {
        #expect(CSVFormat(decimals: 99).decimals == 6 && CSVFormat(decimals: -1).decimals == 1)
    }

    @Test("times as ISO 8601, across a second")
    func dates() throws {
        let rows = try rows(.iso8601, decimals: 6)
        #expect(rows[1] == "\(Self.start),-0.500000,12.250000,-0.000040")
        #expect(rows[7] == "\(Self.start.advanced(bySeconds: 0.48)),-0.500000,12.250000,-0.000040")
        #expect(rows[8] == "\(Self.start.advanced(bySeconds: 0.56)),-0.500000,12.250000,-0.000040")
    }

    @Test("rows are the rounded samples")
    func fidelity() throws {
        let simulation = try Simulation(Scenario.run.lasting(10), seed: 1)
        var text: [UInt8] = []
        try TraceWriter().write(simulation) { text += $0 }
        let rows = String(decoding: text, as: UTF8.self).split(separator: "\n").dropFirst()
        let samples = simulation.joinedSamples
        #expect(rows.count == samples.count)
        for (row, sample) in zip(rows, samples) {
            let numbers = row.split(separator: ",").compactMap { Double($0) }
            let exact = [sample.time.seconds(since: .epoch)] + [sample.x, sample.y, sample.z].map(Double.init)
            #expect(numbers.count == exact.count)
            #expect(zip(numbers, exact).allSatisfy { abs($0 - $1) < 5.1e-5 })
        }
    }

    @Test("the ground truth has the steps, segments and gaps of the simulation, and is JSON")
    func truth() throws {
        let sensor = SensorModel(gaps: [12..<15.5], start: Self.start)
        let simulation = try Simulation(.commute, seed: .max, sensor: sensor)
        let json = try #require(
            JSONSerialization.jsonObject(with: simulation.truthDocument()) as? [String: Any])
        let segments = try #require(json["segments"] as? [[String: Any]])
        let stepTimes = try #require(json["stepTimes"] as? [Double])
        #expect(json["seed"] as? UInt64 == .max && json["start"] as? String == Self.start.description)
        #expect(json["steps"] as? Int == simulation.truth.steps.count && stepTimes.count == json["steps"] as? Int)
        #expect(segments.reduce(0) { $0 + ($1["steps"] as? Int ?? 0) } == stepTimes.count)
        #expect(json["gaps"] as? [[String: Double]] == [["offset": 12, "duration": 3.5]])
        #expect(
            segments.contains {
                $0["flags"] as? [String] == ["stationary", "automotive"] && $0["activity"] as? String == "automotive"
            })
        for (written, exact) in zip(stepTimes, simulation.truth.steps) {
            #expect(abs(written - exact.time.seconds(since: Self.start)) < 5.1e-5)
        }
    }
}

import Footfall
import FootfallReaders
import Foundation
import TestSupport
import Testing

@Suite("The JSON of Movesense")
struct MovesenseTests {
    /// Packets of eight samples, 80 ms apart, as the sensor's apps write them.
    private static func packets(_ count: Int, isTimeFirst: Bool = false, space: String = "") -> [String] {
        (0..<count).map { packet in
            let samples = (0..<8).map { sample in
                let g = Walk.g(packet * 8 + sample).map { String($0 * 9.80665) }
                return "{\"x\":\(space)\(g[0]),\"y\":\(space)\(g[1]),\"z\":\(space)\(g[2])}"
            }
            let acceleration = "\"ArrayAcc\":[\(samples.joined(separator: ",\(space)"))]"
            let rotation = "\"ArrayGyro\":[{\"x\":1.5,\"y\":-2,\"z\":33}]"
            let time = "\"Timestamp\":\(space)\(158_319 + packet * 80)"
            let parts = isTimeFirst ? [time, acceleration, rotation] : [acceleration, rotation, time]
            return "{\(parts.joined(separator: ",\(space)"))}"
        }
    }

    private static let count = 25

    @Test("has samples between the times of its packets, whatever the order of the keys", arguments: [false, true])
    func packets(isTimeFirst: Bool) throws {
        let packets = Self.packets(Self.count, isTimeFirst: isTimeFirst, space: isTimeFirst ? "\n  " : "")
        let wrapped =
            isTimeFirst
            ? "{\"data\":[\(packets.map { "{\"imu\":\($0)}" }.joined(separator: ","))]}"
            : "{\"Meas\":{\"IMU9\":[\(packets.joined(separator: ","))]}}"
        let trace = try ReadTrace(text: wrapped)
        #expect(trace.layout.format == .movesense)
        #expect(trace.warnings.isEmpty)
        #expect(trace.milliseconds == (0..<Int64(Self.count * 8)).map { $0 * 10 })
        for (row, sample) in trace.samples.enumerated() {
            let expected = Walk.g(row)
            try #require(abs(Double(sample.x) - expected[0]) < 1e-5 && abs(Double(sample.z) - expected[2]) < 1e-5)
        }
    }

    @Test("loses a damaged packet only, and what is missing at the end")
    func damage() throws {
        var packets = Self.packets(Self.count)
        packets[3] = packets[3].replacingOccurrences(of: "\"Timestamp\":", with: "\"Timestamp\":none")
        let text = "{\"Meas\":{\"Acc\":[" + packets.joined(separator: ",")
        let trace = try ReadTrace(text: String(text.dropLast(100)))
        #expect(trace.samples.count == (Self.count - 2) * 8)
        #expect(trace.warnings.count == 2 && trace.warnings[0].hasPrefix("1 record dropped: damaged"))
        #expect(trace.warnings.last?.hasPrefix("the file ends in the middle of a record") ?? false)
    }

    @Test("starts where the options say")
    func start() throws {
        let start = try #require(Timestamp(year: 2026, month: 11, day: 20, hour: 8))
        let text = "{\"Meas\":{\"Acc\":[" + Self.packets(Self.count).joined(separator: ",") + "]}}"
        let trace = try ReadTrace(text: text, TraceOptions(start: start))
        #expect(trace.samples.first?.time == start)
        #expect(trace.notes.isEmpty)
    }

    @Test("of a real sensor at rest is 1 g at 107 Hz", .needsShared("fixtures/logs/shapes/movesense.json"))
    func recording() throws {
        var trace = try Trace(contentsOf: SharedRecordings.url("fixtures/logs/shapes/movesense.json"))
        var samples: [AccelerationSample] = []
        while let batch = try trace.nextBatch() { samples += batch }
        #expect(samples.count == 66 * 8)
        let magnitudes = samples.map { ($0.x * $0.x + $0.y * $0.y + $0.z * $0.z).squareRoot() }.sorted()
        #expect((0.96...1.04).contains(magnitudes[magnitudes.count / 2]))
        let duration = try #require(samples.last?.time.seconds(since: samples[0].time))
        #expect(abs(Double(samples.count - 1) / duration - 8 / 0.075) < 0.1)
        #expect(trace.warnings.map(\.kind) == [.cutShort])
    }
}

import Footfall
import FootfallReaders
import Foundation
import TestSupport
import Testing

@Suite("Captures of real devices", .needsShared("fixtures/captures"))
struct CaptureTests {
    /// An acceleration in m/s² and the ticks of its message, from another decoder.
    private func golden(_ name: String) throws -> [(ticks: Int64, metres: SIMD3<Double>)] {
        let text = String(decoding: try SharedRecordings.bytes("fixtures/captures/\(name)"), as: UTF8.self)
        return text.components(separatedBy: "\n\n").compactMap { message in
            let lines = message.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
            guard let acceleration = lines.firstIndex(where: { $0.hasPrefix("Acceleration(") }),
                let ticks = lines.firstIndex(of: "SampleTimeFine:")
            else { return nil }
            let metres = (1...3).compactMap { Double(lines[acceleration + $0].dropFirst(2)) }
            guard metres.count == 3, let ticks = Int64(lines[ticks + 1]) else { return nil }
            return (ticks, SIMD3(metres[0], metres[1], metres[2]))
        }
    }

    @Test("of an Xsens sensor in three number formats equal the output of another decoder", arguments: 1...3)
    func xsens(number: Int) throws {
        let expected = try golden("xsens/einride_\(number)/output.golden")
        let decoded = Decoded(try SharedRecordings.bytes("fixtures/captures/xsens/einride_\(number)/output.bin"))
        #expect(decoded.decoder.recognized == .xsens)
        #expect(decoded.readings.count == 96)
        #expect(expected.count == 96)
        for (reading, expected) in zip(decoded.readings, expected) {
            #expect(reading.deviceTime == expected.ticks * 100_000)
            let metres = SIMD3<Float>(expected.metres / 9.80665)
            #expect(isClose(SIMD3(reading.x, reading.y, reading.z), metres, within: 1e-6))
        }
        #expect(decoded.decoder.quality.damagedFrames == 0)
        #expect(decoded.decoder.quality.skippedBytes == 0)
        #expect(decoded.decoder.quality.frames == 100)
        let start = try #require(decoded.decoder.clockOrigin)
        let first = try #require(decoded.readings.first?.deviceTime)
        let moment = Timestamp(nanosecondsSince1970: start.time.nanosecondsSince1970 + first)
        #expect(moment.description.hasPrefix("2019-01-20T13:47:2"))
    }

    @Test("of a drone have the readings of one accelerometer, at the times of reception")
    func telemetryLog() throws {
        let bytes = try SharedRecordings.bytes("fixtures/captures/mavlink/dronekit_flight.tlog")
        #expect(WireDecoder.isTelemetryLog(Array(bytes.prefix(65536))))
        var decoder = WireDecoder.telemetryLog()
        var readings: [WireReading] = []
        for start in stride(from: 0, to: bytes.count, by: 65536) {
            decoder.decode(Array(bytes[start..<min(start + 65536, bytes.count)]), into: &readings)
        }
        decoder.finish(into: &readings)
        // The number of RAW_IMU messages. The log also has 2852 SCALED_IMU2 messages.
        #expect(readings.count == 2856)
        #expect(decoder.layout?.contains("RAW_IMU") == true)
        #expect(decoder.quality.problem == nil)
        // The log has 76,791 intact messages and ends with an incomplete one.
        #expect(decoder.quality.damagedFrames == 0)
        #expect(decoder.quality.skippedBytes == 11)
        let lengths = readings.map { ($0.x * $0.x + $0.y * $0.y + $0.z * $0.z).squareRoot() }.sorted()
        #expect((0.95...1.05).contains(lengths[lengths.count / 2]))
        let times = readings.compactMap(\.deviceTime)
        #expect(times.count == 2856)
        #expect(zip(times.dropFirst(), times).allSatisfy { $0 >= $1 })
        let duration = Double((times.last ?? 0) - (times.first ?? 0)) * 1e-9
        #expect(abs(duration - 1049.3) < 1)
        #expect(Timestamp(nanosecondsSince1970: times[0]).description.hasPrefix("2015-"))
    }

    @Test("of that drone without the messages of one accelerometer have the readings of the other")
    func secondAccelerometer() throws {
        let bytes = try SharedRecordings.bytes("fixtures/captures/mavlink/dronekit_flight.tlog")
        // 0xFE, 26 bytes of payload, RAW_IMU. Another length makes the message invalid.
        var without = bytes
        for index in bytes.indices.dropLast(40)
        where bytes[index] == 0xFE && bytes[index + 1] == 26 && bytes[index + 5] == 27 {
            without[index + 20] ^= 1
        }
        let decoded = Decoded(without, pieces: [4096])
        #expect(decoded.decoder.recognized == .mavlink)
        #expect(decoded.readings.count == 2852)
        #expect(decoded.decoder.layout?.contains("SCALED_IMU2") == true)
        #expect(decoded.decoder.quality.damagedFrames >= 2856)
    }

    @Test("of a WitMotion sensor on Bluetooth, at rest")
    func bluetooth() throws {
        struct Capture: Decodable { var data: [[String]] }
        let json = Data(try SharedRecordings.bytes("fixtures/captures/witmotion/iobroker_ble_5561_20byte.json"))
        let packets = try JSONDecoder().decode(Capture.self, from: json).data.map { hex($0.joined()) }
        var decoder = WireDecoder()
        var readings: [WireReading] = []
        for packet in packets {
            decoder.decode(packet, into: &readings)
            decoder.endDatagram(into: &readings)
        }
        decoder.finish(into: &readings)
        #expect(decoder.recognized == .witmotion)
        #expect(readings.count == 4)
        #expect(readings.allSatisfy { abs($0.z - 1) < 0.01 && abs($0.x) < 0.02 && abs($0.y) < 0.02 })
    }
}

import Footfall
import FootfallReaders
import Foundation
import TestSupport
import Testing

@Suite("Logs of what came over a wire")
struct WireLogTests {
    private func read(
        _ bytes: [UInt8], _ options: TraceOptions = TraceOptions(), chunkSize: Int = 1 << 18
    ) throws -> ReadTrace {
        try withFile(bytes, named: "log") { try ReadTrace($0, options, chunkSize: chunkSize) }
    }

    private func expect(_ trace: ReadTrace, startingAt start: Double, count: Int = 500) throws {
        try #require(trace.samples.count == count, "\(trace.layout)")
        for (index, sample) in trace.samples.enumerated() {
            let time = Double(sample.time.nanosecondsSince1970) * 1e-9
            try #require(abs(time - start - Double(index) * 0.02) < 1e-5, "sample \(index) at \(sample.time)")
            try #require(abs(abs(sample.z) - Float(WireLog.milliG(index)) / 1000) < 1e-3)
        }
    }

    private let start = Double(WireLog.start)

    @Test("by WitMotion, dumped or from a card, are read at the device's time of day")
    func witMotion() throws {
        for log in [(0..<500).flatMap { WireLog.witMotion($0, hasTime: true) }, (0..<500).flatMap(WireLog.record)] {
            let trace = try read(log)
            try expect(trace, startingAt: start)
            #expect(trace.warnings.isEmpty)
            #expect(trace.notes == ["the logger's clock states no zone; it was read as UTC"])
            #expect(trace.layout.description.hasPrefix("raw log; "))
            let zone = try #require(TimeZone(identifier: "Asia/Tokyo"))
            try expect(read(log, TraceOptions(timeZone: zone)), startingAt: start - 9 * 3600)
            #expect(try read(log, chunkSize: 7).samples == trace.samples)
        }
    }

    @Test("without times ask for the rate")
    func withoutTimes() throws {
        let log = (0..<500).flatMap { WireLog.witMotion($0, hasTime: false) }
        let error = try #require(throws: TraceError.self) { try read(log) }
        #expect(error.description.contains("'sampleRate'"))
        let trace = try read(log, TraceOptions(sampleRate: 50))
        try expect(trace, startingAt: 0)
        #expect(trace.layout.description.contains("times since start"))
    }

    @Test("by an x-IMU3 count from the start, or from the time that is among the settings")
    func ximu3() throws {
        let messages = (0..<500).flatMap(WireLog.ximu3)
        let options = TraceOptions(start: Timestamp(nanosecondsSince1970: WireLog.start * 1_000_000_000))
        try expect(read(messages, options), startingAt: start)
        #expect(try read(gzipped(messages)).samples.count == 500)
    }

    @Test("name the options that they do not use")
    func unused() throws {
        let options = TraceOptions(unit: .mg, sampleRate: 50, start: .epoch)
        let timed = try read((0..<500).flatMap(WireLog.ximu3), options)
        let rate = "'sampleRate' was not used; the log has times"
        #expect(timed.notes == [rate, "'unit' was not used; the recording states it"])
        let untimed = try read((0..<500).flatMap { WireLog.witMotion($0, hasTime: false) }, options)
        #expect(untimed.notes == ["'unit' was not used; the recording states it"])
    }

    @Test("of MAVLink telemetry are read at the time of reception")
    func telemetry() throws {
        let log = (0..<500).flatMap(WireLog.telemetry)
        let trace = try read(log)
        try expect(trace, startingAt: start)
        #expect(trace.warnings.isEmpty)
    }

    @Test("are not seen in a program with a few valid messages by chance")
    func program() throws {
        let message: [UInt8] = [0xFA, 0xFF, 0x3E, 0x00, 0xC3]
        let filler = (0..<3000).map { UInt8(truncatingIfNeeded: $0 &* 7919 >> 3) }
        let program = filler + message + filler + message + filler
        for bytes in [program, [0x7F, 0x45, 0x4C, 0x46, 2, 1, 1, 0] + program] {
            let error = try #require(throws: TraceError.self) { try read(bytes) }
            #expect(error.description.contains("binary data") || error.description.contains("a program"), "\(error)")
            #expect(!error.description.contains("'sampleRate'"))
        }
    }

    @Test("lose only what is damaged")
    func damage() throws {
        var log = (0..<500).flatMap(WireLog.telemetry)
        let size = log.count / 500
        for frame in [100, 200] { log[frame * size + 30] ^= 1 }
        log.insert(contentsOf: [1, 2, 3], at: 300 * size)
        let trace = try read(log)
        #expect(trace.samples.count >= 496 && trace.samples.count <= 499)
        #expect(!trace.warnings.isEmpty)
    }
}

@Suite("Real logs of wires", .needsShared("fixtures/captures"))
struct WireLogRecordingTests {
    @Test("hold what independent readers find")
    func telemetry() throws {
        let trace = try ReadTrace(SharedRecordings.url("fixtures/captures/mavlink/dronekit_flight.tlog"))
        #expect(trace.samples.count == 2856)
        let first = try #require(trace.samples.first)
        let last = try #require(trace.samples.last)
        #expect(abs(first.z + 0.991) < 0.02)
        #expect(abs(last.time.seconds(since: first.time) - 1049.4) < 1)
        #expect(first.time.description.hasPrefix("2015-07-05T00:26:45"))
        #expect(trace.warnings == ["11 bytes belong to no record"])
    }

    @Test("of Xsens devices are read at their own times", arguments: 1...3)
    func xsens(number: Int) throws {
        let trace = try ReadTrace(SharedRecordings.url("fixtures/captures/xsens/einride_\(number)/output.bin"))
        #expect(trace.samples.count == 96)
        let mean = trace.samples.reduce(0) { $0 + $1.magnitude } / 96
        #expect(abs(mean - 1) < 0.05)
    }
}

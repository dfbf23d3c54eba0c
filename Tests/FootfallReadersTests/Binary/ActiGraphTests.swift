import Footfall
import FootfallReaders
import Foundation
import TestSupport
import Testing

@Suite("ActiGraph recordings")
struct ActiGraphTests {
    private func read(
        _ bytes: [UInt8], _ options: TraceOptions = TraceOptions(), chunkSize: Int = 1 << 18
    ) throws -> ReadTrace {
        try withFile(bytes, named: "recording") { try ReadTrace($0, options, chunkSize: chunkSize) }
    }

    /// Seconds since the start of the recording, whose clock is four hours behind UTC.
    private func seconds(_ sample: AccelerationSample, clockAhead hours: Int64 = -4) -> Double {
        let start = (Int64(ActiGraphFile.start) - hours * 3600) * 1_000_000_000
        return sample.time.seconds(since: Timestamp(nanosecondsSince1970: start))
    }

    private func expect(_ trace: ReadTrace, toBe file: ActiGraphFile, count: Int) throws {
        try #require(trace.samples.count == count)
        for (index, sample) in trace.samples.enumerated() {
            let values = file.units(index).map { Float($0) / Float(file.unitsPerG) }
            try #require(abs(sample.x - values[0]) < 1e-6 && abs(sample.y - values[1]) < 1e-6, "sample \(index)")
            try #require(abs(sample.z - values[2]) < 1e-6, "sample \(index)")
            try #require(abs(seconds(sample) - Double(index) / Double(file.rate)) < 1e-6, "sample \(index)")
        }
    }

    @Test(
        "of every packing, stored and deflated, hold the walk at its times",
        arguments: ActiGraphFile.Packing.allCases, [false, true])
    func packings(packing: ActiGraphFile.Packing, isDeflated: Bool) throws {
        let file = ActiGraphFile(packing: packing)
        let trace = try read(file.bytes(seconds: 300, isDeflated: isDeflated))
        try expect(trace, toBe: file, count: 9000)
        #expect(trace.warnings.isEmpty)
        #expect(trace.notes.isEmpty)
        #expect(trace.progress == 1)
        #expect(
            trace.layout.description
                == "ActiGraph GT3X; TAS1H30182785 (Link); 30.0 Hz; ±8.0 g; clock at UTC-04:00 (from the header)")
    }

    @Test("of a rate whose samples do not fill whole bytes are read", arguments: [1, 31, 33, 75])
    func oddRates(rate: Int) throws {
        var file = ActiGraphFile(rate: rate)
        file.info["Sample Rate"] = "\(rate)"
        try expect(read(file.bytes(seconds: 20)), toBe: file, count: 20 * rate)
    }

    @Test(
        "are the same in whatever pieces they are read, from a pipe, and compressed once more",
        arguments: [1, 300, 100_000])
    func chunks(size: Int) throws {
        let file = ActiGraphFile(packing: .xBeforeY)
        let bytes = file.bytes(seconds: 60, isDeflated: true)
        let whole = try read(bytes)
        #expect(try read(bytes, chunkSize: size).samples == whole.samples)
        #expect(try read(gzipped(bytes), chunkSize: size).samples == whole.samples)
        let pipe = Pipe()
        try pipe.fileHandleForWriting.write(contentsOf: Data(bytes))
        try pipe.fileHandleForWriting.close()
        let piped = try ReadTrace(URL(filePath: "/dev/fd/\(pipe.fileHandleForReading.fileDescriptor)"))
        #expect(piped.samples == whole.samples)
    }

    @Test("that sleep while nothing moves are at rest for that time, and say so")
    func idleSleep() throws {
        let file = ActiGraphFile()
        let log =
            (0..<20).flatMap { file.activity($0) } + ActiGraphFile.event(20, 8)
            + ActiGraphFile.record(5, ActiGraphFile.start + 50, [1, 0]) + ActiGraphFile.event(3620, 9)
            + (3620..<3640).flatMap { file.activity($0) }
        let trace = try read(file.bytes(log: log))
        #expect(trace.samples.count == 3640 * 30)
        let sleep = trace.samples[600..<(3620 * 30)]
        // The direction of the last sample, with 1 g.
        let last = trace.samples[599]
        let magnitude = (last.x * last.x + last.y * last.y + last.z * last.z).squareRoot()
        #expect(abs(magnitude - 1) > 0.05)
        #expect(sleep.allSatisfy { abs($0.z * magnitude - last.z) < 1e-6 && abs($0.x * magnitude - last.x) < 1e-6 })
        // Every thirtieth sample is on a whole second, however long the sleep.
        let seconds = stride(from: 600, to: 3620 * 30, by: 30).map { trace.samples[$0].time.nanosecondsSince1970 }
        #expect(seconds.allSatisfy { $0 % 1_000_000_000 == 0 })
        let steps = zip(trace.samples.dropFirst(), trace.samples).map { $0.time.seconds(since: $1.time) }
        #expect(steps.allSatisfy { abs($0 - 1.0 / 30) < 1e-6 })
        #expect(
            trace.notes == [
                "the logger slept once because nothing moved, 3600 s in all; its last sample was repeated for that time, with 1 g"
            ])
        // To the end of the file, as long as the logger still wrote something.
        let asleep =
            log.prefix(20 * (9 + 135)) + ActiGraphFile.event(20, 8)
            + ActiGraphFile.record(2, ActiGraphFile.start + 100, [1, 0])
        #expect(try read(file.bytes(log: Array(asleep))).samples.count == 3000)
    }

    @Test("that sleep are no evidence for a calibration during sleep, whether or not the batches were full")
    func sleepAndCalibration() throws {
        let file = ActiGraphFile()
        let rest = (0..<200).flatMap { file.activity($0, [[Int]](repeating: [0, 0, 263], count: 30)) }
        let log =
            rest + ActiGraphFile.event(200, 8) + ActiGraphFile.event(7200, 9)
            + (7200..<7400).flatMap { file.activity($0, [[Int]](repeating: [0, 0, 263], count: 30)) }
        var (check, filled) = (SensorCheck(), 0)
        try withFile(file.bytes(log: log), named: "recording") { url in
            var trace = try Trace(contentsOf: url)
            while let batch = try trace.nextBatch() {
                check.add(batch)
                filled += batch.isFilled ? batch.count : 0
            }
        }
        #expect(filled == 7000 * 30)
        // 20 windows before the sleep and 20 after it, without the two that touch it. The sleep alone would have 700.
        #expect(throws: SensorCalibration.Obstacle.tooLittleStillness(windows: 38)) { try check.calibration().get() }
    }

    @Test("without samples and without sleep have a gap")
    func gap() throws {
        let file = ActiGraphFile()
        let trace = try read(file.bytes(log: file.activity(0) + file.activity(60)))
        #expect(trace.samples.count == 60)
        #expect(trace.notes.isEmpty)
        #expect(abs(seconds(trace.samples[30]) - 60) < 1e-6)
    }

    @Test("cannot be made to sleep for years")
    func endlessSleep() throws {
        let file = ActiGraphFile()
        let log =
            file.activity(0) + ActiGraphFile.event(1, 8) + ActiGraphFile.event(1_000_000_000, 9)
            + file.activity(1_000_000_000)
        #expect(try read(file.bytes(log: log)).samples.count == 60)
    }

    @Test("in UTC are not moved by the wearer's zone")
    func utc() throws {
        let file = ActiGraphFile()
        let metadata = #"{"MetadataType":"LocalTimeLog", "UtcOffset":"02:00:00","UsedUtc": true}"#
        let log = ActiGraphFile.record(6, ActiGraphFile.start, Array(metadata.utf8)) + file.activity(0)
        let trace = try read(file.bytes(log: log))
        #expect(seconds(try #require(trace.samples.first), clockAhead: 0) == 0)
        let local = ActiGraphFile.record(6, ActiGraphFile.start, Array(metadata.replacing("true", with: "false").utf8))
        #expect(seconds(try #require(read(file.bytes(log: local + file.activity(0))).samples.first)) == 0)
    }

    @Test("without a zone are read in the one that is given")
    func zone() throws {
        var file = ActiGraphFile()
        file.info["TimeZone"] = nil
        let zone = try #require(TimeZone(identifier: "Europe/Berlin"))
        let trace = try read(file.bytes(seconds: 2), TraceOptions(timeZone: zone))
        #expect(seconds(try #require(trace.samples.first), clockAhead: 1) == 0)
        #expect(trace.notes == ["the logger's clock states no zone; it was read as Europe/Berlin"])
    }

    @Test("take their scale from the parameters, else from the info, else from the model")
    func scales() throws {
        var file = ActiGraphFile(unitsPerG: 1024)
        // 1024 as a fraction of one half and an exponent of 11.
        let parameters = ActiGraphFile.record(
            21, ActiGraphFile.start, .little(UInt16(0)) + .little(UInt16(55)) + .little(UInt32(0x0B40_0000)))
        let activity = (0..<3).flatMap { file.activity($0) }
        try expect(read(file.bytes(log: parameters + activity)), toBe: file, count: 90)
        file.info["Acceleration Scale"] = "1024,0"
        try expect(read(file.bytes(log: activity)), toBe: file, count: 90)
        // The largest number that can be written stands for none.
        let none = ActiGraphFile.record(
            21, ActiGraphFile.start, .little(UInt16(0)) + .little(UInt16(55)) + .little(UInt32(0x007F_FFFF)))
        try expect(read(file.bytes(log: none + activity)), toBe: file, count: 90)
        for (serial, units) in [("NEO1F18120387", 341), ("CLE2A14151617", 341), ("MOS2E39180594", 256)] {
            var old = ActiGraphFile(unitsPerG: units)
            old.info["Acceleration Scale"] = nil
            old.info["Serial Number"] = serial
            try expect(read(old.bytes(seconds: 3)), toBe: old, count: 90)
        }
    }

    @Test("take their rate from the parameters where the info does not say it")
    func rateInParameters() throws {
        var file = ActiGraphFile(rate: 60)
        file.info["Sample Rate"] = nil
        let parameters = ActiGraphFile.record(
            21, ActiGraphFile.start, .little(UInt16(1)) + .little(UInt16(10)) + .little(UInt32(60)))
        let log = parameters + (0..<3).flatMap { file.activity($0) }
        try expect(read(file.bytes(log: log)), toBe: file, count: 180)
    }

    @Test("of the one firmware that turned its axes are turned back")
    func turned() throws {
        var file = ActiGraphFile()
        let plain = try read(file.bytes(seconds: 2))
        file.info["Serial Number"] = "MOS2A00000001"
        file.info["Firmware"] = "1.6.0"
        let turned = try read(file.bytes(seconds: 2))
        #expect(zip(plain.samples, turned.samples).allSatisfy { $1.x == $0.y && $1.y == -$0.x && $1.z == $0.z })
    }

    @Test("with the factory's calibration beside them have it applied")
    func calibration() throws {
        var file = ActiGraphFile(packing: .xBeforeY, rate: 32)
        file.info["Sample Rate"] = "32"
        let values = [
            "offsetX": 37, "offsetY": 13, "offsetZ": 46, "sensitivityXX": 24804, "sensitivityYY": 26621,
            "sensitivityZZ": 24304, "sensitivityXY": -615, "sensitivityXZ": -222, "sensitivityYZ": -28,
        ]
        let json = values.map { "\"\($0.key)_32\": \($0.value)" }.joined(separator: ",")
        file.calibration = "{\"isCalibrated\": false, \"calibrationMethod\": 2, \(json)}"
        let log = ActiGraphFile.record(27, ActiGraphFile.start, ActiGraphFile.packed([[342, 47, 84], [0, 0, 0]]))
        let trace = try read(file.bytes(log: log))
        let first = try #require(trace.samples.first)
        // 305, 34 and 38 units after the offset.
        #expect(abs(first.x - (305 / 248.04 + 34 * (1 / 243.85 - 0.004) + 38 * (1 / 247.78 - 0.004))) < 1e-5)
        #expect(abs(first.y - (305 * (1 / 243.85 - 0.004) + 34 / 266.21 + 38 * (1 / 249.72 - 0.004))) < 1e-5)
        #expect(abs(first.z - (305 * (1 / 247.78 - 0.004) + 34 * (1 / 249.72 - 0.004) + 38 / 243.04)) < 1e-5)
        #expect(trace.notes == ["the factory's calibration was applied"])

        file.calibration = "{\"isCalibrated\": false, \"calibrationMethod\": 7}"
        #expect(try read(file.bytes(log: log)).notes == ["the factory's calibration was not applied: its method is 7"])
        file.calibration = "nonsense"
        #expect(try read(file.bytes(log: log)).notes == ["the factory's calibration was not applied: it is damaged"])
    }

    @Test("lose only the records that are damaged")
    func damage() throws {
        let file = ActiGraphFile()
        var log = (0..<20).flatMap { file.activity($0) }
        let size = log.count / 20
        for second in [3, 7] { log[second * size + 50] ^= 4 }
        log[12 * size] = 0x55
        log.insert(contentsOf: [0, 0, 0, 0], at: 10 * size)
        let marker = ActiGraphFile.record(0, ActiGraphFile.start + 20, [0])
        let trace = try read(file.bytes(log: log + marker + file.activity(20).prefix(80)))
        #expect(trace.samples.count == 17 * 30)
        #expect(
            trace.warnings == [
                "3 records dropped: damaged (first at byte 432)",
                "the file ends in the middle of a record; what is whole of it was read",
            ])
    }

    @Test("of the first generation are one stream of samples from their start")
    func firstGeneration() throws {
        var file = ActiGraphFile(unitsPerG: 341)
        file.info["Serial Number"] = "NEO1C15110135"
        file.info["Acceleration Scale"] = nil
        file.info["Start Date"] = "638448840000000000"
        let values = (0..<9001).map { file.units($0) }.map { [$0[1], $0[0], $0[2]] }
        let members = [("activity.bin", ActiGraphFile.packed(values)), ("info.txt", file.infoText), ("lux.bin", [1])]
        let trace = try read(zipped(members.map { (name: $0.0, content: $0.1) }))
        try expect(trace, toBe: file, count: 9001)
        #expect(trace.warnings.isEmpty)
    }

    @Test("whose checksum is wrong are read, with a warning")
    func checksums() throws {
        var bytes = ActiGraphFile().bytes(seconds: 5)
        let directory = try #require(bytes.indices.first { bytes[$0...].starts(with: [0x50, 0x4B, 1, 2]) })
        bytes[directory + 16] ^= 1
        let trace = try read(bytes)
        #expect(trace.samples.count == 150)
        #expect(trace.warnings == ["the compressed data are damaged; nothing behind the damage could be read"])
    }

    @Test("that lack what is needed are refused")
    func refusals() throws {
        var file = ActiGraphFile()
        file.info["Sample Rate"] = nil
        let noRate = try #require(throws: TraceError.self) { try read(file.bytes(seconds: 1)) }
        #expect(noRate.description.contains("sample rate"))
        let cut = ActiGraphFile().bytes(seconds: 30).prefix(3000)
        let noDirectory = try #require(throws: TraceError.self) { try read(Array(cut)) }
        #expect(noDirectory.description.contains("cut short"))
    }
}

@Suite("Real ActiGraph recordings", .needsShared("fixtures/logs"))
struct ActiGraphRecordingTests {
    @Test("hold what independent readers find")
    func values() throws {
        let trace = try ReadTrace(SharedRecordings.url("fixtures/logs/actigraph/actigraph_testfile.gt3x"))
        let first = try #require(trace.samples.first)
        #expect(abs(first.x - 0.004) < 5e-4 && abs(first.y - 0.023) < 5e-4 && abs(first.z + 0.957) < 5e-4)
        #expect(trace.layout.recording?.sampleRate == 30)
        #expect(trace.layout.recording?.utcOffset == 7200)
        #expect(trace.layout.recording?.device == "MOS2E39180594 (wGT3XBT)")
        #expect(trace.warnings.isEmpty)
        // 588 seconds were recorded, 17640 samples; the rest of the half hour it slept.
        #expect(
            trace.notes == [
                "the logger slept 23 times because nothing moved, 1180 s in all; its last sample was repeated for that time, with 1 g"
            ])
        #expect(trace.samples.count == 17640 + 1180 * 30)
        let steps = zip(trace.samples.dropFirst(), trace.samples).map { $0.time.seconds(since: $1.time) }
        #expect(steps.allSatisfy { abs($0 - 1.0 / 30) < 1e-6 })
    }
}

import Footfall
import FootfallReaders
import Foundation
import TestSupport
import Testing

@Suite("Axivity recordings")
struct AxivityTests {
    private static let day = 1_709_251_200.0  // 2024-03-01

    private func read(
        _ bytes: [UInt8], _ options: TraceOptions = TraceOptions(), chunkSize: Int = 1 << 18
    ) throws -> ReadTrace {
        try withFile(bytes, named: "recording") { try ReadTrace($0, options, chunkSize: chunkSize) }
    }

    private func expect(_ trace: ReadTrace, toBe file: AxivityFile, count: Int, within tolerance: Double = 0.03) throws
    {
        try #require(trace.samples.count == count)
        for (index, sample) in trace.samples.enumerated() {
            let values = AxivityFile.sample(index).map { Float($0) / 256 }
            try #require(sample.x == values[0], "sample \(index)")
            try #require(sample.y == values[1], "sample \(index)")
            try #require(sample.z == values[2], "sample \(index)")
            let time = Double(sample.time.nanosecondsSince1970) / 1e9 - Self.day
            // Only the first sector is spaced by the rate that was set, which is 3 % off.
            let slack = index < file.packing.samplesPerSector ? 0.05 : 0
            try #require(abs(time - file.time(index)) < tolerance + slack, "sample \(index): \(time)")
        }
    }

    @Test(
        "of every packing hold the walk at its times, though the rate is not what was set",
        arguments: AxivityFile.Packing.allCases)
    func packings(packing: AxivityFile.Packing) throws {
        var file = AxivityFile(packing: packing)
        if packing.axes > 3 { file.header = AxivityFile.header(hardware: 0x64) }
        let trace = try read(file.bytes(sectors: 30))
        try expect(trace, toBe: file, count: 30 * packing.samplesPerSector)
        #expect(trace.warnings.isEmpty)
        #expect(trace.notes == ["the logger's clock states no zone; it was read as UTC"])
        #expect(trace.progress == 1)
        let model = packing.axes > 3 ? "AX6" : "AX3"
        #expect(
            trace.layout.description
                == "Axivity CWA; \(model) 39434; 100.0 Hz; ±8.0 g; clock at UTC (assumed)")
    }

    @Test("state the temperature of the sensor, and the mean of a batch in which it changes")
    func temperature() throws {
        let (cool, warm) = (AxivityFile(), AxivityFile(temperature: 301))
        let sectors = (0..<30).flatMap { $0 < 15 ? cool.sector($0) : warm.sector($0) }
        try withFile(cool.header + sectors, named: "recording") { file in
            var trace = try Trace(contentsOf: file)
            let batch = try #require(try trace.nextBatch())
            #expect(batch.count == 3600)
            // The mean of 261 · 75 / 256 − 50 and 301 · 75 / 256 − 50.
            let temperature = try #require(batch.temperature)
            #expect(abs(temperature - 32.3242) < 0.001)
            let logged = try #require(trace.logger.temperature)
            #expect(abs(logged - 32.3242) < 0.001)
            // (190 + 512) · 6 V / 1024.
            let battery = try #require(trace.logger.battery)
            #expect(abs(battery - 4.1133) < 0.001)
        }
    }

    @Test("by old devices, whose clocks show whole seconds, are spaced evenly")
    func oldFormat() throws {
        let file = AxivityFile(hertz: 100, rateCode: 0)
        let trace = try read(file.bytes(sectors: 60))
        try expect(trace, toBe: file, count: 7200, within: 1)
        let steps = zip(trace.samples.dropFirst(), trace.samples).map { $0.time.seconds(since: $1.time) }
        #expect(steps.allSatisfy { $0 > 0 && $0 < 0.3 })
        #expect(steps.filter { abs($0 - 0.01) > 1e-6 }.count < 4)
    }

    @Test("are the same in whatever pieces they are read, and compressed", arguments: [1, 511, 512, 513, 100_000])
    func chunks(size: Int) throws {
        let bytes = AxivityFile().bytes(sectors: 40)
        let whole = try read(bytes)
        #expect(try read(bytes, chunkSize: size).samples == whole.samples)
        let compressed = try read(gzipped(bytes), chunkSize: size)
        #expect(compressed.samples == whole.samples)
        #expect(compressed.layout.description.hasPrefix("Axivity CWA in gzip"))
    }

    @Test("are read in the zone that is given, as its clocks were set when the recording began")
    func zone() throws {
        let zone = try #require(TimeZone(identifier: "Europe/Berlin"))
        let utc = try read(AxivityFile().bytes(sectors: 3))
        let berlin = try read(AxivityFile().bytes(sectors: 3), TraceOptions(timeZone: zone))
        #expect(zip(utc.samples, berlin.samples).allSatisfy { $0.time.seconds(since: $1.time) == 3600 })
        #expect(berlin.layout.recording?.utcOffset == 3600)
        #expect(berlin.notes == ["the logger's clock states no zone; it was read as Europe/Berlin"])
    }

    @Test("with exchanged triples at the beginning are put in order, and say so", arguments: [128, 1024])
    func exchange(swapped: Int) throws {
        var file = AxivityFile(packing: .sixAxes, swapped: swapped)
        file.header = AxivityFile.header(hardware: 0x64)
        let trace = try read(file.bytes(sectors: 40))
        try expect(trace, toBe: file, count: 1600)
        #expect(
            trace.notes.contains(
                "acceleration and rotation are exchanged in the first \(swapped) samples; they were put in order"))
    }

    @Test("lose only the sectors that are damaged")
    func damage() throws {
        var bytes = AxivityFile().bytes(sectors: 20)
        for sector in [4, 5, 12] { bytes[1024 + sector * 512 + 100] ^= 0x10 }
        bytes[1024 + 15 * 512] = 0
        let trace = try read(bytes)
        #expect(trace.samples.count == 16 * 120)
        #expect(trace.warnings == ["4 records dropped: damaged (first at byte 3072)"])
        let gaps = zip(trace.samples.dropFirst(), trace.samples).map { $0.time.seconds(since: $1.time) }
        #expect(gaps.filter { $0 > 1 }.count == 3)
        #expect(gaps.allSatisfy { $0 > 0 })
        // A sector after a loss is spaced by the rate that was set, and still lies where its clock says.
        let kept = (0..<20 * 120).filter { ![4, 5, 12, 15].contains($0 / 120) }
        for (index, sample) in zip(kept, trace.samples) {
            let time = Double(sample.time.nanosecondsSince1970) / 1e9 - Self.day
            try #require(abs(time - AxivityFile().time(index)) < 0.08, "sample \(index)")
        }
    }

    @Test("hold samples of ten bits with a common exponent, as the manufacturer packs them")
    func packedSamples() throws {
        let samples: [(word: UInt32, g: SIMD3<Float>)] = [
            (0x80D0_FC15, SIMD3(84, 252, 52) / 256), (0x3FF7_FE00, SIMD3(-512, 511, -1) / 256),
            (0x7FF7_FE00, SIMD3(-1024, 1022, -2) / 256), (0xFFF7_FE00, SIMD3(-4096, 4088, -8) / 256),
        ]
        var sector = AxivityFile().sector(0)
        for (index, sample) in samples.enumerated() { sector.put(sample.word, at: 30 + index * 4) }
        sector.put(AxivityFile.checksum(sector), at: 510)
        let trace = try read(AxivityFile().header + sector)
        #expect(trace.samples.prefix(4).map { SIMD3($0.x, $0.y, $0.z) } == samples.map(\.g))
    }

    @Test(
        "say which device they are of, and what it was set to",
        arguments: [
            (0x00, 39434, 0x4A, "AX3 39434; 100.0 Hz; ±8.0 g"), (0xFF, 0xFFFF_1234, 0x5A, "AX3 4660; 100.0 Hz; ±8.0 g"),
            (0x64, 6_011_834, 0x0C, "AX6 6011834; 400.0 Hz; ±16.0 g"), (0x17, 1, 0x87, "AX3 1; 12.5 Hz; ±4.0 g"),
            (0x17, 65536, 0xC6, "AX3 65536; 6.25 Hz; ±2.0 g"),
        ] as [(UInt8, UInt32, UInt8, String)])
    func settings(hardware: UInt8, device: UInt32, rateCode: UInt8, told: String) throws {
        let header = AxivityFile.header(hardware: hardware, device: device)
        let trace = try read(AxivityFile(rateCode: rateCode, header: header).bytes(sectors: 2))
        #expect(trace.layout.description.hasPrefix("Axivity CWA; \(told); clock"))
    }

    @Test("may be of a year whose number fills the highest bit, but not of a month 0")
    func dates() throws {
        func sector(_ number: Int, year: UInt32, month: UInt32) -> [UInt8] {
            var bytes = AxivityFile().sector(number)
            bytes.put(year << 26 | month << 22 | 1 << 17 | 10 << 12, at: 14)
            bytes.put(AxivityFile.checksum(bytes), at: 510)
            return bytes
        }
        let sectors = sector(0, year: 40, month: 3) + sector(1, year: 40, month: 0)
        let trace = try read(AxivityFile().header + sectors)
        #expect(trace.samples.count == 120)
        #expect(trace.samples.allSatisfy { $0.time.description.hasPrefix("2040-03-01T") })
        #expect(trace.warnings == ["1 record dropped: unreadable time (first at byte 1536)"])
    }

    @Test("without a header, with sectors of another kind, and cut inside a sector are read as far as they go")
    func oddities() throws {
        let file = AxivityFile()
        var other = file.sector(3)
        other.replaceSubrange(0..<2, with: Array("SI".utf8))
        let bytes =
            [UInt8](repeating: 0, count: 1024) + file.sector(0) + other + file.sector(1, count: 0) + file.sector(1)
        let trace = try read(bytes + file.sector(2).prefix(300))
        #expect(trace.samples.count == 240)
        #expect(
            trace.warnings == [
                "2 records dropped: damaged (first at byte 0)",
                "the file ends in the middle of a record; what is whole of it was read",
            ])
        #expect(try read(file.sector(0)).samples.count == 120)
    }

    @Test("that are nothing but a header are refused")
    func empty() throws {
        let error = try #require(throws: TraceError.self) { try read(AxivityFile().header) }
        #expect(error.description.hasSuffix("it holds no samples"))
    }

    @Test("say which options they have no use for")
    func options() throws {
        let trace = try read(AxivityFile().bytes(sectors: 1), TraceOptions(unit: .mg, sampleRate: 50))
        #expect(trace.notes.contains("'unit' was not used; the recording states it"))
        #expect(trace.notes.contains("'sampleRate' was not used; the recording states it"))
    }
}

@Suite("Real Axivity recordings", .needsShared("fixtures/logs"))
struct AxivityRecordingTests {
    struct Expectation: Sendable {
        var file: String
        var count: Int
        var first: SIMD3<Float>
        var mean: Double
        var hertz: Double
        var range = 8.0
        var warnings: [String] = []
    }

    @Test(
        "hold what independent readers find",
        arguments: [
            Expectation(
                file: "ax3_testfile.cwa", count: 17400, first: SIMD3(0.328125, 0.984375, 0.203125), mean: 0.98164,
                hertz: 100),
            Expectation(
                file: "ax3_testfile_corrupt_blocks_0_13_14_142_143_144.cwa", count: 16680,
                first: SIMD3(0, 0, 0), mean: 0.98164, hertz: 100,
                warnings: ["6 records dropped: damaged (first at byte 1024)"]),
            Expectation(
                file: "ax3_sample.cwa", count: 58800, first: SIMD3(-0.09375, -0.203125, 0.953125), mean: 1.04662,
                hertz: 200),
        ])
    func values(expected: Expectation) throws {
        let trace = try ReadTrace(SharedRecordings.url("fixtures/logs/axivity/\(expected.file)"))
        #expect(trace.samples.count == expected.count)
        let first = try #require(trace.samples.first)
        if expected.warnings.isEmpty { #expect(SIMD3(first.x, first.y, first.z) == expected.first) }
        let mean = trace.samples.reduce(0) { $0 + $1.magnitude } / Double(trace.samples.count)
        #expect(abs(mean - expected.mean) < (expected.warnings.isEmpty ? 1e-5 : 1e-3))
        #expect(trace.layout.recording?.sampleRate == expected.hertz)
        #expect(trace.layout.recording?.range == expected.range)
        #expect(trace.warnings == expected.warnings)
        let steps = zip(trace.samples.dropFirst(), trace.samples).map { $0.time.seconds(since: $1.time) }
        #expect(steps.count { $0 <= 0 } < 10)
        // Of the damaged sectors, two are in the middle; the others are the first and the last ones.
        #expect(steps.count { $0 > 0.1 } == (expected.warnings.isEmpty ? 0 : 1))
    }

    @Test("have the times that sectors tell")
    func times() throws {
        let trace = try ReadTrace(SharedRecordings.url("fixtures/logs/axivity/ax3_testfile.cwa"))
        let midnight = Timestamp(nanosecondsSince1970: 1_551_139_200_000_000_000)  // 2019-02-26
        func second(_ index: Int) -> Double { trace.samples[index].time.seconds(since: midnight) }
        #expect(abs(second(0) - (10 * 3600 + 55 * 60 + 6.000488)) < 1e-6)
        #expect(abs(second(120) - (10 * 3600 + 55 * 60 + 7.199902)) < 1e-6)
    }

    @Test("are what the manufacturer's software exports")
    func export() throws {
        let export = try ReadTrace(SharedRecordings.url("fixtures/logs/axivity/ax3_testfile_unix_timestamps.csv"))
        let trace = try ReadTrace(SharedRecordings.url("fixtures/logs/axivity/ax3_testfile.cwa"))
        // The export leaves out the sample numbered 22.
        for (exported, sample) in zip(export.samples, trace.samples[..<22] + trace.samples[23...]) {
            try #require(abs(exported.x - sample.x) < 1e-6)
            try #require(abs(exported.y - sample.y) < 1e-6)
            try #require(abs(exported.z - sample.z) < 1e-6)
            try #require(abs(exported.time.seconds(since: sample.time)) < 0.01)
        }
    }

    @Test("by an AX6 that begins with exchanged triples show gravity from the first sample on")
    func exchange() throws {
        let url = SharedRecordings.url("fixtures/logs/axivity/ax6_testfile.cwa")
        let trace = try ReadTrace(url)
        #expect(trace.samples.count == 11320)
        #expect(trace.layout.recording?.device.hasPrefix("AX6") == true)
        #expect(
            trace.notes.contains(
                "acceleration and rotation are exchanged in the first 1024 samples; they were put in order"))
        let early = trace.samples[..<1024].reduce(0) { $0 + $1.magnitude } / 1024
        #expect(abs(early - 1.010) < 0.01)
        // The export keeps the exchange: what it calls rotation, 250 °/s at full scale, is acceleration in 1/2048 g.
        let text = try String(
            contentsOf: SharedRecordings.url("fixtures/logs/axivity/ax6_testfile_formatted_timestamps.csv"),
            encoding: .utf8)
        for (line, sample) in zip(text.split(whereSeparator: \.isNewline), trace.samples) {
            let rotation = line.split(separator: ",").suffix(3).compactMap { Double($0) }
            let expected = rotation.map { Float($0 / 250 * 32768 / 2048) }
            try #require(abs(expected[0] - sample.x) < 1e-3 && abs(expected[1] - sample.y) < 1e-3)
            try #require(abs(expected[2] - sample.z) < 1e-3)
        }
    }
}

extension AccelerationSample {
    /// The length of the acceleration in g.
    var magnitude: Double { (Double(x) * Double(x) + Double(y) * Double(y) + Double(z) * Double(z)).squareRoot() }
}

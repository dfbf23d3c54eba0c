import Footfall
import FootfallReaders
import Foundation
import TestSupport
import Testing

@Suite("GENEActiv recordings")
struct GENEActivTests {
    private func read(
        _ bytes: [UInt8], _ options: TraceOptions = TraceOptions(), chunkSize: Int = 1 << 18
    ) throws -> ReadTrace {
        try withFile(bytes, named: "recording") { try ReadTrace($0, options, chunkSize: chunkSize) }
    }

    /// Seconds since 10:00:00 on a clock that is ahead of UTC by so many hours.
    private func seconds(_ sample: AccelerationSample, clockAhead hours: Int64 = 1) -> Double {
        let start = (1_709_287_200 - hours * 3600) * 1_000_000_000
        return sample.time.seconds(since: Timestamp(nanosecondsSince1970: start))
    }

    private func expect(_ trace: ReadTrace, toBe file: GENEActivFile, count: Int, within tolerance: Double) throws {
        try #require(trace.samples.count == count)
        for (index, sample) in trace.samples.enumerated() {
            try #require([sample.x, sample.y, sample.z] == GENEActivFile.acceleration(index), "sample \(index)")
            try #require(abs(seconds(sample) - file.time(index)) < tolerance, "sample \(index): \(seconds(sample))")
        }
    }

    @Test("state temperature and battery; a page without one has no effect", arguments: ["21.5", "", "warm", "1e300"])
    func temperature(text: String) throws {
        var pages = (0..<4).map { GENEActivFile().page($0) }
        let row = try #require(pages[1].firstIndex { $0.hasPrefix("Temperature:") })
        pages[1][row] = "Temperature:" + text
        try withFile(GENEActivFile().text(pages: pages).utf8, named: "recording.bin") { file in
            var trace = try Trace(contentsOf: file)
            #expect(try trace.nextBatch()?.temperature == 21.5)
            #expect(trace.logger.temperature == 21.5)
            #expect(abs(try #require(trace.logger.battery) - 4.1493) < 0.001)
        }
    }

    @Test("with either line end hold the walk at its times", arguments: ["\r\n", "\n"])
    func whole(lineEnd: String) throws {
        let file = GENEActivFile(lineEnd: lineEnd)
        let trace = try read(file.bytes(pages: 20))
        try expect(trace, toBe: file, count: 6000, within: 0.5)
        #expect(trace.warnings.isEmpty)
        #expect(trace.notes.isEmpty)
        #expect(trace.progress == 1)
        #expect(
            trace.layout.description
                == "GENEActiv; GENEActiv 012967; 50.0 Hz; ±8.0 g; clock at UTC+01:00 (from the header)")
    }

    @Test("are in g by the gains and offsets of their header")
    func calibration() throws {
        let file = GENEActivFile()
        let page = file.page(0, [[Int]](repeating: [196, -3, -195], count: 300))
        try #require(page[9].hasPrefix("0C4FFDF3D004"))
        let sample = try #require(read(Array(file.text(pages: [page]).utf8)).samples.last)
        #expect(abs(sample.x - 0.74052) < 5e-6 && abs(sample.y - 0.01407) < 5e-6 && abs(sample.z + 0.64390) < 5e-6)
    }

    @Test("are spaced by their pages, whose times are cut to half a second, though the rate is not what was set")
    func drift() throws {
        let file = GENEActivFile(rate: 85.7, hertz: 85.2)
        let trace = try read(file.bytes(pages: 200))
        // What is cut off is a quarter of a second in the mean.
        try expect(trace, toBe: file, count: 60000, within: 0.3)
        let steps = zip(trace.samples.dropFirst(), trace.samples).map { $0.time.seconds(since: $1.time) }
        #expect(steps.allSatisfy { abs($0 - 1 / 85.2) < 0.006 })
        #expect(abs(trace.samples[59999].time.seconds(since: trace.samples[0].time) - 59999 / 85.2) < 0.2)
    }

    @Test("are the same in whatever pieces they are read, and compressed", arguments: [1, 1000, 100_000])
    func chunks(size: Int) throws {
        let bytes = GENEActivFile().bytes(pages: 20)
        let whole = try read(bytes)
        #expect(try read(bytes, chunkSize: size).samples == whole.samples)
        #expect(try read(gzipped(bytes), chunkSize: size).samples == whole.samples)
    }

    @Test("that pause, or whose clock is set, go on at the new time")
    func pause() throws {
        let first = GENEActivFile()
        var second = first
        second.start = 7200
        let pages = (0..<10).map { first.page($0) } + (10..<20).map { second.page($0) }
        let trace = try read(Array(first.text(pages: pages).utf8))
        #expect(trace.samples.count == 6000)
        let pause = trace.samples[3000].time.seconds(since: trace.samples[2999].time)
        #expect(abs(pause - 7199.7) < 1)
    }

    @Test(
        "are read in the zone of their clock",
        arguments: [("GMT +01:00", 1), ("GMT -03:00", -3), ("GMT", 0)])
    func statedZone(zone: String, hours: Int64) throws {
        let trace = try read(GENEActivFile(zone: zone).bytes(pages: 2))
        #expect(trace.layout.recording?.utcOffset == 3600 * Int(hours))
        #expect(abs(seconds(try #require(trace.samples.first), clockAhead: hours) - 0.15) < 0.5)
    }

    @Test("without a zone are read in the one that is given")
    func zone() throws {
        let zone = try #require(TimeZone(identifier: "America/New_York"))
        let trace = try read(GENEActivFile(zone: nil).bytes(pages: 2), TraceOptions(timeZone: zone))
        #expect(abs(seconds(try #require(trace.samples.first), clockAhead: -5) - 0.15) < 0.5)
        #expect(trace.notes == ["the logger's clock states no zone; it was read as America/New_York"])
    }

    @Test("lose only the pages that are damaged, and keep what is whole of the last one")
    func damage() throws {
        let file = GENEActivFile()
        var pages = (0..<10).map { file.page($0) }
        pages[2][9] = String(pages[2][9].prefix(1200)) + "?" + String(pages[2][9].dropFirst(1201))
        pages[4][3] = "Page Time:yesterday"
        pages[6].removeLast()
        pages[9][9] = String(pages[9][9].prefix(1234))
        var text = file.text(pages: pages)
        text.removeLast()
        let trace = try read(Array(text.utf8))
        #expect(trace.samples.count == 6 * 300 + 102)
        #expect(trace.warnings.count == 3, "\(trace.warnings)")
        #expect(trace.warnings.contains { $0.hasPrefix("1 record dropped: unreadable time") })
        #expect(trace.warnings.contains { $0.hasPrefix("2 records dropped: damaged") })
        #expect(
            trace.warnings.contains("the file ends in the middle of a record; what is whole of it was read"))
    }

    @Test("without their calibration or their rate are refused", arguments: ["y offset", "Measurement Frequency"])
    func refusal(key: String) throws {
        let text = GENEActivFile().text(pages: [GENEActivFile().page(0)]).replacing(key, with: "nothing")
        let error = try #require(throws: TraceError.self) { try read(Array(text.utf8)) }
        #expect(error.description.contains(key.lowercased()), "\(error)")
    }
}

@Suite("Real GENEActiv recordings", .needsShared("fixtures/logs"))
struct GENEActivRecordingTests {
    @Test("hold what independent readers find")
    func values() throws {
        let cut = try ReadTrace(SharedRecordings.url("fixtures/logs/geneactiv/GENEActiv_testfile.bin"))
        #expect(cut.samples.count == 5031)
        let first = try #require(cut.samples.first)
        #expect(abs(first.x - 0.74052) < 1e-5 && abs(first.y - 0.01407) < 1e-5 && abs(first.z + 0.64390) < 1e-5)
        #expect(abs(cut.samples.reduce(0) { $0 + $1.magnitude } / 5031 - 1.0196) < 1e-4)
        #expect(first.time.description.hasPrefix("2013-05-30T09:12:54"))
        #expect(cut.layout.recording?.sampleRate == 85.7)
        #expect(cut.warnings == ["the file ends in the middle of a record; what is whole of it was read"])

        let whole = try ReadTrace(SharedRecordings.url("fixtures/logs/geneactiv/gnactv_sample.bin"))
        #expect(whole.samples.count == 900)
        let start = try #require(whole.samples.first)
        #expect(abs(start.x + 0.8805) < 1e-4 && abs(start.y - 0.19755) < 1e-5 && abs(start.z - 0.04024) < 1e-5)
        // Its pages say 43.5, 50.0 and 56.0 s, cut to half a second, and last 6 s each.
        #expect(start.time.description.hasPrefix("2019-05-21T20:16:43.8"))
        let steps = zip(whole.samples.dropFirst(), whole.samples).map { $0.time.seconds(since: $1.time) }
        #expect(steps.allSatisfy { abs($0 - 0.02) < 0.001 })
    }
}

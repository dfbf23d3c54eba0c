import Footfall
import FootfallReaders
import Foundation
import TestSupport
import Testing

@Suite("Real recordings", .needsShared("fixtures/logs"))
struct RecordingTests {
    struct Expectation: Sendable {
        var file: String
        var count: Int
        var first: SIMD3<Float>
        var start: String
        var duration: Double
        var unit: AccelerationScale = .g
    }

    @Test(
        "are read as what they are",
        arguments: [
            Expectation(
                file: "csv/Samsung_Dario_Hard_BackPocket_1_accelerometer.csv", count: 22730,
                first: SIMD3(0.5722142, 3.430891, 9.989806) / 9.80665, start: "1970-01-01T00:00:00.000Z",
                duration: 107.4837, unit: .metresPerSecondSquared),
            Expectation(
                file: "csv/beiwe_test_data_bout.csv", count: 98,
                first: SIMD3(-0.71232605, -0.039520264, -0.483963), start: "2020-02-25T18:18:31.262Z", duration: 9.733),
            Expectation(
                file: "csv/sensor_data.csv", count: 13514, first: SIMD3(0.001015204, -0.02045836, 0.9970807),
                start: "1970-01-01T00:00:00.000Z", duration: 135.326642),
            Expectation(
                file: "csv/short_walk.csv", count: 16539, first: SIMD3(-0.4937814, 0.2420433, 0.8312204),
                start: "1970-01-01T00:00:00.000Z", duration: 41.61802959),
            Expectation(
                file: "axivity/ax3_testfile_unix_timestamps.csv", count: 210,
                first: SIMD3(0.328125, 0.984375, 0.203125), start: "2019-02-26T10:55:06.000Z", duration: 2.1075),
            Expectation(
                file: "axivity/ax6_testfile_formatted_timestamps.csv", count: 210,
                first: SIMD3(0.007324, 0.071289, 0.008789), start: "2019-12-23T21:04:06.690Z", duration: 2.11),
        ])
    func reading(expected: Expectation) throws {
        let trace = try ReadTrace(SharedRecordings.url("fixtures/logs/\(expected.file)"))
        #expect(trace.samples.count == expected.count)
        let first = try #require(trace.samples.first)
        let last = try #require(trace.samples.last)
        #expect(abs(first.x - expected.first.x) < 1e-6)
        #expect(abs(first.y - expected.first.y) < 1e-6)
        #expect(abs(first.z - expected.first.z) < 1e-6)
        #expect(first.time.description == expected.start)
        #expect(abs(last.time.seconds(since: first.time) - expected.duration) < 1e-3)
        #expect(trace.layout.table?.unit == expected.unit)
        #expect(trace.warnings.isEmpty)
    }

    @Test("of GENEA and Parmay Matrix are read at the times of their clocks")
    func otherLoggers() throws {
        let genea = try ReadTrace(SharedRecordings.url("fixtures/logs/refused/genea_testfile.bin"), chunkSize: 999)
        #expect(genea.samples.count == 42_864)
        #expect(try #require(genea.samples.first).time.description == "2010-03-30T12:08:36.400Z")
        let magnitudes = genea.samples.map { ($0.x * $0.x + $0.y * $0.y + $0.z * $0.z).squareRoot() }.sorted()
        #expect(abs(magnitudes[magnitudes.count / 2] - 0.99) < 0.01)
        #expect(
            zip(genea.samples.dropFirst(), genea.samples).allSatisfy {
                abs($0.time.seconds(since: $1.time) - 0.0125) < 1e-6
            })
        #expect(genea.layout.description.hasPrefix("GENEA; GENEA 01275; 80.0 Hz"))

        let matrix = try ReadTrace(SharedRecordings.url("fixtures/logs/refused/mtx_12.5Hz_acc.BIN"), chunkSize: 999)
        #expect(matrix.samples.count == 12_000 + 272)
        let first = try #require(matrix.samples.first)
        #expect(first.time.nanosecondsSince1970 == 1_737_751_311_000_000_000)
        #expect(first.x == -155.0 / 4096 && first.y == 1072.0 / 4096 && first.z == -3813.0 / 4096)
        #expect(matrix.samples[12_000].time.nanosecondsSince1970 == 1_737_752_295_000_000_000)
        #expect(matrix.layout.recording?.sampleRate == 12.5)
        #expect(matrix.warnings.isEmpty)
    }

    @Test("of GENEA with a damaged calibration have the usual gain", arguments: ["nan", "1e30", "-inf", "338200"])
    func damagedGains(gain: String) throws {
        let pages = GENEAFile.bytes(seconds: 10).dropFirst(GENEAFile.header.count)
        let header = String(decoding: GENEAFile.header, as: UTF8.self).replacing("8200", with: gain)
        let trace = try withFile(Array(header.utf8) + pages) { try ReadTrace($0) }
        let magnitudes = trace.samples.map { ($0.x * $0.x + $0.y * $0.y + $0.z * $0.z).squareRoot() }
        #expect(magnitudes.count == 800 && magnitudes.allSatisfy { (0.5...1.5).contains($0) })
    }

    @Test("of GENEA whose first times are missing count each sample that has none")
    func missingTimes() throws {
        var bytes = GENEAFile.bytes(seconds: 10)
        for chunk in (0..<6).map({ $0 * (GENEAFile.rate + 1) }) {
            // A voltage of the battery stands in place of the time.
            bytes[GENEAFile.header.count + chunk / 341 * GENEAFile.pageSize + chunk % 341 * 6 + 1] = 0x40
        }
        let trace = try withFile(bytes) { try ReadTrace($0) }
        #expect(trace.samples.count == 400)
        let first = GENEAFile.header.count + 6
        #expect(trace.warnings == ["400 records dropped: unreadable time (first at byte \(first))"])
    }

    @Test(
        "that hold no raw acceleration are refused",
        arguments: [
            ("refused/ActiGraph13_timestamps_headers.csv", "ActiGraph table of counts over epochs"),
            ("refused/ActiGraph61.csv", "ActiGraph table of counts over epochs"),
            ("refused/ukbiobank.csv", "UK Biobank table of mean acceleration over epochs"),
            ("csv/Samsung_Dario_Hard_BackPocket_1_stepcounter.csv", "'sampleRate'"),
            ("csv/DataWalking3.csv", "without gravity"),
            ("csv/DataWalking4.csv", "without gravity"),
            ("csv/DataNotWalking5.csv", "'sampleRate'"),
        ])
    func refusal(file: String, word: String) throws {
        let url = SharedRecordings.url("fixtures/logs/\(file)")
        let error = try #require(throws: TraceError.self) { try ReadTrace(url) }
        #expect(error.kind == .badData)
        #expect(error.description.contains(word), "\(error)")
    }
}

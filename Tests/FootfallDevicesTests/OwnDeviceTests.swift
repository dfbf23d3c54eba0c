import Footfall
import FootfallDevices
import Foundation
import Testing

// What the documentation of MotionDevice shows; here it is compiled and run.
// Example begin
struct TiltSensor: MotionDevice {
    let name = "tilt sensor"
    let read: @Sendable () throws -> (x: Float, y: Float, z: Float)

    func batches() -> AsyncThrowingStream<SampleBatch, any Error> {
        AsyncThrowingStream {
            try await Task.sleep(for: .milliseconds(20))
            let (x, y, z) = try read()
            return SampleBatch([AccelerationSample(time: .now, x: x, y: y, z: z)])
        }
    }
}
// Example end

@Suite("A device of one's own", .timeLimit(.minutes(5)))
struct OwnDeviceTests {
    @Test("is one small protocol to adopt")
    func example() async throws {
        let sensor = TiltSensor { (0, 0, 1) }
        var samples = 0
        for try await update in LiveMotion(sensor) {
            samples = update.quality.samples
            if samples > 20 { break }
        }
        #expect(samples > 20)
        #expect(
            abs(Timestamp.now.seconds(since: Timestamp(secondsSince1970: Date().timeIntervalSince1970) ?? .epoch)) < 1)
    }

    @Test("may fail, and says so after what it gave")
    func failure() async throws {
        struct Broken: Error {}
        await #expect(throws: Broken.self) {
            for try await update in LiveMotion(TiltSensor { throw Broken() }) { #expect(update.events.isEmpty) }
        }
    }

    @Test("is shown in the documentation as it is here")
    func shown() throws {
        let source = try String(contentsOf: URL(filePath: #filePath), encoding: .utf8)
        let start = try #require(source.range(of: "// Example begin\n"))
        let end = try #require(source.range(of: "// Example end"))
        let lines = source[start.upperBound..<end.lowerBound].split(separator: "\n", omittingEmptySubsequences: false)
        let code = lines.dropLast().map { ("/// " + $0).trimmingCharacters(in: .whitespaces) }.joined(separator: "\n")
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let documentation = try String(
            contentsOf: root.appending(path: "Sources/FootfallDevices/MotionDevice.swift"), encoding: .utf8)
        #expect(documentation.contains(code))
    }
}

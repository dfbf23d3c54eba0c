import Footfall
import FootfallLive
import FootfallReaders
import Foundation
import Synchronization
import Testing

/// The device of the documentation, which reads its sensor every 20 ms.
struct TiltSensor: MotionDevice {
    let name = "tilt sensor"
    let read: @Sendable () throws -> (x: Float, y: Float, z: Float)

    func batches() -> some AsyncSequence<SampleBatch, any Error> {
        AsyncThrowingStream {
            try await Task.sleep(for: .milliseconds(20))
            let (x, y, z) = try read()
            return SampleBatch([AccelerationSample(time: .now, x: x, y: y, z: z)])
        }
    }
}

@Suite("A custom device", .timeLimit(.minutes(60)))
struct OwnDeviceTests {
    @Test("adopts one small protocol")
    func example() async throws {
        let sensor = TiltSensor { (0, 0, 1) }
        var samples = 0
        for try await update in LiveMotion(sensor) {
            samples = update.quality.samples
            if samples > 20 { break }
        }
        #expect(samples > 20)
        // A `Date` has microseconds.
        let before = Timestamp.now.advanced(bySeconds: -1e-5)
        let now = try #require(Timestamp(secondsSince1970: Date().timeIntervalSince1970))
        #expect((before...Timestamp.now.advanced(bySeconds: 1e-5)).contains(now))
    }

    @Test("throws its error after its samples")
    func failure() async throws {
        struct Broken: Error {}
        let readings = Mutex(0)
        let readSensor: @Sendable () throws -> (x: Float, y: Float, z: Float) = {
            try readings.withLock { count in
                count += 1
                if count > 20 { throw Broken() }
            }
            return (0, 0, 1)
        }
        await #expect(throws: Broken.self) {
            for try await update in LiveMotion(TiltSensor(read: readSensor)) {
                print(update.steps, update.current?.activity ?? .unknown)
            }
        }
        #expect(readings.withLock { $0 } == 21)
    }
}

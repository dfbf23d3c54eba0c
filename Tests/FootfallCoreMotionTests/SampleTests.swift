import Footfall
import FootfallCoreMotion
import FootfallHistory
import FootfallLive
import FootfallReaders
import FootfallSimulator
import Foundation
import TestSupport
import Testing

@Suite("Samples of the device", .timeLimit(.minutes(60)))
struct SampleTests {
    @Test("come in batches of a second, each sample once, under Core Motion's names")
    func batches() async throws {
        let device = ManualDevice()
        let coprocessor = MotionCoprocessor(history: try .inMemory(), device: device)
        let wearer = try Wearer(.errand)
        let updates = CMBatchedSensorManager(coprocessor).accelerometerUpdates()
        device.send(wearer.batches.prefix(20))
        device.end()
        var received: [CMAccelerometerData] = []
        for try await batch in updates {
            #expect(batch.count >= 25 || received.count + batch.count == 500, "\(batch.count) samples")
            received += batch
        }
        let sent = wearer.batches.prefix(20).flatMap(Array.init)
        #expect(received.count == sent.count && sent.count == 500)
        for (data, sample) in zip(received, sent) {
            #expect(data.timestamp == sample.time.seconds(since: .epoch))
            let acceleration = CMAcceleration(x: Double(sample.x), y: Double(sample.y), z: Double(sample.z))
            #expect(data.acceleration == acceleration)
        }
        #expect(CMBatchedSensorManager(coprocessor).accelerometerDataFrequency == 25)
        #expect(!CMBatchedSensorManager.isDeviceMotionSupported && !CMPedometer.isFloorCountingAvailable())
    }

    @Test("are recorded for a while, and a range has those between its bounds")
    func recording() async throws {
        let device = ManualDevice()
        let coprocessor = MotionCoprocessor(history: try .inMemory(), device: device)
        let recorder = CMSensorRecorder(coprocessor)
        let wearer = try Wearer(.errand)
        #expect(recorder.accelerometerData(from: wearer.date(0), to: wearer.date(180)) == nil)
        recorder.recordAccelerometer(forDuration: 10)
        device.send(wearer.batches)
        device.end()
        // The updates end with the device.
        for try await _ in Pedometer(coprocessor).updates(from: wearer.date(0)) {}
        let all = Array(try #require(recorder.accelerometerData(from: wearer.date(0), to: wearer.date(180))))
        #expect((250...300).contains(all.count), "\(all.count) samples")
        #expect(zip(all, all.dropFirst()).allSatisfy { $0.timestamp < $1.timestamp && $0.identifier <= $1.identifier })
        let (start, end) = (all[10].startDate, all[40].startDate)
        let part = try #require(recorder.accelerometerData(from: start, to: end))
        #expect(part.allSatisfy { (start...end).contains($0.startDate) } && Array(part).count >= 29)
        #expect(recorder.accelerometerData(from: end, to: start) == nil)
    }

    @Test("are recorded again after a while without a recording, and 12 hours are kept")
    func recordings() async throws {
        let device = ManualDevice()
        let coprocessor = MotionCoprocessor(history: try .inMemory(), device: device)
        let recorder = CMSensorRecorder(coprocessor)
        let start = Timestamp(Date()).advanced(bySeconds: -86_400)
        func count(of range: ClosedRange<Double>) -> Int {
            let dates = [range.lowerBound, range.upperBound].map { Date(start.advanced(bySeconds: $0)) }
            return recorder.accelerometerData(from: dates[0], to: dates[1]).map { Array($0).count } ?? 0
        }
        /// Sends a sample a second, and waits for the last one.
        func send(_ seconds: Range<Int>) async throws {
            let sent = CMBatchedSensorManager(coprocessor).accelerometerUpdates()
            for minute in stride(from: seconds.lowerBound, to: seconds.upperBound, by: 60) {
                let times = (minute..<minute + 60).map { start.advanced(bySeconds: Double($0)) }
                device.send([SampleBatch(times.map { AccelerationSample(time: $0, x: 0, y: 0, z: 1) })])
            }
            let end = start.advanced(bySeconds: Double(seconds.upperBound - 1)).seconds(since: .epoch)
            for try await batch in sent where batch.last?.timestamp == end { break }
        }
        recorder.recordAccelerometer(forDuration: 60)
        try await send(0..<600)
        #expect(count(of: 0...600) == 120)
        recorder.recordAccelerometer(forDuration: 300)
        try await send(600..<1200)
        #expect(count(of: 600...1200) == 360)
        recorder.recordAccelerometer(forDuration: CMSensorRecorder.longestDuration)
        try await send(1200..<45_000)
        #expect(count(of: 0...1199) == 0 && count(of: 1800...44_999) > 42_000)
    }

    @Test("that a reader does not take are dropped, the oldest first")
    func slowReader() async throws {
        let device = ManualDevice()
        let coprocessor = MotionCoprocessor(history: try .inMemory(), device: device)
        let updates = CMBatchedSensorManager(coprocessor).accelerometerUpdates()
        let start = Timestamp(Date()).advanced(bySeconds: -86_400)
        let times = (0..<6000).map { start.advanced(bySeconds: Double($0)) }
        for pair in times.indices where pair.isMultiple(of: 2) {
            device.send([SampleBatch(times[pair...pair + 1].map { AccelerationSample(time: $0, x: 0, y: 0, z: 1) })])
        }
        device.end()
        // The updates end with the device.
        for try await _ in Pedometer(coprocessor).updates(from: .distantPast) {}
        let rest = try await updates.reduce(into: []) { $0 += $1 }
        #expect((2...4000).contains(rest.count) && rest.last?.timestamp == times.last?.seconds(since: .epoch))
    }

    @Test("need a device")
    func noDevice() async throws {
        let manager = CMBatchedSensorManager(MotionCoprocessor(history: try .inMemory()))
        let error = await #expect(throws: MotionError.self) {
            for try await _ in manager.accelerometerUpdates() {}
        }
        #expect(error?.code == .notAvailable && manager.accelerometerDataFrequency == 0)
    }
}

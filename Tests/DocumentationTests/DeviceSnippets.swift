import Footfall
import FootfallHistory
import FootfallLive
import FootfallReaders
import FootfallSimulator
import Foundation
import TestSupport
import Testing

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A sensor over Bluetooth, whose notifications are a sequence of byte arrays.
struct NotifyingSensor: MotionDevice {
    let name: String
    let notifications: AsyncStream<[UInt8]>

    func batches() -> some AsyncSequence<SampleBatch, any Error> {
        AsyncThrowingStream { continuation in
            let task = Task {
                var decoder = WireDecoder()
                var clock = DeviceClock()
                var readings: [WireReading] = []
                for await bytes in notifications {
                    decoder.decode(bytes, into: &readings)
                    let times = clock.times(of: readings.map(\.deviceTime), receivedAt: .now)
                    var batch = SampleBatch(capacity: times.count)
                    for (time, reading) in zip(times, readings) {
                        batch.append(time: time, x: reading.x, y: reading.y, z: reading.z)
                    }
                    continuation.yield(batch)
                    readings.removeAll(keepingCapacity: true)
                }
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }
}

@Suite("Snippets of devices", .timeLimit(.minutes(60)))
struct DeviceSnippets: Snippets {
    let printed = Printed()

    @Test("a recording is replayed as a device")
    func replay() async throws {
        let simulation = try Simulation(.walk.lasting(60), seed: 5)
        let recording = AsyncStream { continuation in
            for batch in simulation { continuation.yield(batch) }
            continuation.finish()
        }
        let device = ReplayDevice("commute", recording, speed: nil)
        for try await update in LiveMotion(device) { print(update.steps) }
        let steps = try #require(printed.lines.last.flatMap { Int($0) })
        #expect(abs(steps - simulation.truth.steps.count) <= 2)
    }

    @Test("the events of a device are recorded in a history")
    func recording() async throws {
        let history = try MotionHistory.inMemory()
        let simulation = try Simulation(.walk.lasting(60), seed: 5)
        let stream = AsyncStream { continuation in
            for batch in simulation { continuation.yield(batch) }
            continuation.finish()
        }
        let device = ReplayDevice("walk", stream, speed: nil)
        try await history.record(\.events, of: LiveMotion(device), from: "wrist") { update in
            print(update.steps, update.current?.activity ?? .unknown)
        }
        for try await update in LiveMotion(device) {
            print(update.steps, update.current?.activity ?? .unknown, update.cadence ?? 0)
        }
        let minute = DateInterval(start: Date(timeIntervalSince1970: 0), duration: 60)
        #expect(abs(try history.steps(in: minute).count - simulation.truth.steps.count) <= 2)
    }

    @Test("a serial port is read and recorded until the task is cancelled")
    func serial() async throws {
        var (sensor, port): (Int32, Int32) = (-1, -1)
        var name = [CChar](repeating: 0, count: 128)
        try #require(openpty(&sensor, &port, &name, nil, nil) == 0)
        var settings = termios()
        tcgetattr(port, &settings)
        cfmakeraw(&settings)
        tcsetattr(port, TCSANOW, &settings)
        close(port)
        defer { close(sensor) }
        let path = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let folder = try Folder()
        let file = folder.url.appending(path: "steps.sqlite")

        let reading = Task {
            let history = try MotionHistory(at: file)
            var device = WireDevice(.serial(path: path), baud: 115_200)
            device.onNotice = { notice in print(notice) }
            try await history.record(\.events, of: LiveMotion(device), from: "pocket") { update in
                print(update.steps, update.cadence ?? 0, update.current?.activity ?? .unknown)
            }
        }
        let isRecognized = try await eventually {
            let line = Array("0.02,-0.01,1.00\r\n".utf8)
            _ = write(sensor, line, line.count)
            return printed.lines.contains { $0.contains("acceleration") || $0.contains("x, y") }
        }
        reading.cancel()
        try await reading.value
        #expect(isRecognized && printed.lines.contains("open"))
        #expect(printed.lines.contains { $0.hasPrefix("0 0.0") })
        #expect(FileManager.default.fileExists(atPath: file.path))
    }

    @Test("a missing port is an error", .needsNoSerialPort)
    func missing() async throws {
        let missingAtSpeed = await #expect(throws: DeviceError.self) {
            var device = WireDevice(.serial(path: "/dev/ttyUSB0"), baud: 9600)
            device.onNotice = { print($0) }
            for try await update in LiveMotion(device) { print(update.steps) }
        }
        let missing = await #expect(throws: DeviceError.self) {
            for try await update in LiveMotion(WireDevice(.serial(path: "/dev/ttyUSB0"))) {
                print(update.steps, update.current?.activity ?? .unknown)
            }
        }
        #expect(missingAtSpeed?.reason == .missing && missing?.reason == .missing)
        #expect(printed.lines.allSatisfy { $0.hasPrefix("0") })
    }

    @Test("a custom device decodes bytes")
    func ownBytes() async throws {
        let notifications = AsyncStream { continuation in
            for index in 0..<200 { continuation.yield(Array("\(index * 20),0.02,-0.01,1.00\r\n".utf8)) }
            continuation.finish()
        }
        var samples = 0
        for try await batch in NotifyingSensor(name: "wrist", notifications: notifications).batches() {
            samples += batch.count
        }
        #expect(samples > 150)
    }

    @Test("readings get timestamps")
    func clock() {
        let now = Timestamp.now
        let readings = (0..<10).map { WireReading(deviceTime: $0 * 20_000_000, x: 0, y: 0, z: 1) }
        var clock = DeviceClock()
        let times = clock.times(of: readings.map(\.deviceTime), receivedAt: now)
        #expect(times.count == 10 && times == times.sorted() && times.allSatisfy { $0 <= now })
    }
}

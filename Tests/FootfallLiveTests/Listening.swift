import Footfall
import FootfallLive
import FootfallReaders
import FootfallSimulator
import Foundation
import Synchronization
import TestSupport
import Testing

/// The clock of a host that a test advances.
final class StagedClock: Sendable {
    private let nanoseconds = Atomic<Int64>(1_795_000_000_000_000_000)
    private let correction = Atomic<Int64>(0)

    var host: HostClock { host(after: nil) }

    /// The clock of a session that follows another one.
    func host(after end: Timestamp?) -> HostClock {
        HostClock(
            after: end,
            staged: { [self] in
                let time = Timestamp(nanosecondsSince1970: nanoseconds.load(ordering: .relaxed))
                return (time, correction.load(ordering: .relaxed))
            })
    }

    /// Sets the wall clock, but not the steady one.
    func setWall(aheadBy seconds: Double) {
        correction.add(Int64(seconds * 1e9), ordering: .relaxed)
    }

    func advance(seconds: Double) {
        nanoseconds.add(Int64(seconds * 1e9), ordering: .relaxed)
    }
}

/// A walk with a device that sends bursts.
struct Walk: Sendable {
    /// Seconds from one burst to the next.
    private static let burst = 0.1

    let samples: [AccelerationSample]

    init(seconds: Double = 24, rate: Double = 100) throws {
        let sensor = SensorModel(sampleRate: rate)
        samples = try Simulation(Scenario.walk.lasting(seconds), seed: 5, sensor: sensor).flatMap { Array($0) }
    }

    /// The expected steps of a walk. Some are missing at its start and end.
    static func steps(in seconds: Double) -> ClosedRange<Int> {
        let steps = seconds * 110 / 60
        return Int(steps * 0.85) - 2...Int(steps * 1.1) + 2
    }

    /// Sends the walk burst by burst. The clock advances when the listener has received a burst.
    func play(
        _ encoding: Encoding, _ range: Range<Double> = 0..<1e9, to listener: Listener, send: ([UInt8]) -> Int
    ) async throws {
        guard let first = samples.first else { return }
        var due = range.lowerBound + Self.burst
        var (burst, sent): ([UInt8], Int) = ([], listener.bytes)
        for (index, sample) in samples.enumerated() {
            let seconds = sample.time.seconds(since: first.time)
            guard range.contains(seconds) else { continue }
            if seconds >= due {
                listener.clock.advance(seconds: Self.burst)
                sent += send(burst)
                burst = []
                try #require(await eventually { listener.bytes >= sent })
                due += Self.burst
            }
            burst += encoding.bytes(sample, index: index)
        }
        listener.clock.advance(seconds: Self.burst)
        sent += send(burst)
        try #require(await eventually { listener.bytes >= sent })
    }
}

/// Reads a device and records its bytes, events and notices.
final class Listener: Sendable {
    private struct Received {
        var bytes: [UInt8] = []
        var events: [MotionEvent] = []
        var notices: [DeviceNotice] = []
        var last = LiveUpdate()
        var analyzed = 0
    }

    let clock = StagedClock()
    private let received = Mutex(Received())
    private let task = Mutex<Task<Void, any Error>?>(nil)

    func listen(
        to address: DeviceAddress, baud: Int = WireDevice.defaultBaud, setup: [WireCommand] = [], sender: String? = nil,
        after end: Timestamp? = nil
    ) {
        var device = WireDevice(address, baud: baud)
        device.sender = sender
        device.clock = clock.host(after: end)
        device.setup = setup
        device.onNotice = { [self] notice in received.withLock { $0.notices.append(notice) } }
        device.onBytes = { [self] bytes in received.withLock { $0.bytes += bytes } }
        listen(to: device)
    }

    func listen(to device: IIODevice) {
        var device = device
        device.onNotice = { [self] notice in received.withLock { $0.notices.append(notice) } }
        listen(to: device as any MotionDevice)
    }

    func listen(to device: any MotionDevice) {
        var motion = LiveMotion(device)
        motion.clock = clock.host
        motion.observer = { [self] batch in received.withLock { $0.analyzed += batch.count } }
        let reading = Task { [motion] in
            for try await update in motion {
                received.withLock {
                    $0.events += update.events
                    $0.last = update
                }
            }
        }
        task.withLock { $0 = reading }
    }

    /// Waits until a condition holds. Returns whether it does.
    func wait(until condition: (Listener) throws -> Bool) async throws -> Bool {
        try await eventually { try condition(self) }
    }

    /// Waits until the device has been opened so many times.
    func waitUntilOpen(times: Int = 1) async throws -> Bool {
        try await wait { $0.notices.filter { $0 == .opened || $0 == .reconnected }.count == times }
    }

    /// Stops listening.
    func end() async throws {
        let task = task.withLock { $0 }
        task?.cancel()
        try await task?.value
    }

    var bytes: Int { received.withLock { $0.bytes.count } }
    var text: String { received.withLock { String(decoding: $0.bytes, as: UTF8.self) } }
    var events: [MotionEvent] { received.withLock { $0.events } }
    var notices: [DeviceNotice] { received.withLock { $0.notices } }
    var last: LiveUpdate { received.withLock { $0.last } }
    var samples: Int { last.quality.samples }
    /// The samples that have reached the analysis. The next update counts them.
    var analyzed: Int { received.withLock { $0.analyzed } }
    var steps: [Timestamp] { events.steps.map(\.time) }
    var gaps: [Range<Timestamp>] { events.gaps }
}

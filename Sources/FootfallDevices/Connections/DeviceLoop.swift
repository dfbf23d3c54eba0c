internal import Footfall
internal import FootfallWire
internal import Foundation

/// The thread of a device: waits for readings, stamps them, hands them over as batches, and reconnects.
struct DeviceLoop<Source: DeviceSource> {
    /// Batches that may wait for whoever reads them: more than half a minute's.
    private static var capacity: Int { 4096 }
    /// Milliseconds between two looks at a silent device.
    private static var patience: Int32 { 1000 }
    /// Milliseconds to wait before the first and before any later attempt to reconnect.
    private static var backOff: ClosedRange<Int32> { 250...4000 }

    private var source: Source
    private let clock: HostClock
    private let notify: (DeviceNotice) -> Void
    private let stop: StopSignal
    private let continuation: AsyncThrowingStream<SampleBatch, any Error>.Continuation
    private var deviceClock = DeviceClock()
    private var watch: SignalWatch
    private var readings: [WireReading] = []
    private var lost = 0

    /// Runs a device on a thread of its own until it ends or nobody reads it any more.
    static func run(
        _ source: Source, clock: HostClock, onNotice: (@Sendable (DeviceNotice) -> Void)?
    ) -> AsyncThrowingStream<SampleBatch, any Error> {
        let stop = StopSignal()
        return AsyncThrowingStream(bufferingPolicy: .bufferingOldest(capacity)) { continuation in
            continuation.onTermination = { reason in
                if case .cancelled = reason { stop.raise() }
            }
            let thread = Thread {
                var loop = DeviceLoop(source, clock, stop, continuation) { onNotice?($0) }
                loop.run()
                stop.confirm()
            }
            thread.name = "footfall device"
            thread.start()
        }
    }

    private init(
        _ source: Source, _ clock: HostClock, _ stop: StopSignal,
        _ continuation: AsyncThrowingStream<SampleBatch, any Error>.Continuation,
        _ notify: @escaping (DeviceNotice) -> Void
    ) {
        (self.source, self.clock, self.stop, self.continuation) = (source, clock, stop, continuation)
        self.notify = notify
        watch = SignalWatch(now: clock.now, baud: source.baud)
    }

    private mutating func run() {
        do throws(DeviceError) {
            try source.open()
        } catch {
            continuation.finish(throwing: error)
            return
        }
        while true {
            notify(.opened)
            watch.reopen(at: clock.now)
            let loss = serve()
            source.close()
            guard let loss, case .broken(let reason) = loss else { break }
            notify(.lost(reason))
            deviceClock.reset()
            guard reopen() else { break }
        }
        continuation.finish()
    }

    /// Tries to open the device until it succeeds. Returns false when told to stop.
    private mutating func reopen() -> Bool {
        var wait = Self.backOff.lowerBound
        while !stop.isRaised(within: wait) {
            if (try? source.open()) != nil { return true }
            wait = min(2 * wait, Self.backOff.upperBound)
        }
        return false
    }

    /// Hands readings over until the connection is lost; nil when told to stop.
    private mutating func serve() -> Loss? {
        var due = clock.now
        var next: Timestamp?
        while true {
            if let interval = source.interval {
                // From one deadline to the next, so that the rate is the one that was asked for.
                due = max(due.advanced(bySeconds: Double(interval) * 1e-9), clock.now)
                next = due
            }
            let left = next.map { max(0, $0.seconds(since: clock.now)) }
            let milliseconds = left.map { Int32(min($0 * 1000, 1000).rounded(.up)) } ?? Self.patience
            let ready = Poll.readable([stop.descriptor, source.descriptor], milliseconds: milliseconds)
            if ready[0] { return nil }
            var loss: Loss?
            if ready[1] || source.interval != nil {
                loss = receive()
            }
            for notice in watch.look(at: clock.now, quality: source.quality) + source.takeNotices() { notify(notice) }
            if let loss { return loss }
        }
    }

    private mutating func receive() -> Loss? {
        var loss: Loss?
        readings.removeAll(keepingCapacity: true)
        var bytes = 0
        do throws(Loss) {
            bytes = try source.receive(into: &readings)
        } catch {
            loss = error
        }
        let now = clock.now
        if watch.heard(bytes: bytes, readings: readings.count, at: now) { deviceClock.begin(at: now) }
        if !readings.isEmpty { handOver(readings, at: now) }
        return loss
    }

    private mutating func handOver(_ readings: [WireReading], at now: Timestamp) {
        let correction = clock.correction
        let times = deviceClock.times(of: readings.map(\.deviceTime), receivedAt: now)
        var batch = SampleBatch(capacity: readings.count)
        for (time, reading) in zip(times, readings) {
            let wall = Timestamp(nanosecondsSince1970: time.nanosecondsSince1970 &+ correction)
            batch.append(time: wall, x: reading.x, y: reading.y, z: reading.z)
        }
        if case .dropped = continuation.yield(batch) {
            if lost == 0 { notify(.overrun(samples: batch.count)) }
            lost += batch.count
        } else if lost > 0 {
            notify(.overrun(samples: lost))
            lost = 0
        }
    }
}

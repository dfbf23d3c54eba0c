import Footfall
import FootfallLive
import FootfallReaders
import Synchronization
import TestSupport
import Testing

@Suite("Live motion", .timeLimit(.minutes(60)))
struct LiveMotionTests {
    @Test(
        "of a replay has the events of an analysis, at any speed",
        arguments: [nil, 2000, 1e300] as [Double?])
    func replay(speed: Double?) async throws {
        let recording = try Recorded.scenario("commute", seconds: 200).without(100..<130)
        var events: [MotionEvent] = []
        var last = LiveUpdate()
        for try await update in LiveMotion(ReplayDevice("commute", recording, speed: speed)) {
            #expect(update.steps >= update.settledSteps)
            events += update.events
            last = update
        }
        #expect(events == recording.events)
        #expect(last.provisional.isEmpty)
        #expect(last.steps == last.settledSteps && last.steps == events.steps.count && last.steps > 120)
        #expect(last.quality.samples == recording.batches.reduce(0) { $0 + $1.count })
        #expect(last.quality.gaps == 1)
    }

    @Test("of a replay keeps the speed of the recording")
    func pace() async throws {
        let recording = try Recorded.scenario("walk", seconds: 60)
        let clock = ContinuousClock()
        let start = clock.now
        var counts: [Int] = []
        for try await batch in ReplayDevice("walk", recording, speed: 100).batches() { counts.append(batch.count) }
        #expect(start.duration(to: clock.now) > .milliseconds(550))
        #expect(counts.reduce(0, +) == 3000)
        // Samples come in many small batches, as from a device.
        #expect(counts.count > 8)
    }

    @Test("has the activity, cadence, provisional steps and sample rate of a walk in progress")
    func state() async throws {
        let walk = try Recorded.scenario("walk", seconds: 300, rate: 100).batches.flatMap { Array($0) }
        let (stream, device) = AsyncThrowingStream.makeStream(of: SampleBatch.self)
        var sent = 3000
        device.yield(SampleBatch(walk.prefix(sent)))
        var seen: LiveUpdate?
        for try await update in LiveMotion(Fed(stream: stream)) {
            seen = update
            guard update.time == walk[sent - 1].time, sent < walk.count else { continue }
            if update.cadence != nil, update.settledSteps < update.steps { break }
            // The estimate may be older than the newest sample, and after three seconds without samples there is none:
            // the machine may be busy for so long.
            sent += 100
            device.yield(SampleBatch(walk[sent - 100..<sent]))
        }
        let update = try #require(seen)
        #expect(update.current?.activity == .walking)
        let seconds = sent / 100
        #expect((seconds * 3 / 2...seconds * 2).contains(update.steps) && update.settledSteps < update.steps)
        #expect((100...120).contains(update.cadence ?? 0))
        #expect(abs((update.sampleRate ?? 0) - 100) < 2)
    }

    @Test("counts no step twice when the samples come back after a gap")
    func gap() async throws {
        let recording = try Recorded.scenario("walk", seconds: 32).without(20..<30)
        let samples = recording.batches.flatMap { Array($0) }
        let (before, after) = (samples.prefix(1000), samples.dropFirst(1000))
        let (stream, device) = AsyncThrowingStream.makeStream(of: SampleBatch.self)
        device.yield(SampleBatch(before))
        var isBack = false
        for try await update in LiveMotion(Fed(stream: stream)) {
            #expect(update.steps <= recording.events.steps.count)
            if update.quality.gaps == 1 { break }
            guard !isBack, update.time == before.last?.time, update.settledSteps < update.steps else { continue }
            // The next estimate is not due yet: the gap settles the steps that are shown as provisional.
            isBack = true
            device.yield(SampleBatch(after))
        }
        #expect(isBack && recording.events.steps.count > 20)
    }

    @Test("settles all events when it is cancelled")
    func cancellation() async throws {
        let recording = try Recorded.scenario("walk", seconds: 30)
        let (newest, hasNewest) = AsyncStream.makeStream(of: Void.self)
        let task = Task {
            var events: [MotionEvent] = []
            for try await update in LiveMotion(Scripted(samples: recording.batches, staysOpen: true)) {
                events += update.events
                if update.time == recording.batches.last?.times.last { hasNewest.yield() }
            }
            return events
        }
        for await _ in newest { break }
        task.cancel()
        #expect(try await task.value == recording.events)
    }

    @Test("has closed its device at the end")
    func release() async throws {
        let device = Slow()
        let task = Task { for try await _ in LiveMotion(device) {} }
        #expect(try await eventually { device.readings.started.load(ordering: .relaxed) >= 3 })
        task.cancel()
        try await task.value
        #expect(device.readings.started.load(ordering: .relaxed) == device.readings.ended.load(ordering: .relaxed))
    }

    @Test("settles all events before it throws the error of a device")
    func failure() async throws {
        struct Unplugged: Error {}
        let recording = try Recorded.scenario("walk", seconds: 30)
        var events: [MotionEvent] = []
        await #expect(throws: Unplugged.self) {
            let device = Scripted(samples: recording.batches, failure: Unplugged())
            for try await update in LiveMotion(device) { events += update.events }
        }
        #expect(events == recording.events)
    }

    @Test("goes on when the wall clock is set back, and loses no sample")
    func setBack() async throws {
        let walk = try Recorded.scenario("walk", seconds: 30)
        let repeated = walk.batches.map { batch in
            SampleBatch(
                batch.map { AccelerationSample(time: $0.time.advanced(bySeconds: -3600), x: $0.x, y: $0.y, z: $0.z) })
        }
        let start = try #require(walk.batches.first?.times.first)
        let correction = Mutex<Int64>(0)
        var motion = LiveMotion(Scripted(samples: walk.batches + repeated))
        motion.clock = HostClock(staged: { (start, correction.withLock(\.self)) })
        motion.observer = { batch in
            if let first = batch.times.first, first < start { correction.withLock { $0 = -3_600_000_000_000 } }
        }
        var events: [MotionEvent] = []
        for try await update in motion { events += update.events }
        #expect(events == walk.events + repeated.events)
        #expect(events.steps.count > 80)
    }

    @Test("of a silent device has no events")
    func silence() async throws {
        var count = 0
        for try await update in LiveMotion(Scripted(staysOpen: true)) {
            #expect(update.events.isEmpty && update.steps == 0 && update.current == nil && update.sampleRate == nil)
            count += 1
            if count == 3 {
                #expect(update.silence > 0.5)
                break
            }
        }
        for try await update in LiveMotion(Scripted()) { #expect(update.events.isEmpty) }
    }

    @Test(
        "of a sensor that falls silent, or whose clock stands, has no signal after three seconds",
        arguments: [false, true])
    func lostSignal(stands: Bool) async throws {
        let recording = try Recorded.scenario("walk", seconds: 30)
        let end = try #require(recording.batches.last?.times.last)
        let device = Standing(samples: recording.batches, repeats: stands)
        var (steps, lastRate): (Int, Double?) = (0, nil)
        for try await update in LiveMotion(device) {
            if update.hasSignal {
                (steps, lastRate) = (update.steps, update.sampleRate)
                continue
            }
            // Steps stay, with the time of the newest sample.
            #expect(update.steps == steps && steps > 40 && update.time == end && lastRate != nil)
            #expect(update.activity == .unknown && update.current == nil && update.confidence == nil)
            #expect(update.sampleRate == nil && update.cadence == nil && update.silence >= 2)
            break
        }
    }
}

/// A device that sends a recording at once, and then nothing or its last sample again and again.
private struct Standing: MotionDevice {
    let name = "standing"
    let samples: [SampleBatch]
    let repeats: Bool

    func batches() -> AsyncThrowingStream<SampleBatch, any Error> {
        AsyncThrowingStream { continuation in
            let task = Task {
                for batch in samples { continuation.yield(batch) }
                while !Task.isCancelled {
                    try await Task.sleep(for: .milliseconds(100))
                    if repeats, let batch = samples.last, let last = batch.indices.last {
                        continuation.yield(SampleBatch([batch[last]]))
                    }
                }
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }
}

/// A device whose samples a test sends.
private struct Fed: MotionDevice {
    let name = "fed"
    let stream: AsyncThrowingStream<SampleBatch, any Error>

    func batches() -> AsyncThrowingStream<SampleBatch, any Error> { stream }
}

/// A device whose readings take time and cannot be cancelled.
private struct Slow: MotionDevice {
    final class Readings: Sendable {
        let started = Atomic(0)
        let ended = Atomic(0)
    }

    let name = "slow"
    let readings = Readings()

    func batches() -> AsyncThrowingStream<SampleBatch, any Error> {
        AsyncThrowingStream {
            readings.started.add(1, ordering: .relaxed)
            // Any time will do: the test waits for the readings.
            try await Task { try await Task.sleep(for: .milliseconds(100)) }.value
            readings.ended.add(1, ordering: .relaxed)
            return SampleBatch([AccelerationSample(time: .now, x: 0, y: 0, z: 1)])
        }
    }
}

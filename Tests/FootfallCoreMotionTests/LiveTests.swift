import Footfall
import FootfallCoreMotion
import FootfallHistory
import FootfallLive
import FootfallReaders
import FootfallSimulator
import Foundation
import TestSupport
import Testing

@Suite("Live updates", .timeLimit(.minutes(60)))
struct LiveTests {
    private struct Unplugged: Error {}

    @Test("a replay records the events of an analysis, and updates end with all steps")
    func replay() async throws {
        let wearer = try Wearer(.errand, gaps: [100..<110])
        let history = try MotionHistory.inMemory()
        let coprocessor = MotionCoprocessor(history: history, source: "wrist", device: wearer.replay)
        var counts: [Int] = []
        for try await update in Pedometer(coprocessor).updates(from: wearer.date(-5)) {
            #expect(update.startDate == wearer.date(-5))
            counts.append(update.steps)
        }
        let expected = wearer.events
        #expect(counts.last == expected.steps.count && expected.steps.count > 80)
        await coprocessor.stop()
        let range = wearer.start..<wearer.end
        let reference = try wearer.history(source: "wrist")
        #expect(try history.activities(in: range, from: "wrist") == reference.activities(in: range, from: "wrist"))
        #expect(try history.steps(in: range, from: "wrist") == reference.steps(in: range, from: "wrist"))
    }

    @Test("updates count all steps since their start, recorded steps included")
    func past() async throws {
        let morning = try Wearer(.errand, from: Timestamp(Date()).advanced(bySeconds: -3600))
        let evening = try Wearer(.errand)
        let coprocessor = try MotionCoprocessor(history: morning.history(), device: evening.replay)
        var last: PedometerData?
        for try await update in Pedometer(coprocessor).updates(from: morning.date(0)) { last = update }
        #expect(last?.steps == morning.events.steps.count + evening.events.steps.count)
        let half = evening.date(90)
        var later: PedometerData?
        for try await update in Pedometer(coprocessor).updates(from: half) { later = update }
        #expect(later?.steps == evening.events.steps.count { $0.time >= Timestamp(half) })
    }

    @Test("updates contain provisional steps, cadence and pace")
    func provisional() async throws {
        let device = ManualDevice()
        let history = try MotionHistory.inMemory()
        let coprocessor = MotionCoprocessor(history: history, device: device, stepLength: StepLength(metres: 0.7))
        let scenario = Scenario(name: "walk", scenes: [Scene(.walking(), for: 300)])
        let wearer = try Wearer(scenario, from: Timestamp(Date()).advanced(bySeconds: -40))
        let truth = try Simulation(scenario, seed: 4).truth
        var sent = 40
        device.send(wearer.batches.prefix(sent))
        func isCurrent(_ update: PedometerData) async throws -> Bool {
            let (start, last) = (wearer.date(0), wearer.date(300))
            let settled = try await Pedometer(coprocessor).queryPedometerData(from: start, to: last)
            let end = Timestamp(update.endDate)
            let steps = truth.steps.count { wearer.start.advanced(bySeconds: $0.time.seconds(since: .epoch)) <= end }
            return update.currentCadence != nil && update.steps > settled.steps && abs(update.steps - steps) <= 4
        }
        var seen: PedometerData?
        for try await update in Pedometer(coprocessor).updates(from: wearer.date(0)) {
            let newest = try #require(wearer.batches[sent - 1].times.last)
            guard Timestamp(update.endDate) >= newest.advanced(bySeconds: -0.1) else { continue }
            if try await isCurrent(update) { seen = update }
            if seen != nil || sent == wearer.batches.count { break }
            // The estimate may be older than the newest sample, and after three seconds without samples there is none:
            // the machine may be busy for so long.
            device.send([wearer.batches[sent]])
            sent += 1
        }
        let update = try #require(seen)
        let cadence = try #require(update.currentCadence?.doubleValue)
        #expect(abs(cadence - 110.0 / 60) < 0.15)
        #expect(abs((update.currentPace?.doubleValue ?? 0) - 1 / (cadence * 0.7)) < 1e-6)
        await coprocessor.stop()
        let all = try await Pedometer(coprocessor).queryPedometerData(from: wearer.date(0), to: wearer.date(300))
        #expect(all.steps == wearer.batches.prefix(sent).events.steps.count)
    }

    @Test("the average pace of a walk in progress is that of its settled steps")
    func averagePace() async throws {
        let wearer = try Wearer(Scenario(name: "walk", scenes: [Scene(.walking(), for: 120)]))
        let device = ManualDevice()
        let coprocessor = try MotionCoprocessor(
            history: .inMemory(), device: device, stepLength: StepLength(metres: 0.7))
        device.send(wearer.batches.prefix(20))
        for try await update in Pedometer(coprocessor).updates(from: wearer.date(0)) {
            guard update.steps > 30, let pace = update.averageActivePace?.doubleValue else { continue }
            #expect(abs(pace - 60 / (110 * 0.7)) < 0.1, "\(update)")
            break
        }
    }

    @Test("a device without a name is recorded under the only source of the history")
    func onlySource() async throws {
        let morning = try Wearer(.errand, from: Timestamp(Date()).advanced(bySeconds: -3600))
        let evening = try Wearer(.errand)
        let history = try morning.history(source: "pocket")
        let coprocessor = MotionCoprocessor(history: history, device: evening.replay)
        var last: PedometerData?
        for try await update in Pedometer(coprocessor).updates(from: morning.date(0)) { last = update }
        #expect(last?.steps == morning.events.steps.count + evening.events.steps.count)
        #expect(coprocessor.source == "pocket")
        #expect(try history.sources().map(\.name) == ["pocket"])
    }

    @Test("a device without a name is not recorded into a history of several sources: error 107")
    func severalSources() async throws {
        let wearer = try Wearer(.errand)
        let history = try wearer.history(source: "pocket")
        try history.record(wearer.events, from: "wrist")
        let coprocessor = MotionCoprocessor(history: history, device: wearer.replay)
        let error = await #expect(throws: MotionError.self) {
            for try await _ in Pedometer(coprocessor).updates(from: wearer.date(0)) {}
        }
        #expect(error?.code == .invalidParameter)
        #expect(error?.description.contains("pocket, wrist") == true)
        #expect(try history.sources().map(\.name) == ["pocket", "wrist"])
    }

    @Test("a device with a new name answers 0 steps until its first events are recorded")
    func newSource() async throws {
        let wearer = try Wearer(.errand)
        let device = ManualDevice()
        let history = try wearer.history(source: "pocket")
        let coprocessor = MotionCoprocessor(history: history, source: "wrist", device: device)
        let before = try await Pedometer(coprocessor).queryPedometerData(from: wearer.date(0), to: wearer.date(180))
        #expect(before.steps == 0 && before.coverage == 0)
        device.send(wearer.batches)
        device.end()
        for try await _ in Pedometer(coprocessor).updates(from: wearer.date(0)) {}
        let after = try await Pedometer(coprocessor).queryPedometerData(from: wearer.date(0), to: wearer.date(180))
        #expect(after.steps == wearer.events.steps.count)
    }

    @Test("the first activity comes at once, then each change")
    func activities() async throws {
        let wearer = try Wearer(.errand)
        let coprocessor = try MotionCoprocessor(history: .inMemory(), device: wearer.replay)
        var received: [MotionActivity] = []
        for try await activity in MotionActivityManager(coprocessor).updates() { received.append(activity) }
        #expect(received.contains { $0.walking } && received.last?.flags == .stationary)
        let pairs = zip(received, received.dropFirst())
        #expect(pairs.allSatisfy { $0.flags != $1.flags || $0.confidence != $1.confidence })
        // A late reader gets the last activity.
        var late: [MotionActivity] = []
        for try await activity in MotionActivityManager(coprocessor).updates() { late.append(activity) }
        #expect(late.map(\.flags) == [.stationary])
    }

    @Test("no activity is omitted when all samples arrive at once")
    func burst() async throws {
        let device = ManualDevice()
        let coprocessor = try MotionCoprocessor(history: .inMemory(), device: device)
        let received = Recorder<ActivityFlags>()
        let manager = MotionActivityManager(coprocessor)
        manager.startActivityUpdates(to: .serial()) { if let activity = $0 { received.add(activity.flags) } }
        #expect(await received.first() == .unknown)
        let wearer = try Wearer(.errand, from: Timestamp(Date()))
        device.send([SampleBatch(wearer.batches.joined())])
        device.end()
        let flags = await received.wait { $0.last == .stationary && $0.contains(.walking) }
        #expect(flags.drop { $0 != .stationary }.contains(.walking))
        withExtendedLifetime(manager) {}
    }

    @Test("a second handler replaces the first, and a stopped handler is not called")
    func handlers() async throws {
        let device = ManualDevice()
        let coprocessor = try MotionCoprocessor(history: .inMemory(), device: device)
        let pedometer = Pedometer(coprocessor)
        let wearer = try Wearer(.errand)
        let (first, second) = (Recorder<Int>(), Recorder<Int>())
        pedometer.startUpdates(from: wearer.date(0)) { data, _ in if let data { first.add(data.steps) } }
        #expect(await first.first() == 0)
        pedometer.startUpdates(from: wearer.date(0)) { data, _ in if let data { second.add(data.steps) } }
        #expect(await second.first() == 0)
        let calls = first.all.count
        device.send(wearer.batches.prefix(120))
        await second.wait { ($0.last ?? 0) > 40 }
        #expect(first.all.count == calls)
        pedometer.stopUpdates()
        let stopped = second.all.count
        device.send(wearer.batches.dropFirst(120))
        device.end()
        for try await _ in pedometer.updates(from: wearer.date(0)) {}
        #expect(second.all.count <= stopped + 1)
    }

    @Test("a step counter reports all steps at each multiple")
    func thresholds() async throws {
        let wearer = try Wearer(.errand, from: Timestamp(Date()))
        let device = ManualDevice()
        let coprocessor = try MotionCoprocessor(history: .inMemory(), device: device)
        let counter = StepCounter(coprocessor)
        let received = Recorder<Int>()
        counter.startStepCountingUpdates(to: OperationQueue(), updateOn: 25) { steps, _, _ in
            // The queue has other threads, which must not overtake this one. Without the sleep they would rarely try.
            if received.all.isEmpty { Thread.sleep(forTimeInterval: 0.2) }
            received.add(steps)
        }
        device.send(wearer.batches)
        device.end()
        let total = wearer.events.steps.count
        let counts = await received.wait { ($0.max() ?? 0) / 25 == total / 25 }
        #expect(counts == counts.sorted())
        #expect(!counts.isEmpty && Set(counts.map { $0 / 25 }).count == counts.count && (counts.first ?? 0) >= 25)
        counter.stopStepCountingUpdates()
    }

    @Test("a step counter that starts before the first sample counts all steps of a replay, whatever its clock")
    func replayedSteps() async throws {
        let wearer = try Wearer(.errand, from: .epoch)
        let device = ManualDevice()
        let counter = StepCounter(try MotionCoprocessor(history: .inMemory(), device: device))
        let received = Recorder<Int>()
        counter.startStepCountingUpdates(to: .serial(), updateOn: 1) { steps, _, _ in received.add(steps) }
        device.send(wearer.batches)
        device.end()
        let total = wearer.events.steps.count
        #expect(await received.wait { $0.last == total }.last == total)
    }

    @Test("a reader that is slow gets the newest steps, not all that it has missed")
    func slowReader() async throws {
        let wearer = try Wearer(Scenario(name: "walk", scenes: [Scene(.walking(), for: 120)]))
        let device = ManualDevice()
        let pedometer = Pedometer(try MotionCoprocessor(history: .inMemory(), device: device))
        let late = pedometer.updates(from: wearer.date(0))
        var (rest, updates) = (wearer.batches[...], 0)
        for try await _ in pedometer.updates(from: wearer.date(0)) {
            updates += 1
            device.send(rest.prefix(15))
            rest = rest.dropFirst(15)
            if rest.isEmpty { device.end() }
        }
        let missed = try await late.reduce(into: []) { $0.append($1.steps) }
        #expect(updates > 4 && missed.count < 3 && missed.last == wearer.events.steps.count, "\(updates), \(missed)")
    }

    @Test("a walk with a pause gives events at the times of its changes")
    func events() async throws {
        let scenes = [(Scene.Doing.walking(), 40.0), (.standing, 40), (.walking(), 40), (.standing, 40)]
        let scenario = Scenario(name: "pauses", scenes: scenes.map { Scene($0.0, for: $0.1) })
        let wearer = try Wearer(scenario, from: Timestamp(Date()))
        let device = ManualDevice()
        let coprocessor = try MotionCoprocessor(history: .inMemory(), device: device)
        let received = Recorder<PedometerEvent>()
        let pedometer = Pedometer(coprocessor)
        pedometer.startEventUpdates { event, _ in if let event { received.add(event) } }
        device.send(wearer.batches)
        device.end()
        let events = await received.wait { $0.contains { $0.type == .pause && $0.date >= wearer.date(112) } }
        // A state is provisional, and the machine decides which moments are seen. So there may be more changes.
        #expect(events.first?.type == .resume && zip(events, events.dropFirst()).allSatisfy { $0.type != $1.type })
        for (type, second) in [(PedometerEvent.Kind.resume, 0.0), (.pause, 40), (.resume, 80), (.pause, 120)] {
            let times = events.filter { $0.type == type }.map { $0.date.timeIntervalSince(wearer.date(second)) }
            #expect(times.contains { abs($0) < 8 }, "\(type) at \(second) s: \(events)")
        }
        pedometer.stopEventUpdates()
    }

    @Test("the steps of a device that fails are recorded, then its error is thrown")
    func failure() async throws {
        let wearer = try Wearer(.errand)
        let device = ManualDevice()
        let coprocessor = try MotionCoprocessor(history: .inMemory(), device: device)
        device.send(wearer.batches)
        device.end(Unplugged())
        var last: PedometerData?
        let error = await #expect(throws: MotionError.self) {
            for try await update in Pedometer(coprocessor).updates(from: wearer.date(0)) { last = update }
        }
        #expect(error?.code == .notAvailable && error?.description.contains("Unplugged") == true)
        #expect(last == nil || last?.steps == wearer.events.steps.count)
        let data = try await Pedometer(coprocessor).queryPedometerData(from: wearer.date(0), to: .now)
        #expect(data.steps == wearer.events.steps.count)
        let codes = Recorder<Int>()
        let pedometer = Pedometer(coprocessor)
        pedometer.startUpdates(from: wearer.date(0)) {
            if $0 == nil, let error = $1 { codes.add((error as NSError).code) }
        }
        #expect(await codes.first() == 109)
        pedometer.stopUpdates()
    }

    @Test("updates end when their task is cancelled, and the device continues")
    func cancellation() async throws {
        let device = ManualDevice()
        let coprocessor = try MotionCoprocessor(history: .inMemory(), device: device)
        let received = Recorder<Int>()
        let task = Task {
            for try await update in Pedometer(coprocessor).updates(from: .distantPast) { received.add(update.steps) }
        }
        _ = await received.first()
        task.cancel()
        try await task.value
        let wearer = try Wearer(.errand)
        device.send(wearer.batches)
        device.end()
        var last = 0
        for try await update in Pedometer(coprocessor).updates(from: wearer.date(0)) { last = update.steps }
        #expect(last == wearer.events.steps.count)
    }

    @Test("without a device, updates follow the recordings of another writer")
    func watching() async throws {
        let folder = try Folder()
        let file = folder.url.appending(path: "history.sqlite")
        let writer = try MotionHistory(at: file)
        let coprocessor = MotionCoprocessor(history: try MotionHistory(reading: file))
        let wearer = try Wearer(.errand)
        let (steps, flags) = (Recorder<Int>(), Recorder<ActivityFlags>())
        let (pedometer, manager) = (Pedometer(coprocessor), MotionActivityManager(coprocessor))
        pedometer.startUpdates(from: wearer.date(0)) { data, _ in if let data { steps.add(data.steps) } }
        manager.startActivityUpdates(to: .serial()) { if let activity = $0 { flags.add(activity.flags) } }
        #expect(await steps.first() == 0)
        #expect(await flags.first() == .unknown)
        try writer.record(wearer.events, from: "default")
        let expected = wearer.events.steps.count
        #expect(await steps.wait { $0.last == expected }.last == expected)
        // Two minutes after its end a recording is old, and the activity is unknown again.
        let activities = await flags.wait { $0.count > 3 }.prefix(4)
        #expect(activities == [.unknown, .stationary, .walking, .stationary])
        pedometer.stopUpdates()
        manager.stopActivityUpdates()
    }

    @Test("a released pedometer calls no handler, and a released coprocessor settles and records")
    func release() async throws {
        let wearer = try Wearer(.errand)
        let history = try MotionHistory.inMemory()
        let device = ManualDevice()
        let received = Recorder<Int>()
        var coprocessor: MotionCoprocessor? = MotionCoprocessor(history: history, device: device)
        var pedometer: Pedometer? = Pedometer(coprocessor)
        pedometer?.startUpdates(from: wearer.date(0)) { data, _ in if let data { received.add(data.steps) } }
        #expect(await received.first() == 0)
        pedometer = nil
        device.send([SampleBatch(wearer.batches.joined())])
        let range = wearer.start..<wearer.end
        let expected = wearer.events.steps.count
        // The history has no source before the first recording.
        for try await _ in history.revisions() where try !history.sources().isEmpty { break }
        coprocessor = nil
        for try await steps in history.stepUpdates(in: range, from: "default") where steps.coverage > 179 {
            #expect(steps.count == expected)
            break
        }
        #expect(received.all == [0])
    }
}

extension OperationQueue {
    /// A queue that runs one operation at a time.
    static func serial() -> OperationQueue {
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 1
        return queue
    }
}

import Footfall
import FootfallCoreMotion
import FootfallDevices
import FootfallHistory
import FootfallSimulator
import Foundation
import Testing

@Suite("Live updates", .timeLimit(.minutes(15)))
struct LiveTests {
    private struct Unplugged: Error {}

    @Test("of a replay, the history holds what an analysis finds, and updates end with all of its steps")
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

    @Test("updates count everything since their start, also what was recorded before")
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

    @Test("steps that are not settled yet are told of, with cadence and pace")
    func provisional() async throws {
        let hand = Hand()
        let history = try MotionHistory.inMemory()
        let coprocessor = MotionCoprocessor(history: history, device: hand, stepLength: StepLength(metres: 0.7))
        let wearer = try Wearer(Scenario(name: "walk", scenes: [Scene(.walking(), for: 40)]))
        hand.give(wearer.batches)
        let newest = try #require(wearer.batches.last?.times.last)
        var seen: PedometerData?
        for try await update in Pedometer(coprocessor).updates(from: wearer.date(0)) where update.currentCadence != nil
        {
            seen = update
            if Timestamp(update.endDate) >= newest.advanced(bySeconds: -0.1) { break }
        }
        let update = try #require(seen)
        let settled = try await Pedometer(coprocessor).queryPedometerData(from: wearer.date(0), to: .now)
        #expect(update.steps > settled.steps && abs(update.steps - wearer.truth.steps.count) <= 4)
        let cadence = try #require(update.currentCadence?.doubleValue)
        #expect(abs(cadence - 110.0 / 60) < 0.15)
        #expect(abs((update.currentPace?.doubleValue ?? 0) - 1 / (cadence * 0.7)) < 1e-6)
        await coprocessor.stop()
        let all = try await Pedometer(coprocessor).queryPedometerData(from: wearer.date(0), to: .now)
        #expect(all.steps == wearer.events.steps.count)
    }

    @Test("the first activity is told at once, then each change")
    func activities() async throws {
        let wearer = try Wearer(.errand)
        let coprocessor = try MotionCoprocessor(history: .inMemory(), device: wearer.replay)
        var told: [MotionActivity] = []
        for try await activity in MotionActivityManager(coprocessor).updates() { told.append(activity) }
        #expect(!told.isEmpty)
        #expect(zip(told, told.dropFirst()).allSatisfy { $0.flags != $1.flags || $0.confidence != $1.confidence })
        // Who comes late hears the last one.
        var late: [MotionActivity] = []
        for try await activity in MotionActivityManager(coprocessor).updates() { late.append(activity) }
        #expect(late.map(\.flags) == [.stationary])
    }

    @Test("however much comes at once, no activity is passed over")
    func hurry() async throws {
        let hand = Hand()
        let coprocessor = try MotionCoprocessor(history: .inMemory(), device: hand)
        let told = Heard<ActivityFlags>()
        let manager = MotionActivityManager(coprocessor)
        manager.startActivityUpdates(to: .serial()) { if let activity = $0 { told.add(activity.flags) } }
        #expect(await told.first() == .unknown)
        let wearer = try Wearer(.errand, from: Timestamp(Date()))
        hand.give([SampleBatch(wearer.batches.joined())])
        hand.end()
        let flags = await told.wait { $0.last == .stationary && $0.contains(.walking) }
        #expect(flags.drop { $0 != .stationary }.contains(.walking))
        withExtendedLifetime(manager) {}
    }

    @Test("a second handler takes the place of the first, and a stopped one is silent")
    func handlers() async throws {
        let hand = Hand()
        let coprocessor = try MotionCoprocessor(history: .inMemory(), device: hand)
        let pedometer = Pedometer(coprocessor)
        let wearer = try Wearer(.errand)
        let (first, second) = (Heard<Int>(), Heard<Int>())
        pedometer.startUpdates(from: wearer.date(0)) { data, _ in if let data { first.add(data.steps) } }
        #expect(await first.first() == 0)
        pedometer.startUpdates(from: wearer.date(0)) { data, _ in if let data { second.add(data.steps) } }
        #expect(await second.first() == 0)
        let calls = first.all.count
        hand.give(wearer.batches.prefix(120))
        await second.wait { ($0.last ?? 0) > 40 }
        #expect(first.all.count == calls)
        pedometer.stopUpdates()
        let stopped = second.all.count
        hand.give(wearer.batches.dropFirst(120))
        hand.end()
        for try await _ in pedometer.updates(from: wearer.date(0)) {}
        #expect(second.all.count <= stopped + 1)
    }

    @Test("a step counter tells at every so many steps, of all of them")
    func thresholds() async throws {
        let wearer = try Wearer(.errand, from: Timestamp(Date()))
        let hand = Hand()
        let coprocessor = try MotionCoprocessor(history: .inMemory(), device: hand)
        let counter = StepCounter(coprocessor)
        let told = Heard<Int>()
        counter.startStepCountingUpdates(to: .serial(), updateOn: 25) { steps, _, _ in told.add(steps) }
        hand.give(wearer.batches)
        hand.end()
        let total = wearer.events.steps.count
        let counts = await told.wait { ($0.last ?? 0) / 25 == total / 25 }
        #expect(!counts.isEmpty && Set(counts.map { $0 / 25 }).count == counts.count && (counts.first ?? 0) >= 25)
        counter.stopStepCountingUpdates()
    }

    @Test("a walk that pauses and goes on is told as events, each at its time")
    func events() async throws {
        let scenes = [(Scene.Doing.walking(), 40.0), (.standing, 40), (.walking(), 40), (.standing, 40)]
        let scenario = Scenario(name: "pauses", scenes: scenes.map { Scene($0.0, for: $0.1) })
        let wearer = try Wearer(scenario, from: Timestamp(Date()))
        let hand = Hand()
        let coprocessor = try MotionCoprocessor(history: .inMemory(), device: hand)
        let told = Heard<PedometerEvent>()
        let pedometer = Pedometer(coprocessor)
        pedometer.startEventUpdates { event, _ in if let event { told.add(event) } }
        hand.give(wearer.batches)
        hand.end()
        let events = await told.wait { $0.count { $0.type == .pause } >= 2 }
        #expect(events.map(\.type) == [.resume, .pause, .resume, .pause])
        for (event, second) in zip(events, [0.0, 40, 80, 120]) {
            #expect(abs(event.date.timeIntervalSince(wearer.date(second))) < 8, "\(event)")
        }
        pedometer.stopEventUpdates()
    }

    @Test("a device that fails is an error after all that it gave, which is kept")
    func failure() async throws {
        let wearer = try Wearer(.errand)
        let hand = Hand()
        let coprocessor = try MotionCoprocessor(history: .inMemory(), device: hand)
        hand.give(wearer.batches)
        hand.end(Unplugged())
        var last: PedometerData?
        let error = await #expect(throws: MotionError.self) {
            for try await update in Pedometer(coprocessor).updates(from: wearer.date(0)) { last = update }
        }
        #expect(error?.code == .notAvailable && error?.description.contains("Unplugged") == true)
        #expect(last == nil || last?.steps == wearer.events.steps.count)
        let data = try await Pedometer(coprocessor).queryPedometerData(from: wearer.date(0), to: .now)
        #expect(data.steps == wearer.events.steps.count)
        let codes = Heard<Int>()
        let pedometer = Pedometer(coprocessor)
        pedometer.startUpdates(from: wearer.date(0)) {
            if $0 == nil, let error = $1 { codes.add((error as NSError).code) }
        }
        #expect(await codes.first() == 109)
        pedometer.stopUpdates()
    }

    @Test("updates end when their task is cancelled, and the device goes on")
    func cancellation() async throws {
        let hand = Hand()
        let coprocessor = try MotionCoprocessor(history: .inMemory(), device: hand)
        let heard = Heard<Int>()
        let task = Task {
            for try await update in Pedometer(coprocessor).updates(from: .distantPast) { heard.add(update.steps) }
        }
        _ = await heard.first()
        task.cancel()
        try await task.value
        let wearer = try Wearer(.errand)
        hand.give(wearer.batches)
        hand.end()
        var last = 0
        for try await update in Pedometer(coprocessor).updates(from: wearer.date(0)) { last = update.steps }
        #expect(last == wearer.events.steps.count)
    }

    @Test("without a device, what another writer records is told")
    func watching() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "history.sqlite")
        let writer = try MotionHistory(at: file)
        let coprocessor = MotionCoprocessor(history: try MotionHistory(reading: file))
        let wearer = try Wearer(.errand)
        let (steps, flags) = (Heard<Int>(), Heard<ActivityFlags>())
        let (pedometer, manager) = (Pedometer(coprocessor), MotionActivityManager(coprocessor))
        pedometer.startUpdates(from: wearer.date(0)) { data, _ in if let data { steps.add(data.steps) } }
        manager.startActivityUpdates(to: .serial()) { if let activity = $0 { flags.add(activity.flags) } }
        #expect(await steps.first() == 0)
        #expect(await flags.first() == .unknown)
        try writer.record(wearer.events, from: "default")
        let expected = wearer.events.steps.count
        #expect(await steps.wait { $0.last == expected }.last == expected)
        #expect(await flags.wait { $0.last == .stationary } == [.unknown, .stationary, .walking, .stationary])
        pedometer.stopUpdates()
        manager.stopActivityUpdates()
    }

    @Test("a pedometer that is given up is silent, a coprocessor that is given up settles and records")
    func givenUp() async throws {
        let wearer = try Wearer(.errand)
        let history = try MotionHistory.inMemory()
        let hand = Hand()
        let heard = Heard<Int>()
        var coprocessor: MotionCoprocessor? = MotionCoprocessor(history: history, device: hand)
        var pedometer: Pedometer? = Pedometer(coprocessor)
        pedometer?.startUpdates(from: wearer.date(0)) { data, _ in if let data { heard.add(data.steps) } }
        #expect(await heard.first() == 0)
        pedometer = nil
        hand.give([SampleBatch(wearer.batches.joined())])
        let range = wearer.start..<wearer.end
        let expected = wearer.events.steps.count
        // Nothing is known of the source before the first of it is recorded.
        for try await _ in history.revisions() where try !history.sources().isEmpty { break }
        coprocessor = nil
        for try await steps in history.stepUpdates(in: range, from: "default") where steps.coverage > 179 {
            #expect(steps.count == expected)
            break
        }
        #expect(heard.all == [0])
    }
}

extension OperationQueue {
    /// A queue that does one thing after the other.
    static func serial() -> OperationQueue {
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 1
        return queue
    }
}

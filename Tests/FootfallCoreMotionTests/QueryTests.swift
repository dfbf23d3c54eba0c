import Footfall
import FootfallCoreMotion
import FootfallHistory
import FootfallReaders
import FootfallSimulator
import Foundation
import TestSupport
import Testing

@Suite("Queries")
struct QueryTests {
    private static let now = Timestamp(Date())

    @Test("a step belongs to the range that contains its time, and adjacent ranges add up")
    func halves() async throws {
        let wearer = try Wearer(.errand)
        let pedometer = try Pedometer(MotionCoprocessor(history: wearer.history()))
        let whole = try await pedometer.queryPedometerData(from: wearer.date(0), to: wearer.date(180))
        #expect(whole.steps == wearer.events.steps.count && whole.steps > 90)
        #expect(whole.numberOfSteps.intValue == whole.steps)
        var sum = 0
        for second in stride(from: 0.0, to: 180, by: 7.5) {
            sum += try await pedometer.queryPedometerData(from: wearer.date(second), to: wearer.date(second + 7.5))
                .steps
        }
        #expect(sum == whole.steps)
    }

    @Test("the data keep the bounds of the query and state their coverage")
    func bounds() async throws {
        let wearer = try Wearer(.errand)
        let pedometer = try Pedometer(MotionCoprocessor(history: wearer.history()))
        let (start, end) = (wearer.date(-1000), wearer.date(1e6))
        let data = try await pedometer.queryPedometerData(from: start, to: end)
        #expect(data.startDate == start && data.endDate == end && abs(data.coverage - 180) < 0.2)
        #expect(!data.isTruncated)
        #expect(data.currentPace == nil && data.currentCadence == nil && data.floorsAscended == nil)
        let before = try await pedometer.queryPedometerData(from: .distantPast, to: start)
        #expect(before.steps == 0 && before.coverage == 0)
        let empty = try await pedometer.queryPedometerData(from: end, to: end)
        #expect(empty.steps == 0)
    }

    @Test("steps older than the retention are omitted without an error")
    func retention() async throws {
        let old = try Wearer(.errand, from: Self.now.advanced(bySeconds: -10 * 86_400))
        let new = try Wearer(.errand)
        let history = try old.history()
        try history.record(new.events, from: "default")
        let coprocessor = MotionCoprocessor(history: history)
        let data = try await Pedometer(coprocessor).queryPedometerData(from: old.date(0), to: .now)
        #expect(data.steps == new.events.steps.count && data.isTruncated)
        let activities = try await MotionActivityManager(coprocessor)
            .queryActivityStarting(from: old.date(0), to: .now, to: .main)
        #expect(activities.map(\.walking) == [false, true, false])
    }

    @Test("a range that ends before it starts is error 107")
    func backwards() async throws {
        let coprocessor = try MotionCoprocessor(history: .inMemory())
        let (later, earlier) = (Date(), Date().addingTimeInterval(-1))
        let error = await #expect(throws: MotionError.self) {
            try await Pedometer(coprocessor).queryPedometerData(from: later, to: earlier)
        }
        #expect(error?.code == .invalidParameter)
        #expect((error as (any Error)?).map { ($0 as NSError).code } == 107)
        await #expect(throws: MotionError.self) {
            try await MotionActivityManager(coprocessor)
                .queryActivityStarting(from: later, to: earlier, to: .main)
        }
        let codes = Recorder<Int>()
        MotionActivityManager(coprocessor).queryActivityStarting(from: later, to: earlier, to: OperationQueue()) {
            if $0 == nil, let error = $1 { codes.add((error as NSError).code) }
        }
        StepCounter(coprocessor).queryStepCountStarting(from: later, to: earlier, to: OperationQueue()) {
            if $0 == 0, let error = $1 { codes.add((error as NSError).code) }
        }
        #expect(await codes.wait { $0.count == 2 } == [107, 107])
    }

    @Test("a range without records has no steps and no activities, without an error")
    func nothing() async throws {
        let start = Date(timeIntervalSince1970: 0)
        for history in [try MotionHistory.inMemory(), try Wearer(.errand).history()] {
            let coprocessor = MotionCoprocessor(history: history)
            let end = start.addingTimeInterval(3600)
            let data = try await Pedometer(coprocessor).queryPedometerData(from: start, to: end)
            #expect(data.steps == 0 && data.coverage == 0)
            #expect(
                try await StepCounter(coprocessor).queryStepCountStarting(from: start, to: end, to: .main) == 0)
            let activities = try await MotionActivityManager(coprocessor)
                .queryActivityStarting(from: start, to: end, to: .main)
            #expect(activities.isEmpty)
        }
    }

    @Test("without a name the only source of the history answers")
    func onlySource() async throws {
        let wearer = try Wearer(.errand)
        let coprocessor = try MotionCoprocessor(history: wearer.history(source: "pocket"))
        let steps = wearer.events.steps.count
        let (start, end) = (wearer.date(0), wearer.date(180))
        let data = try await Pedometer(coprocessor).queryPedometerData(from: start, to: end)
        #expect(data.steps == steps && steps > 90)
        #expect(
            try await StepCounter(coprocessor).queryStepCountStarting(from: start, to: end, to: .main) == steps)
        let activities = try await MotionActivityManager(coprocessor)
            .queryActivityStarting(from: start, to: end, to: .main)
        #expect(activities.map(\.walking) == [false, true, false])
        for try await update in Pedometer(coprocessor).updates(from: start) {
            #expect(update.steps == steps)
            break
        }
        // Ends in five minutes, because an activity that ended long ago is no longer current.
        let recentStart = Timestamp(Date()).advanced(bySeconds: 300 - Scenario.errand.duration)
        let recent = try MotionCoprocessor(history: Wearer(.errand, from: recentStart).history(source: "pocket"))
        for try await activity in MotionActivityManager(recent).updates() {
            #expect(activity.stationary)
            break
        }
    }

    @Test(
        "a source that is not in the history, and no name for several, are error 107 with the sources",
        arguments: [
            ("ankle", []), ("ankle", ["pocket"]), ("ankle", ["pocket", "wrist"]), (nil, ["pocket", "wrist"]),
        ] as [(String?, [String])])
    func wrongSource(name: String?, recorded: [String]) async throws {
        let wearer = try Wearer(.errand)
        let history = try MotionHistory.inMemory()
        for source in recorded { try history.record(wearer.events, from: source) }
        let coprocessor =
            name.map { MotionCoprocessor(history: history, source: $0) } ?? MotionCoprocessor(history: history)
        let (start, end) = (wearer.date(0), wearer.date(180))
        let (pedometer, manager) = (Pedometer(coprocessor), MotionActivityManager(coprocessor))
        let counter = StepCounter(coprocessor)
        let queries: [() async throws -> Void] = [
            { _ = try await pedometer.queryPedometerData(from: start, to: end) },
            { _ = try await counter.queryStepCountStarting(from: start, to: end, to: .main) },
            { _ = try await manager.queryActivityStarting(from: start, to: end, to: .main) },
            { for try await _ in pedometer.updates(from: start) { break } },
            { for try await _ in manager.updates() { break } },
        ]
        for query in queries {
            let error = await #expect(throws: MotionError.self) { try await query() }
            #expect(error?.code == .invalidParameter && error?.errorCode == 107)
            for source in recorded { #expect(error?.description.contains(source) == true) }
            if let name { #expect(error?.description.contains(name) == true) }
        }
    }

    @Test("the first activity may start before the range and keeps its start")
    func first() async throws {
        let wearer = try Wearer(.errand)
        let manager = try MotionActivityManager(MotionCoprocessor(history: wearer.history()))
        let activities = try await manager.queryActivityStarting(
            from: wearer.date(90), to: wearer.date(150), to: .main)
        #expect(activities.map(\.walking) == [true, false])
        #expect(abs((activities.first?.startDate ?? .now).timeIntervalSince(wearer.date(60))) < 5)
        let uptime = ProcessInfo.processInfo.systemUptime
        #expect(activities.allSatisfy { $0.timestamp < uptime })
    }

    @Test("a car at a red light is automotive and stationary, and each halt is an activity")
    func redLights() async throws {
        func segment(_ start: Double, _ end: Double, _ flags: ActivityFlags) -> MotionEvent {
            .segment(
                Segment(
                    range: Self.now.advanced(bySeconds: start)..<Self.now.advanced(bySeconds: end), flags: flags,
                    probability: 0.99, steps: 0))
        }
        let history = try MotionHistory.inMemory()
        try history.record(
            [
                segment(-600, -500, .automotive), segment(-500, -470, [.automotive, .stationary]),
                segment(-470, -300, .automotive), segment(-300, -200, []), segment(-100, 0, .stationary),
            ], from: "default")
        let manager = MotionActivityManager(MotionCoprocessor(history: history))
        let all = try await manager.queryActivityStarting(
            from: Date(Self.now.advanced(bySeconds: -700)), to: Date(Self.now), to: .main)
        #expect(
            all.map(\.flags) == [
                .automotive, [.automotive, .stationary], .automotive, [], .unknown, .stationary,
            ])
        #expect(
            all.map { ($0.startDate.timeIntervalSince(Date(Self.now))).rounded() } == [
                -600, -500, -470, -300, -200, -100,
            ])
        #expect(all.first?.confidence == .high && all[1].automotive && all[1].stationary)
        #expect(all[3] != all[4] && !all[3].unknown && all[4].unknown)
        let late = try await manager.queryActivityStarting(
            from: Date(Self.now.advanced(bySeconds: -480)), to: Date(Self.now.advanced(bySeconds: -471)), to: .main)
        #expect(late.map(\.flags) == [[.automotive, .stationary]])
    }

    @Test("distance and pace follow from the step length")
    func distance() async throws {
        let wearer = try Wearer(.errand)
        let length = StepLength(metres: 0.8)
        let coprocessor = try MotionCoprocessor(history: wearer.history(), stepLength: length)
        let data = try await Pedometer(coprocessor).queryPedometerData(from: wearer.date(0), to: .now)
        #expect(data.distance?.doubleValue == Double(data.steps) * 0.8)
        let pace = try #require(data.averageActivePace?.doubleValue)
        // A minute at 110 steps a minute of 0.8 m; the minutes of standing do not count.
        #expect(abs(pace - 60 / (110 * 0.8)) < 0.05)
        let still = try await Pedometer(coprocessor).queryPedometerData(from: wearer.date(0), to: wearer.date(30))
        #expect(still.distance == 0 && still.averageActivePace == nil)
        let plain = try await Pedometer(MotionCoprocessor(history: wearer.history()))
            .queryPedometerData(from: wearer.date(0), to: .now)
        #expect(plain.distance == nil && plain.averageActivePace == nil)
    }

    @Test("a deleted history is an error, not 0 steps")
    func deletedHistory() async throws {
        let folder = try Folder()
        let file = folder.url.appending(path: "history.sqlite")
        let history = try MotionHistory(at: file)
        try FileManager.default.removeItem(at: folder.url)
        let error = await #expect(throws: MotionError.self) {
            try await Pedometer(MotionCoprocessor(history: history)).queryPedometerData(from: .distantPast, to: .now)
        }
        #expect(error?.code == .motionActivityNotAvailable && error?.description.contains(file.path) == true)
    }
}

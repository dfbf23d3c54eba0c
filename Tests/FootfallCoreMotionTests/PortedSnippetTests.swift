import Footfall
import FootfallHistory
import FootfallLive
import FootfallReaders
import Foundation
import TestSupport
import Testing

// Source from tutorials for the iPhone starts here.
#if canImport(CoreMotion)
    import CoreMotion
#else
    import FootfallCoreMotion
#endif

/// Today's steps, from midnight to now.
private final class TodayViewModel: Sendable {
    let pedometer = CMPedometer()
    let label = Recorder<String>()

    func load() {
        guard CMPedometer.isStepCountingAvailable() else {
            label.add("Step counting is not available")
            return
        }
        let midnight = Calendar.current.startOfDay(for: Date())
        pedometer.queryPedometerData(from: midnight, to: Date()) { [label] data, error in
            guard let data = data, error == nil else {
                label.add("Error: \(error?.localizedDescription ?? "none")")
                return
            }
            var text = "\(data.numberOfSteps.intValue) steps"
            if let distance = data.distance { text += String(format: ", %.0f m", distance.doubleValue) }
            label.add(text)
        }
    }
}

/// The activities of the last seven days.
private final class WeekViewModel: Sendable {
    let activityManager = CMMotionActivityManager()
    let queue = OperationQueue()
    let rows = Recorder<[String]>()

    func load() {
        let now = Date()
        let weekAgo = Calendar.current.date(byAdding: .day, value: -7, to: now) ?? now
        activityManager.queryActivityStarting(from: weekAgo, to: now, to: queue) { [rows] activities, error in
            if let error = error as NSError?, error.code == Int(CMErrorMotionActivityNotAuthorized.rawValue) {
                rows.add(["Not authorized"])
                return
            }
            rows.add((activities ?? []).map { WeekViewModel.describe($0) })
        }
    }

    static func describe(_ activity: CMMotionActivity) -> String {
        var modes: [String] = []
        if activity.stationary { modes.append("stationary") }
        if activity.walking { modes.append("walking") }
        if activity.running { modes.append("running") }
        if activity.automotive { modes.append("automotive") }
        if activity.cycling { modes.append("cycling") }
        if activity.unknown { modes.append("unknown") }
        switch activity.confidence {
        case .low: modes.append("(low)")
        case .medium: modes.append("(medium)")
        case .high: modes.append("(high)")
        @unknown default: break
        }
        return modes.joined(separator: " ")
    }
}

/// Two labels: the steps since the start, and the activity.
private final class LiveViewModel: Sendable {
    let pedometer = CMPedometer()
    let activityManager = CMMotionActivityManager()
    let stepsLabel = Recorder<String>()
    let activityLabel = Recorder<String>()

    func startTracking() {
        guard CMMotionActivityManager.authorizationStatus() == .authorized else { return }
        if CMMotionActivityManager.isActivityAvailable() {
            activityManager.startActivityUpdates(to: OperationQueue()) { [activityLabel] activity in
                guard let activity = activity else { return }
                activityLabel.add(activity.walking ? "Walking" : activity.stationary ? "Stationary" : "Other")
            }
        }
        if CMPedometer.isStepCountingAvailable() {
            pedometer.startUpdates(from: Date()) { [stepsLabel] pedometerData, error in
                guard let pedometerData = pedometerData, error == nil else { return }
                stepsLabel.add(pedometerData.numberOfSteps.stringValue)
            }
        }
    }

    func stopTracking() {
        activityManager.stopActivityUpdates()
        pedometer.stopUpdates()
    }
}

/// Pauses a workout while the wearer stands.
private final class Workout: Sendable {
    let pedometer = CMPedometer()
    let log = Recorder<CMPedometerEventType>()

    func start() {
        guard CMPedometer.isPedometerEventTrackingAvailable() else { return }
        pedometer.startEventUpdates { [log] event, error in
            if let event = event, error == nil { log.add(event.type) }
        }
    }
}

/// The step counter of iOS 7.
private final class OldCounter: Sendable {
    let counter = CMStepCounter()
    let steps = Recorder<Int>()

    func start() {
        guard CMStepCounter.isStepCountingAvailable() else { return }
        counter.startStepCountingUpdates(to: OperationQueue(), updateOn: 20) {
            [steps] numberOfSteps, timestamp, error in
            if error == nil { steps.add(numberOfSteps) }
        }
    }
}

/// How an app reacts to the permission.
private func permission() -> String {
    switch CMPedometer.authorizationStatus() {
    case CMAuthorizationStatus.notDetermined: return "ask"
    case .restricted, .denied: return "settings"
    case .authorized: return "go"
    @unknown default: return "?"
    }
}

// Source for the iPhone ends here. The tests give it simulated motion.

@Suite("Source written for an iPhone", .serialized, .timeLimit(.minutes(60)))
struct PortedSnippetTests {
    /// Runs with a default coprocessor.
    nonisolated(nonsending) func with(
        _ coprocessor: MotionCoprocessor?, _ work: nonisolated(nonsending) () async throws -> Void
    ) async throws {
        MotionCoprocessor.default = coprocessor
        defer { MotionCoprocessor.default = nil }
        try await work()
    }

    @Test("counts today's steps")
    func today() async throws {
        let wearer = try Wearer(.errand)
        let midnight = Timestamp(Calendar.current.startOfDay(for: Date()))
        let expected = wearer.events.steps.count { $0.time >= midnight }
        try await with(MotionCoprocessor(history: wearer.history())) {
            let model = TodayViewModel()
            model.load()
            #expect(await model.label.first() == "\(expected) steps")
        }
        let coprocessor = try MotionCoprocessor(
            history: wearer.history(), stepLength: StepLength(metres: 0.5))
        try await with(coprocessor) {
            let model = TodayViewModel()
            model.load()
            let metres = String(format: "%.0f", Double(expected) * 0.5)
            #expect(await model.label.first() == "\(expected) steps, \(metres) m")
        }
    }

    @Test("lists the activities of the last seven days")
    func week() async throws {
        let threeDaysAgo = Timestamp(Date()).advanced(bySeconds: -3 * 86_400)
        let wearer = try Wearer(.errand, from: threeDaysAgo)
        try await with(MotionCoprocessor(history: wearer.history())) {
            let model = WeekViewModel()
            model.load()
            let rows = try #require(await model.rows.first())
            #expect(rows.map { $0.prefix { $0 != " " } } == ["stationary", "walking", "stationary", "unknown"])
        }
    }

    @Test("shows live steps and activity")
    func live() async throws {
        let device = ManualDevice()
        let history = try MotionHistory.inMemory()
        try await with(MotionCoprocessor(history: history, device: device)) {
            let (model, workout, old) = (LiveViewModel(), Workout(), OldCounter())
            model.startTracking()
            workout.start()
            old.start()
            #expect(await model.stepsLabel.first() == "0")
            #expect(await model.activityLabel.first() == "Other")
            let wearer = try Wearer(.errand, from: Timestamp(Date()))
            device.send(wearer.batches)
            device.end()
            let steps = wearer.events.steps.count
            #expect(await model.stepsLabel.wait { $0.last == "\(steps)" }.last == "\(steps)")
            let activities = await model.activityLabel.wait { $0.contains("Walking") && $0.last == "Stationary" }
            #expect(activities.contains("Walking"))
            #expect(await workout.log.wait { $0.last == .pause }.contains(.resume))
            let counts = await old.steps.wait { ($0.last ?? 0) + 20 > steps }
            #expect(counts == counts.sorted() && (counts.last ?? 0) <= steps)
            model.stopTracking()
            withExtendedLifetime((workout, old)) {}
        }
    }

    @Test("gets error 104 on a machine without a coprocessor")
    func nothing() async throws {
        try await with(nil) {
            #expect(!CMPedometer.isStepCountingAvailable() && !CMMotionActivityManager.isActivityAvailable())
            #expect(!CMPedometer.isDistanceAvailable() && !CMPedometer.isCadenceAvailable())
            #expect(permission() == "ask")
            let model = TodayViewModel()
            model.load()
            #expect(await model.label.first() == "Step counting is not available")
            let errors = Recorder<NSError?>()
            CMPedometer().queryPedometerData(from: Date(), to: Date()) { errors.add($1 as NSError?) }
            let error = try #require(await errors.first() ?? nil)
            #expect(error.domain == CMErrorDomain)
            #expect(error.code == Int(CMErrorMotionActivityNotAvailable.rawValue) && error.code == 104)
            #expect(error.localizedDescription.contains("MotionCoprocessor.default"))
        }
    }

    @Test("finds out what is available")
    func availability() async throws {
        let history = try MotionHistory.inMemory()
        try await with(MotionCoprocessor(history: history)) {
            #expect(CMPedometer.isStepCountingAvailable() && permission() == "go")
            #expect(!CMPedometer.isCadenceAvailable() && !CMPedometer.isPedometerEventTrackingAvailable())
        }
        let live = MotionCoprocessor(history: history, device: ManualDevice(), stepLength: StepLength(metres: 0.7))
        try await with(live) {
            #expect(CMPedometer.isDistanceAvailable() && CMPedometer.isPaceAvailable())
            #expect(CMPedometer.isCadenceAvailable() && CMPedometer.isPedometerEventTrackingAvailable())
            #expect(!CMPedometer.isFloorCountingAvailable())
        }
    }
}

import Footfall
import FootfallCoreMotion
import FootfallHistory
import FootfallLive
import Foundation
import TestSupport
import Testing

/// The code of the documentation. It shares the default coprocessor with the tests of ported source.
extension PortedSnippetTests {
    @Test("the example of the README prints the steps since midnight")
    func readme() async throws {
        let received = Recorder<Int>()
        @Sendable func print(_ steps: NSNumber) { received.add(steps.intValue) }
        let wearer = try Wearer(.errand)
        let (history, device, midnight) = (try wearer.history(), ManualDevice(), wearer.date(0))
        defer { MotionCoprocessor.default = nil }
        MotionCoprocessor.default = MotionCoprocessor(history: history, device: device)

        CMPedometer().queryPedometerData(from: midnight, to: Date()) { data, error in
            print(data?.numberOfSteps ?? 0)
        }
        #expect(await received.first() == wearer.events.steps.count)
        device.end()
    }

    @Test("a coprocessor may have a missing device")
    func coprocessor() async throws {
        let folder = try Folder()
        let file = folder.url.appending(path: "history.sqlite")
        defer { MotionCoprocessor.default = nil }
        MotionCoprocessor.default = MotionCoprocessor(
            history: try MotionHistory(at: file),
            device: WireDevice(.serial(path: "/dev/ttyUSB0")),
            stepLength: StepLength(heightMetres: 1.72))
        #expect(CMPedometer.isDistanceAvailable() && CMPedometer.isPaceAvailable())
        await MotionCoprocessor.default?.stop()
    }

    @Test("asynchronous forms return queries and updates")
    func asynchronous() async throws {
        let wearer = try Wearer(.errand)
        let (yesterday, midnight) = (wearer.date(-3600), wearer.date(0))
        let received = Recorder<String>()
        @Sendable func print(_ items: Any...) { received.add(items.map { "\($0)" }.joined(separator: " ")) }
        @Sendable func show(_ activity: MotionActivity) { print("now", activity.stationary) }
        MotionCoprocessor.default = MotionCoprocessor(history: try wearer.history())
        defer { MotionCoprocessor.default = nil }
        let activities = Task {
            let manager = MotionActivityManager()
            for activity in try await manager.queryActivityStarting(from: yesterday, to: .now, to: .main) {
                print(activity.startDate, activity.automotive, activity.stationary)
            }
            for try await activity in manager.updates() { show(activity) }
        }
        let steps = Task {
            let pedometer = Pedometer()
            let today = try await pedometer.queryPedometerData(from: midnight, to: .now)
            for try await update in pedometer.updates(from: midnight) { print(update.steps) }
            print(today.steps)
        }
        let count = wearer.events.steps.count
        #expect(await received.wait { $0.contains("\(count)") && $0.contains { $0.hasPrefix("now") } }.count > 3)
        for task in [activities, steps] { task.cancel() }
    }
}

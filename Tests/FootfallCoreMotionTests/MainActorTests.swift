import Footfall
import FootfallHistory
import FootfallLive
import FootfallReaders
import Foundation
import TestSupport
import Testing

// Source from an app in Swift 6, whose classes belong to the main actor, starts here.
#if canImport(CoreMotion)
    import CoreMotion
#else
    import FootfallCoreMotion
#endif

/// The state of a view: methods and closures of the class are handlers and change it directly.
@MainActor
private final class MotionModel {
    private let manager = CMMotionActivityManager()
    private let pedometer = CMPedometer()
    private let counter = CMStepCounter()
    private(set) var activities: [CMMotionActivity] = []
    private(set) var steps = 0
    private(set) var hundreds = 0
    private(set) var events: [CMPedometerEventType] = []
    private(set) var rows: [String] = []
    private(set) var message = ""

    func start(from date: Date) {
        manager.startActivityUpdates(to: .main, withHandler: update)
        pedometer.startUpdates(from: date, withHandler: self.update)
        pedometer.startEventUpdates(handler: self.happen)
        counter.startStepCountingUpdates(to: .main, updateOn: 20, withHandler: self.count)
    }

    func startWithClosures(from date: Date) {
        manager.startActivityUpdates(to: .main) { [weak self] activity in
            guard let self, let activity else { return }
            activities.append(activity)
        }
        pedometer.startUpdates(from: date) { data, error in
            self.steps = data?.numberOfSteps.intValue ?? 0
        }
        pedometer.startEventUpdates { [weak self] event, error in
            guard let event else { return }
            DispatchQueue.main.async { self?.events.append(event.type) }
        }
        counter.startStepCountingUpdates(to: OperationQueue(), updateOn: 20) { count, date, error in
            Task { @MainActor in self.hundreds = count }
        }
    }

    func load(from start: Date, to end: Date) {
        manager.queryActivityStarting(from: start, to: end, to: .main, withHandler: list)
        pedometer.queryPedometerData(from: start, to: end) { data, error in
            self.message = data.map { "\($0.numberOfSteps) steps" } ?? "\(String(describing: error))"
        }
    }

    func stop() {
        manager.stopActivityUpdates()
        pedometer.stopUpdates()
        pedometer.stopEventUpdates()
        counter.stopStepCountingUpdates()
    }

    private func update(_ activity: CMMotionActivity?) {
        if let activity { activities.append(activity) }
    }

    private func update(_ data: CMPedometerData?, _ error: (any Error)?) {
        steps = data?.numberOfSteps.intValue ?? 0
    }

    private func happen(_ event: CMPedometerEvent?, _ error: (any Error)?) {
        if let event { events.append(event.type) }
    }

    private func count(_ count: Int, _ date: Date, _ error: (any Error)?) {
        hundreds = count
    }

    private func list(_ activities: [CMMotionActivity]?, _ error: (any Error)?) {
        rows = (activities ?? []).map { $0.walking ? "walking" : $0.stationary ? "stationary" : "other" }
    }
}

// The app's source ends here. The tests give it simulated motion.

extension PortedSnippetTests {
    @Test("has handlers that belong to the main actor", arguments: [false, true])
    @MainActor
    func mainActor(hasClosures: Bool) async throws {
        let device = ManualDevice()
        let history = try MotionHistory.inMemory()
        let wearer = try Wearer(.errand, from: Timestamp(Date()))
        let steps = wearer.events.steps.count
        try await with(MotionCoprocessor(history: history, device: device)) {
            let model = MotionModel()
            if hasClosures { model.startWithClosures(from: wearer.date(0)) } else { model.start(from: wearer.date(0)) }
            device.send(wearer.batches)
            device.end()
            try await wait { model.steps == steps && model.events.last == .pause && model.hundreds > 0 }
            try await wait { model.activities.last?.stationary == true && model.activities.contains(where: \.walking) }
            #expect(model.events.first == .resume && model.hundreds <= steps)
            model.load(from: wearer.date(0), to: wearer.date(180))
            try await wait { !model.rows.isEmpty && !model.message.isEmpty }
            #expect(
                model.message == "\(steps) steps" && model.rows.prefix(3) == ["stationary", "walking", "stationary"])
            model.stop()
        }
    }

    @Test("is not called on the main actor after it has stopped there")
    @MainActor
    func stop() async throws {
        let history = try MotionHistory.inMemory()
        let wearer = try Wearer(.errand, from: Timestamp(Date()))
        for round in 0..<20 {
            let device = ManualDevice()
            try await with(MotionCoprocessor(history: history, source: "\(round)", device: device)) {
                let model = MotionModel()
                model.start(from: wearer.date(0))
                for batch in wearer.batches.prefix(80 + round) { device.send([batch]) }
                try await wait { model.steps > 0 }
                model.stop()
                let (steps, activities) = (model.steps, model.activities.count)
                device.send(wearer.batches.dropFirst(80 + round))
                device.end()
                for try await _ in CMPedometer().updates(from: wearer.date(0)) {}
                #expect(model.steps == steps && model.activities.count == activities)
            }
        }
    }

    /// Waits until something is so.
    @MainActor
    private func wait(until isTrue: () -> Bool) async throws {
        #expect(try await eventually { isTrue() })
    }
}

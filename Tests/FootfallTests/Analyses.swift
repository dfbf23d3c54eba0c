import Footfall
import FootfallSimulator
import Synchronization
import TestSupport

/// The settled events of simulations. Each simulation is analyzed once for all tests.
enum Analyses {
    private struct Key: Hashable {
        let scenario: Scenario
        let seed: UInt64
        let sensor: SensorModel
    }

    private static let cache = Mutex<[Key: [MotionEvent]]>([:])

    static func events(
        _ scenario: Scenario, seed: UInt64, sensor: SensorModel = SensorModel(sampleRate: 50)
    ) throws -> [MotionEvent] {
        let key = Key(scenario: scenario, seed: seed, sensor: sensor)
        if let events = cache.withLock({ $0[key] }) { return events }
        let events = try Simulation(scenario, seed: seed, sensor: sensor).events
        cache.withLock { $0[key] = events }
        return events
    }
}

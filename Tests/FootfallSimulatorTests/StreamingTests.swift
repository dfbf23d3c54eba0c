import Footfall
import FootfallSimulator
import Testing

@Suite("A week of samples")
struct StreamingTests {
    @Test("the state after hours is as small as after a minute")
    func boundedState() throws {
        let sensor = SensorModel(sampleRate: 12.5)
        let simulation = try Simulation(.week, seed: 1, sensor: sensor, samplesPerBatch: 300)
        var iterator = simulation.makeIterator()
        var batch = iterator.next()
        let atStart = storedElements(in: iterator)
        for _ in 0..<(8 * 60) where batch != nil { batch = iterator.next() }
        #expect(try #require(batch?.times.first).seconds(since: .epoch) > 10_000)
        // Only the template of a stride may be added.
        #expect(storedElements(in: iterator) <= atStart + 256)
    }

    /// The number of elements in all collections within a value.
    private func storedElements(in value: Any) -> Int {
        let mirror = Mirror(reflecting: value)
        let own = mirror.displayStyle == .collection ? mirror.children.count : 0
        return mirror.children.reduce(own) { $0 + storedElements(in: $1.value) }
    }
}

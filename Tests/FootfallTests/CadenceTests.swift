import Footfall
import FootfallSimulator
import TestSupport
import Testing

@Suite("Cadence and distance")
struct CadenceTests {
    private func steps(at seconds: [Double]) -> [Step] {
        seconds.map { Step(time: Timestamp.epoch.advanced(bySeconds: $0)) }
    }

    @Test("a steady walk has its cadence at every step, including the first and the last")
    func steady() {
        let cadences = steps(at: (0..<40).map { Double($0) * 0.5 }).cadences()
        #expect(cadences.count == 40)
        #expect(cadences.allSatisfy { abs($0.stepsPerMinute - 120) < 1e-6 })
    }

    @Test("a missed and a falsely added step have no effect")
    func robust() {
        var times = (0..<40).map { Double($0) * 0.5 }
        times.remove(at: 20)
        times.insert(5.25, at: 11)
        let cadences = steps(at: times).cadences()
        #expect(cadences.count == 40)
        #expect(cadences.allSatisfy { abs($0.stepsPerMinute - 120) < 1e-6 })
    }

    @Test("the cadence of a limp is the mean of its long and its short steps")
    func limp() {
        let times: [Double] = (0..<40).map { $0.isMultiple(of: 2) ? Double($0) * 0.5 : Double($0) * 0.5 + 0.06 }
        let cadences = steps(at: times).cadences()
        #expect(cadences.count == 40)
        #expect(cadences.dropFirst(6).dropLast(6).allSatisfy { abs($0.stepsPerMinute - 120) < 5 })
    }

    @Test("the cadence follows the walker, and a pause separates two walks")
    func changes() {
        let slow = (0..<30).map { Double($0) * 0.75 }
        let quick = (0..<30).map { 30 + Double($0) * 0.4 }
        let cadences = steps(at: slow + quick + [60]).cadences()
        #expect(cadences.count == 60)
        #expect(cadences.prefix(30).allSatisfy { abs($0.stepsPerMinute - 80) < 1e-6 })
        #expect(cadences.suffix(30).allSatisfy { abs($0.stepsPerMinute - 150) < 1e-6 })
    }

    @Test("no steps, one step and steps at the same time have no cadence")
    func nothing() {
        #expect([Step]().cadences().isEmpty)
        #expect(steps(at: [3]).cadences().isEmpty)
        #expect(steps(at: [3, 3]).cadences().isEmpty)
        #expect(steps(at: [3, 3.5]).cadences(over: 0).count == 2)
    }

    @Test("a step length converts steps to a distance and a cadence to a pace")
    func distance() throws {
        let length = StepLength(metres: 0.75)
        #expect(length.distance(ofSteps: 2000) == 1500)
        #expect(try #require(length.pace(atStepsPerMinute: 120)) == 1 / 1.5)
        #expect(length.pace(atStepsPerMinute: 0) == nil)
    }

    @Test("a body height gives the step length of easy walking")
    func height() {
        // Adults: 0.6 to 0.8 m.
        #expect((0.60...0.64).contains(StepLength(heightMetres: 1.5).metres))
        #expect((0.76...0.80).contains(StepLength(heightMetres: 1.87).metres))
    }

    @Test("steps of a clear walk are of high quality")
    func quality() throws {
        // A minute at 110 steps a minute.
        let walk = try Simulation(Scenario.walk.lasting(60), seed: 3, sensor: SensorModel(sampleRate: 50))
        let qualities = walk.events.steps.map(\.quality)
        #expect(qualities.count > 100)
        #expect(qualities.allSatisfy { (0...1).contains($0) })
        #expect(qualities.filter { $0 >= 0.9 }.count * 10 >= qualities.count * 8)
    }
}

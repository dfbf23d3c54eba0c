import Footfall
import FootfallMeasures
import FootfallSimulator
import Foundation
import Testing

@Suite("Gait measures")
struct GaitMeterTests {
    /// A walk of a sensor with the z axis upwards: its steps, and its samples from 2 s before to 2 s after them.
    private struct Walk {
        var steps: [Double]
        var rate = 100.0
        /// The vertical acceleration in g, without gravity, at a time in seconds.
        var vertical: (Double) -> Float

        var samples: [AccelerationSample] {
            let (first, last) = (steps.first ?? 0, steps.last ?? 0)
            return (0...Int((last - first + 4) * rate)).map { index in
                let time = first - 2 + Double(index) / rate
                return AccelerationSample(time: .epoch.advanced(bySeconds: time), x: 0, y: 0, z: 1 + vertical(time))
            }
        }

        /// A signal of a step component and a stride component, with amplitudes in g.
        init(seconds: Double = 20, stepTime: Double = 0.5, step: Double = 0.3, stride: Double = 0) {
            steps = (0...Int(seconds / stepTime)).map { 10 + Double($0) * stepTime }
            vertical = { time in
                let phase = .pi * (time - 10) / stepTime
                return Float(step * cos(2 * phase) + stride * cos(phase))
            }
        }

        /// A crest at each contact. The detector spaces the steps evenly, as the analyzer does.
        init(contacts: [Double]) {
            let interval = (contacts[contacts.count - 1] - contacts[0]) / Double(contacts.count - 1)
            steps = contacts.indices.map { contacts[0] + Double($0) * interval }
            vertical = { time in Float(contacts.reduce(-0.1) { $0 + 0.6 * exp(-pow(($1 - time) / 0.08, 2)) }) }
        }
    }

    private static func measures(
        of walk: Walk, at placement: SensorPlacement? = .lowerBack, leastSeconds: Double = GaitMeter.leastSeconds
    ) -> [GaitMeasures] {
        var meter = GaitMeter(placement: placement, leastSeconds: leastSeconds)
        add(walk.samples, to: &meter)
        let steps = walk.steps.map { MotionEvent.step(Step(time: .epoch.advanced(bySeconds: $0))) }
        return meter.add(steps) + meter.finish()
    }

    private static func measures(of simulation: Simulation, at placement: SensorPlacement?) -> [GaitMeasures] {
        var meter = GaitMeter(placement: placement)
        var (intake, analyzer) = (SampleIntake(), MotionAnalyzer())
        var bouts: [GaitMeasures] = []
        for batch in simulation {
            let samples = intake.add(batch)
            meter.add(samples)
            bouts += meter.add(analyzer.analyze(samples))
        }
        let rest = intake.finish()
        meter.add(rest)
        return bouts + meter.add(analyzer.analyze(rest)) + meter.finish()
    }

    private static func add(_ samples: [AccelerationSample], to meter: inout GaitMeter) {
        var intake = SampleIntake()
        meter.add(intake.add(SampleBatch(samples)))
        meter.add(intake.finish())
    }

    private static func walk(_ gait: Gait, rate: Double = 100, seconds: Double = 58) throws -> Simulation {
        try Simulation(
            Scenario(name: "walk", placement: .hip, scenes: [Scene(.walking(gait), for: seconds)]), seed: 3,
            sensor: SensorModel(sampleRate: rate))
    }

    @Test("Equal steps have regularity 1, symmetry 1, and no deviation")
    func equalSteps() throws {
        let bout = try #require(Self.measures(of: Walk()).first)
        #expect(bout.steps == 41)
        #expect(abs(bout.cadence - 120) < 1e-6)
        #expect(abs(bout.stepTime - 0.5) < 1e-6)
        #expect(abs(bout.strideTime - 1) < 1e-6)
        for (value, expected) in [
            (bout.stepRegularity, 1.0), (bout.strideRegularity, 1), (bout.stepSymmetry, 1),
            (bout.stepTimeDeviation, 0), (bout.strideTimeDeviation, 0), (bout.stepTimeAsymmetry, 0),
        ] {
            #expect(abs(try #require(value) - expected) < 0.005)
        }
        #expect(bout.withheld.isEmpty)
    }

    @Test("Regularity, symmetry and harmonic ratio of two cosines are worked by hand")
    func twoCosines() throws {
        // 0.3 cos(2φ) + 0.1 cos(φ), where φ grows by π with each step. The autocorrelation at a step is (0.09 − 0.01) /
        // (0.09 + 0.01) = 0.8, at a stride 1. The even harmonic has the amplitude 0.3, the odd one 0.1: the ratio is 3.
        let bout = try #require(Self.measures(of: Walk(seconds: 40, stride: 0.1)).first)
        #expect(abs(try #require(bout.stepRegularity) - 0.8) < 0.005)
        #expect(abs(try #require(bout.strideRegularity) - 1) < 0.005)
        #expect(abs(try #require(bout.stepSymmetry) - 0.8) < 0.008)
        #expect(abs(try #require(bout.harmonicRatio) - 3) < 0.02)
    }

    @Test("Each axis has the root mean square of its motion, without gravity")
    func rootMeanSquare() throws {
        // 0.3 g of a cosine are 0.3 / √2 g.
        let rms = try #require(Self.measures(of: Walk()).first?.rms)
        #expect(rms.x == 0 && rms.y == 0 && abs(rms.z - 0.3 / 2.0.squareRoot()) < 0.001)
    }

    @Test("The vertical excursion of a cosine is worked by hand", arguments: [0.45, 0.6, 0.9])
    func verticalExcursion(stepTime: Double) throws {
        // An acceleration a cos(ω t) is that of a position −a / ω² cos(ω t).
        let frequency = 2 * Double.pi / stepTime
        let excursion = 2 * 0.3 * 9.80665 / (frequency * frequency)
        let bout = try #require(Self.measures(of: Walk(stepTime: stepTime)).first)
        #expect(abs(try #require(bout.verticalExcursion) - excursion) < 0.02 * excursion)
    }

    @Test("A limp has two step times, worked by hand")
    func limp() throws {
        // Steps of 0.5 s and 0.6 s in turn: the means differ by 0.1 s, and the deviation of 40 values is 0.05 √(40 /
        // 39) s.
        var contacts = [10.0]
        for index in 0..<40 { contacts.append(contacts[index] + (index.isMultiple(of: 2) ? 0.5 : 0.6)) }
        let bout = try #require(Self.measures(of: Walk(contacts: contacts)).first)
        #expect(abs(try #require(bout.stepTimeAsymmetry) - 0.1) < 0.004)
        #expect(abs(try #require(bout.stepTimeDeviation) - 0.0506) < 0.002)
        #expect(try #require(bout.strideTimeDeviation) < 0.002)
        #expect(abs(try #require(bout.stepTimeVariation) - 0.0506 / 0.55) < 0.004)
    }

    @Test("More components per stride have a longer spectral arc")
    func arcLength() throws {
        let smooth = try #require(Self.measures(of: Walk()).first?.spectralArcLength)
        let rough = try #require(Self.measures(of: Walk(stride: 0.15)).first?.spectralArcLength)
        #expect(smooth < 0)
        #expect(rough < smooth)
    }

    @Test("A simulated walk has the deviation and the asymmetry of its contacts", arguments: [25.0, 100])
    func simulatedTruth(rate: Double) throws {
        let simulation = try Self.walk(Gait(cadence: 105, variation: 0.03, asymmetry: 0.06), rate: rate)
        let bouts = Self.measures(of: simulation, at: .lowerBack)
        let bout = try #require(bouts.first)
        #expect(bouts.count == 1)
        let truth = simulation.truth.steps.map(\.time).filter { bout.range.contains($0) }
        let times = zip(truth, truth.dropFirst()).map { $1.seconds(since: $0) }
        func mean(_ values: [Double]) -> Double { values.reduce(0, +) / Double(values.count) }
        let halves = (0...1).map { half in mean(times.indices.filter { $0 % 2 == half }.map { times[$0] }) }
        #expect(abs(bout.stepTime - mean(times)) < 0.005)
        #expect(abs(try #require(bout.stepTimeAsymmetry) - abs(halves[0] - halves[1])) < 0.02)
        let strides = zip(truth, truth.dropFirst(2)).map { $1.seconds(since: $0) }
        let deviation = mean(strides.map { pow($0 - mean(strides), 2) }).squareRoot()
        #expect(abs(try #require(bout.strideTimeDeviation) - deviation) < 0.01)
    }

    @Test("A sensor at 12.5 Hz has step times and no other measure")
    func slowSensor() throws {
        let bouts = Self.measures(of: try Self.walk(.walk, rate: 12.5), at: .lowerBack)
        let bout = try #require(bouts.first)
        #expect(abs(bout.stepTime - 60 / 110) < 0.01)
        #expect(bout.harmonicRatio == nil)
        #expect(bout.stepRegularity == nil)
        let ratio = try #require(bout.withheld.first { $0.measures.contains(.harmonicRatio) })
        #expect(ratio.text.hasPrefix("harmonicRatio: 12.5 Hz is too low, 36."))
    }

    @Test("25 Hz carry all measures but the harmonic ratio")
    func mediumSensor() throws {
        let bout = try #require(Self.measures(of: try Self.walk(.walk, rate: 25), at: .lowerBack).first)
        #expect(bout.withheld.map(\.measures) == [[.harmonicRatio]])
        #expect(bout.stepRegularity != nil)
    }

    @Test("A wrist, or a placement that is not stated, has step times and no other measure")
    func otherPlacements() throws {
        let wrist = try #require(Self.measures(of: Walk(), at: .wrist).first)
        #expect(wrist.withheld.map(\.reason) == [.placementNotValidated(.wrist)])
        #expect(wrist.withheld.map(\.measures) == [GaitMeasure.allCases])
        let unknown = try #require(Self.measures(of: Walk(), at: nil).first)
        #expect(unknown.withheld.map(\.reason) == [.placementUnknown])
        for bout in [wrist, unknown] {
            #expect(abs(bout.stepTime - 0.5) < 1e-6)
            let values = [
                bout.stepTimeDeviation, bout.strideTimeDeviation, bout.stepTimeAsymmetry, bout.stepRegularity,
                bout.strideRegularity, bout.harmonicRatio, bout.spectralArcLength, bout.verticalExcursion, bout.rms?.x,
            ]
            #expect(values.allSatisfy { $0 == nil })
        }
    }

    @Test("Missing samples, and a signal without crests, withhold the measures")
    func unusableSignals() throws {
        let walk = Walk()
        var meter = GaitMeter(placement: .lowerBack)
        Self.add(
            walk.samples.filter { !(1500..<1600).contains($0.time.nanosecondsSince1970 / 10_000_000) }, to: &meter)
        let steps = walk.steps.map { MotionEvent.step(Step(time: .epoch.advanced(bySeconds: $0))) }
        let broken = try #require((meter.add(steps) + meter.finish()).first)
        #expect(broken.withheld.map(\.reason) == [.samplesMissing])
        let flat = try #require(Self.measures(of: Walk(step: 0)).first)
        #expect(flat.withheld.map(\.reason) == [.contactsUnclear])
    }

    @Test("A bout needs five steps in three seconds, or the duration that is given")
    func leastDuration() {
        #expect(Self.measures(of: Walk(seconds: 2.5)).isEmpty)
        #expect(Self.measures(of: Walk(seconds: 3.2, stepTime: 0.8)).map(\.steps) == [5])
        #expect(Self.measures(of: Walk(seconds: 3.2, stepTime: 1)).isEmpty)
        #expect(Self.measures(of: Walk(seconds: 9.5), leastSeconds: 10).isEmpty)
        #expect(Self.measures(of: Walk(seconds: 10), leastSeconds: 10).count == 1)
    }

    @Test("A missing step, or a pause, ends a bout, and a minute does too")
    func boutEnds() {
        func bouts(_ steps: [Double]) -> [Double] {
            var meter = GaitMeter()
            let events = steps.map { MotionEvent.step(Step(time: .epoch.advanced(bySeconds: $0))) }
            return (meter.add(events) + meter.finish()).map { ($0.range.seconds * 100).rounded() / 100 }
        }
        let walk = (0...30).map { Double($0) * 0.5 }
        #expect(bouts(walk + (2...30).map { 15 + Double($0) * 0.5 }) == [15, 14])
        #expect(bouts(walk + walk.map { $0 + 17 }) == [15, 15])
        #expect(bouts((0...300).map { Double($0) * 0.55 }) == [59.95, 59.95, 45.1])
    }

    @Test("Uneven steps have a bout, with their variation")
    func unevenSteps() throws {
        var meter = GaitMeter()
        let slow = (0...20).map { Double($0) * 0.7 }
        let steps = (slow + (1...20).map { 14 + Double($0) * 0.5 }).map {
            MotionEvent.step(Step(time: .epoch.advanced(bySeconds: $0)))
        }
        let bout = try #require((meter.add(steps) + meter.finish()).first)
        // 20 times of 0.7 s and 20 of 0.5 s: the mean is 0.6 s, the deviation 0.1 √(40 / 39) s.
        #expect(bout.steps == 41 && abs(bout.stepTime - 0.6) < 1e-6)
        #expect(abs(bout.cadenceVariation - 0.1 * (40.0 / 39).squareRoot() / 0.6) < 1e-6)
        let even = try #require(Self.measures(of: Walk()).first)
        #expect(even.cadenceVariation < 1e-6)
    }

    @Test("How samples are cut into batches changes no measure")
    func batches() throws {
        let scenes: [Scene] = [
            Scene(.standing, for: 20), Scene(.walking(.walk), for: 75), Scene(.sitting, for: 100),
            Scene(.walking(.stroll), for: 25),
        ]
        let scenario = Scenario(name: "day", placement: .hip, scenes: scenes)
        let results = try [100_000, 1, 7].map { size in
            let sensor = SensorModel(sampleRate: 25)
            let simulation = try Simulation(scenario, seed: 5, sensor: sensor, samplesPerBatch: size)
            return Self.measures(of: simulation, at: .lowerBack)
        }
        #expect(results[0].count == 3)
        #expect(results[0].allSatisfy { $0.stepRegularity != nil })
        #expect(results[1] == results[0])
        #expect(results[2] == results[0])
    }

    @Test("The example in the documentation gives the bouts of a walk, and the medians of its day")
    func documentation() throws {
        var bouts: [GaitMeasures] = []
        func record(_ new: [GaitMeasures]) { bouts += new }
        var analyzer = MotionAnalyzer()
        let batches = try Self.walk(.walk, rate: 50, seconds: 30)
        var intake = SampleIntake()
        var meter = GaitMeter(placement: .lowerBack)
        for batch in batches {
            let samples = intake.add(batch)
            meter.add(samples)
            record(meter.add(analyzer.analyze(samples)))
        }
        let rest = intake.finish()
        meter.add(rest)
        record(meter.add(analyzer.analyze(rest)) + meter.finish())
        #expect(bouts.count == 1)
        let range = Timestamp.epoch ..< .epoch.advanced(bySeconds: 86_400)
        let day = GaitSummary(bouts: bouts, in: range)
        print(day.median(\.stepTime) ?? .nan, day.median(\.harmonicRatio) ?? .nan)
        #expect(day.median(\.harmonicRatio) == bouts.first?.harmonicRatio)
    }

    @Test("The summary of a day has medians of the bouts that start in it")
    func summary() throws {
        let bouts = [0.5, 0.6, 0.8].flatMap { Self.measures(of: Walk(stepTime: $0)) }
        let day = GaitSummary(bouts: bouts, in: .epoch ..< .epoch.advanced(bySeconds: 86_400))
        #expect(day.bouts.count == 3)
        #expect(abs(day.seconds - 20 - 19.8 - 20) < 1e-6)
        #expect(abs(try #require(day.median(\.stepTime)) - 0.6) < 1e-6)
        #expect(abs(try #require(day.interquartileRange(\.stepTime)) - 0.15) < 1e-6)
        #expect(GaitSummary(bouts: bouts, in: .epoch ..< .epoch.advanced(bySeconds: 5)).median(\.stepTime) == nil)
    }
}

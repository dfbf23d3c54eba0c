import Footfall
import FootfallMeasures
import Foundation
import TestSupport
import Testing

@Suite("Epoch measures")
struct EpochMeterTests {
    /// A sample at a time in seconds since 1970.
    private static func sample(_ seconds: Double, _ x: Float, _ y: Float, _ z: Float) -> AccelerationSample {
        AccelerationSample(time: .epoch.advanced(bySeconds: seconds), x: x, y: y, z: z)
    }

    /// Samples at a rate, from a time on.
    private static func samples(
        rate: Double = 10, from start: Double = 0, seconds: Double, _ acceleration: (Int) -> SIMD3<Float>
    ) -> [AccelerationSample] {
        (0..<Int(seconds * rate)).map { index in
            let a = acceleration(index)
            return sample(start + Double(index) / rate, a.x, a.y, a.z)
        }
    }

    private static func epochs(
        of samples: [AccelerationSample], batch: Int = .max, length: EpochLength = .five
    ) -> [EpochMeasures] {
        var (intake, meter) = (SampleIntake(), EpochMeter(length: length))
        var epochs: [EpochMeasures] = []
        for start in stride(from: 0, to: samples.count, by: min(batch, max(samples.count, 1))) {
            let part = SampleBatch(samples[start..<min(samples.count, start + min(batch, samples.count))])
            epochs += meter.add(intake.add(part))
        }
        return epochs + meter.add(intake.finish()) + meter.finish()
    }

    @Test("ENMO sets negative values to 0, and MAD is the mean distance from the mean")
    func alternating() throws {
        // ‖a‖ is 1.1 g and 0.9 g in turn. ENMO: (100 + 0) / 2 = 50 mg. MAD: the mean is 1 g, each sample is 100 mg off.
        let epochs = Self.epochs(of: Self.samples(seconds: 10) { [0, 0, $0.isMultiple(of: 2) ? 1.1 : 0.9] })
        #expect(epochs.count == 2)
        let epoch = try #require(epochs.first)
        #expect(abs(epoch.enmoMg - 50) < 0.01)
        #expect(abs(epoch.madMg - 100) < 0.01)
        #expect(epoch.angleZDegrees == 90)
        #expect(epoch.clipped == 0)
        #expect(epoch.isWorn)
        #expect(epoch.coverage == 5)
    }

    @Test("Epochs of every length add up to the same motion", arguments: EpochLength.allCases)
    func lengths(length: EpochLength) throws {
        // Four minutes at 30 Hz, which is a rate of the counts: a swing of 1 Hz that grows.
        let samples = Self.samples(rate: 30, seconds: 240) { index in
            let time = Float(index) / 30
            return [0, 1 + time / 240 * sin(2 * .pi * time), 0.1]
        }
        let (usual, epochs) = (Self.epochs(of: samples), Self.epochs(of: samples, batch: 7, length: length))
        #expect(epochs.count == 240 / length.rawValue && epochs.allSatisfy { $0.length == length })
        for (index, epoch) in epochs.enumerated() {
            #expect(epoch.start == .epoch.advanced(bySeconds: Double(index * length.rawValue)))
            #expect(abs(epoch.coverage - length.seconds) < 0.05)
        }
        func mean(_ epochs: [EpochMeasures]) -> Double { epochs.reduce(0) { $0 + $1.enmoMg } / Double(epochs.count) }
        #expect(abs(mean(epochs) - mean(usual)) < 0.01)
        // The first and the last epoch have no counts, whatever their length: the two minutes between have all.
        func counts(_ epochs: [EpochMeasures]) -> Int? {
            let middle = epochs.filter { (60..<180).contains($0.start.seconds(since: .epoch)) }.map(\.counts)
            return middle.contains(nil) ? nil : middle.reduce(0) { $0 + ($1?.y ?? 0) }
        }
        #expect(counts(epochs) == counts(usual) && counts(usual) ?? 0 > 0)
    }

    @Test("Five samples are worked by hand")
    func fiveSamples() throws {
        // ‖a‖: 1, 1, 1, 1.5 (0.9² + 1.2² = 2.25), 0.5. ENMO: 500 / 5 = 100 mg. The mean is 1 g. MAD: (500 + 500) / 5 =
        // 200 mg. Medians: x 0.6, y 0, z 0.8: atan(0.8 / 0.6) = 53.1301°.
        let values: [SIMD3<Float>] = [[0.6, 0, 0.8], [0.6, 0, 0.8], [0.6, 0, 0.8], [0.9, 0, 1.2], [0.3, 0, 0.4]]
        let epochs = Self.epochs(of: Self.samples(rate: 1, seconds: 5) { values[$0] })
        let epoch = try #require(epochs.first)
        #expect(abs(epoch.enmoMg - 100) < 0.01)
        #expect(abs(epoch.madMg - 200) < 0.01)
        #expect(abs(try #require(epoch.angleZDegrees) - 53.1301) < 0.001)
        #expect(abs(epoch.coverage - 4) < 1e-6)
    }

    @Test("The angle is that of the medians, whatever the sign and the number of samples", arguments: 8...12)
    func medians(count: Int) throws {
        func value(_ index: Int, _ factor: Int) -> Float { Float(index * factor % 101 - 50) / 40 }
        let samples = (0..<count).map { index in
            Self.sample(
                Double(index) * 0.4, value(index, 37), value(index, 59), index == 3 ? -0.0 : value(index, 83))
        }
        try Self.checkAngle(of: samples)
    }

    @Test(
        "The angle of many samples is that of the medians, also with few distinct and with uneven values",
        arguments: 1...40)
    func manyMedians(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let count = Int.random(in: 30...700, using: &generator)
        func value() -> Float {
            let value = Float.random(in: -1...1, using: &generator)
            return switch seed % 4 {
            case 0: value
            case 1: (value * 3).rounded() / 3
            case 2: (value * 64).rounded() / 64
            default: value * pow(10, -20 * abs(value))
            }
        }
        let samples = (0..<count).map { Self.sample(Double($0) * 4.99 / Double(count), value(), value(), value()) }
        try Self.checkAngle(of: samples)
    }

    /// Compares the angle of one epoch with that of medians of sorted values.
    private static func checkAngle(of samples: [AccelerationSample]) throws {
        func median(_ values: [Float]) -> Double {
            let sorted = values.map(Double.init).sorted()
            return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
        }
        let (x, y, z) = (median(samples.map(\.x)), median(samples.map(\.y)), median(samples.map(\.z)))
        let angle = epochs(of: samples).first?.angleZDegrees
        let expected = (x, y, z) == (0, 0, 0) ? nil : atan2(z, (x * x + y * y).squareRoot()) * 180 / .pi
        #expect(angle == expected)
    }

    @Test("Epochs are aligned to the clock, and one covered by less than half is left out")
    func alignment() {
        let starts = Self.epochs(of: Self.samples(from: 3, seconds: 15) { _ in [0, 0, 1] }).map(\.start)
        #expect(starts == [5, 10, 15].map { .epoch.advanced(bySeconds: $0) })
        let earlier = Self.epochs(of: Self.samples(from: -7.5, seconds: 10) { _ in [0, 0, 1] })
        #expect(earlier.map(\.start) == [-10, -5].map { .epoch.advanced(bySeconds: $0) })
    }

    @Test("A gap has no epochs, and the epochs at its ends state their coverage")
    func gap() {
        let samples =
            Self.samples(seconds: 13) { _ in [0, 0, 1] } + Self.samples(from: 1007, seconds: 8) { _ in [0, 1, 0] }
        let epochs = Self.epochs(of: samples)
        #expect(epochs.map(\.start) == [0, 5, 10, 1005, 1010].map { .epoch.advanced(bySeconds: $0) })
        #expect(epochs.map(\.angleZDegrees) == [90, 90, 90, 0, 0])
        for (coverage, expected) in zip(epochs.map(\.coverage), [5, 5, 2.9, 3, 4.9]) {
            #expect(abs(coverage - expected) < 1e-6)
        }
    }

    @Test("A gap inside an epoch is not covered")
    func innerGap() {
        let samples =
            Self.samples(seconds: 1) { _ in [0, 0, 1] } + Self.samples(from: 3.2, seconds: 8) { _ in [0, 0, 1] }
        // The first epoch is covered from 0 to 0.9 s and from 3.2 s to 5 s: 2.7 s.
        let coverages = Self.epochs(of: samples).map(\.coverage)
        #expect(coverages.count == 2)
        #expect(abs(coverages[0] - 2.7) < 1e-6)
    }

    @Test("A sensor without a direction has no angle")
    func noDirection() {
        let epochs = Self.epochs(of: Self.samples(seconds: 5) { _ in [0, 0, 0] })
        #expect(epochs.map(\.angleZDegrees) == [nil])
        #expect(epochs.map(\.enmoMg) == [0])
    }

    @Test("The clipped share is that of the axis with the most clipped values")
    func clipped() throws {
        // x stays at 2 g for samples 10–19, which repeat it 9 times; z stays at −2 g for samples 30–35, 5 times.
        let epochs = Self.epochs(
            of: Self.samples(seconds: 10) { index in
                switch index {
                case 10..<20: [2, 0, 0]
                case 30..<36: [0, 0, -2]
                default: [0, 0.1 * Float(index % 2), 1]
                }
            })
        #expect(epochs.map(\.clipped) == [9 / 50.0, 0])
    }

    @Test("A value that was not the end of the range is not clipped")
    func notTheEnd() {
        // Both 2 g are repeated, and 3 g follows.
        let epochs = Self.epochs(
            of: Self.samples(seconds: 15) { index in
                switch index {
                case 10..<20: [2, 0, 0]
                case 120..<124: [3, 0, 0]
                default: [0, 0, 1]
                }
            })
        #expect(epochs.map(\.clipped) == [0, 0, 3 / 50.0])
    }

    @Test("An hour without movement is not worn, half an hour is")
    func wear() {
        func moving(_ from: Double, _ seconds: Double) -> [AccelerationSample] {
            Self.samples(from: from, seconds: seconds) { [0, 0.2 * Float($0 % 3), 1] }
        }
        func still(_ from: Double, _ seconds: Double) -> [AccelerationSample] {
            Self.samples(from: from, seconds: seconds) { _ in [0, 0, 1] }
        }
        let epochs = Self.epochs(
            of: moving(0, 600) + still(600, 1800) + moving(2400, 600) + still(3000, 4000) + moving(7000, 5000))
        #expect(epochs.count == 2400)
        let unworn = epochs.filter { !$0.isWorn }.map(\.start)
        #expect(unworn.first == .epoch.advanced(bySeconds: 3000))
        #expect(unworn.last == .epoch.advanced(bySeconds: 6995))
        #expect(unworn.count == 800)
    }

    @Test("An epoch is worn if its middle is")
    func wearOfTheMiddle() {
        // Non-wear begins with the recording, after the start of the first epoch and before its middle.
        let epochs = Self.epochs(of: Self.samples(from: 1.5, seconds: 8000) { _ in [0, 0, 1] })
        #expect(epochs.first?.start == .epoch && epochs.first?.isWorn == false)
    }

    @Test("How samples are cut into batches changes nothing", arguments: [1, 7, 4096])
    func batches(size: Int) {
        /// A number from −2 to 2 that looks random.
        func noise(_ index: Int) -> Float { Float((index &* 7919 &+ index / 13 &* 104_729) % 401) / 100 - 2 }
        let samples =
            Self.samples(rate: 12.5, from: 2, seconds: 6000) { index in
                index < 3000 || index > 60_000
                    ? [noise(index / 2).rounded(), noise(index), 0.5]
                    : [0, 0, 1]
            } + Self.samples(rate: 12.5, from: 6100, seconds: 100) { _ in [0, 0.3, 1] }
        let all = Self.epochs(of: samples)
        #expect(all.count > 1200)
        #expect(all.contains { $0.clipped > 0 } && all.contains { !$0.isWorn })
        #expect(Self.epochs(of: samples, batch: size) == all)
    }

    @Test("Broken samples change nothing")
    func brokenSamples() {
        let good = Self.samples(seconds: 60) { [0, 0.2 * Float($0 % 3), 1] }
        var bad = good
        bad.insert(good[100], at: 101)
        bad.insert(Self.sample(20.01, .nan, 0, 1), at: 201)
        bad.insert(Self.sample(20.02, .infinity, 0, 1), at: 202)
        // A row whose clock is years ahead, and one whose clock runs backwards.
        bad.insert(Self.sample(9e8, 0, 0, 5), at: 300)
        bad.insert(Self.sample(3, 0, 0, 5), at: 400)
        #expect(Self.epochs(of: bad) == Self.epochs(of: good))
    }

    @Test("No samples give no epochs")
    func noSamples() {
        #expect(Self.epochs(of: []).isEmpty)
        #expect(Self.epochs(of: [Self.sample(0, 0, 0, 1)]).isEmpty)
    }

    @Test("Times at the ends of the supported range give epochs")
    func extremeTimes() {
        let first = Timestamp.supported.lowerBound.seconds(since: .epoch)
        #expect(Self.epochs(of: Self.samples(from: first, seconds: 20) { _ in [0, 0, 1] }).count == 4)
        let last = Timestamp.supported.upperBound.seconds(since: .epoch) - 20
        #expect(Self.epochs(of: Self.samples(from: last, seconds: 19) { _ in [0, 0, 1] }).count == 4)
    }

    @Test("More samples than a sensor can take in an epoch keep the memory bounded")
    func tooManySamples() {
        let epochs = Self.epochs(of: Self.samples(rate: 20_000, seconds: 5) { _ in [0, 0, 1.5] })
        #expect(epochs.map(\.enmoMg) == [500])
    }

    @Test("One intake serves the analysis and the epochs, as in the documentation")
    func intake() {
        let batches = [SampleBatch(Self.samples(seconds: 10) { _ in [0, 0, 1] })]
        var (analyzer, epochs) = (MotionAnalyzer(), EpochMeter())
        var (events, measured): ([MotionEvent], [EpochMeasures]) = ([], [])
        func record(_ newEvents: [MotionEvent], _ newEpochs: [EpochMeasures]) {
            events += newEvents
            measured += newEpochs
        }
        var intake = SampleIntake()
        for batch in batches {
            let samples = intake.add(batch)
            record(analyzer.analyze(samples), epochs.add(samples))
        }
        let rest = intake.finish()
        record(analyzer.analyze(rest), epochs.add(rest) + epochs.finish())
        #expect(events == batches.events)
        #expect(measured.count == 2)
    }

    @Test("The example of the documentation runs")
    func example() {
        let batches = [SampleBatch(Self.samples(seconds: 10) { _ in [0, 0, 1] })]
        var count = 0
        func record(_ epochs: [EpochMeasures]) { count += epochs.count }
        var intake = SampleIntake()
        var meter = EpochMeter()
        for batch in batches { record(meter.add(intake.add(batch))) }
        record(meter.add(intake.finish()) + meter.finish())
        #expect(count == 2)
    }
}

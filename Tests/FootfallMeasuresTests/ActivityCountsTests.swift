import Footfall
import FootfallMeasures
import Foundation
import TestSupport
import Testing

@Suite("Activity counts")
struct ActivityCountsTests {
    private static func time(_ seconds: Double) -> Timestamp { .epoch.advanced(bySeconds: seconds) }

    /// Twenty seconds in three bands: inside the band-pass on x, strong and then weak on y, below the dead band on z.
    private static func signal(_ time: Double) -> SIMD3<Float> {
        func sine(_ amplitude: Double, _ frequency: Double) -> Double { amplitude * sin(2 * .pi * frequency * time) }
        return SIMD3(
            Float(sine(0.3, 1) + sine(0.1, 3.1)), Float(-1 + sine(0.8, 2) * (time < 10 ? 1 : 0.05)),
            Float(sine(0.02, 0.7)))
    }

    /// Samples of a signal at a rate, at times that `written` changes.
    private static func samples(
        _ rate: Double, seconds: Double = 20, from start: Double = 0, of signal: (Double) -> SIMD3<Float> = signal,
        written: (Double) -> Double = { $0 }
    ) -> [AccelerationSample] {
        (0..<Int(seconds * rate)).map { index in
            let value = signal(Double(index) / rate)
            return AccelerationSample(
                time: time(start + written(Double(index) / rate)), x: value.x, y: value.y, z: value.z)
        }
    }

    private static func epochs(_ samples: [AccelerationSample], batch: Int = 4096) -> [EpochMeasures] {
        var (intake, meter) = (SampleIntake(), EpochMeter())
        var epochs: [EpochMeasures] = []
        for start in stride(from: 0, to: samples.count, by: batch) {
            epochs += meter.add(intake.add(SampleBatch(samples[start..<min(samples.count, start + batch)])))
        }
        return epochs + meter.add(intake.finish()) + meter.finish()
    }

    private static func counts(_ samples: [AccelerationSample]) -> [[Int]?] {
        epochs(samples).map { $0.counts.map { [$0.x, $0.y, $0.z] } }
    }

    /// The counts that `agcounts` 0.2.6, the program of the publication, has for the signal.
    private static let published: [Double: [[Int]]] = [
        30: [[475, 748, 0], [485, 770, 0], [497, 68, 0], [486, 0, 0]],
        60: [[475, 748, 0], [485, 770, 0], [497, 68, 0], [486, 0, 0]],
        80: [[471, 744, 0], [485, 760, 0], [496, 67, 0], [485, 0, 0]],
        100: [[474, 738, 0], [485, 760, 0], [494, 68, 0], [485, 0, 0]],
    ]

    @Test("Counts are those of the published program, count for count", arguments: [30.0, 60, 80, 100])
    func equalToPublished(rate: Double) {
        #expect(Self.counts(Self.samples(rate)) == Self.published[rate])
    }

    @Test("Times in whole milliseconds change no count", arguments: [30.0, 60, 100])
    func milliseconds(rate: Double) {
        #expect(Self.counts(Self.samples(rate, written: { ($0 * 1000).rounded() / 1000 })) == Self.published[rate])
    }

    @Test(
        "Samples at any rate from 20 Hz have the counts of 30 Hz within a thirtieth",
        arguments: [20, 25, 33.3, 52, 128, 400])
    func otherRates(rate: Double) throws {
        let counts = Self.counts(Self.samples(rate, seconds: 21))
        #expect(counts.count == 4)
        for (found, published) in zip(counts, [475, 485, 497, 486]) {
            #expect(abs(try #require(found)[0] - published) <= published / 30)
        }
    }

    @Test("Below 20 Hz there are no counts")
    func slow() {
        #expect(Self.counts(Self.samples(19)) == [nil, nil, nil, nil])
    }

    @Test("How samples are cut into batches changes no count", arguments: [1, 7, 100, 101, 102])
    func batches(size: Int) {
        let samples = Self.samples(50) + Self.samples(50, from: 100.003)
        let whole = Self.epochs(samples)
        #expect(whole.contains { $0.counts != nil })
        #expect(Self.epochs(samples, batch: size) == whole)
    }

    // The first and the last epoch of the second part are not whole.
    @Test("An epoch with a gap has no counts, and the filter starts anew behind it, at rest")
    func gap() {
        let still = Self.samples(30, seconds: 21, from: 23, of: { _ in [0.6, -0.8, 0] })
        let counts = Self.counts(Self.samples(30) + still)
        let (before, rest) = (Self.published[30] ?? [], [0, 0, 0])
        #expect(counts == before + [rest, rest, rest, nil])
    }

    @Test("A gap of less than two seconds is a line between its ends")
    func shortGap() {
        var samples = Self.samples(30, of: { _ in [0, -1, 0] })
        samples.removeSubrange(170..<220)
        #expect(Self.counts(samples) == Array(repeating: [0, 0, 0], count: 4))
    }

    @Test("The largest values of a sensor overflow nothing")
    func huge() throws {
        let value = Float.greatestFiniteMagnitude / 4
        let epochs = Self.epochs(Self.samples(30, of: { [value * Float(sin($0 * 6)), 0, 0] }))
        // 128 at most, in each tenth of a second.
        #expect(try epochs.allSatisfy { try #require($0.counts).x <= 50 * 128 })
    }
}

@Suite("Cut points of counts")
struct CountCutPointsTests {
    private static let day = time(0)..<time(86_400)

    private static func time(_ seconds: Double) -> Timestamp { .epoch.advanced(bySeconds: seconds) }

    /// Adjacent epochs with counts of the y axis, and a quarter of them on the x axis.
    private static func measures(_ counts: [Int?], from start: Double = 0) -> IntensityMeasures {
        let epochs = zip(0..., counts).map { index, count in
            EpochMeasures(
                start: time(start + 5 * Double(index)), enmoMg: 0, madMg: 0, angleZDegrees: nil,
                counts: count.map { ActivityCounts(x: $0 * 3 / 4, y: $0, z: 0) })
        }
        return IntensityMeasures(epochs: epochs, in: day)
    }

    private static func minute(_ total: Int) -> [Int?] { Array(repeating: 0, count: 11) + [total] }

    private static func minutes(_ measures: IntensityMeasures, _ name: String) throws -> [Double?] {
        let set = try #require(IntensityCutPoints.published(named: name))
        return IntensityLevel.allCases.map { measures.minutes(in: $0, by: set) }
    }

    @Test("A minute has the level of its sum, and a cut point belongs to the level above")
    func minutesOfLevels() throws {
        let totals = [0, 99, 100, 1951, 1952, 5724, 5725, 20_000]
        let day = Self.measures(totals.flatMap(Self.minute))
        #expect(try Self.minutes(day, "freedson-adults-hip-actigraph") == [2, 2, 2, 2, 4])
        #expect(try Self.minutes(day, "troiano-adults-hip-actigraph") == [2, 3, 2, 1, 3])
    }

    @Test("The vector magnitude is that of the sums of the axes")
    func vectorMagnitude() throws {
        // √(1 + 0.75²) = 1.25: 2152 counts of y make 2690.
        let day = Self.measures([2151, 2152, 4933, 4934].flatMap(Self.minute))
        #expect(try Self.minutes(day, "sasaki-adults-hip-actigraph") == [nil, nil, 2, 1, 3])
        #expect(day.countsPerMinute?.y == (2151 + 2152 + 4933 + 4934) / 4.0)
    }

    @Test("Children's cut points count quarters of a minute")
    func quarters() throws {
        let day = Self.measures([0, 0, 25, 0, 0, 26, 0, 0, 574, 0, 1003, 0])
        #expect(try Self.minutes(day, "evenson-children-hip-actigraph") == [0.25, 0.25, 0.25, 0.25, 0.5])
    }

    @Test("A minute that is not worn as a whole, or has an epoch without counts, has no level")
    func partialMinutes() throws {
        var late = Self.minute(3000)
        late[3] = nil
        let day = Self.measures(Array(Self.minute(3000).dropFirst()) + late + Self.minute(3000), from: 5)
        #expect(try Self.minutes(day, "freedson-adults-hip-actigraph") == [0, 0, 1, 0, 1])
        #expect(Self.measures([1, 2, 3]).countsPerMinute == nil)
    }

    @Test("Bouts of counts are made of whole minutes, and one minute may be below")
    func bouts() throws {
        let freedson = try #require(IntensityCutPoints.published(named: "freedson-adults-hip-actigraph"))
        let totals =
            [50] + Array(repeating: 2500, count: 6) + [1000] + Array(repeating: 2500, count: 4) + [50, 50, 2500]
        let bouts = Self.measures(totals.flatMap(Self.minute)).activeBouts(minutes: 10, by: freedson)
        #expect(bouts.map(\.range) == [Self.time(60)..<Self.time(12 * 60)])
    }

    @Test("Own cut points of counts are for minutes; epochs are whole fives of seconds")
    func ownSets() throws {
        func set(_ seconds: Double?) throws -> IntensityCutPoints {
            try IntensityCutPoints(
                name: "mine", metric: .countsY, epochSeconds: seconds, placement: "", age: "", source: "", light: 100,
                moderate: 2000, vigorous: 6000)
        }
        #expect(try set(nil).epochSeconds == 60)
        #expect(try set(10).epochSeconds == 10)
        for seconds in [0, -5, 7, .nan, .infinity] {
            #expect(throws: IntensityCutPoints.OrderError.self) { try set(seconds) }
        }
    }
}

import Footfall
import FootfallMeasures
import TestSupport
import Testing

@Suite("The night between two noons")
struct NightBlockTests {
    private static func time(_ hours: Double) -> Timestamp { .epoch.advanced(bySeconds: hours * 3600) }

    /// Epochs of some hours since noon: the arm moves all the time but for the hours of rest, when it turns each half
    /// an hour.
    private static func epochs(
        _ hours: Range<Double>, resting: [Range<Double>], unworn: Range<Double> = 0..<0
    ) -> [EpochMeasures] {
        var random = SeededGenerator(seed: 7)
        return (Int(hours.lowerBound * 720)..<Int(hours.upperBound * 720)).map { index in
            let hour = Double(index) / 720
            let isAtRest = resting.contains { $0.contains(hour) } || unworn.contains(hour)
            let turn = Double(index / 360 % 5) * 30 - 60
            let angle =
                isAtRest ? turn + .random(in: -0.05...0.05, using: &random) : .random(in: -80...80, using: &random)
            return EpochMeasures(
                start: time(hour), enmoMg: 20, madMg: 20, angleZDegrees: angle, isWorn: !unworn.contains(hour))
        }
    }

    /// The hours of the night, rounded to tenths.
    private static func night(_ epochs: [EpochMeasures], steps: [Timestamp] = []) -> [Double]? {
        guard case .found(let night) = NightBlock(in: epochs, steps: steps) else { return nil }
        return [night.lowerBound, night.upperBound].map { ($0.seconds(since: .epoch) / 360).rounded() / 10 }
    }

    @Test("is the longest block of rest, also with an awakening of less than an hour and after a long nap")
    func longest() {
        #expect(Self.night(Self.epochs(0..<24, resting: [11..<14, 14.8..<19])) == [11, 19])
        #expect(Self.night(Self.epochs(0..<24, resting: [2..<4.5, 11..<19])) == [11, 19])
        // An awakening of more than an hour ends it.
        #expect(Self.night(Self.epochs(0..<24, resting: [11..<13, 14.2..<19])) == [14.2, 19])
        // Rests of less than half an hour are not joined.
        #expect(Self.night(Self.epochs(0..<24, resting: [9..<9.4, 9.8..<10.2, 10.6..<19])) == [10.6, 19])
    }

    @Test("contains no bout of steps above a minute, however still the sensor seems")
    func bouts() {
        let epochs = Self.epochs(0..<24, resting: [9..<19])
        func steps(at hour: Double, seconds: Double) -> [Timestamp] {
            stride(from: 0, through: seconds, by: 0.5).map { Self.time(hour).advanced(bySeconds: $0) }
        }
        #expect(Self.night(epochs) == [9, 19])
        #expect(Self.night(epochs, steps: steps(at: 12, seconds: 59.5)) == [9, 19])
        #expect(Self.night(epochs, steps: steps(at: 12, seconds: 61)) == [12, 19])
        // Brief bouts with pauses above 10 s are none together; with shorter ones they are.
        let pauses = [0.0, 51, 102].map { steps(at: 12 + $0 / 3600, seconds: 40) }
        #expect(Self.night(epochs, steps: Array(pauses.joined())) == [9, 19])
        let short = [0.0, 45, 90].map { steps(at: 12 + $0 / 3600, seconds: 40) }
        #expect(Self.night(epochs, steps: Array(short.joined())) == [12, 19])
        // A pause of exactly 10 s is no break, as in bouts.csv.
        let slow = stride(from: 0, through: 70, by: 10.0).map { Self.time(12).advanced(bySeconds: $0) }
        #expect(Self.night(epochs, steps: slow) == [12, 19])
        // A bout each two hours leaves no night.
        let all = stride(from: 9.0, to: 20, by: 2).flatMap { steps(at: $0, seconds: 120) }
        #expect(NightBlock(in: epochs, steps: all) == .unclear)
    }

    @Test("is the time without wear, if the sensor is off at night")
    func unworn() {
        #expect(Self.night(Self.epochs(0..<24, resting: [], unworn: 11..<19)) == [11, 19])
    }

    @Test("starts before the end of a recording that ends at midnight")
    func midnight() {
        #expect(Self.night(Self.epochs(0..<12, resting: [3..<4, 11..<12])) == [11, 12])
        #expect(Self.night(Self.epochs(16..<24, resting: [15..<18])) == [16, 18])
        #expect(NightBlock(in: Self.epochs(0..<12, resting: [3..<4])) == .notRecorded)
    }

    @Test("is the same in epochs of 1 s, and unclear in longer ones than 5 s")
    func lengths() {
        let epochs = Self.epochs(0..<24, resting: [11..<14, 14.8..<19])
        let seconds = epochs.flatMap { epoch in
            (0..<5).map { second in
                EpochMeasures(
                    start: epoch.start.advanced(bySeconds: Double(second)), length: .one, enmoMg: 20, madMg: 20,
                    angleZDegrees: epoch.angleZDegrees)
            }
        }
        #expect(Self.night(seconds) == [11, 19])
        let longer = epochs.enumerated().filter { $0.offset.isMultiple(of: 3) }.map { _, epoch in
            EpochMeasures(
                start: epoch.start, length: .fifteen, enmoMg: 20, madMg: 20, angleZDegrees: epoch.angleZDegrees)
        }
        #expect(NightBlock(in: longer) == .unclear)
    }

    @Test("is unclear without a long rest, and not recorded in less than half of the time")
    func none() {
        #expect(NightBlock(in: Self.epochs(0..<24, resting: [11..<13.8])) == .unclear)
        #expect(NightBlock(in: Self.epochs(0..<5, resting: [])) == .notRecorded)
        #expect(NightBlock(in: []) == .notRecorded)
    }
}

@Suite("Sedentary and active bouts")
struct FragmentationTests {
    private static let day = Timestamp.epoch ..< .epoch.advanced(bySeconds: 86_400)

    /// Minutes of 10 mg or 200 mg; nil for a minute without epochs.
    private static func fragmentation(_ minutes: [Bool?]) throws -> Fragmentation {
        var epochs = [EpochMeasures]()
        for (minute, isSedentary) in minutes.enumerated() {
            guard let isSedentary else { continue }
            for index in 0..<12 {
                epochs.append(
                    EpochMeasures(
                        start: .epoch.advanced(bySeconds: Double(60 * minute + 5 * index)),
                        enmoMg: isSedentary ? 10 : 200,
                        madMg: 0, angleZDegrees: nil))
            }
        }
        let adults = try #require(IntensityCutPoints.published(named: "hildebrand-adults-wrist-actigraph"))
        return try #require(Fragmentation(IntensityMeasures(epochs: epochs, in: day), by: adults))
    }

    @Test("are worked by hand, and a missing minute ends a bout without a transition")
    func byHand() throws {
        let result = try Self.fragmentation([true, true, false, true, true, true, nil, true, false, false])
        #expect(result.sedentaryBouts == [2, 3, 1] && result.activeBouts == [1, 2])
        #expect(result.sedentaryBreaks == 2)
        // 5 sedentary minutes are followed by a minute, 2 of them by an active one.
        #expect(result.sedentaryToActive == 0.4 && result.activeToSedentary == 0.5)
        // The mean of all differences |2 − 3|, |2 − 1|, |3 − 1| is 4 / 3; half of it by the mean 2 is a third.
        #expect(abs(try #require(result.sedentaryGini) - 1.0 / 3) < 1e-12)
    }

    @Test("equal those of numpy on seeded minutes")
    func seeded() throws {
        // In numpy, with the same generator, runs from np.split(s, np.flatnonzero(np.diff(s)) + 1), and the Gini index
        // np.abs(v[:, None] - v).sum() / (2 * n * n * v.mean()) * n / (n - 1).
        var (state, isSedentary) = (1, true)
        let minutes = (0..<600).map { _ -> Bool? in
            state = (state * 1_103_515_245 + 12_345) & 0x7fff_ffff
            if (state >> 16) % 10 < 3 { isSedentary.toggle() }
            return isSedentary
        }
        let result = try Self.fragmentation(minutes)
        #expect(result.sedentaryBouts.count == 87 && result.activeBouts.count == 86)
        #expect(result.sedentaryBouts.reduce(0, +) == 285 && result.sedentaryBreaks == 86)
        #expect(abs(try #require(result.sedentaryToActive) - 0.302_816_901_408_450_7) < 1e-12)
        #expect(abs(try #require(result.activeToSedentary) - 0.273_015_873_015_873) < 1e-12)
        #expect(abs(try #require(result.sedentaryGini) - 0.394_696_042_431_660_57) < 1e-12)
        #expect(abs(try #require(result.activeGini) - 0.381_363_211_951_447_3) < 1e-12)
    }

    @Test("MX is the least of the most active minutes, and the relative amplitude is that of M10 and L5")
    func mostActive() throws {
        let epochs = (0..<17_280).map { (index: Int) -> EpochMeasures in
            let enmo: Int = index * 7919 % 17_280
            return EpochMeasures(
                start: .epoch.advanced(bySeconds: Double(5 * index)), enmoMg: Double(enmo), madMg: 0, angleZDegrees: nil
            )
        }
        let day = IntensityMeasures(epochs: epochs, in: Self.day)
        // All values from 0 to 17,279 once: the 360th from above ends 30 min.
        #expect(day.mostActiveMinutes(30) == 16_920 && day.mostActiveMinutes(1440) == 0)
        #expect(day.mostActiveMinutes(1441) == nil && day.mostActiveMinutes(0) == nil)
        let most = try #require(day.mostActive()).meanEnmoMg
        let least = try #require(day.leastActive()).meanEnmoMg
        #expect(day.relativeAmplitude == (most - least) / (most + least))
    }
}

import Footfall
import FootfallMeasures
import Testing

@Suite("Cadence measures")
struct CadenceMeasuresTests {
    /// 08:00 on a day that starts at 0.
    private static let eight = 8 * 3600.0
    private static let day = range(0, 86_400)

    private static func time(_ seconds: Double) -> Timestamp { .epoch.advanced(bySeconds: seconds) }
    private static func range(_ start: Double, _ end: Double) -> Range<Timestamp> { time(start)..<time(end) }

    /// Steps at a constant cadence from the start of each minute; minutes follow each other.
    private static func minutes(_ cadences: [Int], from start: Double = eight) -> [Timestamp] {
        zip(0..., cadences).flatMap { minute, cadence in
            (0..<cadence).map { time(start + 60 * Double(minute) + 60 / Double(cadence) * Double($0)) }
        }
    }

    @Test("A peak is the mean of the highest minutes, adjacent or not")
    func peaks() {
        // 28 minutes at 60, and 110, 120 and 90 apart from each other: (120 + 110 + 90 + 27 · 60) / 30 = 64.667.
        let cadences = [110] + Array(repeating: 60, count: 14) + [120] + Array(repeating: 60, count: 14) + [90]
        let measures = CadenceMeasures(steps: Self.minutes(cadences), covered: [Self.day], in: Self.day)
        #expect(measures.steps == 2000)
        #expect(measures.peakCadence(minutes: 1) == 120)
        #expect(measures.peakCadence(minutes: 2) == 115)
        #expect(measures.peakCadence(minutes: 30) == 1940 / 30.0)
        // 31 minutes have steps; the other 29 have none.
        #expect(measures.peakCadence(minutes: 60) == 2000 / 60.0)
    }

    @Test("Each minute is in the band of its cadence")
    func bands() {
        let cadences = [1, 19, 20, 39, 40, 59, 60, 79, 80, 99, 100, 119, 120, 180]
        let measures = CadenceMeasures(steps: Self.minutes(cadences), covered: [Self.day], in: Self.day)
        let minutes = CadenceBand.allCases.map { measures.minutes(in: $0) }
        let steps = CadenceBand.allCases.map { measures.steps(in: $0) }
        #expect(minutes == [1426, 2, 2, 2, 2, 2, 2, 2])
        #expect(steps == [0, 20, 59, 99, 139, 179, 219, 300])
        #expect(measures.steps(atLeast: CadenceMeasures.moderateCadence) == 519)
        #expect(measures.minutes(atLeast: CadenceMeasures.moderateCadence) == 4)
        #expect(measures.steps(atLeast: CadenceMeasures.vigorousCadence) == 180)
    }

    @Test("The bands touch and leave out no cadence")
    func bandsTouch() {
        for (band, next) in zip(CadenceBand.allCases, CadenceBand.allCases.dropFirst()) {
            #expect(band.cadences.upperBound + 1 == next.cadences.lowerBound)
        }
        #expect(CadenceBand.zero.cadences.lowerBound == 0)
        #expect(CadenceBand.faster.cadences.upperBound == .max)
    }

    @Test("Cadence while walking leaves out the breaks")
    func quantiles() throws {
        // Intervals: 0.5 s, 0.5 s, a break of 10 s, 0.6 s, 0.75 s, 1.5 s, which are 120, 120, 100, 80 and 40 steps/min.
        let times = [0, 0.5, 1, 11, 11.6, 12.35, 13.85].map(Self.time)
        let measures = CadenceMeasures(steps: times, covered: [Self.day], in: Self.day)
        let quantiles = try [0, 0.25, 0.5, 0.6, 1].map { try #require(measures.cadenceQuantile($0)) }
        for (quantile, expected) in zip(quantiles, [40.0, 80, 100, 108, 120]) {
            #expect(abs(quantile - expected) < 1e-6)
        }
        #expect(measures.cadenceQuantile(1.01) == nil)
        #expect(measures.cadenceQuantile(.nan) == nil)
    }

    @Test("The time of a share is that of the step that completes it")
    func shares() {
        let times = (1...20).map { Self.time(Double($0) * 1000) }
        let measures = CadenceMeasures(steps: times.reversed(), covered: [Self.day], in: Self.day)
        let shares = [0.05, 0.25, 0.5, 0.75, 0.95, 1].map { measures.time(ofShare: $0) }
        #expect(shares == [1000, 5000, 10_000, 15_000, 19_000, 20_000].map(Self.time))
        #expect(measures.time(ofShare: 0.051) == Self.time(2000))
        #expect(measures.time(ofShare: 0) == nil)
        #expect(measures.time(ofShare: 1.5) == nil)
    }

    @Test("A day without steps has minutes of no steps, and no other measure")
    func noSteps() {
        let measures = CadenceMeasures(steps: [], covered: [Self.day], in: Self.day)
        #expect(measures.steps == 0)
        #expect(measures.minutes(in: .zero) == 1440)
        #expect(measures.peakCadence(minutes: 60) == 0)
        #expect(measures.cadenceQuantile(0.5) == nil)
        #expect(measures.time(ofShare: 0.5) == nil)
    }

    @Test("The deviation of the cadence is worked by hand")
    func deviation() throws {
        // Cadences of 100, 120 and 120: the mean is 113.33, the squares add up to 266.67; and a pause that does not
        // count.
        let times = [0, 0.6, 1.1, 1.6, 9.6].map(Self.time)
        let measures = CadenceMeasures(steps: times, covered: [], in: Self.day)
        #expect(abs(try #require(measures.cadenceDeviation) - (266.6667 / 2).squareRoot()) < 0.001)
        #expect(CadenceMeasures(steps: times.prefix(2), covered: [], in: Self.day).cadenceDeviation == nil)
    }

    @Test("A day without samples has no measure, even with steps")
    func noCoverage() {
        let measures = CadenceMeasures(steps: Self.minutes([100]), covered: [], in: Self.day)
        #expect(measures.coverage == 0)
        #expect(measures.steps == 100)
        #expect(measures.minuteCadences.isEmpty)
        #expect(measures.peakCadence(minutes: 1) == nil)
        #expect(measures.minutes(in: .zero) == 0)
    }

    @Test("Ten minutes of data have no peak over thirty minutes")
    func tenMinutes() {
        let covered = Self.range(Self.eight, Self.eight + 600)
        let cadences = Array(repeating: 110, count: 10)
        let measures = CadenceMeasures(steps: Self.minutes(cadences), covered: [covered], in: Self.day)
        #expect(measures.coverage == 600)
        #expect(measures.peakCadence(minutes: 1) == 110)
        #expect(measures.peakCadence(minutes: 10) == 110)
        #expect(measures.peakCadence(minutes: 30) == nil)
        #expect(measures.minutes(in: .zero) == 0)
        #expect(measures.peakCadence(minutes: 0) == nil)
        #expect(measures.peakCadence(minutes: -1) == nil)
    }

    @Test("A minute counts when samples cover half of it, and its steps are not scaled up")
    func partlyCovered() {
        // The first minute is covered for 29.9 s, the second in two parts of 15 s, the third completely.
        let start = Self.eight
        let covered = [
            Self.range(start, start + 29.9), Self.range(start + 60, start + 75),
            Self.range(start + 100, start + 115), Self.range(start + 120, start + 180),
        ]
        let times = [0, 1, 2, 60, 61, 62, 63, 120, 121].map { Self.time(start + Double($0)) }
        let measures = CadenceMeasures(steps: times, covered: covered, in: Self.day)
        #expect(measures.minuteCadences == [2, 4])
        #expect(measures.steps == 9)
        #expect(measures.peakCadence(minutes: 1) == 4)
        #expect(abs(measures.coverage - 119.9) < 1e-6)
    }

    @Test("Coverage that overlaps, in any order, counts once")
    func overlap() {
        let covered = [Self.range(90, 300), Self.range(0, 120), Self.range(100, 110), Self.range(-500, 0)]
        let measures = CadenceMeasures(steps: [], covered: covered, in: Self.day)
        #expect(measures.coverage == 300)
        #expect(measures.minuteCadences.count == 5)
    }

    @Test("Steps outside the range do not count")
    func outside() {
        let times = [-0.001, 0, 86_399.999, 86_400].map(Self.time)
        #expect(CadenceMeasures(steps: times, covered: [Self.day], in: Self.day).steps == 2)
    }

    @Test("Minutes before 1970 are minutes of the clock too")
    func before1970() {
        let range = Self.range(-180, 60)
        let measures = CadenceMeasures(
            steps: [-170, -61, -60, -1, 0].map(Self.time), covered: [Self.range(-180, 60)], in: range)
        #expect(measures.minuteCadences == [1, 1, 1, 2])
    }

    @Test("Two steps at one time have no cadence")
    func sameTime() {
        let measures = CadenceMeasures(steps: [Self.time(1), Self.time(1)], covered: [Self.day], in: Self.day)
        #expect(measures.steps == 2)
        #expect(measures.cadenceQuantile(0.5) == nil)
    }

    @Test("The example of the documentation runs")
    func example() {
        let steps = Self.minutes([110])
        let (covered, range) = (Self.day, Self.day)
        let day = CadenceMeasures(steps: steps, covered: [covered], in: range)
        print(day.peakCadence(minutes: 30) ?? .nan, "steps/min")
        print(day.minutes(in: .brisk), "minutes of brisk walking")
        #expect(day.minutes(in: .brisk) == 1)
    }
}

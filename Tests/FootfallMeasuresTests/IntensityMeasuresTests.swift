import Footfall
import FootfallMeasures
import Foundation
import TestSupport
import Testing

@Suite("Measures of intensity")
struct IntensityMeasuresTests {
    private static let day = time(0)..<time(86_400)

    private static func time(_ seconds: Double) -> Timestamp { .epoch.advanced(bySeconds: seconds) }

    /// Adjacent epochs with values of ENMO.
    private static func epochs(_ values: [Double], from start: Double = 0) -> [EpochMeasures] {
        zip(0..., values).map { index, value in
            EpochMeasures(
                start: time(start + 5 * Double(index)), enmoMg: value, madMg: value * 2, angleZDegrees: nil)
        }
    }

    private static func measures(_ values: [Double]) -> IntensityMeasures {
        IntensityMeasures(epochs: epochs(values), in: day)
    }

    private static func set(_ name: String) throws -> IntensityCutPoints {
        try #require(IntensityCutPoints.published(named: name))
    }

    @Test("Each epoch has the level of its value, and a cut point belongs to the level above")
    func levels() throws {
        let adults = try Self.set("hildebrand-adults-wrist-actigraph")
        let day = Self.measures([0, 44.7, 44.8, 100.5, 100.6, 428.7, 428.8, 2000, 20, 20, 20, 20])
        let minutes = IntensityLevel.allCases.map { day.minutes(in: $0, by: adults) }
        // 6, 2, 2, 2 and 4 epochs of a twelfth of a minute.
        #expect(minutes.map { ($0 ?? -1) * 12 } == [6, 2, 2, 2, 4])
        #expect(day.wornMinutes == 1)
    }

    @Test("A set without a light cut point does not separate sedentary and light")
    func withoutLight() throws {
        let adults = try Self.set("vaha-ypya-adults-hip-hookie")
        // The set is for MAD: 90, 100 and 500 mg.
        let day = Self.measures([45, 50, 250])
        let minutes = IntensityLevel.allCases.map { day.minutes(in: $0, by: adults) }
        #expect(minutes.map { ($0 ?? -1) * 12 } == [-12, -12, 1, 1, 2])
    }

    /// A set as its publications print it: the measure, the seconds of an epoch, and the cut points.
    struct Printed: Sendable {
        var metric: IntensityCutPoints.Metric
        var seconds = 5.0
        var light: Double?
        var moderate: Double
        var vigorous: Double
    }

    /// Hildebrand et al. 2014 (table 3) and 2017, Vähä-Ypyä et al. 2015, Freedson et al. 1998, Troiano et al. 2008,
    /// Matthews et al. 2008, Sasaki et al. 2011, Evenson et al. 2008.
    private static let printed: [String: Printed] = [
        "hildebrand-adults-hip-actigraph": Printed(metric: .enmo, light: 47.4, moderate: 69.1, vigorous: 258.7),
        "hildebrand-adults-hip-geneactiv": Printed(metric: .enmo, light: 46.9, moderate: 68.7, vigorous: 266.8),
        "hildebrand-adults-wrist-actigraph": Printed(metric: .enmo, light: 44.8, moderate: 100.6, vigorous: 428.8),
        "hildebrand-adults-wrist-geneactiv": Printed(metric: .enmo, light: 45.8, moderate: 93.2, vigorous: 418.3),
        "hildebrand-children-hip-actigraph": Printed(metric: .enmo, light: 63.3, moderate: 142.6, vigorous: 464.6),
        "hildebrand-children-hip-geneactiv": Printed(metric: .enmo, light: 64.1, moderate: 152.8, vigorous: 514.3),
        "hildebrand-children-wrist-actigraph": Printed(metric: .enmo, light: 35.6, moderate: 201.4, vigorous: 707),
        "hildebrand-children-wrist-geneactiv": Printed(metric: .enmo, light: 56.3, moderate: 191.6, vigorous: 695.8),
        "vaha-ypya-adults-hip-hookie": Printed(metric: .mad, light: nil, moderate: 91, vigorous: 414),
        "freedson-adults-hip-actigraph": Printed(
            metric: .countsY, seconds: 60, light: 100, moderate: 1952, vigorous: 5725),
        "troiano-adults-hip-actigraph": Printed(
            metric: .countsY, seconds: 60, light: 100, moderate: 2020, vigorous: 5999),
        "sasaki-adults-hip-actigraph": Printed(
            metric: .countsVectorMagnitude, seconds: 60, light: nil, moderate: 2690, vigorous: 6167),
        "evenson-children-hip-actigraph": Printed(
            metric: .countsY, seconds: 15, light: 26, moderate: 574, vigorous: 1003),
    ]

    @Test("Published sets have the numbers of their publications, and state placement, age and source")
    func published() throws {
        let sets = IntensityCutPoints.published
        #expect(sets.count == Self.printed.count && Set(sets.map(\.name)) == Set(Self.printed.keys))
        for set in sets {
            let printed = try #require(Self.printed[set.name])
            #expect(set.metric == printed.metric && set.epochSeconds == printed.seconds, "\(set.name)")
            #expect(set.light == printed.light, "\(set.name)")
            #expect(set.moderate == printed.moderate && set.vigorous == printed.vigorous, "\(set.name)")
            #expect(!set.placement.isEmpty && !set.age.isEmpty && !set.source.isEmpty)
        }
        #expect(IntensityCutPoints.published(named: "wrist") == nil)
    }

    @Test(
        "Cut points in the wrong order are an error",
        arguments: [(50.0, 40.0, 400.0), (40, 100, 100), (0, 100, 400), (40, .nan, 400), (40, 100, .infinity)])
    func wrongOrder(light: Double, moderate: Double, vigorous: Double) {
        let error = #expect(throws: IntensityCutPoints.OrderError.self) {
            try IntensityCutPoints(
                name: "mine", metric: .enmo, placement: "ankle", age: "", source: "", light: light, moderate: moderate,
                vigorous: vigorous)
        }
        #expect(error?.description.hasPrefix("mine: \(light), \(moderate), \(vigorous) mg are not in") == true)
    }

    @Test("Times are those of the epochs, whatever their length", arguments: EpochLength.allCases)
    func lengths(length: EpochLength) throws {
        // An hour of 200 mg in a day of 10 mg.
        let epochs = (0..<86_400 / length.rawValue).map { index -> EpochMeasures in
            let seconds = Double(index * length.rawValue)
            return EpochMeasures(
                start: Self.time(seconds), length: length, enmoMg: (36_000..<39_600).contains(seconds) ? 200 : 10,
                madMg: 0, angleZDegrees: nil, counts: ActivityCounts(x: 0, y: 3000 * length.rawValue / 60, z: 0))
        }
        let day = IntensityMeasures(epochs: epochs, in: Self.time(0)..<Self.time(86_400))
        let adults = try Self.set("hildebrand-adults-wrist-actigraph")
        #expect(day.wornMinutes == 1440 && day.minutes(in: .moderateToVigorous, by: adults) == 60)
        #expect(day.activeBouts(minutes: 10, by: adults).map(\.range) == [Self.time(36_000)..<Self.time(39_600)])
        #expect(day.activeBouts(minutes: 10, rule: .window, by: adults).map(\.seconds) == [3600])
        #expect(abs(try #require(day.mostActive()).meanEnmoMg - 29) < 1e-9)
        #expect(day.mostActiveMinutes(60) == 200 && day.hours(in: .gmt).count == 24)
        #expect(try #require(Fragmentation(day, by: adults)).activeBouts == [60])
        // Counts of a minute are those of all its epochs; those of 15 s do not follow from longer epochs.
        let (minutes, quarters) = (
            try Self.set("freedson-adults-hip-actigraph"), try Self.set("evenson-children-hip-actigraph")
        )
        #expect(day.minutes(in: .moderate, by: minutes) == 1440)
        #expect((day.minutes(in: .moderate, by: quarters) == nil) == (length.rawValue > 15))
    }

    @Test("A bout may have breaks of up to a minute and a fifth of its time")
    func bouts() throws {
        let adults = try Self.set("hildebrand-adults-wrist-actigraph")
        func active(_ count: Int) -> [Double] { .init(repeating: 200, count: count) }
        func rest(_ count: Int) -> [Double] { .init(repeating: 10, count: count) }
        // 5 minutes with a break of a minute after 3: 48 of 60 epochs are active, 80 %.
        let five = Self.measures(rest(7) + active(36) + rest(12) + active(12) + rest(30))
        #expect(five.activeBouts(minutes: 5, by: adults).map(\.range) == [Self.time(35)..<Self.time(335)])
        #expect(five.activeBouts(minutes: 5, share: 0.81, by: adults).isEmpty)
        #expect(five.activeBouts(minutes: 10, by: adults).isEmpty)
        // A break of 65 s separates two bouts.
        let two = Self.measures(active(36) + rest(13) + active(60))
        let bouts = [Self.time(0)..<Self.time(180), Self.time(245)..<Self.time(545)]
        #expect(two.activeBouts(minutes: 1, by: adults).map(\.range) == bouts)
    }

    @Test("By windows, four minutes of activity are a bout of five, and its breaks have no time")
    func windowBouts() throws {
        let adults = try Self.set("hildebrand-adults-wrist-actigraph")
        func bouts(_ parts: [(active: Bool, count: Int)]) -> [[Double]] {
            let values = parts.flatMap { [Double](repeating: $0.active ? 200 : 10, count: $0.count) }
            return Self.measures(values).activeBouts(minutes: 5, rule: .window, by: adults)
                .map { [$0.range.lowerBound.seconds(since: Self.time(0)), $0.range.seconds.rounded(), $0.seconds] }
        }
        #expect(bouts([(false, 40), (true, 47), (false, 40)]).isEmpty)
        #expect(bouts([(false, 40), (true, 48), (false, 40)]) == [[200, 240, 240]])
        #expect(bouts([(true, 40), (false, 12), (true, 40), (false, 40)]) == [[0, 460, 400]])
        // A break of 65 s separates bouts, of which only the second is long enough.
        #expect(bouts([(true, 40), (false, 13), (true, 50), (false, 40)]) == [[265, 250, 250]])
        let whole = Self.measures(.init(repeating: 200, count: 60)).activeBouts(minutes: 5, rule: .whole, by: adults)
        #expect(whole.map(\.seconds) == [300])
    }

    @Test("A bout does not continue over missing epochs")
    func boutsOverGaps() throws {
        let adults = try Self.set("hildebrand-adults-wrist-actigraph")
        let active = [Double](repeating: 200, count: 12)
        let day = IntensityMeasures(epochs: Self.epochs(active) + Self.epochs(active, from: 65), in: Self.day)
        let bouts = [Self.time(0)..<Self.time(60), Self.time(65)..<Self.time(125)]
        #expect(day.activeBouts(minutes: 1, by: adults).map(\.range) == bouts)
        #expect(day.activeBouts(minutes: 2, by: adults).isEmpty)
    }

    @Test("M10 and L5 are the most and the least active hours in a row")
    func windows() throws {
        // 24 hours: 10 mg, but 2 mg from 2:00 to 7:00 and 50 mg from 9:00 to 19:00.
        let values = (0..<17_280).map { index in
            switch Double(index) / 720 {
            case 2..<7: 2.0
            case 9..<19: 50.0
            default: 10.0
            }
        }
        let day = Self.measures(values)
        let most = try #require(day.mostActive())
        #expect(most.start == Self.time(9 * 3600))
        #expect(abs(most.meanEnmoMg - 50) < 1e-6)
        let least = try #require(day.leastActive())
        #expect(least.start == Self.time(2 * 3600))
        #expect(abs(least.meanEnmoMg - 2) < 1e-6)
        #expect(day.mostActive(hours: 25) == nil)
        #expect(day.mostActive(hours: 0) == nil)
        #expect(day.mostActive(hours: .nan) == nil)
        // (5 · 2 + 10 · 50 + 9 · 10) / 24 = 25 mg.
        #expect(abs(try #require(day.meanEnmoMg) - 25) < 1e-6)
    }

    /// A day of 2 mg with 50 mg from 7:00 to 22:00, without the epochs of some hours.
    private static func waking(without hours: Range<Double>...) -> IntensityMeasures {
        let all = epochs((0..<17_280).map { (7..<22).contains(Double($0) / 720) ? 50 : 2 })
        let worn = all.filter { epoch in
            !hours.contains { $0.contains(epoch.start.seconds(since: time(0)) / 3600) }
        }
        return IntensityMeasures(epochs: worn, in: day)
    }

    @Test("M10 and L5 are of windows with enough wear, and have no value where non-wear may hide them")
    func windowsBesideNonWear() throws {
        // Two hours off at noon or at night leave both, from the worn part of the window.
        for (off, most, least) in [(12.0..<14, 0.8, 1.0), (2.0..<4, 1, 0.6)] {
            let day = Self.waking(without: off)
            let (active, rest) = (try #require(day.mostActive()), try #require(day.leastActive()))
            #expect(abs(active.meanEnmoMg - 50) < 1e-6 && abs(rest.meanEnmoMg - 2) < 1e-6, "\(off)")
            #expect(abs(active.coverage - most) < 1e-3 && abs(rest.coverage - least) < 1e-3, "\(off)")
        }
        // Windows with 9 h of wear have at most 5 active hours; from 7:00 to 17:00, all worn time is active.
        let interrupted = try #require(Self.waking(without: 11..<15.5).mostActive())
        #expect(abs(interrupted.meanEnmoMg - 50) < 1e-6 && abs(interrupted.coverage - 0.55) < 1e-3)
        // Half an hour of 50 mg, and no window of 10 h without it: the others may be more active.
        #expect(Self.waking(without: 9..<14.5, 15..<21).mostActive() == nil)
        let afternoon = try #require(Self.waking(without: 7..<8).mostActive())
        #expect(abs(afternoon.meanEnmoMg - 50) < 1e-6)
        // A sensor that is off at night leaves the most active hours. The least active ones are unknown.
        let night = Self.waking(without: 0..<7, 22..<24)
        #expect(abs(try #require(night.mostActive()).meanEnmoMg - 50) < 1e-6)
        #expect(night.leastActive() == nil && night.relativeAmplitude == nil)
        #expect(Self.waking(without: 1..<6.5).leastActive() == nil)
        // Four hours at noon cannot be less active than the night.
        #expect(abs(try #require(Self.waking(without: 11..<15).leastActive()).meanEnmoMg - 2) < 1e-6)
    }

    @Test("M10 is not below the mean of a day with missing windows, and L5 not above it", arguments: 0..<40)
    func windowsAndMean(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        let all = Self.epochs((0..<17_280).map { _ in Double.random(in: 0..<20, using: &random) })
        let (start, hours) = (Double.random(in: 0..<20, using: &random), Double.random(in: 1..<12, using: &random))
        let (burst, least) = (Double.random(in: 0..<23, using: &random), Double.random(in: 0..<3, using: &random))
        let worn = all.compactMap { epoch -> EpochMeasures? in
            let hour = epoch.start.seconds(since: Self.time(0)) / 3600
            var epoch = epoch
            if (burst..<burst + least).contains(hour) { epoch.enmoMg += 300 }
            return (start..<start + hours).contains(hour) ? nil : epoch
        }
        let day = IntensityMeasures(epochs: worn, in: Self.day)
        let mean = day.meanEnmoMg ?? .nan
        #expect(day.mostActive().map { $0.meanEnmoMg >= mean - 1e-6 } ?? true)
        #expect(day.leastActive().map { $0.meanEnmoMg <= mean + 1e-6 } ?? true)
    }

    @Test("The gradient of a power law is its exponent")
    func gradient() throws {
        // Bins with the middles 12.5, 37.5 and 112.5 mg, each three times the one before, with 81, 27 and 9 epochs.
        let values = [(12.0, 81), (30, 27), (112, 9)].flatMap { Array(repeating: $0.0, count: $0.1) }
        let gradient = try #require(Self.measures(values).gradient)
        #expect(abs(gradient.slope + 1) < 1e-9)
        #expect(abs(gradient.intercept - log(81 / 12.0 * 12.5)) < 1e-9)
        #expect(abs(gradient.rSquared - 1) < 1e-9)
        #expect(Self.measures([1, 2, 30]).gradient == nil)
        #expect(Self.measures([1, 30, 4500, 1e9]).gradient != nil)
    }

    @Test("Ten minutes, or none, have no window and no invented number")
    func fewData() throws {
        let adults = try Self.set("hildebrand-adults-hip-geneactiv")
        let ten = Self.measures(Array(repeating: 30, count: 120))
        #expect(ten.minutes(in: .sedentary, by: adults) == 10)
        #expect(ten.mostActive() == nil && ten.leastActive() == nil && ten.gradient == nil)
        let none = Self.measures([])
        #expect(none.minutes(in: .sedentary, by: adults) == nil)
        #expect(none.meanEnmoMg == nil)
    }

    @Test("Epochs that are not worn, or outside the range, do not count")
    func unworn() {
        var epochs = Self.epochs([100, 200, 300], from: -5)
        epochs[2].isWorn = false
        let day = IntensityMeasures(epochs: epochs, in: Self.day)
        #expect(day.epochs.map(\.enmoMg) == [200])
    }

    @Test("The example of the documentation runs")
    func example() {
        let (epochs, range) = (Self.epochs([10, 200]), Self.day)
        let day = IntensityMeasures(epochs: epochs, in: range)
        if let adults = IntensityCutPoints.published(named: "hildebrand-adults-wrist-actigraph") {
            print(day.minutes(in: .moderateToVigorous, by: adults) ?? .nan, "minutes of MVPA")
        }
        print(day.meanEnmoMg ?? .nan, day.gradient?.slope ?? .nan)
        #expect(day.meanEnmoMg == 105)
    }
}

import Footfall
import FootfallMeasures
import Foundation
import Testing

@Suite("The daily rhythm")
struct DailyRhythmTests {
    /// A week and five hours from 9 am on: 40 mg more from 8 am to 10 pm, and noise.
    private static let hours: [DailyRhythm.Hour] = {
        var state = 1
        return (0..<173).map { index -> DailyRhythm.Hour in
            state = (state * 1_103_515_245 + 12_345) & 0x7fff_ffff
            let clock = (index + 9) % 24
            let noise = Double((state >> 16) % 1000) / 50
            let enmo: Double = ((8..<22).contains(clock) ? 45 : 5) + noise
            return DailyRhythm.Hour(start: time(Double(index)), clockHour: clock, enmoMg: enmo)
        }
    }()

    private static func time(_ hours: Double) -> Timestamp { .epoch.advanced(bySeconds: hours * 3600) }

    private static func expect(_ rhythm: DailyRhythm, _ expected: [Double]) throws {
        let cosine = try #require(rhythm.cosine)
        let stability = try #require(rhythm.interdailyStability)
        let variability = try #require(rhythm.intradailyVariability)
        let values = [
            stability, variability, cosine.mesorMg, cosine.amplitudeMg, cosine.acrophaseHours, cosine.rSquared,
        ]
        for (value, expected) in zip(values, expected) { #expect(abs(value - expected) < 1e-9) }
    }

    @Test("equals that of numpy, also with missing hours")
    func numpy() throws {
        try Self.expect(
            DailyRhythm(of: Self.hours),
            [
                0.932_652_670_253_752_8, 0.447_724_677_387_455_47, 37.617_558_900_831_035, 25.001_298_643_030_676,
                14.959_429_897_572_251, 0.713_644_868_490_660_6,
            ])
        let known = Self.hours.enumerated().filter { !$0.offset.isMultiple(of: 41) }.map(\.element)
        try Self.expect(
            DailyRhythm(of: known),
            [
                0.932_389_996_491_962, 0.470_057_223_862_03, 37.480_666_324_323_32, 24.825_867_578_055_08,
                14.996_991_303_637_943, 0.709_807_684_270_611_6,
            ])
    }

    @Test("has the values of the published formulas where each hour has as many days")
    func published() throws {
        let week = DailyRhythm(of: Self.hours.dropLast(5))
        #expect(abs(try #require(week.interdailyStability) - 0.934_377_132_813_935_9) < 1e-12)
        #expect(abs(try #require(week.intradailyVariability) - 0.459_189_069_708_963_84) < 1e-12)
    }

    @Test("needs two days, each hour of the clock, and a change")
    func tooFew() {
        #expect(DailyRhythm(of: Array(Self.hours.prefix(47))).interdailyStability == nil)
        #expect(DailyRhythm(of: Self.hours.filter { $0.clockHour != 3 }).cosine == nil)
        let same = Self.hours.map { DailyRhythm.Hour(start: $0.start, clockHour: $0.clockHour, enmoMg: 7) }
        #expect(DailyRhythm(of: same).intradailyVariability == nil)
        #expect(DailyRhythm(of: []).cosine == nil)
    }

    @Test("takes the hours of the clock with half an hour of wear, also where the clock repeats one")
    func clock() throws {
        let zone = try #require(TimeZone(identifier: "Europe/Berlin"))
        // 25 October 2026 in Berlin: 25 h from 22:00 UTC of the day before. The clock is 2 am at 00:00 and at 01:00
        // UTC.
        let midnight = Timestamp.epoch.advanced(bySeconds: 1_792_879_200)
        let epochs: [EpochMeasures] = (0..<18_000).map { index -> EpochMeasures in
            let hour = index / 720
            let isWorn = hour != 20 || index % 720 < 359
            return EpochMeasures(
                start: midnight.advanced(bySeconds: Double(5 * index)), enmoMg: Double(hour), madMg: 0,
                angleZDegrees: nil, isWorn: isWorn)
        }
        let day = IntensityMeasures(epochs: epochs, in: midnight..<midnight.advanced(bySeconds: 90_000))
        let hours: [DailyRhythm.Hour] = day.hours(in: zone)
        let worn: [Int] = (0..<25).filter { $0 != 20 }
        let clock: [Int] = worn.map { hour in hour < 3 ? hour : hour - 1 }
        #expect(hours.map(\.clockHour) == clock)
        #expect(hours.map(\.enmoMg) == worn.map { hour in Double(hour) })
        #expect(hours.map(\.start) == worn.map { hour in midnight.advanced(bySeconds: Double(hour) * 3600) })
    }
}

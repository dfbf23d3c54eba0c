/// The days of somebody who works at a desk, drives there, and is on foot for 2.4 hours a day.
///
/// A day is made of blocks (sleep, morning, drive, work, …); the walking is spread over the waking blocks in bouts of
/// 15 s to 12 min, short ones far more often than long ones, as in free-living data (M. S. Orendurff et al., J.
/// Rehabil. Res. Dev. 45, 2008).
struct DayPlan {
    private var random: SplitMix64
    private var scenes: [Scene] = []
    private var walked = 0.0

    /// How long the wearer is on foot each day, in seconds: a tenth of the day.
    private static let onFootPerDay = 8640.0
    private static let day = 86400.0
    /// The plan is the same whatever the seed of a simulation, which moves the feet but not the diary.
    private static let diary: UInt64 = 2_026

    /// The scenes of days counted from a Monday, from midnight to midnight.
    static func scenes(days: Range<Int>) -> [Scene] {
        days.flatMap { day in
            var plan = DayPlan(random: SplitMix64(seed: diary, .schedule, index: day))
            plan.live(isWeekend: day % 7 >= 5, runs: day % 7 == 2 || day % 7 == 5)
            return plan.scenes
        }
    }

    private init(random: SplitMix64) {
        self.random = random
    }

    private mutating func live(isWeekend: Bool, runs: Bool) {
        let nights: ClosedRange<Double> = isWeekend ? 27_000...29_400 : 23_400...25_200
        add(.sleeping, random.uniform(nights))
        spend(3000, .sitting)
        if isWeekend {
            add(.driving(.motorway), random.uniform(1500...2400))
            spend(21_600, .standing)
            add(.driving(.motorway), random.uniform(1500...2400))
        } else {
            add(.driving(.city), random.uniform(1200...1800))
            spend(14_400, .deskWork)
            spend(3000, .standing)
            spend(14_400, .deskWork)
            add(.driving(.city), random.uniform(1200...1800))
        }
        if runs { add(.running(Gait(cadence: random.uniform(156...174), variation: 0.02)), 2100) }
        // The evening takes what walking is left; the device spends the rest of the day on the bedside table.
        let evening = DayPlan.day - 3600 - elapsed
        spend(evening, .sitting, onFoot: DayPlan.onFootPerDay - walked)
        add(.handling, 120)
        add(.deviceAtRest, DayPlan.day - elapsed)
    }

    private var elapsed: Double { scenes.reduce(0) { $0 + $1.duration } }

    private mutating func add(_ doing: Scene.Doing, _ duration: Double) {
        scenes.append(Scene(doing, for: duration))
    }

    /// Spends `duration` seconds mostly with one thing, on foot in between; on foot for a sixth unless told otherwise.
    private mutating func spend(_ duration: Double, _ doing: Scene.Doing, onFoot: Double? = nil) {
        var onFoot = max(0, onFoot ?? duration / 6)
        var still = max(0, duration - onFoot)
        let stillPerSecondOnFoot = still / max(onFoot, 1)
        while onFoot > 0 {
            let wanted = bout()
            // What would be left is too short for a bout of its own.
            let length = onFoot - wanted < 15 ? onFoot : wanted
            let pause = min(still, length * stillPerSecondOnFoot * random.uniform(0.5...1.5))
            if pause > 0 { add(random.unit() < 0.15 ? .standing : doing, pause) }
            add(.walking(Gait(cadence: random.uniform(92...122), variation: random.uniform(0.02...0.04))), length)
            walked += length
            still -= pause
            onFoot -= length
        }
        if still > 0 { add(doing, still) }
    }

    /// The length of a bout in seconds: four in ten below a minute.
    private mutating func bout() -> Double {
        let u = random.unit()
        return 15 + 90 * u + 600 * u * u * u * u * u
    }
}

/// The days of an office worker who drives to work and walks for 2.4 hours a day.
///
/// A day consists of blocks (sleep, morning, drive, work, …). The waking blocks contain walking bouts of 15 s to 12
/// min, mostly short ones, as in free-living data (M. S. Orendurff et al., J. Rehabil. Res. Dev. 45, 2008).
struct DayPlan {
    private var random: SplitMix64
    private var scenes: [Scene] = []
    private var walked = 0.0

    /// The time on foot each day in seconds: a tenth of the day.
    private static let onFootPerDay = 8640.0
    private static let day = 86400.0
    /// The seed of the plan, which does not depend on the seed of the simulation.
    private static let planSeed: UInt64 = 2_026

    /// The scenes of days, from midnight to midnight. Day 0 is a Monday.
    static func scenes(days: Range<Int>) -> [Scene] {
        days.flatMap { day in
            var plan = DayPlan(random: SplitMix64(seed: planSeed, .schedule, index: day))
            plan.addDay(isWeekend: day % 7 >= 5, runs: day % 7 == 2 || day % 7 == 5)
            return plan.scenes
        }
    }

    private init(random: SplitMix64) {
        self.random = random
    }

    private mutating func addDay(isWeekend: Bool, runs: Bool) {
        let nights: ClosedRange<Double> = isWeekend ? 27_000...29_400 : 23_400...25_200
        add(.sleeping, random.uniform(nights))
        addBlock(.sitting, 3000)
        if isWeekend {
            add(.driving(.motorway), random.uniform(1500...2400))
            addBlock(.standing, 21_600)
            add(.driving(.motorway), random.uniform(1500...2400))
        } else {
            add(.driving(.city), random.uniform(1200...1800))
            addBlock(.deskWork, 14_400)
            addBlock(.standing, 3000)
            addBlock(.deskWork, 14_400)
            add(.driving(.city), random.uniform(1200...1800))
        }
        if runs { add(.running(Gait(cadence: random.uniform(156...174), variation: 0.02)), 2100) }
        // The evening contains the remaining walking. Then the device lies on the bedside table.
        let evening = DayPlan.day - 3600 - elapsed
        addBlock(.sitting, evening, onFoot: DayPlan.onFootPerDay - walked)
        add(.handling, 120)
        add(.deviceAtRest, DayPlan.day - elapsed)
    }

    private var elapsed: Double { scenes.reduce(0) { $0 + $1.duration } }

    private mutating func add(_ doing: Scene.Doing, _ duration: Double) {
        scenes.append(Scene(doing, for: duration))
    }

    /// Adds a block of `duration` seconds with walking bouts; `onFoot` is their sum, by default a sixth.
    private mutating func addBlock(_ doing: Scene.Doing, _ duration: Double, onFoot: Double? = nil) {
        var onFoot = max(0, onFoot ?? duration / 6)
        var still = max(0, duration - onFoot)
        let stillPerSecondOnFoot = still / max(onFoot, 1)
        while onFoot > 0 {
            let wanted = bout()
            // A remainder below 15 s is too short for a bout and joins this one.
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

    /// The duration of a bout in seconds: 40 % are below a minute.
    private mutating func bout() -> Double {
        let u = random.unit()
        return 15 + 90 * u + 600 * u * u * u * u * u
    }
}

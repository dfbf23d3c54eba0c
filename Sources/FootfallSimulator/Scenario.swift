public import Footfall

/// A sequence of scenes with the device at one placement.
///
/// ```swift
/// let errand = Scenario(
///     name: "errand", placement: .wrist,
///     scenes: [Scene(.deskWork, for: 60), Scene(.walking(.brisk), for: 120), Scene(.standing, for: 30)])
/// let simulation = try Simulation(errand, seed: 7, sensor: SensorModel(sampleRate: 50))
/// ```
public struct Scenario: Hashable, Sendable {
    /// The name, such as `commute`.
    public var name: String
    /// A description in one sentence.
    public var summary: String
    /// The place of the device on the body.
    public var placement: Placement
    /// The scenes in order.
    public var scenes: [Scene]

    /// Creates a scenario.
    public init(name: String, summary: String = "", placement: Placement = .pocket, scenes: [Scene]) {
        (self.name, self.summary, self.placement, self.scenes) = (name, summary, placement, scenes)
    }

    /// The total duration in seconds.
    public var duration: Double { scenes.reduce(0) { $0 + $1.duration } }

    /// Returns the scenario with another placement.
    public func worn(_ placement: Placement) -> Scenario {
        var scenario = self
        scenario.placement = placement
        return scenario
    }

    /// Returns the scenario with another duration in seconds: a single scene gets it; several scenes repeat and are
    /// cut.
    public func lasting(_ duration: Double) -> Scenario {
        var scenario = self
        guard scenes.count > 1, self.duration > 0 else {
            scenario.scenes = scenes.map { Scene($0.doing, for: duration) }
            return scenario
        }
        scenario.scenes = []
        var left = duration
        var next = 0
        while left > 0 {
            let scene = scenes[next % scenes.count]
            scenario.scenes.append(Scene(scene.doing, for: min(scene.duration, left)))
            left -= scene.duration
            next += 1
        }
        return scenario
    }
}

/// The place of the device on the body.
public enum Placement: String, CaseIterable, Codable, Sendable {
    /// In a front trouser pocket: swings with the thigh; contacts of that leg are stronger.
    case pocket
    /// On the wrist: swings with the arm, once per stride.
    case wrist
    /// On the belt over the hip: moves with the trunk.
    case hip
}

extension Placement {
    /// The delay of the largest acceleration after an initial contact in walking, in seconds.
    ///
    /// The impact travels up the leg: it reaches the hip first and the wrist last. On most phones of people with foot
    /// switches, the peak is within ±60 ms of the switch, which is about the precision of the switches. In running the
    /// largest acceleration is at mid-stance, about a third of a step after the contact.
    public var delayAfterContact: Double {
        switch self {
        case .hip: 0.03
        case .pocket: 0.04
        case .wrist: 0.06
        }
    }
}

extension Scenario {
    /// The predefined scenarios, in the order of the help text.
    public static let named: [Scenario] = [
        .walk, .run, .stand, .desk, .drive, .handling, .rest, .commute, .errands, .day, .week,
    ]

    /// Returns the predefined scenario with this name.
    ///
    /// - Throws: ``SimulationError/unknownScenario(name:known:)`` for another name.
    public static func named(_ name: String) throws(SimulationError) -> Scenario {
        guard let scenario = named.first(where: { $0.name == name }) else {
            throw .unknownScenario(name: name, known: named.map(\.name))
        }
        return scenario
    }

    /// Five minutes of walking.
    public static let walk = Scenario(
        name: "walk", summary: "A walk of five minutes at 110 steps a minute.", scenes: [Scene(.walking(), for: 300)])

    /// Five minutes of running.
    public static let run = Scenario(
        name: "run", summary: "A run of five minutes at 166 steps a minute.", scenes: [Scene(.running(), for: 300)])

    /// Five minutes of standing.
    public static let stand = Scenario(
        name: "stand", summary: "Five minutes of standing.", scenes: [Scene(.standing, for: 300)])

    /// Ten minutes of desk work.
    public static let desk = Scenario(
        name: "desk", summary: "Ten minutes of typing, reaching and sitting still.", placement: .wrist,
        scenes: [Scene(.deskWork, for: 600)])

    /// Ten minutes of driving through town.
    public static let drive = Scenario(
        name: "drive", summary: "Ten minutes by car through town, with red lights.",
        scenes: [Scene(.driving(.city), for: 600)])

    /// Three minutes of handling the device.
    public static let handling = Scenario(
        name: "handling", summary: "The device in the hand for three minutes: turned and tilted, without steps.",
        scenes: [Scene(.handling, for: 180)])

    /// Five minutes on a table.
    public static let rest = Scenario(
        name: "rest", summary: "The device on a table for five minutes.", scenes: [Scene(.deviceAtRest, for: 300)])

    /// An eleven-minute commute.
    public static let commute = Scenario(
        name: "commute", summary: "Standing, walking, a drive with red lights, walking, running, sitting.",
        scenes: [
            Scene(.standing, for: 30), Scene(.walking(), for: 120), Scene(.driving(.city), for: 270),
            Scene(.walking(.brisk), for: 90), Scene(.running(), for: 60), Scene(.standing, for: 20),
            Scene(.sitting, for: 70),
        ])

    /// Twelve minutes of short walks.
    public static let errands = Scenario(
        name: "errands", summary: "Short walks, pauses, handling and a stroll: bouts from 8 s to 2 min.",
        placement: .wrist,
        scenes: [
            Scene(.standing, for: 20), Scene(.walking(.brisk), for: 60), Scene(.standing, for: 25),
            Scene(.walking(), for: 15), Scene(.handling, for: 40), Scene(.walking(), for: 8),
            Scene(.standing, for: 40), Scene(.walking(.stroll), for: 120), Scene(.sitting, for: 60),
            Scene(.walking(Gait(cadence: 100, armSwing: 0.1)), for: 90), Scene(.standing, for: 60),
            Scene(.walking(Gait(cadence: 116)), for: 100), Scene(.deskWork, for: 82),
        ])

    /// A day of an office worker.
    public static let day = Scenario(
        name: "day", summary: "A working day from midnight to midnight, a tenth on foot.",
        scenes: DayPlan.scenes(days: 0..<1))

    /// A week of an office worker.
    public static let week = Scenario(
        name: "week", summary: "A week from Monday to Sunday, a tenth on foot.",
        scenes: DayPlan.scenes(days: 0..<7))
}

/// The days of an office worker who drives to work and walks for 2.4 hours a day. A day consists of blocks (sleep,
/// morning, drive, work, …). The waking blocks contain walking bouts of 15 s to 12 min, mostly short ones, as in
/// free-living data (M. S. Orendurff et al., J. Rehabil. Res. Dev. 45, 2008).
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

    private init(random: SplitMix64) { self.random = random }

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

    private mutating func add(_ doing: Scene.Doing, _ duration: Double) { scenes.append(Scene(doing, for: duration)) }

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

/// One activity of the wearer for some time.
public struct Scene: Hashable, Sendable {
    /// The activity.
    public var doing: Doing
    /// The duration in seconds.
    public var duration: Double

    /// Creates a scene of `duration` seconds.
    public init(_ doing: Doing, for duration: Double) {
        self.doing = doing
        self.duration = duration
    }

    /// An activity of the wearer.
    public enum Doing: Hashable, Sendable {
        /// The device lies on a table: only sensor noise.
        case deviceAtRest
        /// Sleep: breathing, rare turns.
        case sleeping
        /// Standing: sway, breathing, shifts of weight.
        case standing
        /// Sitting: mostly still, some fidgeting.
        case sitting
        /// Sitting at a desk with typing and reaching.
        case deskWork
        /// The device is turned and tilted in the hand, without steps.
        case handling
        /// Walking.
        case walking(Gait = .walk)
        /// Running.
        case running(Gait = .run)
        /// Driving with halts; the ride begins and ends parked with the engine running.
        case driving(Ride = .city)
    }
}

extension Scene.Doing {
    /// The flags of the activity; for a ride, while the car moves.
    public var flags: ActivityFlags {
        switch self {
        case .deviceAtRest, .sleeping, .standing, .sitting, .deskWork: .stationary
        case .handling: []
        case .walking: .walking
        case .running: .running
        case .driving: .automotive
        }
    }
}

/// A way of walking or running.
public struct Gait: Hashable, Sendable {
    /// The mean cadence in steps per minute, without the first steps: more than 0, at most 600.
    public var cadence: Double
    /// The variation of step intervals: standard deviation divided by mean.
    public var variation: Double
    /// The delay of one foot relative to the middle between two contacts of the other, as a fraction of a step:
    /// −0.5 to 0.5.
    public var asymmetry: Double
    /// The arm swing, relative to the usual; 0 for a hand in a pocket. Only for the wrist.
    public var armSwing: Double

    /// Creates a gait.
    public init(
        cadence: Double, variation: Double = 0.025, asymmetry: Double = 0.015, armSwing: Double = 1
    ) {
        (self.cadence, self.variation, self.asymmetry, self.armSwing) = (cadence, variation, asymmetry, armSwing)
    }

    /// A walk at 110 steps a minute.
    public static let walk = Gait(cadence: 110)
    /// A stroll at 88 steps a minute.
    public static let stroll = Gait(cadence: 88, variation: 0.035)
    /// A brisk walk at 124 steps a minute.
    public static let brisk = Gait(cadence: 124, variation: 0.02)
    /// A run at 166 steps a minute.
    public static let run = Gait(cadence: 166, variation: 0.02)
}

/// A kind of car ride.
public struct Ride: Hashable, Sendable {
    /// The range of cruising speeds in m/s, 0 to 100.
    public var speeds: ClosedRange<Double>
    /// The range of the durations at one speed, in seconds, 0 to a day.
    public var cruises: ClosedRange<Double>
    /// The range of the durations of halts, in seconds, 0 to a day.
    public var halts: ClosedRange<Double>
    /// The share of cruises that end in a halt, 0…1.
    public var haltShare: Double

    /// Creates a kind of ride.
    public init(
        speeds: ClosedRange<Double>, cruises: ClosedRange<Double>, halts: ClosedRange<Double>, haltShare: Double
    ) {
        (self.speeds, self.cruises, self.halts, self.haltShare) = (speeds, cruises, halts, haltShare)
    }

    /// City: 25–55 km/h, a red light about every minute.
    public static let city = Ride(speeds: 7...15, cruises: 10...45, halts: 8...50, haltShare: 0.6)
    /// Motorway: 80–125 km/h, few halts.
    public static let motorway = Ride(speeds: 22...35, cruises: 60...240, halts: 5...20, haltShare: 0.02)
}

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

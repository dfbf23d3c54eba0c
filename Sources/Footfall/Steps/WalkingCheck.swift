/// Decides over time whether a rhythm that passed the gate is gait, and not that of a hand, a pedal, another exercise
/// or noise.
///
/// The score of one second is weak evidence. People seldom change between walking and cycling, so the scores add up,
/// and fade towards the prior.
struct WalkingCheck: Sendable {
    /// The largest score of a single second, in log-odds.
    static let mostScore: Float = 4
    /// The score that counts as undecided. Below 0, because a walk lost is worse than a few steps of a hand.
    private static let undecided: Float = -0.25
    /// The weight of a second, whose window shares five sixths with the next one.
    private static let weight: Float = 0.15
    /// The log-odds before any evidence: most rhythms that pass the gate are gait.
    private static let prior: Float = 2
    /// The time constant with which the log-odds fade, in seconds.
    private static let fadingSeconds: Float = 60
    private static let fadingPerSecond = exponential(-1 / fadingSeconds)
    /// The largest log-odds, so that a change from walking to cycling is detected within ten seconds.
    private static let limit: Float = 4

    /// The log-odds of gait against other rhythms.
    private(set) var logOdds = prior

    /// Adds the next second. Returns whether its cadence is that of gait.
    mutating func passes(_ second: CadenceTracker.Decision) -> Bool {
        logOdds = Self.prior + (logOdds - Self.prior) * Self.fadingPerSecond
        guard second.cadence != nil else { return true }
        let sum = logOdds + Self.weight * (second.check - Self.undecided)
        logOdds = min(max(sum, -Self.limit), Self.limit)
        return logOdds >= 0
    }
}

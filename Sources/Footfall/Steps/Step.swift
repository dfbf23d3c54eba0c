/// One initial contact of a foot.
public struct Step: Codable, Hashable, Sendable {
    /// The shortest interval between two steps of an analysis, in seconds. Sprinters take up to five steps a second
    /// (Mero, Komi and Gregor, Sports Medicine 1992).
    public static let shortestInterval = 0.2

    /// When the foot touched the ground.
    public var time: Timestamp
    /// How much the second of the contact resembles gait, 0…1.
    ///
    /// It is the logistic of the second's score, the tempered log-odds of walking at the detected cadence. At 0.5 the
    /// second alone decides nothing and its neighbors decide. Steps of any quality count. For the clearest ones only,
    /// select a quality of at least 0.9. A history stores the times only.
    public var quality: Float

    /// Creates a step.
    ///
    /// - Parameters:
    ///   - time: When the foot touched the ground.
    ///   - quality: How much the second of the contact resembles gait, 0…1; 1 for a step that is known.
    public init(time: Timestamp, quality: Float = 1) {
        self.time = time
        self.quality = quality
    }
}

extension Step: CustomStringConvertible {
    /// Such as `step at 2026-11-20T08:00:00.120Z`.
    public var description: String { "step at \(time)" }
}

/// The gaits that the step detector distinguishes.
enum GaitType: Sendable {
    case walking
    case running
}

/// What a person is doing, as far as an accelerometer can tell.
public enum Activity: String, CaseIterable, Codable, Sendable {
    /// The device lies still, or its wearer sits or stands still.
    case stationary
    /// On foot at a walking gait.
    case walking
    /// On foot at a running gait.
    case running
    /// In a motor vehicle, its halts included.
    case automotive
    /// On a bicycle.
    case cycling
    /// None of the others, or too little to tell.
    case unknown
}

/// Everything that holds of a moment, as independent flags in the manner of Core Motion.
///
/// A car at a red light is `[.automotive, .stationary]` to a simulation's truth. The analyzer says `.automotive` of halts as
/// well, so that a drive stays one segment. The empty set means that the device moves without any of the activities being
/// recognised; `.unknown` means that there was too little to go by.
public struct ActivityFlags: OptionSet, Hashable, Sendable {
    /// One bit per flag; the bits are stored in histories and never change their meaning.
    public let rawValue: UInt8

    /// Creates a set from its bits.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Creates the set that holds just one activity.
    public init(_ activity: Activity) {
        switch activity {
        case .stationary: self = .stationary
        case .walking: self = .walking
        case .running: self = .running
        case .automotive: self = .automotive
        case .cycling: self = .cycling
        case .unknown: self = .unknown
        }
    }

    /// Still; may accompany any other flag.
    public static let stationary = ActivityFlags(rawValue: 1)
    /// On foot at a walking gait.
    public static let walking = ActivityFlags(rawValue: 2)
    /// On foot at a running gait.
    public static let running = ActivityFlags(rawValue: 4)
    /// In a motor vehicle.
    public static let automotive = ActivityFlags(rawValue: 8)
    /// On a bicycle.
    public static let cycling = ActivityFlags(rawValue: 16)
    /// Too little to go by.
    public static let unknown = ActivityFlags(rawValue: 32)

    /// The one word for the set: the flag that says most about the wearer, `.unknown` for the empty set.
    public var activity: Activity {
        let bySpecificity: [Activity] = [.automotive, .cycling, .running, .walking, .stationary]
        return bySpecificity.first { contains(ActivityFlags($0)) } ?? .unknown
    }

    /// The flags of the set, in the order of ``Activity/allCases``.
    public var activities: [Activity] {
        Activity.allCases.filter { contains(ActivityFlags($0)) }
    }
}

/// How far an answer can be relied on.
public enum Confidence: Int, CaseIterable, Comparable, Sendable {
    /// The likeliest of several.
    case low
    /// Probably right.
    case medium
    /// Almost certainly right.
    case high

    /// The grade of a probability: high from 0.97, medium from 0.85.
    ///
    /// Grades are meant to be believed: of the seconds graded high at least 97 % should be right, of those graded
    /// medium at least 85 %.
    public init(probability: Float) {
        self =
            probability >= ActivityWeights.highConfidence
            ? .high : probability >= ActivityWeights.mediumConfidence ? .medium : .low
    }

    /// Orders by confidence.
    public static func < (left: Confidence, right: Confidence) -> Bool { left.rawValue < right.rawValue }
}

extension Confidence: CustomStringConvertible {
    /// `low`, `medium` or `high`.
    public var description: String {
        switch self {
        case .low: "low"
        case .medium: "medium"
        case .high: "high"
        }
    }
}

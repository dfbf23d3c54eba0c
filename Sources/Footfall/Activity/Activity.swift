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
/// A car at a red light is `[.automotive, .stationary]`. The empty set means that the device moves without any of the
/// activities being recognised; `.unknown` means that there was too little to go by. ``UnknownReason`` says more of both.
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

    /// The flags that outlast a halt: of a car at a red light, `.automotive`; of anything that is not a halt, all of them.
    ///
    /// A span is a halt where this is less than all of its flags.
    public var withoutHalt: ActivityFlags {
        self == .stationary ? self : subtracting(.stationary)
    }

    /// The flags of the set, in the order of `Activity.allCases`.
    public var activities: [Activity] {
        Activity.allCases.filter { contains(ActivityFlags($0)) }
    }
}

/// Why an activity is unknown; the numbers are stored in histories and never change their meaning.
public enum UnknownReason: UInt8, CaseIterable, Sendable {
    /// There is too little signal without a gap: less than the five seconds that a look takes.
    case tooShort = 1
    /// The device sampled too slowly: fewer than 8 samples a second, half a minute around.
    case lowRate = 2
    /// The device moves as busy hands move it, or as if its wearer were on foot without any step that could be counted.
    case handled = 3
    /// The device moves, and what is likeliest is still likelier wrong than right.
    case unclear = 4

    /// The flags that go with it: too little to go by, or motion without an activity.
    public var flags: ActivityFlags {
        switch self {
        case .tooShort, .lowRate: .unknown
        case .handled, .unclear: []
        }
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

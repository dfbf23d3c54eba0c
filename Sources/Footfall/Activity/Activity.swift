/// An activity that an accelerometer can distinguish.
public enum Activity: String, CaseIterable, Codable, Sendable {
    /// The device lies still, or the wearer sits or stands still.
    case stationary
    /// On foot at a walking gait.
    case walking
    /// On foot at a running gait.
    case running
    /// In a motor vehicle, its halts included.
    case automotive
    /// On a bicycle.
    case cycling
    /// None of the others, or too little signal.
    case unknown
}

/// The activities of a moment as independent flags, as in Core Motion.
///
/// A car at a red light is `[.automotive, .stationary]`. The empty set means that the device moves, but no activity is
/// recognized. `.unknown` means that the signal is not sufficient. ``UnknownReason`` gives the reason for both.
public struct ActivityFlags: OptionSet, Codable, Hashable, Sendable {
    /// One bit per flag; the bits are stored in histories and never change their meaning.
    public let rawValue: UInt8

    /// Creates a set from its bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Creates the set of one activity.
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

    /// Still; may occur together with any other flag.
    public static let stationary = ActivityFlags(rawValue: 1)
    /// On foot at a walking gait.
    public static let walking = ActivityFlags(rawValue: 2)
    /// On foot at a running gait.
    public static let running = ActivityFlags(rawValue: 4)
    /// In a motor vehicle.
    public static let automotive = ActivityFlags(rawValue: 8)
    /// On a bicycle.
    public static let cycling = ActivityFlags(rawValue: 16)
    /// The signal is not sufficient.
    public static let unknown = ActivityFlags(rawValue: 32)

    /// The most specific activity of the set; `.unknown` for the empty set.
    public var activity: Activity {
        let bySpecificity: [Activity] = [.automotive, .cycling, .running, .walking, .stationary]
        return bySpecificity.first { contains(ActivityFlags($0)) } ?? .unknown
    }

    /// The flags without `.stationary`, if there are others: `.automotive` for a car at a red light.
    ///
    /// A span is a halt if this differs from its flags.
    public var withoutHalt: ActivityFlags { self == .stationary ? self : subtracting(.stationary) }

    /// Whether the wearer walks or runs.
    package var isOnFoot: Bool { !isDisjoint(with: [.walking, .running]) }

    /// The flags of the set, in the order of `Activity.allCases`.
    public var activities: [Activity] { Activity.allCases.filter { contains(ActivityFlags($0)) } }
}

extension ActivityFlags: CustomStringConvertible {
    /// The names of the flags, such as `automotive+stationary`; `moving` for the empty set.
    public var description: String {
        isEmpty ? "moving" : activities.reversed().map(\.rawValue).joined(separator: "+")
    }
}

/// Why an activity is unknown; the numbers are stored in histories and never change their meaning.
public enum UnknownReason: UInt8, CaseIterable, Codable, Sendable {
    /// The contiguous signal is shorter than a window of five seconds.
    case tooShort = 1
    /// The sample rate is too low: fewer than 8 samples a second over half a minute, and the device does not rest; or
    /// fewer than 4.
    case lowRate = 2
    /// The device moves as in busy hands, or as on foot but without countable steps; or the signal is noise.
    case handled = 3
    /// The device moves, and the most likely activity is more likely wrong than right.
    case unclear = 4
    /// The sensor is not worn: it rests for an hour or more, see ``MotionEvent/nonWear(_:)``.
    case notWorn = 5
    /// The wearer exercises on one spot: jumping jacks, a rope, other hops. They have no steps.
    case exercise = 6

    /// The flags of a segment with this reason.
    public var flags: ActivityFlags {
        switch self {
        case .tooShort, .lowRate, .notWorn: .unknown
        case .handled, .unclear, .exercise: []
        }
    }

    /// The reason in a word or two.
    package var words: String {
        switch self {
        case .tooShort: "too short"
        case .lowRate: "under 8 Hz"
        case .handled: "handled"
        case .unclear: "unclear"
        case .notWorn: "not worn"
        case .exercise: "exercise"
        }
    }
}

/// The reliability of a result, in three grades.
public enum Confidence: Int, CaseIterable, Codable, Comparable, Sendable {
    /// The most likely of several activities.
    case low
    /// Probably right.
    case medium
    /// Almost certainly right.
    case high

    /// The grade of a probability: high from 0.96, medium from 0.88.
    ///
    /// The grades are calibrated: at least 96 % of the seconds graded high should be right, and at least 88 % of those
    /// graded medium.
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

/// The classes of ``ActivityClassifier``, in the order of the network's outputs.
enum ActivityClass: Int, CaseIterable, Sendable {
    case stationary, walking, running, automotive, cycling
    /// A device in busy hands.
    case handled

    init(_ gait: GaitType) { self = gait == .running ? .running : .walking }

    /// The activity; nil for a handled device, whose motion is none of the activities.
    var activity: Activity? {
        switch self {
        case .stationary: .stationary
        case .walking: .walking
        case .running: .running
        case .automotive: .automotive
        case .cycling: .cycling
        case .handled: nil
        }
    }

    var isGait: Bool { self == .walking || self == .running }
}

/// The states of ``ActivityChain``. A drive has three: moving, stopped, and with the device in busy hands.
enum ActivityState: Int, CaseIterable, Sendable {
    case stationary, walking, running, moving, stopped, cycling, handled, busy

    init(_ gait: GaitType) { self = gait == .running ? .running : .walking }
}

/// A number for each case of an enumeration of at most eight cases, in the lanes of a vector.
struct Lanes<Case: RawRepresentable>: Sendable where Case.RawValue == Int {
    var vector: SIMD8<Float>

    /// Zero for each case.
    init() { vector = SIMD8() }

    init(_ vector: SIMD8<Float>) { self.vector = vector }

    subscript(lane: Case) -> Float {
        @inline(__always) get { vector[lane.rawValue] }
        @inline(__always) set { vector[lane.rawValue] = newValue }
    }
}

typealias ByClass = Lanes<ActivityClass>
typealias ByState = Lanes<ActivityState>

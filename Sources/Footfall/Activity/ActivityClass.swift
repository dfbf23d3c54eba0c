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

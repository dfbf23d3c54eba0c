/// Where the device is worn.
public enum Placement: String, CaseIterable, Codable, Sendable {
    /// In a front trouser pocket: swings with the thigh, feels its own leg's strikes more than the other's.
    case pocket
    /// On the wrist, like a watch: swings with the arm, once per stride.
    case wrist
    /// On the belt over the hip: moves with the trunk.
    case hip
}

extension Placement {
    /// How long after a walker's foot strike a device here feels the largest acceleration, in seconds.
    ///
    /// The jolt runs up the leg: the hip feels it first, the wrist last. On most phones carried by people with foot
    /// switches the peak lies within 60 ms of the switch on either side, which is about as well as the switches tell.
    /// A runner's largest acceleration comes later, in the middle of the stance: about a third of a step after the
    /// strike.
    public var delayAfterStrike: Double {
        switch self {
        case .hip: 0.03
        case .pocket: 0.04
        case .wrist: 0.06
        }
    }
}

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

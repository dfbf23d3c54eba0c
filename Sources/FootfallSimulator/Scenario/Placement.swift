/// Where the device is worn.
public enum Placement: String, CaseIterable, Codable, Sendable {
    /// In a front trouser pocket: swings with the thigh, feels its own leg's strikes more than the other's.
    case pocket
    /// On the wrist, like a watch: swings with the arm, once per stride.
    case wrist
    /// On the belt over the hip: moves with the trunk.
    case hip
}

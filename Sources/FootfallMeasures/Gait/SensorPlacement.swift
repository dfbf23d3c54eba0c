/// The place of a sensor on the body.
public enum SensorPlacement: String, CaseIterable, Hashable, Sendable {
    /// On the spine, at the height of the lumbar vertebrae or of the sacrum.
    case lowerBack = "lower-back"
    /// At the waist, to the side.
    case hip
    /// In a pocket of the trousers.
    case pocket
    /// On the thigh.
    case thigh
    /// On the wrist.
    case wrist
    /// On the upper arm.
    case arm
    /// On the breastbone.
    case chest
    /// At the ankle or on the foot.
    case ankle
}

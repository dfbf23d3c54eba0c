/// The orientation of the device at rest: pitch and roll in turns.
///
/// An accelerometer measures only the direction of gravity, so two angles are enough.
struct Posture: Sendable {
    var pitch: Float
    var roll: Float

    /// The posture of a device at `placement` during a scene.
    init(_ doing: Scene.Doing, _ placement: Placement) {
        let degrees: (Float, Float) =
            switch (placement, doing) {
            case (_, .deviceAtRest): (0, 0)
            case (_, .handling): (35, 0)
            case (.wrist, .walking), (.wrist, .standing): (75, 8)
            case (.wrist, .running): (15, 70)
            case (.wrist, .driving): (-25, 30)
            case (.wrist, .sitting): (20, 25)
            case (.wrist, .deskWork): (3, 10)
            case (.wrist, .sleeping): (5, 80)
            case (.pocket, .walking), (.pocket, .running), (.pocket, .standing): (80, 10)
            case (.pocket, .driving), (.pocket, .sitting), (.pocket, .deskWork): (12, 8)
            case (.pocket, .sleeping): (2, 5)
            case (.hip, .walking), (.hip, .running), (.hip, .standing): (88, 4)
            case (.hip, .driving), (.hip, .sitting), (.hip, .deskWork): (68, 3)
            case (.hip, .sleeping): (3, 40)
            }
        pitch = .degrees(degrees.0)
        roll = .degrees(degrees.1)
    }

    /// The linear interpolation of two postures.
    static func between(_ from: Posture, _ to: Posture, share: Float) -> Posture {
        var posture = from
        posture.pitch += share * (to.pitch - from.pitch)
        posture.roll += share * (to.roll - from.roll)
        return posture
    }
}

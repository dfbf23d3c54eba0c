extension Placement {
    /// The orientation of a device at rest during a scene: pitch and roll in turns.
    ///
    /// An accelerometer measures only the direction of gravity, so two angles are enough.
    func posture(during doing: Scene.Doing) -> SIMD2<Float> {
        let degrees: SIMD2<Float> =
            switch (self, doing) {
            case (_, .deviceAtRest): SIMD2(0, 0)
            case (_, .handling): SIMD2(35, 0)
            case (.wrist, .walking), (.wrist, .standing): SIMD2(75, 8)
            case (.wrist, .running): SIMD2(15, 70)
            case (.wrist, .driving): SIMD2(-25, 30)
            case (.wrist, .sitting): SIMD2(20, 25)
            case (.wrist, .deskWork): SIMD2(3, 10)
            case (.wrist, .sleeping): SIMD2(5, 80)
            case (.pocket, .walking), (.pocket, .running), (.pocket, .standing): SIMD2(80, 10)
            case (.pocket, .driving), (.pocket, .sitting), (.pocket, .deskWork): SIMD2(12, 8)
            case (.pocket, .sleeping): SIMD2(2, 5)
            case (.hip, .walking), (.hip, .running), (.hip, .standing): SIMD2(88, 4)
            case (.hip, .driving), (.hip, .sitting), (.hip, .deskWork): SIMD2(68, 3)
            case (.hip, .sleeping): SIMD2(3, 40)
            }
        return degrees / 360
    }
}

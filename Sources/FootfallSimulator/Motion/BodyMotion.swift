/// The motion of the device at one moment.
struct BodyMotion: Sendable {
    /// Acceleration without gravity in g: forward, left, up; the fourth number is unused.
    var acceleration: SIMD4<Float> = .zero
    /// The rotation from the posture of the scene in turns: pitch, about the axis to the left; roll, about the forward
    /// axis.
    var tilt: SIMD2<Float> = .zero
}

/// A model of one kind of motion.
///
/// Models are functions of time, not of sample numbers. The same motion can be sampled at any rate, with jitter and
/// gaps.
protocol MotionModel: Sendable {
    /// The motion at `time`, in seconds since the start of the scene; times must not decrease.
    mutating func motion(at time: Double) -> BodyMotion

    /// Writes the motions at `times` to the start of `motions`.
    ///
    /// As a requirement of the protocol, it costs one dynamic call per run of samples instead of one per sample.
    mutating func fill(_ motions: inout [BodyMotion], at times: [Double])
}

extension MotionModel {
    mutating func fill(_ motions: inout [BodyMotion], at times: [Double]) {
        for index in times.indices {
            motions[index] = motion(at: times[index])
        }
    }
}

/// Converts the motion of the device to the readings of its sensor.
struct Sensor: Sendable {
    private let model: SensorModel
    private let stepsPerG: Float
    /// The three axes of the body in sensor coordinates, including scale.
    private let columns: (SIMD4<Float>, SIMD4<Float>, SIMD4<Float>)
    private let bias: SIMD4<Float>
    private var noise: SplitMix64
    private var wander: SmoothNoise

    /// The rate of the drift of the orientation, in independent values per second.
    private static let wanderRate = 1.0 / 200

    init(model: SensorModel, seed: UInt64) {
        self.model = model
        stepsPerG = model.resolution > 0 ? 1 / model.resolution : 0
        let scale = SIMD4(model.scale, 0)
        columns = (
            scale * model.orientation.rotate(SIMD4(1, 0, 0, 0)), scale * model.orientation.rotate(SIMD4(0, 1, 0, 0)),
            scale * model.orientation.rotate(SIMD4(0, 0, 1, 0))
        )
        bias = SIMD4(model.bias, 0)
        noise = SplitMix64(seed: seed, .noise)
        var random = SplitMix64(seed: seed, .wander)
        wander = SmoothNoise(rate: Sensor.wanderRate, random: &random)
    }

    /// The reading in g of a posture and a motion at `time`, in seconds since the start of the trace; times must not
    /// decrease.
    @inline(__always)
    mutating func reading(_ motion: BodyMotion, posture: SIMD2<Float>, at time: Double) -> SIMD4<Float> {
        let angles = posture + motion.tilt + Float.degrees(model.wander) * wander.values(at: time).lowHalf
        let acceleration = motion.acceleration
        let (forward, vertical) = rotated(acceleration.x, acceleration.z + 1, by: angles.x)
        let (up, left) = rotated(vertical, acceleration.y, by: angles.y)
        var shown = columns.0 * forward + columns.1 * left + columns.2 * up + bias
        if model.noise > 0 { shown += model.noise * noise.gaussian4() }
        shown.clamp(lowerBound: SIMD4(repeating: -model.range), upperBound: SIMD4(repeating: model.range))
        if stepsPerG > 0 { shown = (shown * stepsPerG).roundedToNearest() * model.resolution }
        return shown
    }
}

/// The vector (`a`, `b`) rotated by an angle in turns.
@inline(__always)
private func rotated(_ a: Float, _ b: Float, by turns: Float) -> (Float, Float) {
    let (sine, cosine) = (sine(turns: turns), cosine(turns: turns))
    return (a * cosine - b * sine, a * sine + b * cosine)
}

extension Orientation {
    fileprivate func rotate(_ vector: SIMD4<Float>) -> SIMD4<Float> {
        var vector = vector
        (vector.y, vector.z) = rotated(vector.y, vector.z, by: .degrees(roll))
        (vector.z, vector.x) = rotated(vector.z, vector.x, by: .degrees(pitch))
        (vector.x, vector.y) = rotated(vector.x, vector.y, by: .degrees(yaw))
        return vector
    }
}

extension SIMD4<Float> {
    /// Each number rounded to the nearest integer, for numbers below 2²².
    ///
    /// Near 1.5·2²³ a Float has no fraction bits, so the addition rounds. This is faster than a library call.
    @inline(__always)
    fileprivate func roundedToNearest() -> SIMD4<Float> {
        let magic = SIMD4<Float>(repeating: 12_582_912)
        return (self + magic) - magic
    }
}

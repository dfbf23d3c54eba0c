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
        columns = Sensor.columns(model)
        bias = SIMD4(model.bias, 0)
        noise = SplitMix64(seed: seed, .noise)
        var random = SplitMix64(seed: seed, .wander)
        wander = SmoothNoise(rate: Sensor.wanderRate, random: &random)
    }

    /// The reading in g of a posture and a motion at `time`, in seconds since the start of the trace; times must not
    /// decrease.
    @inline(__always)
    mutating func reading(_ motion: BodyMotion, posture: Posture, at time: Double) -> SIMD4<Float> {
        let drift = Float.degrees(model.wander) * wander.values(at: time)
        let pitch = posture.pitch + motion.pitch + drift.x
        let roll = posture.roll + motion.roll + drift.y
        let (sinePitch, cosinePitch) = (sine(turns: pitch), cosine(turns: pitch))
        let (sineRoll, cosineRoll) = (sine(turns: roll), cosine(turns: roll))

        var acceleration = motion.acceleration
        acceleration.z += 1
        let forward = acceleration.x * cosinePitch - acceleration.z * sinePitch
        let vertical = acceleration.x * sinePitch + acceleration.z * cosinePitch
        let left = acceleration.y * cosineRoll + vertical * sineRoll
        let up = vertical * cosineRoll - acceleration.y * sineRoll

        var shown = columns.0 * forward + columns.1 * left + columns.2 * up + bias
        if model.noise > 0 { shown += model.noise * noise.gaussian4() }
        shown.clamp(lowerBound: SIMD4(repeating: -model.range), upperBound: SIMD4(repeating: model.range))
        if stepsPerG > 0 { shown = (shown * stepsPerG).roundedToNearest() * model.resolution }
        return shown
    }

    private static func columns(_ model: SensorModel) -> (SIMD4<Float>, SIMD4<Float>, SIMD4<Float>) {
        let scale = SIMD4(model.scale, 0)
        return (
            scale * rotate(SIMD4(1, 0, 0, 0), by: model.orientation),
            scale * rotate(SIMD4(0, 1, 0, 0), by: model.orientation),
            scale * rotate(SIMD4(0, 0, 1, 0), by: model.orientation)
        )
    }

    private static func rotate(_ vector: SIMD4<Float>, by orientation: Orientation) -> SIMD4<Float> {
        func turned(_ a: Float, _ b: Float, by degrees: Float) -> (Float, Float) {
            let turns = Float.degrees(degrees)
            let (sine, cosine) = (sine(turns: turns), cosine(turns: turns))
            return (a * cosine - b * sine, a * sine + b * cosine)
        }
        var turnedVector = vector
        (turnedVector.y, turnedVector.z) = turned(turnedVector.y, turnedVector.z, by: orientation.roll)
        (turnedVector.z, turnedVector.x) = turned(turnedVector.z, turnedVector.x, by: orientation.pitch)
        (turnedVector.x, turnedVector.y) = turned(turnedVector.x, turnedVector.y, by: orientation.yaw)
        return turnedVector
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

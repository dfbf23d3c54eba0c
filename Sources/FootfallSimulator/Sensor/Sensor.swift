/// Turns what the device feels into what its sensor shows.
struct Sensor: Sendable {
    private let model: SensorModel
    private let steps: Float
    /// The images of the body's three axes on the sensor's, scale included.
    private let columns: (SIMD4<Float>, SIMD4<Float>, SIMD4<Float>)
    private let bias: SIMD4<Float>
    private var noise: SplitMix64
    private var wander: SmoothNoise

    /// Independent orientations per second: a device settles anew every few minutes.
    private static let wanderRate = 1.0 / 200

    init(model: SensorModel, seed: UInt64) {
        self.model = model
        steps = model.resolution > 0 ? 1 / model.resolution : 0
        columns = Sensor.columns(model)
        bias = SIMD4(model.bias, 0)
        noise = SplitMix64(seed: seed, .noise)
        var random = SplitMix64(seed: seed, .wander)
        wander = SmoothNoise(rate: Sensor.wanderRate, random: &random)
    }

    /// The reading in g for a motion on top of a posture, `time` seconds since the trace's start; times never decrease.
    @inline(__always)
    mutating func reading(_ motion: BodyMotion, posture: Posture, at time: Double) -> SIMD4<Float> {
        let settled = Float.degrees(model.wander) * wander.values(at: time)
        let pitch = posture.pitch + motion.pitch + settled.x
        let roll = posture.roll + motion.roll + settled.y
        let (sinePitch, cosinePitch) = (sine(turns: pitch), cosine(turns: pitch))
        let (sineRoll, cosineRoll) = (sine(turns: roll), cosine(turns: roll))

        var felt = motion.acceleration
        felt.z += 1
        let forward = felt.x * cosinePitch - felt.z * sinePitch
        let upright = felt.x * sinePitch + felt.z * cosinePitch
        let left = felt.y * cosineRoll + upright * sineRoll
        let up = upright * cosineRoll - felt.y * sineRoll

        var shown = columns.0 * forward + columns.1 * left + columns.2 * up + bias
        if model.noise > 0 { shown += model.noise * noise.gaussian4() }
        shown.clamp(lowerBound: SIMD4(repeating: -model.range), upperBound: SIMD4(repeating: model.range))
        if steps > 0 { shown = (shown * steps).roundedToNearest() * model.resolution }
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
    /// Each number rounded to the nearest whole one, for numbers below 2²².
    ///
    /// Adding and taking away 1.5·2²³ leaves no room for a fraction: one rounding, and no call into a library.
    @inline(__always)
    fileprivate func roundedToNearest() -> SIMD4<Float> {
        let magic = SIMD4<Float>(repeating: 12_582_912)
        return (self + magic) - magic
    }
}

/// Corrections of a sensor's scale and offset, estimated from its readings at rest.
///
/// At rest a sensor measures gravity alone, so its reading has a magnitude of one g in any orientation. The fit moves
/// the readings of still windows iteratively to the unit sphere (van Hees et al., J Appl Physiol 117(7), 2014). If the
/// log states the temperature of the sensor, the offset depends on it. Deviation from the paper: the fit uses the still
/// windows of the whole trace instead of the first 72 hours.
public struct SensorCalibration: Hashable, Sendable {
    /// The factor for each axis, applied after ``offset``.
    public let scale: SIMD3<Float>
    /// The addend for each axis, in g; if it depends on the temperature, the one at ``meanTemperature``.
    public let offset: SIMD3<Float>
    /// The change of the addend for each axis, in g/°C; 0 without a temperature.
    public let offsetPerDegree: SIMD3<Float>
    /// The mean temperature of the still windows, in °C; nil if the log states no temperature, or one that hardly
    /// changes.
    public let meanTemperature: Float?
    /// The mean distance of the readings at rest from one g before the correction, in g.
    public let errorBefore: Float
    /// The mean distance after the correction, in g.
    public let errorAfter: Float
    /// The number of still windows in the fit.
    public let windows: Int

    /// The reason why a trace has no calibration.
    public enum Obstacle: Error, Hashable, Sendable, CustomStringConvertible {
        /// There are too few still windows.
        case tooLittleStillness(windows: Int)
        /// These axes never measured gravity in both directions.
        case tooFewOrientations(axes: String)
        /// The best correction does not reduce the error, or leaves more than a hundredth of a g.
        case noGain(errorBefore: Float, errorAfter: Float)

        /// The reason in words.
        public var description: String {
            switch self {
            case .tooLittleStillness(let windows):
                "the sensor lay still for \(windows) windows of 10 s only; \(SensorCalibration.fewestWindows) are needed"
            case .tooFewOrientations(let axes):
                "the sensor never lay still both ways up along \(axes)"
            case .noGain(let before, let after):
                "the best correction leaves \(milli(after)) mg of \(milli(before)) mg at rest"
            }
        }

        private func milli(_ value: Float) -> Float { (value * 10_000).rounded() / 10 }
    }

    /// The least difference between the highest and the lowest temperature of the still windows, in °C. Loggers state
    /// temperatures in steps of 0.1 to 0.3 °C.
    static let leastTemperatureRange: Float = 2

    /// The fewest still windows for a fit of six numbers, a scale and an offset for each axis.
    static let fewestWindows = 50
    /// The reading in g that each axis must exceed in both directions, as in GGIR (Migueles et al., 2019).
    private static let sphereCriterion: Float = 0.3
    /// The largest error in g after a good calibration, as in the paper.
    private static let largestError = 0.01
    private static let mostRounds = 1000
    /// The iteration ends when a round reduces the error by less than this, in g.
    private static let tolerance = 1e-9
    /// The largest weight of a reading. A reading one g away from the sphere has a weight of 1.
    private static let largestWeight = 100.0

    static func fit(_ readings: [RestReading]) -> Result<SensorCalibration, Obstacle> {
        // Readings far from one g at rest come from a broken sensor or from another signal.
        let readings = readings.filter { (0.5...1.5).contains(length($0.acceleration)) }
        guard readings.count >= fewestWindows else { return .failure(.tooLittleStillness(windows: readings.count)) }
        let missing = ["x", "y", "z"].enumerated().filter { axis, _ in
            readings.allSatisfy { $0.acceleration[axis] <= sphereCriterion }
                || readings.allSatisfy { $0.acceleration[axis] >= -sphereCriterion }
        }
        guard missing.isEmpty else {
            return .failure(.tooFewOrientations(axes: missing.map(\.element).joined(separator: ", ")))
        }
        let mean = meanTemperature(of: readings)
        let points = readings.map { reading in
            (SIMD3<Double>(reading.acceleration), mean.map { Double(reading.temperature ?? $0) - Double($0) } ?? 0)
        }
        let correction = moveToSphere(points, usesTemperature: mean != nil)
        let before = meanError(points.map(\.0))
        let after = meanError(points.map { correction.applied(to: $0.0, $0.1) })
        guard after < before, after < largestError else {
            return .failure(.noGain(errorBefore: Float(before), errorAfter: Float(after)))
        }
        return .success(
            SensorCalibration(
                scale: SIMD3<Float>(correction.scale), offset: SIMD3<Float>(correction.offset),
                offsetPerDegree: SIMD3<Float>(correction.offsetPerDegree), meanTemperature: mean,
                errorBefore: Float(before), errorAfter: Float(after), windows: readings.count))
    }

    /// The mean temperature; nil unless all readings have one and their range is at least ``leastTemperatureRange``.
    private static func meanTemperature(of readings: [RestReading]) -> Float? {
        let temperatures = readings.compactMap(\.temperature).filter(\.isFinite)
        guard temperatures.count == readings.count, let least = temperatures.min(), let most = temperatures.max(),
            most - least >= leastTemperatureRange
        else { return nil }
        return Float(temperatures.reduce(0) { $0 + Double($1) } / Double(temperatures.count))
    }

    /// A correction in double precision. Temperatures are in °C above the mean.
    private struct Correction {
        var scale = SIMD3<Double>(repeating: 1)
        var offset = SIMD3<Double>.zero
        var offsetPerDegree = SIMD3<Double>.zero

        func applied(to reading: SIMD3<Double>, _ temperature: Double) -> SIMD3<Double> {
            (reading + offset + offsetPerDegree * temperature) * scale
        }
    }

    /// Fits a correction. Each round finds the nearest point on the sphere for each corrected reading. Then it fits a
    /// weighted line for each axis, from the readings and their temperatures to these points.
    private static func moveToSphere(_ points: [(SIMD3<Double>, Double)], usesTemperature: Bool) -> Correction {
        var correction = Correction()
        var error = Double.infinity
        for _ in 0..<mostRounds {
            var sums = LineSums()
            var distance = 0.0
            for (reading, temperature) in points {
                let moved = correction.applied(to: reading, temperature)
                let nearest = moved / length(moved)
                let away = abs(length(moved) - 1)
                distance += away
                sums.add(moved, temperature, nearest, weight: min(1 / max(away, 1e-9), largestWeight))
            }
            distance /= Double(points.count)
            guard error - distance > tolerance, let line = sums.line(usesTemperature: usesTemperature) else { break }
            error = distance
            // The line is applied after the correction: (r + o)·s·slope + intercept is
            // (r + o + intercept / (slope·s)) · (slope·s).
            correction.scale *= line.slope
            correction.offset += line.intercept / correction.scale
            correction.offsetPerDegree += line.slopePerDegree / correction.scale
        }
        return correction
    }

    private static func meanError(_ readings: [SIMD3<Double>]) -> Double {
        readings.reduce(0) { $0 + abs(length($1) - 1) } / Double(readings.count)
    }

    private static func length<Scalar: FloatingPoint>(_ vector: SIMD3<Scalar>) -> Scalar {
        (vector * vector).sum().squareRoot()
    }
}

extension SampleBatch {
    /// Returns the corrected samples. Filled samples are not measured, so they keep their magnitude of 1 g.
    public func calibrated(by calibration: SensorCalibration) -> SampleBatch {
        guard !isFilled else { return self }
        let scale = calibration.scale
        let degrees = calibration.meanTemperature.flatMap { mean in temperature.map { $0 - mean } } ?? 0
        let offset = calibration.offset + calibration.offsetPerDegree * degrees
        var batch = SampleBatch(
            times: times, x: x.map { ($0 + offset.x) * scale.x }, y: y.map { ($0 + offset.y) * scale.y },
            z: z.map { ($0 + offset.z) * scale.z })
        (batch.temperature, batch.isUnitAssumed) = (temperature, isUnitAssumed)
        return batch
    }
}

/// The mean acceleration of a still window, in g, and the temperature of the sensor, in °C; nil if the log states none.
struct RestReading: Sendable {
    let acceleration: SIMD3<Float>
    let temperature: Float?
}

/// Sums for a weighted straight line through points, for three axes at once, with the temperature as a second variable.
/// `gsl_multifit_wlinear` computes the same. This module links no other library, so that the license of GSL does not
/// apply to its users.
struct LineSums {
    private var weight = 0.0
    private var x = SIMD3<Double>.zero
    private var y = SIMD3<Double>.zero
    private var xx = SIMD3<Double>.zero
    private var xy = SIMD3<Double>.zero
    private var t = 0.0
    private var tt = 0.0
    private var xt = SIMD3<Double>.zero
    private var yt = SIMD3<Double>.zero

    mutating func add(_ from: SIMD3<Double>, _ temperature: Double, _ to: SIMD3<Double>, weight: Double) {
        self.weight += weight
        x += weight * from
        y += weight * to
        xx += weight * from * from
        xy += weight * from * to
        t += weight * temperature
        tt += weight * temperature * temperature
        xt += weight * temperature * from
        yt += weight * temperature * to
    }

    /// Slopes and intercept; nil if an axis does not vary, varies only with the temperature, or has no positive slope.
    func line(
        usesTemperature: Bool
    ) -> (slope: SIMD3<Double>, slopePerDegree: SIMD3<Double>, intercept: SIMD3<Double>)? {
        let variance = weight * xx - x * x
        let covariance = weight * xy - x * y
        guard variance.min() > 0 else { return nil }
        guard usesTemperature else {
            let slope = covariance / variance
            guard slope.min() > 0 else { return nil }
            return (slope, .zero, (y - slope * x) / weight)
        }
        let ofTemperature = weight * tt - t * t
        let withTemperature = weight * xt - x * t
        let yWithTemperature = weight * yt - y * t
        let determinant = variance * ofTemperature - withTemperature * withTemperature
        guard determinant.min() > 0 else { return nil }
        let slope = (covariance * ofTemperature - yWithTemperature * withTemperature) / determinant
        let perDegree = (yWithTemperature * variance - covariance * withTemperature) / determinant
        guard slope.min() > 0 else { return nil }
        return (slope, perDegree, (y - slope * x - perDegree * t) / weight)
    }
}

/// Corrections of a sensor's scale and offset, estimated from its readings at rest.
///
/// At rest a sensor measures gravity alone, so its reading has a magnitude of one g in any orientation. The fit moves
/// the readings of still windows iteratively to the unit sphere (van Hees et al., J Appl Physiol 117(7), 2014).
/// Deviations from the paper: it does not use the temperature of the sensor, and it uses still windows of the whole
/// trace instead of the first 72 hours.
public struct SensorCalibration: Hashable, Sendable {
    /// The factor for each axis, applied after ``offset``.
    public let scale: SIMD3<Float>
    /// The addend for each axis, in g.
    public let offset: SIMD3<Float>
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

    /// The fewest still windows for a fit of six numbers.
    static let fewestWindows = 50
    /// The reading in g that each axis must exceed in both directions, as in GGIR (Migueles et al., 2019).
    private static let sphereCriterion: Float = 0.3
    /// The largest error in g after a good calibration, as in the paper.
    private static let largestError = 0.01
    private static let mostRounds = 1000
    /// The iteration ends when a round reduces the error by less than this, in g.
    private static let tolerance = 1e-9
    /// The largest weight of a reading, relative to a reading one g away from the sphere.
    private static let largestWeight = 100.0

    static func fit(_ means: [SIMD3<Float>]) -> Result<SensorCalibration, Obstacle> {
        // Readings far from one g at rest come from a broken sensor or from another signal.
        let means = means.filter { (0.5...1.5).contains(length($0)) }
        guard means.count >= fewestWindows else { return .failure(.tooLittleStillness(windows: means.count)) }
        let missing = ["x", "y", "z"].enumerated().filter { axis, _ in
            means.allSatisfy { $0[axis] <= sphereCriterion } || means.allSatisfy { $0[axis] >= -sphereCriterion }
        }
        guard missing.isEmpty else {
            return .failure(.tooFewOrientations(axes: missing.map(\.element).joined(separator: ", ")))
        }
        let readings = means.map { SIMD3<Double>($0) }
        let (scale, offset) = moveToSphere(readings)
        let before = meanError(readings)
        let after = meanError(readings.map { ($0 + offset) * scale })
        guard after < before, after < largestError else {
            return .failure(.noGain(errorBefore: Float(before), errorAfter: Float(after)))
        }
        return .success(
            SensorCalibration(
                scale: SIMD3<Float>(scale), offset: SIMD3<Float>(offset), errorBefore: Float(before),
                errorAfter: Float(after), windows: means.count))
    }

    /// In each round: the nearest points on the sphere, then a weighted line from the readings to them for each axis.
    private static func moveToSphere(_ readings: [SIMD3<Double>]) -> (scale: SIMD3<Double>, offset: SIMD3<Double>) {
        var scale = SIMD3<Double>(repeating: 1)
        var offset = SIMD3<Double>.zero
        var error = Double.infinity
        for _ in 0..<mostRounds {
            var sums = LineSums()
            var distance = 0.0
            for reading in readings {
                let moved = (reading + offset) * scale
                let nearest = moved / length(moved)
                let away = abs(length(moved) - 1)
                distance += away
                sums.add(moved, nearest, weight: min(1 / max(away, 1e-9), largestWeight))
            }
            distance /= Double(readings.count)
            guard error - distance > tolerance, let line = sums.line else { break }
            error = distance
            // (r + o)·s, then ·slope + intercept, is (r + o + intercept / (slope·s)) · (slope·s).
            scale *= line.slope
            offset += line.intercept / scale
        }
        return (scale, offset)
    }

    private static func meanError(_ readings: [SIMD3<Double>]) -> Double {
        readings.reduce(0) { $0 + abs(length($1) - 1) } / Double(readings.count)
    }

    private static func length<Scalar: FloatingPoint>(_ vector: SIMD3<Scalar>) -> Scalar {
        (vector * vector).sum().squareRoot()
    }
}

extension SampleBatch {
    /// The samples with the corrections applied. Filled samples, which are not measured, keep their magnitude of 1 g.
    public func calibrated(by calibration: SensorCalibration) -> SampleBatch {
        guard !isFilled else { return self }
        let (scale, offset) = (calibration.scale, calibration.offset)
        return SampleBatch(
            times: times, x: x.map { ($0 + offset.x) * scale.x }, y: y.map { ($0 + offset.y) * scale.y },
            z: z.map { ($0 + offset.z) * scale.z })
    }
}

/// Sums for a weighted straight line through points, for three axes at once.
///
/// `gsl_fit_wlinear` computes the same. This module links no other library, so that its users owe nothing to the
/// license of GSL.
private struct LineSums {
    private var weight = 0.0
    private var x = SIMD3<Double>.zero
    private var y = SIMD3<Double>.zero
    private var xx = SIMD3<Double>.zero
    private var xy = SIMD3<Double>.zero

    mutating func add(_ from: SIMD3<Double>, _ to: SIMD3<Double>, weight: Double) {
        self.weight += weight
        x += weight * from
        y += weight * to
        xx += weight * from * from
        xy += weight * from * to
    }

    /// Slope and intercept; nil if an axis does not vary.
    var line: (slope: SIMD3<Double>, intercept: SIMD3<Double>)? {
        let variance = weight * xx - x * x
        guard variance.min() > 0 else { return nil }
        let slope = (weight * xy - x * y) / variance
        guard slope.min() > 0 else { return nil }
        return (slope, (y - slope * x) / weight)
    }
}

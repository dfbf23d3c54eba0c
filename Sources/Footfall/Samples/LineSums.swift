/// Sums for a weighted straight line through points, for three axes at once, with the temperature as a second variable.
///
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

internal import CGSL

/// A natural cubic spline through points.
final class CubicSpline {
    private let x: [Double]
    private let y: [Double]
    private let interpolation: UnsafeMutablePointer<gsl_interp>

    /// Computes the spline.
    ///
    /// - Parameters:
    ///   - x: Strictly increasing values, at least three.
    ///   - y: The value at each of them.
    /// - Returns: Nil for other points.
    init?(x: [Double], y: [Double]) {
        GSL.withoutErrorHandler
        guard x.count >= 3, x.count == y.count, zip(x, x.dropFirst()).allSatisfy(<),
            let interpolation = footfall_cubic_spline_alloc(x.count)
        else { return nil }
        (self.x, self.y, self.interpolation) = (x, y, interpolation)
        guard gsl_interp_init(interpolation, x, y, x.count) == 0 else { return nil }
    }

    deinit { gsl_interp_free(interpolation) }

    /// The values at equal distances, from `start` on. Beyond the points, the value is that of the nearest one.
    func values(from start: Double, every step: Double, count: Int) -> [Double] {
        guard let first = x.first, let last = x.last else { return [] }
        var accelerator = gsl_interp_accel()
        return (0..<count).map { index in
            let place = min(max(start + Double(index) * step, first), last)
            return gsl_interp_eval(interpolation, x, y, place, &accelerator)
        }
    }
}

import CGSL

/// Probability distributions of GSL.
package enum Distribution {
    /// The value that Student's *t* does not exceed with a probability; nil for a probability outside 0…1 or without a
    /// degree of freedom.
    package static func studentQuantile(_ probability: Double, degreesOfFreedom: Int) -> Double? {
        guard (0...1).contains(probability), degreesOfFreedom > 0 else { return nil }
        GSL.withoutErrorHandler
        return gsl_cdf_tdist_Pinv(probability, Double(degreesOfFreedom))
    }

    /// The probability that Student's *t* exceeds a value; nil without a degree of freedom.
    package static func studentUpperTail(_ value: Double, degreesOfFreedom: Int) -> Double? {
        guard degreesOfFreedom > 0 else { return nil }
        GSL.withoutErrorHandler
        return gsl_cdf_tdist_Q(value, Double(degreesOfFreedom))
    }

    /// The value that the normal distribution does not exceed with a probability; nil outside 0…1.
    package static func normalQuantile(_ probability: Double) -> Double? {
        guard (0...1).contains(probability) else { return nil }
        GSL.withoutErrorHandler
        return gsl_cdf_ugaussian_Pinv(probability)
    }

    /// The bound that the mean of a Poisson distribution stays below with a probability, after `count` events.
    ///
    /// The exact bound: half a quantile of χ² with 2(count + 1) degrees of freedom (F. Garwood, Fiducial limits for the
    /// Poisson distribution, Biometrika 28, 1936).
    package static func poissonUpperBound(count: Int, probability: Double) -> Double? {
        guard (0...1).contains(probability), count >= 0 else { return nil }
        GSL.withoutErrorHandler
        return gsl_cdf_chisq_Pinv(probability, 2 * Double(count + 1)) / 2
    }
}

/// Two series of equal length, value by value.
package struct PairedSeries {
    private let x: [Double]
    private let y: [Double]

    /// Creates the series; nil if their lengths differ or are below two.
    package init?(_ x: [Double], _ y: [Double]) {
        guard x.count == y.count, x.count > 1 else { return nil }
        (self.x, self.y) = (x, y)
    }

    /// The covariance of a sample (divisor *n* − 1).
    package var covariance: Double { gsl_stats_covariance(x, 1, y, 1, x.count) }

    /// Pearson's correlation; nil if one of the series is constant.
    package var correlation: Double? {
        let correlation = gsl_stats_correlation(x, 1, y, 1, x.count)
        return correlation.isFinite ? correlation : nil
    }

    /// The slope of the least squares line of y over x, and its standard error; nil for fewer than three values or a
    /// constant x.
    package var slope: (value: Double, error: Double)? {
        guard x.count > 2 else { return nil }
        GSL.withoutErrorHandler
        var (intercept, slope, squares) = (0.0, 0.0, 0.0)
        var (covariance00, covariance01, covariance11) = (0.0, 0.0, 0.0)
        let status = gsl_fit_linear(
            x, 1, y, 1, x.count, &intercept, &slope, &covariance00, &covariance01, &covariance11, &squares)
        guard status == 0, slope.isFinite, covariance11.isFinite else { return nil }
        return (slope, covariance11.squareRoot())
    }
}

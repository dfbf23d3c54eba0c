internal import CGSL

/// The GNU Scientific Library.
package enum GSL {
    /// Turns off GSL's error handler, which ends the process. Functions return a status instead. The handler belongs to
    /// the process, so this happens once.
    static let withoutErrorHandler: Void = { _ = gsl_set_error_handler_off() }()

    /// The bound that the mean of a Poisson distribution stays below with a probability, after `count` events. The
    /// exact bound: half a quantile of χ² with 2(count + 1) degrees of freedom (F. Garwood, Fiducial limits for the
    /// Poisson distribution, Biometrika 28, 1936).
    package static func poissonUpperBound(count: Int, probability: Double) -> Double? {
        guard (0...1).contains(probability), count >= 0 else { return nil }
        withoutErrorHandler
        return gsl_cdf_chisq_Pinv(probability, 2 * Double(count + 1)) / 2
    }
}

extension Array where Element == Double {
    /// A quantile of the values, which are in ascending order; nil without values, or for a probability outside 0…1.
    /// Linear interpolation between the two nearest values, as numpy does by default: definition 7 in R. J. Hyndman and
    /// Y. Fan, Sample quantiles in statistical packages, The American Statistician 50(4), 1996.
    package func sortedQuantile(_ probability: Double) -> Double? {
        guard !isEmpty, (0...1).contains(probability) else { return nil }
        GSL.withoutErrorHandler
        return gsl_stats_quantile_from_sorted_data(self, 1, count, probability)
    }

    /// The mean; nil without values.
    package var mean: Double? { isEmpty ? nil : gsl_stats_mean(self, 1, count) }

    /// The standard deviation of a sample (divisor *n* − 1); nil for fewer than two values.
    package var standardDeviation: Double? { count < 2 ? nil : gsl_stats_sd(self, 1, count) }

    /// The sum of the products of each value and the one `lag` positions later. Four products at a time, which
    /// `gsl_blas_ddot` does not do.
    func sumOfProducts(lag: Int) -> Double {
        let (values, bytes, count) = (span, span.bytes, count - lag)
        func four(_ index: Int) -> SIMD4<Double> {
            bytes.unsafeLoadUnaligned(fromByteOffset: index * MemoryLayout<Double>.stride, as: SIMD4<Double>.self)
        }
        var sums = SIMD4<Double>.zero
        var next = 0
        while next + 4 <= count {
            sums += four(next) * four(next + lag)
            next += 4
        }
        while next < count {
            sums[0] += values[next] * values[next + lag]
            next += 1
        }
        return sums.sum()
    }

    /// The amplitudes of the discrete Fourier transform, from the frequency 0 up to half the rate. The values are
    /// filled up with zeros to the length, a power of two.
    func amplitudes(length: Int) -> [Double] {
        GSL.withoutErrorHandler
        var data = self + repeatElement(0, count: Swift.max(0, length - count))
        guard length >= 2, data.count == length, gsl_fft_real_radix2_transform(&data, 1, length) == 0 else { return [] }
        // The real part of the frequency k is at k, the imaginary one at length − k.
        let inner = (1..<length / 2).map { (data[$0] * data[$0] + data[length - $0] * data[length - $0]).squareRoot() }
        return [abs(data[0])] + inner + [abs(data[length / 2])]
    }
}

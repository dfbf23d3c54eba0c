import CGSL

/// The GNU Scientific Library.
enum GSL {
    /// Turns off GSL's error handler, which ends the process. Functions return a status instead.
    ///
    /// The handler belongs to the process, so this happens once.
    static let withoutErrorHandler: Void = { _ = gsl_set_error_handler_off() }()
}

extension Array where Element == Double {
    /// A quantile of the values, which are in ascending order; nil without values, or for a probability outside 0…1.
    ///
    /// Linear interpolation between the two nearest values, as numpy does by default: definition 7 in R. J. Hyndman and
    /// Y. Fan, Sample quantiles in statistical packages, The American Statistician 50(4), 1996.
    func sortedQuantile(_ probability: Double) -> Double? {
        guard !isEmpty, (0...1).contains(probability) else { return nil }
        GSL.withoutErrorHandler
        return gsl_stats_quantile_from_sorted_data(self, 1, count, probability)
    }
}

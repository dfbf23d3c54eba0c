internal import CGSL
public import Footfall
internal import FootfallTables
public import Foundation

/// The daily rhythm of rest and activity over several days, from the mean ENMO of each hour of the clock.
///
/// Interdaily stability and intradaily variability are those of W. Witting et al., Alterations in the circadian
/// rest-activity rhythm in aging and Alzheimer's disease, Biological Psychiatry 27(6), 1990. The cosine is that of F.
/// Halberg, Y. L. Tong and E. A. Johnson, Circadian system phase, in The Cellular Aspects of Biorhythms, Springer,
/// 1967. All need at least ``leastHours`` hours, with each hour of the clock.
///
/// Deviations: hours of the clock that are missing on some days count by the days that have them, so that the stability
/// stays within 0…1; the variability takes pairs of hours that follow each other.
public struct DailyRhythm: Hashable, Sendable {
    /// The mean of an hour of the clock.
    public struct Hour: Codable, Hashable, Sendable {
        /// The start of the hour.
        public let start: Timestamp
        /// The hour of the clock, 0…23.
        public let clockHour: Int
        /// The mean of ENMO, in mg.
        public let enmoMg: Double

        /// Stores the values.
        public init(start: Timestamp, clockHour: Int, enmoMg: Double) {
            (self.start, self.clockHour, self.enmoMg) = (start, clockHour, enmoMg)
        }
    }

    /// The cosine with a period of 24 h that fits the hours best.
    public struct Cosine: Hashable, Sendable {
        /// The middle between the highest and the lowest value, in mg.
        public let mesorMg: Double
        /// The highest value minus the mesor, in mg.
        public let amplitudeMg: Double
        /// The hour of the clock of the highest value, 0 to below 24.
        public let acrophaseHours: Double
        /// The share of the variance that the cosine explains, 0…1.
        public let rSquared: Double
    }

    /// The least number of hours: 48.
    public static let leastHours = 48

    /// The share of the variance that the hour of the clock explains, 0…1: 1 if all days are equal. Nil with too few
    /// hours.
    public let interdailyStability: Double?
    /// The mean square of the change from one hour to the next, by the variance: near 0 for a cosine, near 2 for noise.
    public let intradailyVariability: Double?
    /// The cosine; nil with too few hours.
    public let cosine: Cosine?

    /// Computes the rhythm.
    ///
    /// - Parameter hours: The hours of all days of a person, in ascending order. Missing hours are left out.
    public init(of hours: [Hour]) {
        GSL.withoutErrorHandler
        let values = hours.map(\.enmoMg)
        let clock = (0..<24).map { hour in hours.filter { $0.clockHour == hour }.map(\.enmoMg) }
        let total = gsl_stats_tss(values, 1, values.count)
        guard hours.count >= Self.leastHours, !clock.contains([]), total > 0, let mean = values.mean else {
            (interdailyStability, intradailyVariability, cosine) = (nil, nil, nil)
            return
        }
        let between = clock.reduce(0.0) { sum, values in
            sum + Double(values.count) * pow((values.mean ?? mean) - mean, 2)
        }
        interdailyStability = min(between / total, 1)
        let changes = zip(hours, hours.dropFirst()).filter { $1.start == $0.start.advanced(bySeconds: 3600) }
            .map { pow($1.enmoMg - $0.enmoMg, 2) }
        intradailyVariability = changes.mean.map { $0 * Double(values.count) / total }
        cosine = Cosine(of: hours, total: total)
    }
}

extension DailyRhythm.Cosine {
    /// Fits the hours. `total` is the sum of the squares of the distances from the mean.
    fileprivate init?(of hours: [DailyRhythm.Hour], total: Double) {
        let rows = hours.map { hour in
            let angle = 2 * Double.pi * (Double(hour.clockHour) + 0.5) / 24
            return [1, cos(angle), sin(angle)]
        }
        guard let fit = GSL.leastSquares(rows, hours.map(\.enmoMg)) else { return nil }
        let hour = atan2(fit.factors[2], fit.factors[1]) * 24 / (2 * .pi)
        mesorMg = fit.factors[0]
        amplitudeMg = hypot(fit.factors[1], fit.factors[2])
        acrophaseHours = hour < 0 ? hour + 24 : hour
        rSquared = 1 - fit.residual / total
    }
}

extension IntensityMeasures {
    /// The hours of the clock with at least 30 min of worn epochs, in ascending order.
    ///
    /// An hour that the clock repeats is two hours.
    ///
    /// - Parameter zone: The zone of the wearer.
    public func hours(in zone: TimeZone) -> [DailyRhythm.Hour] {
        var hours: [(start: Timestamp, clockHour: Int, values: [Double])] = []
        var offsets = ZoneOffsets(of: zone)
        for epoch in epochs {
            let offset = offsets.seconds(at: epoch.start)
            let hour = (epoch.start.second + offset).flooredQuotientAndRemainder(by: 3600).quotient
            let start = Timestamp(nanosecondsSince1970: (hour * 3600 - offset) * 1_000_000_000)
            if hours.last?.start != start {
                hours.append((start, Int(hour.flooredQuotientAndRemainder(by: 24).remainder), []))
            }
            hours[hours.count - 1].values.append(epoch.enmoMg)
        }
        return hours.filter { Double($0.values.count) * epochSeconds >= 1800 }.compactMap { hour in
            hour.values.mean.map { DailyRhythm.Hour(start: hour.start, clockHour: hour.clockHour, enmoMg: $0) }
        }
    }
}

extension GSL {
    /// The factors of the columns whose sum is nearest to the values, and the sum of the squared distances that remain.
    /// The rows are the columns' values for each of the values, of which there are at least as many as columns; nil for
    /// other sizes.
    static func leastSquares(_ rows: [[Double]], _ values: [Double]) -> (factors: [Double], residual: Double)? {
        withoutErrorHandler
        let columns = rows.first?.count ?? 0
        guard columns > 0, rows.count == values.count, values.count >= columns,
            let matrix = gsl_matrix_alloc(values.count, columns), let vector = gsl_vector_alloc(values.count),
            let factors = gsl_vector_alloc(columns), let covariance = gsl_matrix_alloc(columns, columns),
            let work = gsl_multifit_linear_alloc(values.count, columns)
        else { return nil }
        defer {
            gsl_matrix_free(matrix)
            gsl_vector_free(vector)
            gsl_vector_free(factors)
            gsl_matrix_free(covariance)
            gsl_multifit_linear_free(work)
        }
        for (row, numbers) in rows.enumerated() {
            gsl_vector_set(vector, row, values[row])
            for (column, number) in numbers.enumerated() { gsl_matrix_set(matrix, row, column, number) }
        }
        var residual = 0.0
        guard gsl_multifit_linear(matrix, vector, factors, covariance, &residual, work) == 0 else { return nil }
        return ((0..<columns).map { gsl_vector_get(factors, $0) }, residual)
    }
}

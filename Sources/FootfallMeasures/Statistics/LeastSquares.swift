internal import CGSL

extension GSL {
    /// The factors of the columns whose sum is nearest to the values, and the sum of the squared distances that remain.
    ///
    /// - Parameters:
    ///   - rows: The columns' values for each of the values. All rows have the same length.
    ///   - values: The values, at least as many as there are columns.
    /// - Returns: Nil for other sizes.
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

/// A problem with a row of a table.
package enum RowProblem: CaseIterable, Sendable {
    /// A value is no number.
    case notANumber
    /// A value is NaN or infinite.
    case notFinite
    /// The row ends before the last column that is needed.
    case tooFewFields
    /// The time cannot be read.
    case unreadableTime
    /// The time lies outside `Timestamp.supported`.
    case timeOutOfRange
    /// The acceleration is above 1000 g.
    case implausibleAcceleration
    /// The line is longer than ``RowReader/longestLine``.
    case lineTooLong
    /// The row belongs to an earlier recording.
    case staleTime
    /// The time is before that of the row above. The row is read all the same.
    case timeStepsBack
    /// The clock continues where local time changes. The row is read all the same.
    case clockNotSet
}

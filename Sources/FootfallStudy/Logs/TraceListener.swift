package import Footfall
package import Foundation

/// Receives the results of an analysis as they come.
package protocol TraceListener {
    /// The trace is open. If its clock was set back, it is read again, and all results come again after this call.
    ///
    /// - Parameter timeZone: The wearer's zone; nil if neither the options nor the file state it.
    /// - Returns: What the reading thread does with the samples, if anything.
    mutating func begin(in timeZone: TimeZone?) throws -> (@Sendable (RepairedSamples) -> Void)?

    /// The next samples, corrected and repaired, in the order of the file.
    mutating func take(_ samples: RepairedSamples) throws

    /// The next settled events.
    ///
    /// - Parameter start: The time of the first sample.
    mutating func take(_ events: [MotionEvent], start: Timestamp) throws

    /// What the stages computed for a second, if ``AnalysisRequest/keepsSeconds``.
    mutating func take(_ second: AnalyzedSecond)

    /// The end of the analysis, which may be interrupted.
    mutating func finish(_ analysis: TraceAnalysis) throws
}

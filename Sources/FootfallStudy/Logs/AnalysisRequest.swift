package import FootfallReaders
package import Foundation

/// How a trace is read for its analysis.
package struct AnalysisRequest: Sendable {
    package var options: TraceOptions
    /// The wearer's zone; nil for the one that the file states, if any.
    package var timeZone: TimeZone?
    /// Whether to correct the sensor's scale and offset first, which reads the file twice.
    package var calibrates: Bool
    /// Whether to record what the stages compute for each second.
    package var keepsSeconds: Bool
    /// How a user accepts a trace that loses more than a tenth of its rows, for the error; nil accepts it.
    package var lossRemedy: ParameterText?
    /// How notes and warnings name parameters.
    package var wording: @Sendable (ParameterText) -> String

    package init(
        _ options: TraceOptions, timeZone: TimeZone? = nil, calibrates: Bool = false, keepsSeconds: Bool = false,
        lossRemedy: ParameterText?, wording: @escaping @Sendable (ParameterText) -> String = \.description
    ) {
        (self.options, self.timeZone, self.calibrates) = (options, timeZone, calibrates)
        (self.keepsSeconds, self.lossRemedy, self.wording) = (keepsSeconds, lossRemedy, wording)
    }
}

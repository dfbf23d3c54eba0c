/// The result of step detection for one second.
struct SecondResult: Sendable {
    /// Whole seconds since 1970.
    let second: Int64
    /// The gait of the bout that contains the second; nil outside of bouts.
    var gait: GaitType?
    /// The steps within the second.
    var steps: [Step] = []
    /// The log-odds of walking or running.
    var evidence: Float = 0
}

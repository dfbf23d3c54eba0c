/// Why a second has steps, or none: how far it came in the detection of steps.
public enum StepDecision: String, CaseIterable, Sendable {
    /// There is no steady cadence that resembles walking or running. A still second has no score, and
    /// neither has a second between seconds that do not resemble gait.
    case noCadence
    /// There is such a cadence, but the walking check classifies it as another rhythm: of a hand, a pedal or a machine.
    case otherRhythm
    /// A cadence of gait is followed, but too shortly or too weakly for a bout.
    case unconfirmed
    /// The second is part of a bout.
    case bout
}

extension AnalyzedSecond {
    /// Why the second has steps, or none.
    public var decision: StepDecision {
        if steps > 0 || bout == .confirmed { return .bout }
        if let checkSum, checkSum < 0, let gateScore, gateScore > 0 { return .otherRhythm }
        return cadence == nil ? .noCadence : .unconfirmed
    }
}

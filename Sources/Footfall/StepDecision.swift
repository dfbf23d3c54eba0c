/// Why a second has steps, or none: how far it came in the detection of steps.
public enum StepDecision: String, CaseIterable, Sendable {
    /// No cadence is steady and resembles walking or running. A still second, and one like its calm neighbor, is not
    /// even scored.
    case noCadence
    /// A cadence is, but the walking check takes it for another rhythm: a hand, a pedal, a machine.
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

/// What the stages of an analyzer compute for one second. It answers why a second has steps, or none.
///
/// ```swift
/// var analyzer = MotionAnalyzer(recordsSeconds: true)
/// for batch in batches {
///     record(analyzer.analyze(batch))
///     for second in analyzer.takeSeconds() { print(second.start, second.gateScore ?? .nan, second.activity) }
/// }
/// ```
///
/// A stage that a second does not need leaves its values empty: a still second has no cadences, and a second of a bout
/// has no window features.
public struct AnalyzedSecond: Hashable, Sendable {
    /// A cadence that the second may have.
    public struct Candidate: Hashable, Sendable {
        /// The steps of both feet per minute.
        public let stepsPerMinute: Double
        /// The log-odds of walking or running at this cadence, from the walking gate.
        public let score: Float
    }

    /// How far the decision on a bout has come.
    public enum BoutState: String, CaseIterable, Sendable {
        /// No cadence is followed.
        case none
        /// A cadence is followed, but the evidence is not sufficient yet, or never was.
        case candidate
        /// The second is part of a bout.
        case confirmed
    }

    /// The start of the second. Seconds count from the first sample of the series.
    public internal(set) var start: Timestamp
    /// The cadences that the gate scores, the most regular first.
    public internal(set) var candidates: [Candidate] = []
    /// The log-odds of gait against other rhythms, from this second alone; nil if no cadence is likely enough to be
    /// checked.
    public internal(set) var check: Float?
    /// The log-odds of gait against other rhythms over the last minutes; the cadence passes at 0 and above.
    public internal(set) var checkSum: Float?
    /// The cadence that the tracker decides on, in steps of both feet per minute; nil for “not on foot”.
    public internal(set) var cadence: Double?
    /// The state of the bout after this second.
    public internal(set) var bout = BoutState.none
    /// The steps in the second.
    public internal(set) var steps = 0
    /// The window features, in the order of ``featureNames``; empty where none are measured.
    public internal(set) var features: [Float] = []
    /// The probability of each class of the activity classifier, in the order of ``classNames``; empty without an
    /// observation.
    public internal(set) var classes: [Float] = []
    /// The probability of each state of the activity chain, given the seconds before and after, in the order of
    /// ``stateNames``.
    public internal(set) var states: [Float] = []
    /// The settled flags.
    public internal(set) var flags: ActivityFlags = .unknown
    /// Why the settled activity is unknown; nil if it is known.
    public internal(set) var reason: UnknownReason?
    /// The probability that the settled activity is right, 0…1.
    public internal(set) var probability: Float = 0

    /// The highest score of the gate, in log-odds; nil without a candidate.
    public var gateScore: Float? { candidates.map(\.score).max() }
    /// The settled activity.
    public var activity: Activity { flags.activity }

    /// The names of ``features``: the energy of six bands from 0.2 to 6.2 Hz; the share along gravity and the linearity
    /// of the motion in a low, a middle and a high band; the spectral entropy; the strongest and the calmest eighth;
    /// the turn of gravity.
    public static let featureNames =
        (1...6).map { "energy\($0)" } + (1...3).map { "vertical\($0)" } + (1...3).map { "linearity\($0)" }
        + ["entropy", "strongest", "calmest", "turn"]
    /// The names of ``classes``.
    public static let classNames = ActivityClass.allCases.map { "\($0)" }
    /// The names of ``states``. A drive has three: moving, stopped, and with the device in busy hands.
    public static let stateNames = ActivityState.allCases.map { "\($0)" }

    init(_ second: Int64) { start = Timestamp(second: second) }

    /// Why the second has steps, or none.
    public var decision: StepDecision {
        if steps > 0 || bout == .confirmed { return .bout }
        if let checkSum, checkSum < 0, let gateScore, gateScore > 0 { return .otherRhythm }
        return cadence == nil ? .noCadence : .unconfirmed
    }
}

/// The values of seconds on their way through the stages.
struct SecondLog<Value: Sendable>: Sendable {
    private var values: [Int64: Value] = [:]

    mutating func note(_ second: Int64, _ empty: @autoclosure () -> Value, _ change: (inout Value) -> Void) {
        change(&values[second, default: empty()])
    }

    mutating func take(_ second: Int64) -> Value? { values.removeValue(forKey: second) }
}

/// Why a second has steps, or none: how far it came in the detection of steps.
public enum StepDecision: String, CaseIterable, Sendable {
    /// There is no steady cadence that resembles walking or running. A still second has no score, and neither has one
    /// between seconds that do not resemble gait.
    case noCadence
    /// There is such a cadence, but the walking check classifies it as another rhythm: of a hand, a pedal or a machine.
    case otherRhythm
    /// A cadence of gait is followed, but too shortly or too weakly for a bout.
    case unconfirmed
    /// The second is part of a bout.
    case bout
}

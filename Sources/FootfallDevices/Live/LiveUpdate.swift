public import Footfall

/// What is new about the motion of a live device, and how things stand.
public struct LiveUpdate: Sendable {
    /// The events that were settled since the update before, in order. These are the ones to keep.
    public internal(set) var events: [MotionEvent] = []
    /// The best guess about all that is not settled yet; it is made anew with each update, to be shown and not kept.
    ///
    /// It is at most half a second old.
    public internal(set) var provisional: [MotionEvent] = []
    /// The steps since the beginning that are settled.
    public internal(set) var settledSteps = 0
    /// The steps since the beginning, provisional ones included.
    public internal(set) var steps = 0
    /// What is being done now, as far as is known: the newest segment, from its beginning on.
    public internal(set) var current: Segment?
    /// Steps per minute over the last steps; nil when nobody is stepping.
    public internal(set) var cadence: Double?
    /// What came of the samples since the beginning, or since the host's clock was last set back.
    public internal(set) var quality = SignalQuality()
    /// Samples per second over the last seconds; nil before the first two.
    public internal(set) var sampleRate: Double?
    /// When the newest sample was taken.
    public internal(set) var time: Timestamp?
    /// Since when no sample has been arriving, as a duration.
    public internal(set) var silence: Duration = .zero

    /// Creates an update that says nothing.
    public init() {}
}

public import Footfall

/// The new events of a live device, and its current state.
public struct LiveUpdate: Sendable {
    /// The events that were settled since the last update, in order. They never change and can be stored.
    public internal(set) var events: [MotionEvent] = []
    /// The estimate of all events that are not settled yet, at most half a second old. Each update replaces it.
    public internal(set) var provisional: [MotionEvent] = []
    /// The number of settled steps since the start.
    public internal(set) var settledSteps = 0
    /// The number of all steps since the start, provisional ones included.
    public internal(set) var steps = 0
    /// The newest segment, from its start on; nil when there is none, and without a signal.
    public internal(set) var current: Segment?
    /// Steps per minute over the last steps; nil three seconds after the last one, and without a signal.
    public internal(set) var cadence: Double?
    /// The quality of the samples since the start, or since the host's clock was last set back. Samples after leaps of
    /// the time are counted since the start.
    public internal(set) var quality = SignalQuality()
    /// Samples per second over the last seconds; nil in the first two, and without a signal.
    public internal(set) var sampleRate: Double?
    /// The time of the newest sample.
    public internal(set) var time: Timestamp?
    /// The seconds since the last usable sample arrived. A sample without a new time is not usable.
    public internal(set) var silence = 0.0

    /// The silence in seconds that ends the signal. Some devices send once a second, and an update follows within half
    /// a second, so a lost signal is reported within three.
    public static let longestSilence = 2.5

    /// Whether the device sends samples.
    public var hasSignal: Bool { silence < Self.longestSilence }

    /// The activity at this moment.
    package var activity: Activity { current?.activity ?? .unknown }
    /// The confidence in the activity; nil for an unknown one.
    package var confidence: Confidence? { activity == .unknown ? nil : current?.confidence }

    /// Creates an update without events.
    public init() {}
}

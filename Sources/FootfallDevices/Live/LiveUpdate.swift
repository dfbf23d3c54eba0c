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
    /// The newest segment, from its start on; nil when there is none.
    public internal(set) var current: Segment?
    /// Steps per minute over the last steps; nil three seconds after the last one.
    public internal(set) var cadence: Double?
    /// The quality of the samples since the start, or since the host's clock was last set back. Samples after leaps of
    /// the time are counted since the start.
    public internal(set) var quality = SignalQuality()
    /// Samples per second over the last seconds; nil in the first two.
    public internal(set) var sampleRate: Double?
    /// The time of the newest sample.
    public internal(set) var time: Timestamp?
    /// The seconds since the last sample arrived.
    public internal(set) var silence = 0.0

    /// Creates an update without events.
    public init() {}
}

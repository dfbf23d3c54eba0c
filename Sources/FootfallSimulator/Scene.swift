public import Footfall

/// One activity of the wearer for some time.
public struct Scene: Hashable, Sendable {
    /// The activity.
    public var doing: Doing
    /// The duration in seconds.
    public var duration: Double

    /// Creates a scene of `duration` seconds.
    public init(_ doing: Doing, for duration: Double) {
        self.doing = doing
        self.duration = duration
    }

    /// An activity of the wearer.
    public enum Doing: Hashable, Sendable {
        /// The device lies on a table: only sensor noise.
        case deviceAtRest
        /// Sleep: breathing, rare turns.
        case sleeping
        /// Standing: sway, breathing, shifts of weight.
        case standing
        /// Sitting: mostly still, some fidgeting.
        case sitting
        /// Sitting at a desk with typing and reaching.
        case deskWork
        /// The device is turned and tilted in the hand, without steps.
        case handling
        /// Walking.
        case walking(Gait = .walk)
        /// Running.
        case running(Gait = .run)
        /// Driving with halts; the ride begins and ends parked with the engine running.
        case driving(Ride = .city)
    }
}

extension Scene.Doing {
    /// The flags of the activity; for a ride, while the car moves.
    public var flags: ActivityFlags {
        switch self {
        case .deviceAtRest, .sleeping, .standing, .sitting, .deskWork: .stationary
        case .handling: []
        case .walking: .walking
        case .running: .running
        case .driving: .automotive
        }
    }
}

/// A way of walking or running.
public struct Gait: Hashable, Sendable {
    /// The mean cadence in steps per minute, without the first steps.
    public var cadence: Double
    /// The variation of step intervals: standard deviation divided by mean.
    public var variation: Double
    /// The delay of one foot relative to the middle between two contacts of the other, as a fraction of a step.
    public var asymmetry: Double
    /// The strength of the steps, relative to the usual at this cadence.
    public var vigour: Double
    /// The arm swing, relative to the usual; 0 for a hand in a pocket. Only for the wrist.
    public var armSwing: Double

    /// Creates a gait.
    public init(
        cadence: Double, variation: Double = 0.025, asymmetry: Double = 0.015, vigour: Double = 1,
        armSwing: Double = 1
    ) {
        self.cadence = cadence
        self.variation = variation
        self.asymmetry = asymmetry
        self.vigour = vigour
        self.armSwing = armSwing
    }

    /// A walk at 110 steps a minute.
    public static let walk = Gait(cadence: 110)
    /// A stroll at 88 steps a minute.
    public static let stroll = Gait(cadence: 88, variation: 0.035)
    /// A brisk walk at 124 steps a minute.
    public static let brisk = Gait(cadence: 124, variation: 0.02)
    /// A run at 166 steps a minute.
    public static let run = Gait(cadence: 166, variation: 0.02)
}

/// A kind of car ride.
public struct Ride: Hashable, Sendable {
    /// The range of cruising speeds in m/s.
    public var speeds: ClosedRange<Double>
    /// The range of the durations at one speed, in seconds.
    public var cruises: ClosedRange<Double>
    /// The range of the durations of halts, in seconds.
    public var halts: ClosedRange<Double>
    /// The share of cruises that end in a halt, 0…1.
    public var haltShare: Double
    /// The range of peak accelerations in m/s².
    public var accelerations: ClosedRange<Double>
    /// The root mean square of the vibration at 50 km/h in g. It grows with the square root of the speed.
    public var roughness: Double
    /// The root mean square of the engine vibration at idle in g; 0 for an electric car.
    public var engine: Double

    /// Creates a kind of ride.
    public init(
        speeds: ClosedRange<Double>, cruises: ClosedRange<Double>, halts: ClosedRange<Double>, haltShare: Double,
        accelerations: ClosedRange<Double> = 0.5...2.2, roughness: Double = 0.08, engine: Double = 0.008
    ) {
        self.speeds = speeds
        self.cruises = cruises
        self.halts = halts
        self.haltShare = haltShare
        self.accelerations = accelerations
        self.roughness = roughness
        self.engine = engine
    }

    /// City: 25–55 km/h, a red light about every minute.
    public static let city = Ride(speeds: 7...15, cruises: 10...45, halts: 8...50, haltShare: 0.6)
    /// Motorway: 80–125 km/h, few halts.
    public static let motorway = Ride(speeds: 22...35, cruises: 60...240, halts: 5...20, haltShare: 0.02)
}

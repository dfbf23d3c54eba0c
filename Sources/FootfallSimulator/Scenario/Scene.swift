public import Footfall

/// One thing the wearer does for a while.
public struct Scene: Hashable, Sendable {
    /// What the wearer does.
    public var doing: Doing
    /// For how long, in seconds.
    public var duration: Double

    /// Creates a scene of `duration` seconds.
    public init(_ doing: Doing, for duration: Double) {
        self.doing = doing
        self.duration = duration
    }

    /// What a wearer can do.
    public enum Doing: Hashable, Sendable {
        /// The device lies on a table: nothing but the sensor's own noise.
        case deviceAtRest
        /// Asleep: breathing, a turn now and then.
        case sleeping
        /// Standing: sway, breathing, weight shifted from leg to leg.
        case standing
        /// Sitting: mostly still, some fidgeting.
        case sitting
        /// At a desk: sitting with typing and reaching.
        case deskWork
        /// The device is turned over and about in the hand, without a step.
        case handling
        /// Walking.
        case walking(Gait = .walk)
        /// Running.
        case running(Gait = .run)
        /// In a car, with halts on the way; begins and ends parked with the engine running.
        case driving(Ride = .city)
    }
}

extension Scene.Doing {
    /// What is true while it is done; for a ride, while the car moves.
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

/// How somebody walks or runs.
public struct Gait: Hashable, Sendable {
    /// Steps per minute in the mean, once under way.
    public var cadence: Double
    /// How much the time between steps varies: its standard deviation as a fraction of its mean.
    public var variation: Double
    /// How much later one foot's strikes come than halfway between the other's, as a fraction of a step.
    public var asymmetry: Double
    /// How hard the steps are, relative to the usual at this cadence.
    public var vigour: Double
    /// How far the arm swings, relative to the usual; 0 for a hand in a pocket or on a pram. Wrist only.
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

/// What a car ride is like.
public struct Ride: Hashable, Sendable {
    /// The speeds the driver settles at, in metres per second.
    public var speeds: ClosedRange<Double>
    /// How long a speed is kept, in seconds.
    public var cruises: ClosedRange<Double>
    /// How long a halt lasts, in seconds.
    public var halts: ClosedRange<Double>
    /// How often a cruise ends in a halt rather than in another speed, 0…1.
    public var haltShare: Double
    /// How hard the driver accelerates and brakes, in metres per second squared.
    public var accelerations: ClosedRange<Double>
    /// How rough road and springs are: the root mean square of the vibration at 50 km/h in g. It grows with the square
    /// root of the speed.
    public var roughness: Double
    /// How strongly the engine shakes the car when idling, as root mean square in g; 0 for an electric car.
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

    /// Through town: 25–55 km/h, a red light every minute or so.
    public static let city = Ride(speeds: 7...15, cruises: 10...45, halts: 8...50, haltShare: 0.6)
    /// On a motorway: 80–125 km/h, hardly a halt.
    public static let motorway = Ride(speeds: 22...35, cruises: 60...240, halts: 5...20, haltShare: 0.02)
}

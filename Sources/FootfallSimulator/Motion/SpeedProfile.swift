/// The speed of a car during one scene of driving, leg by leg.
///
/// The car is parked at both ends; between them it accelerates, cruises, brakes and halts. The legs depend only on the
/// ride, the duration and the seed.
struct SpeedProfile: Sequence, IteratorProtocol {
    /// A smooth change from one speed to another.
    struct Leg {
        /// Seconds since the start of the scene.
        var start: Double
        /// Seconds.
        var duration: Double
        /// Metres per second at the start.
        var from: Double
        /// Metres per second at the end.
        var to: Double

        /// Seconds since the start of the scene.
        var end: Double { start + duration }
        /// Whether the car stands.
        var isHalt: Bool { from == 0 && to == 0 }

        /// Speed in m/s and acceleration in m/s² at a time in the leg.
        func state(at time: Double) -> (speed: Double, acceleration: Double) {
            guard duration > 0 else { return (to, 0) }
            let u = Swift.min(Swift.max((time - start) / duration, 0), 1)
            return (from + (to - from) * u * u * (3 - 2 * u), (to - from) / duration * 6 * u * (1 - u))
        }
    }

    private enum Phase {
        case halting
        case departing
        case cruising
        case deciding
    }

    private let ride: Ride
    private let end: Double
    private var random: SplitMix64
    private var phase = Phase.halting
    private var time = 0.0
    private var speed = 0.0

    /// The time parked at each end of a ride, in seconds.
    private static let parked = 3.0...7.0
    /// With less time left than this, in seconds, the car stays halted.
    private static let shortestHop = 30.0
    /// Peak divided by mean acceleration of a smooth change of speed.
    private static let peakOverMean = 1.5
    /// The smallest peak acceleration of a change of speed, in m/s².
    private static let gentlestChange = 0.1

    init(ride: Ride, duration: Double, random: SplitMix64) {
        self.ride = ride
        self.random = random
        end = duration
    }

    mutating func next() -> Leg? {
        guard time < end else { return nil }
        let leg =
            switch phase {
            case .halting: halt()
            case .departing: departure()
            case .cruising: cruise()
            case .deciding: decision()
            }
        time = leg.end
        speed = leg.to
        return leg
    }

    private mutating func halt() -> Leg {
        phase = .departing
        let wanted = random.uniform(time == 0 ? SpeedProfile.parked : ride.halts)
        let left = end - time
        let isLast = left - wanted < SpeedProfile.shortestHop
        return isLast ? Leg(start: time, duration: left, from: 0, to: 0) : leg(lasting: wanted, to: 0)
    }

    private mutating func departure() -> Leg {
        phase = .cruising
        // At most half of the remaining time is for acceleration, so that the rest is enough to brake.
        let half = (end - time - SpeedProfile.parked.upperBound) / 2
        return change(to: Swift.min(random.uniform(ride.speeds), half * gentlest / SpeedProfile.peakOverMean))
    }

    private mutating func cruise() -> Leg {
        let left = end - time - timeToHalt(from: speed)
        guard left > 1 else { return brake() }
        phase = .deciding
        return leg(lasting: Swift.min(random.uniform(ride.cruises), left), to: speed)
    }

    private mutating func decision() -> Leg {
        let target = random.uniform(ride.speeds)
        let longest = SpeedProfile.peakOverMean * abs(target - speed) / gentlest + timeToHalt(from: target)
        guard random.unit() >= ride.haltShare, end - time - longest > SpeedProfile.shortestHop else { return brake() }
        phase = .cruising
        return change(to: target)
    }

    private mutating func brake() -> Leg {
        phase = .halting
        return change(to: 0)
    }

    private var gentlest: Double { Swift.max(ride.accelerations.lowerBound, SpeedProfile.gentlestChange) }

    /// The longest time to halt and park.
    private func timeToHalt(from speed: Double) -> Double {
        SpeedProfile.peakOverMean * speed / gentlest + SpeedProfile.parked.lowerBound
    }

    /// A change of speed with a peak acceleration in the range of the ride.
    private mutating func change(to target: Double) -> Leg {
        let rate = Swift.max(random.uniform(ride.accelerations), SpeedProfile.gentlestChange)
        let duration = SpeedProfile.peakOverMean * abs(target - speed) / rate
        return leg(lasting: Swift.max(duration, 0.5), to: target)
    }

    /// The next leg. Its duration is rounded to milliseconds, so that the ground truth has few digits.
    private func leg(lasting duration: Double, to target: Double) -> Leg {
        Leg(start: time, duration: (duration * 1000).rounded(.up) / 1000, from: speed, to: target)
    }
}

public import Footfall

/// The unit of a number that is an acceleration.
public enum AccelerationScale: Hashable, Sendable {
    /// A physical unit.
    case unit(AccelerationUnit)
    /// Raw counts of an analog-to-digital converter, with so many counts per g.
    case counts(perG: Float)

    /// Standard gravity.
    public static let g = AccelerationScale.unit(.g)
    /// Thousandths of standard gravity.
    public static let mg = AccelerationScale.unit(.mg)
    /// Metres per second squared.
    public static let metresPerSecondSquared = AccelerationScale.unit(.metresPerSecondSquared)

    /// The value of 1 in g.
    public var inG: Float {
        switch self {
        case .unit(let unit): unit.inG
        case .counts(let perG): 1 / perG
        }
    }
}

extension AccelerationScale: CustomStringConvertible {
    /// The scale as text, such as `m/s²` or `counts of 1/16384 g`.
    public var description: String {
        switch self {
        case .unit(let unit): unit.rawValue
        case .counts(let perG): "counts of 1/\(Int(exactly: perG).map(String.init) ?? "\(perG)") g"
        }
    }
}

/// The limit of plausible acceleration on each axis.
package enum PlausibleAcceleration {
    /// In g. No wearer survives more, and no sensor in use measures more.
    @inlinable
    package static var limitG: Float { 1000 }

    /// Whether each axis of a vector in g is finite and within the limit.
    @inlinable
    package static func contains(_ vector: SIMD3<Float>) -> Bool {
        // Comparisons with NaN are false.
        abs(vector.x) <= limitG && abs(vector.y) <= limitG && abs(vector.z) <= limitG
    }
}

/// The unit of a number that is a time.
public enum TimeUnit: String, CaseIterable, Sendable {
    /// Seconds.
    case seconds = "s"
    /// Milliseconds.
    case milliseconds = "ms"
    /// Microseconds.
    case microseconds = "µs"
    /// Nanoseconds.
    case nanoseconds = "ns"

    /// The unit is 10 to this power nanoseconds.
    package var powerOfTen: Int {
        switch self {
        case .seconds: 9
        case .milliseconds: 6
        case .microseconds: 3
        case .nanoseconds: 0
        }
    }

    /// The unit in seconds.
    package var inSeconds: Double { 1 / PowersOfTen.doubles[9 - powerOfTen] }

    /// The unit in which samples that are `step` apart are nearest to 20 ms apart, on a logarithmic scale.
    package static func likeliest(step: Double) -> TimeUnit {
        func distance(_ unit: TimeUnit) -> Double {
            let ratio = step * unit.inSeconds / 0.02
            return max(ratio, 1 / ratio)
        }
        return allCases.min { distance($0) < distance($1) } ?? .seconds
    }
}

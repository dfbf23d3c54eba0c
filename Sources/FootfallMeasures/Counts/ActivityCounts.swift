/// The ActiGraph activity counts of a time, by axis of the sensor.
///
/// A. Neishabouri et al., Quantification of acceleration as activity counts in ActiGraph wearable, Scientific Reports
/// 12, 2022. In the tables of ActiGraph, axis 1 is y, axis 2 is x and axis 3 is z.
public struct ActivityCounts: Hashable, Sendable {
    /// The counts of the x axis.
    public var x: Int
    /// The counts of the y axis, which is vertical on an ActiGraph at the hip: axis 1.
    public var y: Int
    /// The counts of the z axis.
    public var z: Int

    /// Creates the counts of the axes.
    public init(x: Int, y: Int, z: Int) {
        (self.x, self.y, self.z) = (x, y, z)
    }

    /// The vector magnitude of the counts: √(x² + y² + z²).
    public var vectorMagnitude: Double { Double(x * x + y * y + z * z).squareRoot() }

    /// No counts.
    public static let zero = ActivityCounts(x: 0, y: 0, z: 0)

    /// The counts of two times together, axis by axis.
    public static func + (first: ActivityCounts, second: ActivityCounts) -> ActivityCounts {
        ActivityCounts(x: first.x + second.x, y: first.y + second.y, z: first.z + second.z)
    }
}

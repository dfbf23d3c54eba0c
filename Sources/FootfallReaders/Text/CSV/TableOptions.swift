package import Footfall

/// What the caller knows about a table. The text determines everything else.
package struct TableOptions: Sendable {
    /// The columns to read; nil to detect them.
    package var columns: SensorColumns?
    /// The unit of acceleration; nil to detect it.
    package var unit: AccelerationScale?
    /// The numbers at 0 g; nil to detect them.
    package var zero: SIMD3<Float>?
    /// The unit of a numeric time; nil to detect it.
    package var timeUnit: TimeUnit?
    /// Samples per second, for a table without times.
    package var sampleRate: Double?
    /// The zone of date-times that state none.
    package var zone: LocalZone
    /// When the first sample was taken, for a table without absolute time, and its date in ``zone``.
    package var start: Timestamp?
    package var startDate: CivilDate?
    /// The moment of time 0, where another file states it.
    package var origin: Timestamp?
    /// The name of the file, which may state the sensor; nil where it is unknown.
    package var fileName: String?
    /// Whether gravity is in another table. ``unit`` is set then.
    package var isGravityApart = false

    package init(zone: LocalZone) { self.zone = zone }
}

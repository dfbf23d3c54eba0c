/// The known facts about lines of text. The decoder learns the others from the first lines.
public struct TextLineOptions: Hashable, Sendable {
    /// The fields of a line to read; nil to find them by their labels, a header, or their values.
    public var columns: SensorColumns?
    /// The unit of acceleration; nil to find it from the lines or from the magnitude of gravity.
    public var scale: AccelerationScale?
    /// The numbers at 0 g; nil to find them from the lines.
    public var zero: SIMD3<Float>?
    /// The unit of a numeric time; nil to find it from its label or from the interval between lines.
    public var timeUnit: TimeUnit?
    /// How numbers stand for accelerations, where the whole log showed it; nil to find it from the lines.
    package var coding: CountCoding?
    /// Whether the first line is whole, as in a file. A port may open in the middle of it.
    package var isFirstLineWhole = false

    /// Creates options; without arguments, the decoder learns everything from the lines.
    public init(
        columns: SensorColumns? = nil, scale: AccelerationScale? = nil, timeUnit: TimeUnit? = nil,
        zero: SIMD3<Float>? = nil
    ) {
        self.columns = columns
        self.scale = scale
        self.timeUnit = timeUnit
        self.zero = zero
    }
}

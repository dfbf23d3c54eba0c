public import Footfall

/// The measures of the samples of one epoch: 5 s, aligned to the UTC clock.
///
/// 1 mg is a thousandth of the standard acceleration of gravity.
public struct EpochMeasures: Hashable, Sendable {
    /// The length of an epoch, in seconds.
    public static let seconds = 5.0

    /// The start of the epoch, a multiple of 5 s of the UTC clock.
    public var start: Timestamp
    /// The Euclidean norm minus one (ENMO), in mg: the mean of max(‖a‖ − 1 g, 0) over the samples.
    ///
    /// V. T. van Hees et al., Separating movement and gravity components in an acceleration signal and implications for
    /// the assessment of human daily physical activity, PLoS ONE 8(4), 2013.
    public var enmoMg: Double
    /// The mean amplitude deviation (MAD), in mg: the mean of |‖a‖ − the mean of ‖a‖| over the samples.
    ///
    /// H. Vähä-Ypyä et al., A universal, accurate intensity-based classification of different physical activities using
    /// raw data of accelerometer, Clinical Physiology and Functional Imaging 35(1), 2015.
    public var madMg: Double
    /// The angle of the z axis above the horizontal plane, in degrees, −90…90; nil if the medians of all axes are 0.
    ///
    /// The arc tangent of z / √(x² + y²), of the median of each axis over the epoch; V. T. van Hees et al., A novel,
    /// open access method to assess sleep duration using a wrist-worn accelerometer, PLoS ONE 10(11), 2015. There the
    /// medians are those of a window that rolls by sample, and the angle is averaged over the epoch.
    public var angleZDegrees: Double?
    /// The share of samples, 0…1, with a clipped value: the axis stays at the end of the sensor's range. Of the three
    /// axes, the one with the largest share counts.
    ///
    /// The end of the range is the most extreme value up to an hour after the epoch, if it is 1.5 g or more.
    public var clipped: Double
    /// Whether the sensor was worn: the middle of the epoch is outside the spans of `MotionEvent.nonWear`.
    public var isWorn: Bool
    /// The part of the epoch, in seconds, that samples cover: at least ``EpochMeter/leastCoverage``.
    public var coverage: Double
    /// The ActiGraph counts; nil unless samples of at least 20 Hz cover the whole epoch without a break over 2 s.
    public var counts: ActivityCounts?

    /// Creates the measures of an epoch.
    ///
    /// - Parameters:
    ///   - start: A multiple of 5 s of the UTC clock.
    ///   - enmoMg: ENMO in mg.
    ///   - madMg: MAD in mg.
    ///   - angleZDegrees: The angle of the z axis above the horizontal plane, in degrees.
    ///   - clipped: The share of samples with a clipped value, 0…1.
    ///   - isWorn: Whether the sensor was worn.
    ///   - coverage: The part of the epoch that samples cover, in seconds.
    ///   - counts: The ActiGraph counts; nil for none.
    public init(
        start: Timestamp, enmoMg: Double, madMg: Double, angleZDegrees: Double?, clipped: Double = 0,
        isWorn: Bool = true, coverage: Double = seconds, counts: ActivityCounts? = nil
    ) {
        self.start = start
        self.enmoMg = enmoMg
        self.madMg = madMg
        self.angleZDegrees = angleZDegrees
        self.clipped = clipped
        self.isWorn = isWorn
        self.coverage = coverage
        self.counts = counts
    }
}

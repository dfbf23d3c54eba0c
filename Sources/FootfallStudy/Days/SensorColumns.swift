internal import Footfall
internal import FootfallMeasures

/// The sensors of a day: how they were calibrated, and how much of their samples is clipped.
struct DaySensors: Sendable {
    /// Those of the traces with samples of the day.
    let calibrations: [CalibrationState]
    /// The share of clipped samples of each epoch, 0…1.
    let clipped: [Double]
}

extension Measure<DaySensors> {
    /// The numbers of a day. Of several traces, the largest error counts.
    static let ofSensors: [Measure] = [
        Measure(
            "calibrationErrorBeforeMg", "mg", decimals: 2, "The mean distance from 1 g at rest before the calibration."
        ) { $0.calibrations.compactMap(\.errorBeforeMg).max() },
        Measure(
            "calibrationErrorAfterMg", "mg", decimals: 2,
            "That of the samples in use: after the calibration, or without a gain, the one before."
        ) { $0.calibrations.compactMap(\.errorAfterMg).max() },
        Measure("clippedPercent", "%", decimals: 3, "The samples at the end of the sensor's range.") {
            $0.clipped.mean.map { 100 * $0 }
        },
    ]
}

internal import Footfall
internal import FootfallHistory
internal import FootfallMeasures

/// Whether the samples of a trace were calibrated, as its `days.csv` states it.
struct CalibrationState: Hashable, Sendable {
    /// One of the words of the column calibration.
    let word: String
    /// The mean distances from 1 g at rest before and after, in mg; nil where they are not known.
    let errorBeforeMg: Double?
    let errorAfterMg: Double?
}

extension CalibrationState {
    /// - Parameter calibration: Nil if none was asked for.
    init(_ calibration: Result<SensorCalibration, SensorCalibration.Obstacle>?) {
        func mg(_ value: Float) -> Double { 1000 * Double(value) }
        switch calibration {
        case nil: self.init(word: "notAsked", errorBeforeMg: nil, errorAfterMg: nil)
        case .success(let found):
            self.init(word: "applied", errorBeforeMg: mg(found.errorBefore), errorAfterMg: mg(found.errorAfter))
        case .failure(.tooLittleStillness): self.init(word: "tooLittleStillness", errorBeforeMg: nil, errorAfterMg: nil)
        case .failure(.tooFewOrientations): self.init(word: "tooFewOrientations", errorBeforeMg: nil, errorAfterMg: nil)
        case .failure(.noGain(let before, _)):
            self.init(word: "noGain", errorBeforeMg: mg(before), errorAfterMg: mg(before))
        }
    }
}

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

import Foundation

@testable import Footfall

extension SignalBuffer {
    /// Appends an acceleration, in g.
    mutating func append(_ acceleration: SIMD4<Float>) {
        append(atMost: 1) { values, place in
            values[place] = acceleration
            return place + 1
        }
    }

    /// Appends an acceleration along z, in g.
    mutating func append(magnitude: Double) {
        append(SIMD4(0, 0, Float(magnitude), 0))
    }
}

/// The time of a value of the half-rate grid: the middle of its cell, in seconds.
func halfRateTime(_ index: Int) -> Double {
    Double(index) / Double(AnalysisGrid.halfRate.hertz) + 0.5 / Double(AnalysisGrid.cells.hertz)
}

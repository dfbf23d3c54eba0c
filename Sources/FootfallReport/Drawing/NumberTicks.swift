internal import Footfall
internal import Foundation

/// An axis between round numbers, with its round numbers.
struct NumberTicks {
    /// The round numbers, including the ends of the axis.
    let values: [Double]
    /// The number of decimals that distinguish them.
    let decimals: Int
    /// Whether equal ratios have equal lengths.
    let isLogarithmic: Bool

    /// Finds the axis for numbers from `least` to `greatest`.
    ///
    /// - Parameter count: The approximate number of round numbers.
    init(_ least: Double, _ greatest: Double, about count: Int) {
        // Equal or almost equal numbers need an axis of a least length.
        let rawStep = max(greatest - least, abs(greatest) * 1e-6, 1e-6) / Double(max(1, count))
        let power = pow(10, floor(log10(rawStep)))
        let step = power * ([1, 2, 5].first { $0 * power >= rawStep } ?? 10)
        let first = floor(least / step)
        let last = max(ceil(greatest / step), first + 1)
        // About `count` numbers; 100 is only a bound.
        values = (0...Int(clamping: min(last - first, 100))).map { (first + Double($0)) * step }
        decimals = max(0, Int(clamping: -floor(log10(step))))
        isLogarithmic = false
    }

    /// Finds a logarithmic axis with 1, 2, 5, 10, 20, 50 … for counts from `least` to `greatest`. A count of 0 lies at
    /// its begin.
    init(countsFrom least: Double, to greatest: Double) {
        // 15 decades are more than any count has.
        let steps = (0..<15).flatMap { decade in [1, 2, 5].map { $0 * pow(10, Double(decade)) } }
        let first = steps.lastIndex { $0 <= least } ?? 0
        let last = max(steps.firstIndex { $0 >= greatest } ?? steps.count - 1, first + 1)
        (values, decimals, isLogarithmic) = (Array(steps[first...min(last, steps.count - 1)]), 0, true)
    }

    /// Where a number lies on the axis: 0 at its begin, 1 at its end.
    func share(of value: Double) -> Double {
        guard isLogarithmic else { return (value - range.lowerBound) / (range.upperBound - range.lowerBound) }
        return log10(max(value, range.lowerBound) / range.lowerBound) / log10(range.upperBound / range.lowerBound)
    }

    var range: ClosedRange<Double> {
        (values.first ?? 0)...(values.last ?? 1)
    }
}

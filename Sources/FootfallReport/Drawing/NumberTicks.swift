internal import Foundation

/// A range of numbers that begins and ends at round ones, and the round ones in it.
struct NumberTicks {
    /// The round numbers, the ends of the axis among them.
    let values: [Double]
    /// How many digits after the point tell them apart.
    let decimals: Int

    /// Finds the axis for numbers from `least` to `greatest`.
    ///
    /// - Parameter count: About how many round numbers there should be.
    init(_ least: Double, _ greatest: Double, about count: Int) {
        // Numbers that can no longer be told apart are as good as equal, and need room all the same.
        let rough = max(greatest - least, abs(greatest) * 1e-6, 1e-6) / Double(max(1, count))
        let power = pow(10, floor(log10(rough)))
        let step = power * ([1, 2, 5].first { $0 * power >= rough } ?? 10)
        let first = floor(least / step)
        let last = max(ceil(greatest / step), first + 1)
        // A handful: their span is cut into about as many as were asked for.
        values = (0...Int(min(last - first, 100))).map { (first + Double($0)) * step }
        decimals = max(0, Int(-floor(log10(step))))
    }

    var range: ClosedRange<Double> {
        (values.first ?? 0)...(values.last ?? 1)
    }
}

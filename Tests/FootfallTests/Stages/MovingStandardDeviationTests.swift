import Foundation
import TestSupport
import Testing

@testable import Footfall

@Suite("The moving standard deviation")
struct MovingStandardDeviationTests {
    /// Half the windows of the trend and of the deviation, in values.
    private static let (trend, reach) = (25, 11)

    private let magnitudes: [Double] = {
        var random = SeededGenerator(seed: 3)
        return (0..<300).map { 1 + 0.002 * Double($0) + Double.random(in: -0.2...0.2, using: &random) }
    }()

    private func signal(_ count: Int) -> SignalBuffer {
        var signal = SignalBuffer(start: 1000)
        for magnitude in magnitudes[..<count] { signal.append(magnitude: magnitude) }
        return signal
    }

    private func mean(_ values: [Double], around index: Int, _ reach: Int) -> Double {
        let window = values[max(0, index - reach)...min(values.count - 1, index + reach)]
        return window.reduce(0, +) / Double(window.count)
    }

    @Test("equals its definition, also at the ends of the signal")
    func definition() {
        var deviation = MovingStandardDeviation()
        deviation.measure(1000..<1300, of: signal(300))
        let detrended = magnitudes.indices.map { magnitudes[$0] - mean(magnitudes, around: $0, Self.trend) }
        let squares = detrended.map { $0 * $0 }
        for index in magnitudes.indices {
            let place = Int64(1000 + index)
            #expect(abs(Double(deviation.detrendedMagnitude(at: place)) - detrended[index]) < 1e-5)
            let expected = mean(squares, around: index, Self.reach).squareRoot()
            #expect(abs(Double(deviation.deviation(at: place)) - expected) < 1e-5)
        }
        #expect(deviation.deviation(at: 999) == 0 && deviation.deviation(at: 1300) == 0)
        #expect(deviation.deviation(over: 1300..<1400) == nil)
    }

    @Test("measured while the signal grows, equals the whole one")
    func growth() {
        var (growing, whole) = (MovingStandardDeviation(), MovingStandardDeviation())
        whole.measure(1000..<1300, of: signal(300))
        for end in stride(from: 25, through: 300, by: 25) {
            growing.measure(Int64(1000 + max(0, end - 100))..<Int64(1000 + end), of: signal(end))
        }
        for index in 1200..<1300 as Range<Int64> {
            #expect(abs(growing.deviation(at: index) - whole.deviation(at: index)) < 1e-5)
        }
    }
}

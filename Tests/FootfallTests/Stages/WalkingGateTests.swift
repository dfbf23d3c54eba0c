import Foundation
import TestSupport
import Testing

@testable import Footfall

@Suite("The walking gate")
struct WalkingGateTests {
    /// The scored cadences around the middle of ten seconds.
    ///
    /// - Parameter acceleration: The acceleration in g at a time in seconds.
    private func cadences(_ acceleration: (Double) -> SIMD3<Double>) -> [ScoredCadence] {
        var (signal, parts, gate) = (SignalBuffer(start: 0), SplitSignal(firstCell: 0), WalkingGate())
        for cell in 0..<10 * Int(AnalysisGrid.cells.hertz) {
            let value = acceleration((Double(cell) + 0.5) / Double(AnalysisGrid.cells.hertz))
            let magnitude = (value * value).sum().squareRoot()
            signal.append(SIMD4(Float(value.x), Float(value.y), Float(value.z), Float(magnitude)))
        }
        parts.extend(signal, from: 0, to: AnalysisGrid.halfRate(of: signal.range).upperBound)
        let found = gate.cadences(in: parts, around: AnalysisGrid.halfRate.middle(of: 5))
        return (0..<found.count).map { found[$0] }
    }

    /// Two steps a stride: each shakes the body up, with a harmonic, and the hips sway with each stride.
    private func walk(at time: Double, hertz: Double) -> SIMD3<Double> {
        let phase = 2 * .pi * hertz * time
        return SIMD3(0.1 * cos(phase / 2), 0.05 * sin(phase), 1 + 0.25 * cos(phase) + 0.1 * cos(2 * phase))
    }

    @Test("scores the cadence of a walk above all others", arguments: [1.5, 1.8, 2.1])
    func walk(hertz: Double) throws {
        let best = try #require(cadences { walk(at: $0, hertz: hertz) }.max { $0.score < $1.score })
        #expect(best.score > 0 && abs(best.hertz - Float(hertz)) < 0.05, "\(best)")
    }

    @Test("needs power at a cadence of a body: a sway of 0.3 Hz and a tremor of 8 Hz have none", arguments: [0.3, 8])
    func other(hertz: Double) {
        #expect(cadences { SIMD3(0, 0, 1 + 0.3 * sin(2 * .pi * hertz * $0)) }.allSatisfy { $0.score < 0 })
    }

    @Test("refuses a tone that no body makes")
    func tone() {
        #expect(cadences { SIMD3(0, 0, 1 + 0.3 * sin(2 * .pi * 2 * $0)) }.isEmpty)
    }

    /// Of 600 seconds of such noise, 22 have a score above 0; the tracker and the check leave no step.
    @Test("seldom passes noise, and never by much")
    func noise() {
        let best = (1...100).compactMap { (seed: UInt64) -> Float? in
            var random = SeededGenerator(seed: seed)
            return cadences { _ in SIMD3(0, 0, 1) + 0.2 * SIMD3.random(in: -1...1, using: &random) }.map(\.score).max()
        }
        #expect(best.count { $0 > 0 } <= 15 && best.allSatisfy { $0 < 3 }, "\(best)")
    }
}

import Foundation
import TestSupport
import Testing

@testable import Footfall

@Suite("The low-pass filter")
struct LowPassTests {
    /// The filter of the step detector, which also halves the rate.
    private static let filter = LowPass(cutoffHertz: 5, sampleRate: 50, reach: 24)

    private func halved(_ values: [Float]) -> [Float] {
        let input = values.map { SIMD4<Float>(repeating: $0) }
        var results = [SIMD4<Float>](repeating: SIMD4(), count: values.count)
        var places = results.mutableSpan
        let end = Self.filter.halve(input.span, into: &places, at: 0)
        return results[..<end].map(\.w)
    }

    @Test("keeps a constant and a straight line, and delays nothing")
    func lines() {
        let results = halved((0..<200).map { 0.01 * Float($0) - 1 })
        #expect(results.count == 76)
        for (index, result) in results.enumerated() {
            #expect(abs(result - (0.01 * Float(24 + 2 * index) - 1)) < 1e-5)
        }
    }

    @Test(
        "passes the rhythm of steps, halves 5 Hz and stops what shakes faster",
        arguments: [(1, 0.99...1.01), (2.5, 0.98...1.02), (5, 0.48...0.52), (8, 0...0.01), (20, 0...0.01)])
    func response(hertz: Double, amplitude: ClosedRange<Double>) {
        // Whole periods, so that the mean square is that of the wave.
        let wave = (0..<50 * 10 + 48).map { Float(sin(2 * .pi * hertz * Double($0) / 50 + 0.3)) }
        let results = halved(wave)
        let square = results.reduce(0) { $0 + Double($1) * Double($1) } / Double(results.count)
        #expect(amplitude.contains((2 * square).squareRoot()))
    }

    @Test("answers an impulse equally before and after it")
    func symmetry() {
        var values = [Float](repeating: 0, count: 148)
        values[74] = 1
        let results = halved(values)
        let middle = (74 - 24) / 2
        for offset in 1...12 {
            #expect(results[middle - offset] == results[middle + offset], "\(offset) values away")
        }
        #expect(results[middle] == results.max())
    }

    @Test("gives the same for a signal in pieces of any size", arguments: [1, 2, 4, 5, 7, 25])
    func pieces(size: Int) {
        var random = SeededGenerator(seed: 5)
        let values = (0..<300).map { _ in Float.random(in: -1...1, using: &random) }
        let whole = halved(values)
        for first in stride(from: 0, to: whole.count - size, by: size) {
            let piece = halved(Array(values[2 * first..<2 * (first + size) + 47]))
            #expect(piece.count == size)
            for (index, result) in piece.enumerated() { #expect(abs(result - whole[first + index]) < 1e-6) }
        }
    }

    /// Lines between samples at 12.5 Hz keep two thirds of it, with a wave at the difference from the rate.
    @Test("a split signal has as much fast motion from a slow sensor as from a fast one", arguments: [5.5, 5.8])
    func slowSensor(hertz: Double) throws {
        func fastMotion(at rate: Double) throws -> Float {
            let samples = (0..<Int(20 * rate)).map { index in
                let time = Double(index) / rate
                let z = Float(cos(2 * Double.pi * hertz * time))
                return AccelerationSample(time: Timestamp.epoch.advanced(bySeconds: time), x: 0, y: 0, z: z)
            }
            var signals = ResampledSignals()
            let resampled = signals.add(SampleBatch(samples)) + signals.finish()
            let cells = try #require(resampled.first).cells
            var parts = SplitSignal(firstCell: cells.start)
            parts.sampleRate = Float(rate)
            parts.extend(cells, from: parts.start, to: AnalysisGrid.halfRate(of: cells.range).upperBound)
            let values = parts.highPassed.slice(parts.highPassed.range)
            return (values.reduce(0) { $0 + $1.z * $1.z } / Float(values.count)).squareRoot()
        }
        let share = try fastMotion(at: 12.5) / fastMotion(at: 100)
        #expect((0.8...1.6).contains(share), "\(share)")
    }
}

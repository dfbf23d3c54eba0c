import Foundation
import TestSupport
import Testing

@testable import Footfall

@Suite("The Fourier transform of four signals")
struct FourChannelFFTTests {
    /// A bin by the definition: the sum of values × e^(−2πi k n / N), in double precision.
    private func sum(_ values: [Float], bin: Int) -> SIMD2<Double> {
        var sum = SIMD2<Double>()
        for (index, value) in values.enumerated() {
            let angle = -2 * Double.pi * Double(bin * index) / Double(values.count)
            sum += Double(value) * SIMD2(cos(angle), sin(angle))
        }
        return sum
    }

    @Test("equals the sum that defines it, in each lane and for each length", arguments: 3...9)
    func definition(exponent: Int) {
        var random = SeededGenerator(seed: UInt64(exponent))
        var transform = FourChannelFFT(exponent: exponent)
        let values = (0..<transform.length).map { _ in SIMD4<Float>.random(in: -1...1, using: &random) }
        transform.transform(values)
        for bin in 1..<transform.length / 2 {
            let (real, imaginary) = transform.bin(bin)
            for lane in 0..<4 {
                let expected = sum(values.map { $0[lane] }, bin: bin)
                let error = SIMD2(Double(real[lane]), Double(imaginary[lane])) - expected
                #expect(max(abs(error.x), abs(error.y)) < 1e-4, "bin \(bin), lane \(lane): real, imaginary \(error)")
            }
        }
    }

    @Test("a cosine is real and positive, a sine is imaginary and negative, and both lie in their bin alone")
    func signs() {
        var transform = FourChannelFFT(exponent: 6)
        transform.transform(
            (0..<64).map { index in
                let angle = 2 * Double.pi * 5 * Double(index) / 64
                return SIMD4(Float(cos(angle)), Float(sin(angle)), Float(cos(angle + 0.5)), 1)
            })
        for bin in 1..<32 {
            let (real, imaginary) = transform.bin(bin)
            let expected: (real: SIMD4<Float>, imaginary: SIMD4<Float>) =
                bin == 5 ? (SIMD4(32, 0, 32 * cos(0.5), 0), SIMD4(0, -32, 32 * sin(0.5), 0)) : (SIMD4(), SIMD4())
            for lane in 0..<4 {
                #expect(abs(real[lane] - expected.real[lane]) < 1e-4, "real part of bin \(bin), lane \(lane)")
                #expect(
                    abs(imaginary[lane] - expected.imaginary[lane]) < 1e-4,
                    "imaginary part of bin \(bin), lane \(lane)")
            }
        }
    }

    @Test("a second transform starts anew")
    func isRepeatable() {
        var transform = FourChannelFFT(exponent: 5)
        let values = (0..<32).map { SIMD4<Float>(repeating: Float($0 % 7)) }
        var (powers, again) = (
            [SIMD4<Float>](repeating: SIMD4(), count: 16), [SIMD4<Float>](repeating: SIMD4(), count: 16)
        )
        transform.transform(values)
        transform.writePowers(at: 1...15, to: &powers)
        transform.transform(values.map { 3 * $0 })
        transform.transform(values)
        transform.writePowers(at: 1...15, to: &again)
        #expect(powers == again)
        #expect(powers[1...].allSatisfy { $0.x > 0 })
    }
}

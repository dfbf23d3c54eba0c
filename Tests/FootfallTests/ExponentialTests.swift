import Foundation
import Testing

@testable import Footfall

@Suite("Logarithms and exponentials of eight numbers")
struct ExponentialTests {
    @Test("agree with the C library to about the last bit")
    func agreesWithTheLibrary() {
        for step in stride(from: Float(-86), through: 87, by: 0.37) {
            let numbers = SIMD8<Float>(step, step + 0.01, step + 0.1, step + 0.2, -step, -step / 3, step / 1e6, 0)
                .clamped(lowerBound: SIMD8(repeating: -86), upperBound: SIMD8(repeating: 87))
            let powers = exponential(numbers)
            let back = logarithm(powers)
            for lane in 0..<8 {
                let exact = exp(Double(numbers[lane]))
                // The rounding of the number itself grows with its size and carries over to the result.
                #expect(abs(Double(powers[lane]) / exact - 1) < 3e-7, "e to the power of \(numbers[lane])")
                #expect(abs(Double(back[lane]) - log(Double(powers[lane]))) < 2e-7 * max(1, abs(Double(numbers[lane]))))
            }
        }
    }

    @Test("results below the normal numbers are 0, and too large ones stay finite")
    func endsOfTheRange() {
        let powers = exponential(SIMD8(-.infinity, -1000, -88, 0, 1, 88, 1000, .infinity))
        #expect(powers.lowHalf == SIMD4(0, 0, 0, 1))
        for lane in 4..<8 { #expect(powers[lane].isFinite && powers[lane] > 2.718) }
    }
}

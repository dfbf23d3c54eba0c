import Foundation
import Testing

@testable import Footfall

/// The window features must equal those of a computation in double precision and must not depend on the orientation of
/// the device.
@Suite("Window features")
struct WindowFeaturesTests {
    /// Eight seconds of sines on all axes, rotated by `turn`.
    private func signal(
        turnedBy turn: (SIMD4<Float>) -> SIMD4<Float> = { $0 }
    ) -> SignalBuffer {
        var signal = SignalBuffer(start: 0)
        for cell in 0..<400 {
            let time = Double(cell) / 50
            func sine(_ hertz: Double, _ phase: Double = 0) -> Double { sin(2 * .pi * hertz * time + phase) }
            let x = 0.02 * sine(0.4) + 0.10 * sine(1.5, 0.3) + 0.03 * sine(4.1, 1)
            let y = 0.05 * sine(0.9, 0.5) + 0.04 * sine(2.5, 2) + 0.02 * sine(5.3)
            let z = 1 + 0.08 * sine(1.5, 1.3) + 0.06 * sine(3.7) * sine(0.1)
            signal.append(turn(SIMD4(Float(x), Float(y), Float(z), 0)))
        }
        return signal
    }

    private func features(of signal: SignalBuffer, around second: Int64) -> WindowFeatures? {
        var extractor = FeatureExtractor()
        return extractor.features(of: signal, around: AnalysisGrid.cells.middle(of: second))
    }

    /// Computed in double precision, with numpy.
    private static let atTheStart: [Float] = [
        -3.7364, -2.8922, -2.0887, -3.0978, -2.7206, -3.7236, -1.8434, -0.4644,
        -0.1678, -0.1270, -0.2534, -0.2641, 0.5921, 0.0976, -0.1474, -4.0689,
    ]
    private static let inTheMiddle: [Float] = [
        -3.7360, -2.8921, -2.0887, -3.0978, -3.0621, -3.7236, -1.9400, -0.4520,
        -0.3813, -0.1274, -0.2534, -0.4322, 0.5504, 0.0900, -0.0897, -4.6257,
    ]

    @Test("equal those of a second implementation")
    func asComputedTwice() throws {
        for (second, expected) in [(0, Self.atTheStart), (4, Self.inTheMiddle)] {
            let measured = try #require(features(of: signal(), around: Int64(second)))
            #expect(!measured.isQuiet)
            for index in 0..<16 {
                #expect(abs(measured.values[index] - expected[index]) < 0.002, "feature \(index) of second \(second)")
            }
        }
    }

    @Test("do not depend on the orientation of the device")
    func orientation() throws {
        let upright = try #require(features(of: signal(), around: 4))
        // A rotation about z, and a cyclic exchange of the axes.
        let turned = signal { value in
            SIMD4(0.8 * value.y - 0.6 * value.x, 0.6 * value.y + 0.8 * value.x, value.z, 0)
        }
        let exchanged = signal { value in SIMD4(value.z, value.x, value.y, 0) }
        for rotated in [turned, exchanged] {
            let measured = try #require(features(of: rotated, around: 4))
            for index in 0..<16 {
                #expect(abs(measured.values[index] - upright.values[index]) < 0.002, "feature \(index)")
            }
        }
    }

    @Test("are not measured without motion")
    func stillness() throws {
        var signal = SignalBuffer(start: 0)
        for cell in 0..<400 { signal.append(SIMD4(0, 0.001 * Float(cell % 3), 1, 0)) }
        #expect(try #require(features(of: signal, around: 4)).isQuiet)
    }

    @Test("need five seconds of signal")
    func shortSignal() {
        var signal = SignalBuffer(start: 0)
        for _ in 0..<254 { signal.append(SIMD4(0, 0, 1, 0)) }
        #expect(features(of: signal, around: 2) == nil)
    }
}

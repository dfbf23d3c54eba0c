import Foundation
import Testing

@testable import Footfall

/// What the activity model looks at must be what it was trained on, and must not depend on how the device is turned.
@Suite("Features of motion")
struct MotionFeaturesTests {
    /// Eight seconds of sines on all axes, turned by `turn`.
    private func signal(turnedBy turn: (SIMD4<Float>) -> SIMD4<Float> = { $0 }) -> Grid {
        var grid = Grid(start: 0)
        for cell in 0..<400 {
            let time = Double(cell) / 50
            func sine(_ hertz: Double, _ phase: Double = 0) -> Double { sin(2 * .pi * hertz * time + phase) }
            let x = 0.02 * sine(0.4) + 0.10 * sine(1.5, 0.3) + 0.03 * sine(4.1, 1)
            let y = 0.05 * sine(0.9, 0.5) + 0.04 * sine(2.5, 2) + 0.02 * sine(5.3)
            let z = 1 + 0.08 * sine(1.5, 1.3) + 0.06 * sine(3.7) * sine(0.1)
            grid.append(turn(SIMD4(Float(x), Float(y), Float(z), 0)))
        }
        return grid
    }

    private func features(of grid: Grid, around second: Int64) -> MotionFeatures? {
        var meter = FeatureMeter()
        // The middle of the second.
        return meter.features(of: grid, around: second * 50 + 25)
    }

    /// Computed with numpy, in double precision, by the code that trains the model.
    private static let atTheStart: [Float] = [
        -3.7364, -2.8922, -2.0887, -3.0978, -2.7206, -3.7236, -1.8434, -0.4644,
        -0.1678, -0.1270, -0.2534, -0.2641, 0.5921, 0.0976, -0.1474, -4.0689,
    ]
    private static let inTheMiddle: [Float] = [
        -3.7360, -2.8921, -2.0887, -3.0978, -3.0621, -3.7236, -1.9400, -0.4520,
        -0.3813, -0.1274, -0.2534, -0.4322, 0.5504, 0.0900, -0.0897, -4.6257,
    ]

    @Test("are those the model was trained on")
    func asTrained() throws {
        for (second, expected) in [(0, Self.atTheStart), (4, Self.inTheMiddle)] {
            let measured = try #require(features(of: signal(), around: Int64(second)))
            #expect(!measured.isQuiet)
            for index in 0..<16 {
                #expect(abs(measured.values[index] - expected[index]) < 0.002, "feature \(index) of second \(second)")
            }
        }
    }

    @Test("do not know which way the device is turned")
    func orientation() throws {
        let upright = try #require(features(of: signal(), around: 4))
        // A rotation by 90° about one axis, then by about 37° about another.
        let turned = signal { value in
            SIMD4(0.8 * value.y - 0.6 * value.x, 0.6 * value.y + 0.8 * value.x, value.z, 0)
        }
        let mirrored = signal { value in SIMD4(value.z, value.x, value.y, 0) }
        for grid in [turned, mirrored] {
            let measured = try #require(features(of: grid, around: 4))
            for index in 0..<16 {
                #expect(abs(measured.values[index] - upright.values[index]) < 0.002, "feature \(index)")
            }
        }
    }

    @Test("are not measured where nothing moves")
    func stillness() throws {
        var grid = Grid(start: 0)
        for cell in 0..<400 { grid.append(SIMD4(0, 0.001 * Float(cell % 3), 1, 0)) }
        #expect(try #require(features(of: grid, around: 4)).isQuiet)
    }

    @Test("need five seconds")
    func shortStretch() {
        var grid = Grid(start: 0)
        for _ in 0..<254 { grid.append(SIMD4(0, 0, 1, 0)) }
        #expect(features(of: grid, around: 2) == nil)
    }
}

extension Grid {
    /// Appends the acceleration of the next cell.
    fileprivate mutating func append(_ acceleration: SIMD4<Float>) {
        append(atMost: 1) { cells, next in
            cells[next] = acceleration
            return next + 1
        }
    }
}
